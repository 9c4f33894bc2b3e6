import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { writeError } from '../config/values/config-error.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { escapeControls } from '../config/values/wording.ts';

type Text = string | Iterable<string>;

/**
 * Checks that a path can be written, and returns a function that writes a whole text to it. Both functions reject with ConfigError if they
 * fail. The returned function replaces a regular file atomically, even behind a symlink. A new file has `mode`, regardless of the umask.
 */
export async function prepareOutput(path: string, mode = 0o644): Promise<(text: Text) => Promise<void>> {
  const fail = (error: unknown) => {
    throw writeError(path, error);
  };
  const write = await chooseWriter(path, mode).catch(fail);
  return (text) => write(text).catch(fail);
}

async function chooseWriter(path: string, mode: number): Promise<(text: Text) => Promise<void>> {
  const existing = await unlessCode(['ENOENT'], stat(path));
  if (existing?.isDirectory() === true) throw new Error('is a directory; name a file');
  if (existing !== undefined && !existing.isFile()) {
    // If a FIFO has no reader, opening it fails here. Opening it later would block a thread, and the process could not exit.
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    // The text is escaped, because a device may be a terminal.
    return (text) => writeFile(path, escaped(text)).finally(() => closeSync(fd));
  }
  const target = existing === undefined ? path : await realpath(path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  // Test by creating a file. The permissions are not enough: in /proc, root has all permissions, but cannot create files.
  await writeFile(temporary, '', { flag: 'wx' });
  await rm(temporary);
  return async (text) => {
    try {
      await writeFile(temporary, text, { mode: 0o600 });
      await chmod(temporary, existing?.mode ?? mode);
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
