import { accessSync, constants, globSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { complaintOf } from './text-file.ts';

export interface PatternMatch {
  /** Relative where pattern and folder are. */
  readonly files: readonly string[];
  /** Why there are none, and what to do about it: the end of a sentence that names the pattern. */
  readonly complaint?: string;
}

/** What is wrong with a pattern, whatever there is for it to match; undefined where nothing is. */
export function filePatternComplaint(pattern: string): string | undefined {
  if (pattern === '') return 'is empty; write a path such as accounts/*.yml';
  return pattern.length > 1000 ? 'is longer than 1000 characters; shorten it' : undefined;
}

/**
 * The files that a pattern such as `accounts/*.yml` in the file `from` matches, as a shell has them: neither hidden ones
 * nor folders. `from` itself is never one of them.
 */
export function findFiles(pattern: string, from: string): PatternMatch {
  const folder = dirname(from);
  const locate = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const found = globSync(pattern, { cwd: folder }).map(locate);
  const files = found.filter((path) => !isFolder(path) && resolve(path) !== resolve(from));
  if (files.length > 0) return { files };
  if (found.some(isFolder)) return { files, complaint: 'is a folder; name the files in it, such as accounts/*.yml' };
  const hint = isAbsolute(pattern) ? '' : ", which counts from this file's folder";
  const [literal = ''] = /^(?:[^*?[{(]*\/)?/.exec(pattern) ?? [];
  try {
    accessSync(locate(literal), constants.R_OK | constants.X_OK);
    return { files, complaint: `matches no file; write one for each account, or correct the path${hint}` };
  } catch (error) {
    const complaint = complaintOf(error);
    return { files, complaint: `matches no file: its folder ${complaint}${complaint.endsWith('path') ? hint : ''}` };
  }
}

/** What can't be looked at counts as a file: reading it will tell why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
