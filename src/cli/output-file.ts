import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { writeError } from '../config/values/config-error.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { escapeForTerminal } from './terminal.ts';

type OutputText = string | Iterable<string>;

/** Milliseconds between two attempts while a FIFO has no reader or is full. */
const retryInterval = 100;

/**
 * Checks that a path can be written, and returns a function that writes a whole text there. Both reject with ConfigError. The returned
 * function replaces a regular file atomically, even behind a symlink. It resolves with false if its signal aborts the write.
 */
export async function prepareOutput(path: string) {
  const write = await chooseWriter(path).catch((error: unknown) => {
    throw writeError(path, error);
  });
  return async (text: OutputText, signal: AbortSignal) => {
    try {
      await write(text, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw writeError(path, error);
    }
  };
}

async function chooseWriter(path: string): Promise<(text: OutputText, signal: AbortSignal) => Promise<void>> {
  const existing = await unlessCode(['ENOENT'], stat(path));
  if (existing?.isDirectory() === true) throw new Error('is a directory; name a file');
  if (existing !== undefined && !existing.isFile()) {
    await access(path, constants.W_OK);
    return (text, signal) => writeThrough(path, text, existing.isFIFO() ? ['ENXIO', 'EAGAIN'] : ['EAGAIN'], signal);
  }
  const target = await followLinks(path);
  // Test by creating a file. Permissions are no proof: in /proc, root has them but cannot create files.
  const probe = temporaryName(target);
  await writeFile(probe, '', { flag: 'wx' });
  await rm(probe);
  return (text, signal) => replace(target, text, signal);
}

/** Resolves symlinks, even if they lead to a file that does not exist. */
async function followLinks(path: string): Promise<string> {
  const folder = await realpath(dirname(path));
  // EINVAL: not a symlink.
  const link = await unlessCode(['ENOENT', 'EINVAL'], readlink(path));
  return link === undefined ? path : followLinks(resolve(folder, link));
}

/** Replaces the file atomically: readers see either the old or the new text, never a part of a text. */
async function replace(path: string, text: OutputText, signal: AbortSignal): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeFile(temporary, text, { mode: 0o644, signal });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/** Writes without blocking, because a thread that waits for the reader of a FIFO would keep the process from exiting. */
async function writeThrough(path: string, text: OutputText, codesToRetry: readonly string[], signal: AbortSignal) {
  const retry = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (;;) {
      const result = await unlessCode(codesToRetry, attempt());
      if (result !== undefined) return result;
      await pause(retryInterval, undefined, { signal });
    }
  };
  const file = await retry(() => open(path, constants.O_WRONLY | constants.O_NONBLOCK));
  try {
    for (const piece of typeof text === 'string' ? [text] : text) {
      let rest = Buffer.from(isatty(file.fd) ? escapeForTerminal(piece) : piece);
      while (rest.length > 0) {
        const { bytesWritten } = await retry(() => file.write(rest));
        rest = rest.subarray(bytesWritten);
      }
    }
  } finally {
    await file.close();
  }
}
