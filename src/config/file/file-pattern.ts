import { accessSync, constants, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readOr } from '../values/expected-error.ts';
import { describeReadError } from '../values/text-file.ts';

/**
 * Finds the files that match a pattern. `from`: the file that contains the pattern. Omits `from` and, like a shell, hidden files. The
 * paths are relative if both `pattern` and `from` are. `failure`: why no file matches, as a text that messages show after the pattern.
 */
export async function findFiles(pattern: string, from: string) {
  const folder = dirname(from);
  const locate = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const files: string[] = [];
  let hasDirectory = false;
  for await (const found of glob(pattern, { cwd: folder })) {
    const path = locate(found);
    // A path that cannot be inspected counts as a file, because reading the file reports the reason.
    if (readOr(false, () => statSync(path).isDirectory())) hasDirectory = true;
    else if (resolve(path) !== resolve(from)) files.push(path);
    // Other work runs between two files.
    await setImmediate();
  }
  if (files.length > 0) return { files };
  if (hasDirectory) return { files, failure: 'is a directory; name the files in it, such as accounts/*.yml' };
  const hint = isAbsolute(pattern) ? '' : relativeHint;
  const [literal = ''] = /^(?:[^*?[{(]*\/)?/.exec(pattern) ?? [];
  try {
    accessSync(locate(literal), constants.R_OK | constants.X_OK);
    return { files, failure: `matches no file; write one file per account, or correct the path${hint}` };
  } catch (error) {
    const failure = describeReadError(error);
    return { files, failure: `matches no file: its directory ${failure}${failure.endsWith('path') ? hint : ''}` };
  }
}

export const relativeHint = ", which is relative to this file's directory";
