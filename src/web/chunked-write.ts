import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Number of bytes of one write. A buffer of this size fits the processor's cache. */
const writeSize = 128 * 1024;

/** Writes and ends the response. Waits for each write, so that a slow client occupies only the memory of one write. */
export async function writeChunked(response: ServerResponse, buffers: Iterable<Buffer>, total: number): Promise<void> {
  const piece = Buffer.allocUnsafeSlow(Math.min(writeSize, total));
  let used = 0;
  for (const buffer of buffers) {
    for (let sent = 0; sent < buffer.length; ) {
      if (used === piece.length) {
        if (!(await write(response, piece))) return;
        await setImmediate();
        used = 0;
      }
      const copied = buffer.copy(piece, used, sent);
      used += copied;
      sent += copied;
    }
  }
  response.end(piece.subarray(0, used));
}

/** Resolves with true when Node.js no longer needs the bytes, and with false if the client has disconnected. */
function write(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    response.write(bytes, (error) => resolve(error === undefined || error === null));
  });
}
