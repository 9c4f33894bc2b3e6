import { resolve } from 'node:path';
import { mapConcurrently } from '../values/concurrency.ts';
import type { Problem } from '../values/config-error.ts';
import type { KeyPath } from '../values/key-path.ts';
import { validateFilePattern } from '../values/validators.ts';
import { brokenDocument, type ConfigDocument } from './document.ts';
import { findFiles } from './file-pattern.ts';
import { isMapping, listOf } from './raw-mapping.ts';
import { describeNonList } from './schema.ts';
import { withValue } from './schema-problem.ts';

/** Adds the accounts in the files that match the patterns of `accounts_from`, sorted by path. Reports patterns without a match. */
export async function joinAccountFiles(
  main: ConfigDocument,
  path: string,
  readFile: (path: string) => Promise<ConfigDocument>,
  signal?: AbortSignal,
): Promise<ConfigDocument> {
  const patterns = patternsOf(main.value);
  if (patterns.length === 0) return main;
  const matches = patterns.map((pattern) => ({ ...pattern, ...findFiles(pattern.pattern, path) }));
  const files = new Map(matches.flatMap((match) => match.files.map((file) => [resolve(file), file])));
  const unmatched = matches.flatMap(({ failure, key }) =>
    failure === undefined ? [] : main.problemAt(key, withValue(main, key, failure)),
  );
  const accounts = await mapConcurrently(
    [...files.values()].sort(),
    async (file) => expectAccount(await readFile(file), file),
    signal,
  );
  return join(main, accounts, unmatched);
}

interface Pattern {
  readonly pattern: string;
  readonly key: KeyPath;
}

/** The valid patterns of `accounts_from`. The schema reports invalid patterns. */
export function patternsOf(value: unknown): readonly Pattern[] {
  const written = isMapping(value) ? value.accounts_from : undefined;
  return [written].flat().flatMap((pattern: unknown, index) => {
    if (typeof pattern !== 'string' || validateFilePattern(pattern) !== undefined) return [];
    return [{ pattern, key: Array.isArray(written) ? ['accounts_from', index] : ['accounts_from'] }];
  });
}

/** Reports a file without an account, or with several accounts, because the schema would report a list element and not the file. */
function expectAccount(document: ConfigDocument, path: string): ConfigDocument {
  const { value, problems } = document;
  if (problems.length > 0 || isMapping(value)) return document;
  if (value === null) return brokenDocument(path, 'is empty; write an account in it, as docs/configuration.md shows');
  if (!Array.isArray(value))
    return brokenDocument(path, 'contains no account; write its keys as lines of "key: value"');
  return brokenDocument(path, 'contains a list; write one account per file, without the dash');
}

/** Merges documents into one. Each function of the result calls the document that contains the value at the key path. */
function join(main: ConfigDocument, accounts: readonly ConfigDocument[], problems: readonly Problem[]): ConfigDocument {
  const value = isMapping(main.value) ? main.value : {};
  const own = listOf(value.accounts);
  const isList = value.accounts === own || value.accounts === undefined;
  const misplaced = isList ? [] : main.problemAt(['accounts'], describeNonList(value.accounts));
  function forward<Result>(path: KeyPath, call: (document: ConfigDocument, path: KeyPath) => Result): Result {
    const [key, index, ...rest] = path;
    const account = key === 'accounts' && typeof index === 'number' ? accounts[index - own.length] : undefined;
    return account === undefined ? call(main, path) : call(account, rest);
  }
  return {
    value: { ...value, accounts: [...own, ...accounts.map((account) => account.value)] },
    problems: [...main.problems, ...problems, ...misplaced, ...accounts.flatMap((account) => account.problems)],
    problemAt: (path, message) => forward(path, (document, inner) => document.problemAt(inner, message)),
    problemAtKey: (path, message) => forward(path, (document, inner) => document.problemAtKey(inner, message)),
    writtenAt: (path) => forward(path, (document, inner) => document.writtenAt(inner)),
    fileAt: (path) => forward(path, (document, inner) => document.fileAt(inner)),
  };
}
