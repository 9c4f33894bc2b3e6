import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { unlessCode } from '../config/values/expected-error.ts';
import { TimeSlice } from '../runtime/time-slice.ts';

/** Maximum number of bytes before compression, for writing and reading. The largest account in tests needs a hundredth of this. */
export const maxSize = 64 * 1024 * 1024;

/**
 * Replaces a file by these lines, compressed. Even after a power loss, readers find either the old or the new content. Once
 * `syncFolder` has synced the folder, readers find only the new content. The lock allows only one writer, so the temporary name is fixed.
 */
export async function writeAtomically(directory: string, name: string, lines: Iterable<string>): Promise<void> {
  const path = join(directory, name);
  const temporary = `${path}.tmp`;
  try {
    // Remove a pipe or link with this name. Otherwise, this process would write through the pipe or link. `rm` might remove a folder.
    await unlessCode(['ENOENT'], unlink(temporary));
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(await compress(await concatenate(lines), options));
      await sync(file);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Creates a directory and its parents. Node.js' recursive mkdir would never return in a folder such as /proc. */
export async function createDirectory(directory: string, mode?: number): Promise<void> {
  if (existsSync(directory)) return;
  await createDirectory(dirname(directory), mode);
  await mkdir(directory, mode);
}

/** Writes a folder's list of files to disk, so that a new or renamed file survives a power loss. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  await sync(folder).finally(() => folder.close());
}

/** Writes a file or folder to disk now. If the file system cannot do this, the kernel writes it later. */
async function sync(file: FileHandle): Promise<void> {
  await unlessCode(['EINVAL', 'ENOTSUP', 'ENOSYS'], file.sync());
}

/** A fast compression level, because the files are small anyway. */
const options = { level: 1 };

const compress = promisify<Buffer, object, Buffer>(gzip);

/** Joins lines, and yields to the event loop between them. */
async function concatenate(lines: Iterable<string>): Promise<Buffer> {
  const slice = new TimeSlice();
  const pieces: Buffer[] = [];
  let size = 0;
  for (const line of lines) {
    const piece = Buffer.from(line);
    size += piece.length;
    if (size > maxSize) throw new RangeError(`the state of an account is larger than ${maxSize} bytes`);
    pieces.push(piece);
    await slice.pause();
  }
  return Buffer.concat(pieces);
}
