import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

/**
 * Replaces a file by these lines, compressed: a reader finds the old content or the new, even after a loss of power. The lock allows only
 * one writer, so the temporary file can have a fixed name.
 */
export async function writeAtomically(directory: string, name: string, lines: Iterable<string>): Promise<void> {
  const path = join(directory, name);
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await pipeline(Readable.from(chunksOf(lines)), createGzip({ level: 1 }), async (compressed) => {
        for await (const chunk of compressed) await file.appendFile(chunk);
      });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    const folder = await open(directory, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
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
