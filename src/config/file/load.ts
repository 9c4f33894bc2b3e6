import { dirname, isAbsolute, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { mapConcurrently } from '../values/concurrency.ts';
import { byPlace, ConfigError, formatPlace, formatProblem, type Problem } from '../values/config-error.ts';
import type { KeyPath } from '../values/key-path.ts';
import { proxyProblems } from '../values/proxy.ts';
import { type ReadFailure, readTextFile, type TextFile } from '../values/text-file.ts';
import { validateFilePattern } from '../values/validators.ts';
import { brokenDocument, type ConfigDocument, readDocument, splitInSlices } from './document.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { expand } from './expansion.ts';
import { findFiles, relativeHint } from './file-pattern.ts';
import { accountsOf, isMapping, listOf } from './raw-mapping.ts';
import { type ReferencedFile, readReferencedFiles } from './referenced-file.ts';
import { resolveConfig } from './resolve.ts';
import { account, configFile, describeNonList } from './schema.ts';
import { describeIssues, withValue } from './schema-problem.ts';
import { configWarnings, findRepeated, ignoredVariables } from './warnings.ts';

/** `warnings`: one line for each ignored or risky input, without secrets. */
export type LoadedConfig = Awaited<ReturnType<typeof validate>>;

/** The files and patterns that automatic reload watches, even if the configuration is invalid. */
export class ConfigInputs {
  /** The configuration file, the account files, and all files that these files name. */
  readonly files = new Set<string>();
  /** Patterns of `accounts_from`, each with the file that contains the pattern. A new file may match one of the patterns. */
  readonly patterns: { readonly pattern: string; readonly from: string }[] = [];
}

export interface LoadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly inputs?: ConfigInputs | undefined;
  /** Whether this exporter polls an account. If the first line of a file is the name of another account, the file is not parsed. */
  readonly isOwn?: ((name: string) => boolean) | undefined;
}

/** Maximum number of bytes of a file. A configuration of a thousand accounts with every key has a tenth of this size. */
const maxFileSize = 16 * 1024 * 1024;

/** Loads the file at `path`; if undefined, the environment. Rejects with one ConfigError for all problems, or the signal's reason. */
export async function loadConfig(path: string | undefined, environment: Environment, options: LoadOptions = {}) {
  const unusableProxies = proxyProblems(environment);
  if (unusableProxies.length > 0) throw new ConfigError(unusableProxies);
  const used = new Set<string>();
  const otherAccounts: string[] = [];
  const document =
    path === undefined
      ? readEnvironment(environment)
      : await readFiles(path, environment, used, otherAccounts, options);
  const { config, warnings } = await validate(document, options);
  // systemd separates several directories in STATE_DIRECTORY by colons.
  const stateDirectory = config.stateDirectory ?? environment['STATE_DIRECTORY']?.split(':')[0];
  const ignored = path === undefined ? [] : ignoredVariables(path, environment, used);
  return {
    config: {
      ...config,
      ...(otherAccounts.length > 0 && { otherAccounts }),
      ...(stateDirectory && { stateDirectory }),
    },
    warnings: [...ignored, ...warnings],
  };
}

/** Reads the configuration file and the account files. Adds their variables to `used`, and accounts of other exporters to `others`. */
async function readFiles(
  path: string,
  environment: Environment,
  used: Set<string>,
  others: string[],
  { signal, inputs, isOwn = () => true }: LoadOptions,
): Promise<ConfigDocument> {
  const expandVariables = (written: string) => {
    const expansion = expand(written, environment);
    for (const name of expansion.variables) used.add(name);
    return expansion;
  };
  const readContent = (file: string, regularOnly: boolean) => {
    inputs?.files.add(resolve(file));
    return readTextFile(file, { maxSize: maxFileSize, regularOnly });
  };
  const parse = async (file: string, content: TextFile | ReadFailure, schema: z.ZodType) => {
    const tokens = 'text' in content ? await splitInSlices(content.text) : undefined;
    return readDocument(file, content, schema, { expand: expandVariables, tokens });
  };
  const main = await parse(path, await readContent(path, false), configFile);
  // Parsing a large file takes long. Other work runs before the validation.
  await setImmediate();
  if (main.value === null) return brokenDocument(path, 'is empty; list accounts in it, as docs/configuration.md shows');
  const patterns = patternsOf(main.value);
  if (patterns.length === 0) return main;
  const found = new Map<string, string>();
  const unmatched: Problem[] = [];
  for (const { pattern, key } of patterns) {
    inputs?.patterns.push({ pattern, from: path });
    const { files, failure } = await findFiles(pattern, path);
    for (const file of files) found.set(resolve(file), file);
    if (failure !== undefined) unmatched.push(...main.problemAt(key, withValue(main, key, failure)));
  }
  const accounts = await mapConcurrently(
    [...found.values()].sort(),
    async (file) => {
      const content = await readContent(file, true);
      const name = 'text' in content ? nameIn(content.text) : undefined;
      if (name === undefined || isOwn(name)) return [expectAccount(await parse(file, content, account), file)];
      others.push(name);
      return [];
    },
    signal,
  );
  return join(main, accounts.flat(), unmatched);
}

/** The name of the account if the file starts with a line such as `name: shop`; undefined if the file must be parsed. */
function nameIn(text: string): string | undefined {
  const [, name, others = ''] = /^name: ([\w.-]*[A-Za-z][\w.-]*)\n((?:[a-z#].*)?)$/s.exec(text) ?? [];
  return /^(?:name\b|---|\.\.\.)|\$/m.test(others) ? undefined : name;
}

/** The valid patterns of `accounts_from`. The schema reports invalid patterns. */
function patternsOf(value: unknown) {
  const written = isMapping(value) ? value.accounts_from : undefined;
  return [written].flat().flatMap((pattern: unknown, index) => {
    if (typeof pattern !== 'string' || validateFilePattern(pattern) !== undefined) return [];
    return [{ pattern, key: ['accounts_from', ...(Array.isArray(written) ? [index] : [])] }];
  });
}

/** Reports a file that does not contain exactly one account. The schema's message would name a list element instead of the file. */
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
    problemAt: (path, message, part) => forward(path, (document, inner) => document.problemAt(inner, message, part)),
    writtenAt: (path) => forward(path, (document, inner) => document.writtenAt(inner)),
    fileAt: (path) => forward(path, (document, inner) => document.fileAt(inner)),
  };
}

async function validate(document: ConfigDocument, { signal, inputs }: LoadOptions) {
  if (document.value === undefined) throw new ConfigError(inOrder(document.problems, document));
  const parsed = configFile.safeParse(document.value);
  const folderAt = (path: KeyPath) => dirname(document.fileAt(path)?.path ?? '');
  const files = await readReferencedFiles(document.value, folderAt, signal);
  for (const { file } of files) inputs?.files.add(file);
  const problems = [
    ...document.problems,
    ...describeIssues(parsed.error?.issues, document, configFile),
    ...describeDuplicateNames(document),
    ...files.flatMap((file) => describeReadFailure(file, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(inOrder(problems, document));
  const secrets = new Map(files.map(({ file, content }) => [file, 'text' in content ? content.text : '']));
  const config = await resolveConfig(parsed.data, { folderAt, secretIn: (file) => secrets.get(file) ?? '' });
  return { config, warnings: configWarnings(config, document, files) };
}

function describeDuplicateNames(document: ConfigDocument): readonly Problem[] {
  const names = accountsOf(document.value).map((written) => (isMapping(written) ? written.name : undefined));
  return findRepeated(names).flatMap(({ index, first }) => {
    const [other] = document.problemAt(['accounts', first, 'name'], '');
    const where = other === undefined ? '' : `, at ${formatPlace(other)}`;
    const message = `is also the name of another account${where}; names must be unique`;
    const path = ['accounts', index, 'name'];
    return document.problemAt(path, withValue(document, path, message));
  });
}

function describeReadFailure({ path, content }: ReferencedFile, document: ConfigDocument): readonly Problem[] {
  if (!('failure' in content)) return [];
  const written = document.writtenAt(path)?.text;
  const relative = written !== undefined && !isAbsolute(written) && content.failure.startsWith('does not exist');
  return document.problemAt(path, `the file ${content.failure}${relative ? relativeHint : ''}`);
}

/** Removes duplicates. Sorts problems by file, the configuration file first, and then by line and column. */
function inOrder(problems: readonly Problem[], document: ConfigDocument): readonly Problem[] {
  const distinct = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  const first = document.fileAt([])?.path;
  // Without a configuration file, the problems stay in the order of the environment variables.
  if (first === undefined) return [...distinct.values()];
  return [...distinct.values()].sort(
    (one, other) =>
      Number(other.source === first) - Number(one.source === first) ||
      Number(one.source > other.source) - Number(one.source < other.source) ||
      byPlace(one, other),
  );
}
