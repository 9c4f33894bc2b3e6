import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Reads a regular file. Rejects with a system error if the file is unreadable, larger than `maxSize` bytes, or a pipe or device. */
export async function readRegularFile(path: string, maxSize: number) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw unusable('ENOTSUP', `${path} is not a regular file; remove it`);
    if (stats.size > maxSize) throw unusable('EFBIG', `${path} is larger than ${maxSize} bytes; remove it`);
    return { bytes: await file.readFile(), stats };
  } finally {
    await file.close();
  }
}

function unusable(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code, syscall: 'open' });
}
