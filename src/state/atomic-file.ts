import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { TimeSlice } from '../runtime/time-slice.ts';

/**
 * Replaces a file by these lines, compressed. Readers find the old or the new content, even after a loss of power. After
 * `syncFolder`, they always find the new content. The lock allows only one writer, so the temporary file can have a fixed name.
 */
export async function writeAtomically(directory: string, name: string, lines: Iterable<string>): Promise<void> {
  const path = join(directory, name);
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      const chunks = chunksOf(lines);
      const { value: first = Buffer.of() } = await chunks.next();
      const { value: second, done } = await chunks.next();
      if (done === true) await file.writeFile(await compress(first, options));
      else await writeCompressed(file, Readable.from(joined([first, second], chunks)));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Writes a folder's list of files to disk, so that a new or renamed file survives a loss of power. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}

/** A fast compression level, because the files are small anyway. */
const options = { level: 1 };

/** Compresses a file that consists of one chunk, as most accounts do. Creating a stream would take longer than the compression. */
const compress = promisify<Buffer, object, Buffer>(gzip);

async function writeCompressed(file: FileHandle, chunks: Readable): Promise<void> {
  await pipeline(chunks, createGzip(options), async (compressed) => {
    for await (const chunk of compressed) await file.appendFile(chunk);
  });
}

async function* joined(first: readonly Buffer[], others: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield* first;
  yield* others;
}

/** Number of characters of a chunk, which another thread compresses and writes in a few milliseconds. */
const chunkSize = 64 * 1024;

/** Joins lines into chunks, and yields to the event loop between them. */
async function* chunksOf(lines: Iterable<string>): AsyncGenerator<Buffer, void> {
  const slice = new TimeSlice();
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkSize) continue;
    yield Buffer.from(chunk);
    chunk = '';
    await slice.pause();
  }
  yield Buffer.from(chunk);
}
