import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Number of bytes to write before other work can run. */
const writeSize = 1024 * 1024;

/** Writes and ends the response, without copying the buffers. Waits for each write, and stops if the client disconnects. */
export async function writeChunked(response: ServerResponse, buffers: Iterable<Buffer>): Promise<void> {
  // Cork the socket and not the response: Node.js loses callbacks of a corked response if its client disconnects.
  const { socket } = response;
  let size = 0;
  socket?.cork();
  for (const buffer of buffers) {
    size += buffer.length;
    if (size < writeSize) {
      response.write(buffer);
      continue;
    }
    const written = write(response, buffer);
    socket?.uncork();
    if (!(await written)) return;
    await setImmediate();
    size = 0;
    socket?.cork();
  }
  socket?.uncork();
  // Wait for all bytes. Otherwise, Node.js reports the end too early, and the exporter could stop in the middle of the response.
  if (await write(response, noBytes)) response.end();
}

const noBytes = Buffer.of();

/** Resolves with true when Node.js no longer needs the bytes, and with false if the client has disconnected. */
function write(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    response.write(bytes, (error) => resolve(error === undefined || error === null));
  });
}
