import { resolve } from 'node:path';
import type { Problem } from './config-error.ts';
import { brokenDocument, type ConfigDocument } from './document.ts';
import { filePatternComplaint, findFiles } from './file-pattern.ts';
import type { KeyPath } from './key-path.ts';
import { isMapping, listOf, noListComplaint } from './schema.ts';
import { withValue } from './schema-problem.ts';

/**
 * The configuration file's document with the accounts that its `accounts_from` names, each a file and a document of its
 * own: they come after those of the file itself, sorted by path. A pattern that matches nothing is among the problems.
 */
export function joinAccountFiles(
  main: ConfigDocument,
  path: string,
  readFile: (path: string) => ConfigDocument,
): ConfigDocument {
  const patterns = patternsOf(main.value);
  if (patterns.length === 0) return main;
  const matches = patterns.map((pattern) => ({ ...pattern, ...findFiles(pattern.pattern, path) }));
  const files = new Map(matches.flatMap((match) => match.files.map((file) => [resolve(file), file])));
  const unmatched = matches.flatMap(({ complaint, key }) =>
    complaint === undefined ? [] : main.problemAt(key, withValue(main, key, complaint)),
  );
  const accounts = [...files.values()].sort().map((file) => expectAccount(readFile(file), file));
  return join(main, accounts, unmatched);
}

interface Pattern {
  readonly pattern: string;
  readonly key: KeyPath;
}

/** Those that make sense; the schema tells of the others. */
function patternsOf(value: unknown): readonly Pattern[] {
  const written = isMapping(value) ? value.accounts_from : undefined;
  const key = 'accounts_from';
  const patterns: readonly { readonly pattern: unknown; readonly key: KeyPath }[] = Array.isArray(written)
    ? written.map((pattern: unknown, index) => ({ pattern, key: [key, index] }))
    : [{ pattern: written, key: [key] }];
  return patterns.flatMap(({ pattern, key }) =>
    typeof pattern === 'string' && filePatternComplaint(pattern) === undefined ? [{ pattern, key }] : [],
  );
}

/** The document of a file that must hold one account; told here, since the schema would speak of an element of a list. */
function expectAccount(document: ConfigDocument, path: string): ConfigDocument {
  const { value, problems } = document;
  if (value === undefined || problems.length > 0 || isMapping(value)) return document;
  if (value === null) return brokenDocument(path, 'is empty; write an account in it, as docs/configuration.md shows');
  if (!Array.isArray(value)) return brokenDocument(path, 'holds no account; write its keys in lines of "key: value"');
  return brokenDocument(path, 'holds a list; write one account in it, without the dash, and each in a file of its own');
}

/** What is asked of the whole by its paths is answered by the document in which it is written, by that one's paths. */
function join(main: ConfigDocument, accounts: readonly ConfigDocument[], problems: readonly Problem[]): ConfigDocument {
  const value = isMapping(main.value) ? main.value : {};
  const own = listOf(value.accounts);
  const isList = value.accounts === own || value.accounts === undefined;
  const wrong = isList ? [] : main.problemAt(['accounts'], noListComplaint(value.accounts));
  function ask<Answer>(path: KeyPath, question: (document: ConfigDocument, path: KeyPath) => Answer): Answer {
    const [key, index, ...rest] = path;
    const account = key === 'accounts' && typeof index === 'number' ? accounts[index - own.length] : undefined;
    return account === undefined ? question(main, path) : question(account, rest);
  }
  return {
    value: { ...value, accounts: [...own, ...accounts.map((account) => account.value)] },
    problems: [...main.problems, ...problems, ...wrong, ...accounts.flatMap((account) => account.problems)],
    problemAt: (path, message) => ask(path, (document, inner) => document.problemAt(inner, message)),
    problemAtKey: (path, message) => ask(path, (document, inner) => document.problemAtKey(inner, message)),
    writtenAt: (path) => ask(path, (document, inner) => document.writtenAt(inner)),
    fileAt: (path) => ask(path, (document, inner) => document.fileAt(inner)),
  };
}
