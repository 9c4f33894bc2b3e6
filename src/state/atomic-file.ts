import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { TimeSlice } from '../runtime/time-slice.ts';

/** Bytes before compression. The largest account in our tests has a hundredth of it. Larger files could not be read again. */
export const maxSize = 64 * 1024 * 1024;

/**
 * Replaces a file by these lines, compressed. Readers find the old or the new content, even after a loss of power. After
 * `syncFolder`, they always find the new content, if the file system can write folders to disk. The lock allows only one writer,
 * so the temporary file can have a fixed name.
 */
export async function writeAtomically(directory: string, name: string, lines: Iterable<string>): Promise<void> {
  const path = join(directory, name);
  const temporary = `${path}.tmp`;
  try {
    // Another process may have left a pipe or a link, through which this one would write.
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      const chunks = chunksOf(lines);
      const { value: first = Buffer.of() } = await chunks.next();
      const { value: second, done } = await chunks.next();
      if (done === true) await file.writeFile(await compress(first, options));
      else await writeCompressed(file, Readable.from(joined([first, second], chunks)));
      await sync(file);
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
  await sync(folder).finally(() => folder.close());
}

/** Writes to disk now. Some file systems cannot do this for folders, others for no file: there, the system decides when to write. */
async function sync(file: FileHandle): Promise<void> {
  await file.sync().catch((error: NodeJS.ErrnoException) => {
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(error.code ?? '')) throw error;
  });
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
  let size = 0;
  for (const line of lines) {
    size += Buffer.byteLength(line);
    if (size > maxSize) throw new RangeError(`the state of an account is larger than ${maxSize} bytes`);
    chunk += line;
    if (chunk.length < chunkSize) continue;
    yield Buffer.from(chunk);
    chunk = '';
    await slice.pause();
  }
  yield Buffer.from(chunk);
}
