import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { chmod, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeError } from '../config/values/config-error.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { escapeControls } from '../config/values/wording.ts';

type Text = string | Iterable<string>;

/**
 * Checks that a path can be written, and returns a function that writes a whole text there. Both reject with ConfigError. The returned
 * function replaces a regular file atomically, even behind a symlink. It resolves with false if its signal aborts the write.
 */
export async function prepareOutput(path: string) {
  const write = await chooseWriter(path).catch((error: unknown) => {
    throw writeError(path, error);
  });
  return async (text: Text, signal: AbortSignal) => {
    try {
      await write(text, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw writeError(path, error);
    }
  };
}

async function chooseWriter(path: string): Promise<(text: Text, signal: AbortSignal) => Promise<void>> {
  const existing = await unlessCode(['ENOENT'], stat(path));
  if (existing?.isDirectory() === true) throw new Error('is a directory; name a file');
  if (existing !== undefined && !existing.isFile()) {
    // Without a reader, opening a FIFO fails here. Later, it would block a thread, and the process could not exit.
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    // A device may be a terminal.
    return (text, signal) => writeFile(path, escaped(text), { signal }).finally(() => closeSync(fd));
  }
  const target = await followLinks(path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  // Test by creating a file. Permissions are no proof: in /proc, root has them but cannot create files.
  await writeFile(temporary, '', { flag: 'wx' });
  await rm(temporary);
  return async (text, signal) => {
    try {
      await writeFile(temporary, text, { mode: 0o644, signal });
      if (existing !== undefined) await chmod(temporary, existing.mode);
      // Readers see either the old or the new text, never a part of a text.
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };
}

function* escaped(text: Text): Generator<string, void> {
  for (const piece of typeof text === 'string' ? [text] : text) yield escapeControls(piece);
}

/** Resolves symlinks, even if they lead to a file that does not exist. */
async function followLinks(path: string): Promise<string> {
  const folder = await realpath(dirname(path));
  // EINVAL: not a symlink.
  const link = await unlessCode(['ENOENT', 'EINVAL'], readlink(path));
  return link === undefined ? path : followLinks(resolve(folder, link));
}
