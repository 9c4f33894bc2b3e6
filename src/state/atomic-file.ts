import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

/**
 * Replaces a file by these lines, compressed: a reader finds the old content or the new, even after a loss of power. The new content is
 * certain to survive it after `syncFolder`. The lock allows only one writer, so the temporary file can have a fixed name.
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

/** Writes to disk which files a folder has. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Fast, because the files are small anyway. */
const options = { level: 1 };

/** Most accounts fit into one chunk, for which a stream costs more than its content. */
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

/** Characters of one chunk: compressing and writing them takes a few milliseconds, in other threads. */
export const chunkSize = 64 * 1024;

/** Joins short lines, and lets other work continue between two chunks. */
export async function* chunksOf(lines: Iterable<string>): AsyncGenerator<Buffer, void> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < chunkSize) continue;
    yield Buffer.from(chunk);
    chunk = '';
    await setImmediate();
  }
  yield Buffer.from(chunk);
}
