import { readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readOr } from '../values/expected-error.ts';
import { describeReadError } from '../values/text-file.ts';
import { quote } from '../values/wording.ts';

/**
 * Finds the files that match a pattern. `from`: the file that contains the pattern. Omits `from` itself and, like a shell, hidden files.
 * The paths are relative if `pattern` and `from` are relative. `failure`: why no file matches, or why `files` may be incomplete. Messages
 * print this reason after the pattern.
 */
export function findFiles(
  pattern: string,
  from: string,
): { readonly files: readonly string[]; readonly failure?: string } {
  const folder = dirname(from);
  const files = new Set<string>();
  let hasDirectory = false;
  try {
    for (const alternative of expandBraces(pattern) ?? []) {
      for (const path of walk(isAbsolute(alternative) ? '/' : folder, alternative.split('/').filter(Boolean))) {
        // A path that cannot be inspected counts as a file, because reading the file reports the reason.
        if (readOr(false, () => statSync(path).isDirectory())) hasDirectory = true;
        else if (resolve(path) !== resolve(from)) files.add(path);
      }
    }
  } catch (error) {
    const { path = '' } = error as NodeJS.ErrnoException;
    return { files: [...files], failure: `its directory ${quote(path)} ${describeReadError(error)}` };
  }
  if (files.size > 0) return { files: [...files] };
  if (hasDirectory) return { files: [], failure: 'is a directory; name the files in it, such as accounts/*.yml' };
  const hint = isAbsolute(pattern) ? '' : relativeHint;
  return { files: [], failure: `matches no file; write one file per account, or correct the path${hint}` };
}

export const relativeHint = ", which is relative to this file's directory";

export function validateFilePattern(pattern: string): string | undefined {
  if (pattern === '') return 'is empty; write a path such as accounts/*.yml';
  if (pattern.length > 1000) return 'is longer than 1000 characters; shorten it';
  return expandBraces(pattern) ? undefined : `has more than ${maxAlternatives} alternatives in braces; use *`;
}

const maxAlternatives = 100;

/** Expands braces: `{a,b}/*.yml` becomes `a/*.yml` and `b/*.yml`. Undefined if there are too many patterns. */
function expandBraces(pattern: string): readonly string[] | undefined {
  let patterns = [pattern];
  while (patterns.length <= maxAlternatives) {
    const expanded = patterns.flatMap((one) => {
      const [, start = '', list, end = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one) ?? [];
      return list === undefined ? one : list.split(',').map((part) => start + part + end);
    });
    if (String(expanded) === String(patterns)) return patterns;
    patterns = [...new Set(expanded)];
  }
  return undefined;
}

/** Finds paths below a directory. Throws if a directory is unreadable: the glob of Node.js would skip it, and its accounts would vanish. */
function* walk(folder: string, [segment, ...rest]: readonly string[]): Generator<string> {
  if (segment === undefined) {
    yield folder;
  } else if (segment === '**') {
    yield* walk(folder, rest.length > 0 ? rest : ['*']);
    for (const entry of list(folder)) {
      if (entry.isDirectory() && !entry.name.startsWith('.')) yield* walk(join(folder, entry.name), ['**', ...rest]);
    }
  } else if (/[*?[]/.test(segment)) {
    const pattern = segmentPattern(segment);
    for (const { name } of list(folder)) {
      if (pattern.test(name)) yield* walk(join(folder, name), rest);
    }
  } else {
    const path = join(folder, segment);
    const exists = () => statSync(path, { throwIfNoEntry: false }) !== undefined;
    if (rest.length > 0 || readOr(true, exists)) yield* walk(path, rest);
  }
}

function list(folder: string) {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? readdirSync(folder, { withFileTypes: true }) : [];
}

function segmentPattern(segment: string): RegExp {
  const source = segment.replace(/\[([!^]?)([^\]]+)\]|\*+|./gsu, (one, negation: string, set?: string) => {
    if (set !== undefined) return `[${negation && '^'}${set.replace(/[\\^[]/g, '\\$&')}]`;
    if (one.startsWith('*')) return '.*';
    return one === '?' ? '.' : one.replace(/[\\^$.+()[\]{}|/]/g, '\\$&');
  });
  return readOr(/(?!)/, () => new RegExp(`^${segment.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 'su'));
}
