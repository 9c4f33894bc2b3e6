import { dirname, isAbsolute, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import { readCertificateFile } from '../values/certificates.ts';
import { byPlace, ConfigError, formatPlace, type KeyPath, type Problem } from '../values/config-error.ts';
import { proxyProblems, proxyWarnings } from '../values/proxy.ts';
import { readSecretFile } from '../values/secret.ts';
import { fileVersion, type ReadFailure, readTextFileSync, type TextFile } from '../values/text-file.ts';
import { brokenDocument, type ConfigDocument, isMapping, readDocument } from './document.ts';
import { type Environment, expand, ignoredVariables, readEnvironment } from './environment.ts';
import { findFiles, relativeHint, validateFilePattern } from './file-pattern.ts';
import { type AccountSource, resolveConfig } from './resolve.ts';
import { account, configFile } from './schema.ts';
import { describeIssues, withValue } from './schema-problem.ts';
import { configWarnings, findRepeated, secretFileWarnings, type WrittenAccount } from './warnings.ts';

/** The files and patterns from which a configuration is loaded, even if it is invalid. */
export class ConfigInputs {
  /** The version that each file had before it was read, by absolute path. */
  readonly #files = new Map<string, string | undefined>();
  /** Patterns of `accounts_from`, each with the file that contains the pattern. A new file may match one of the patterns. */
  readonly patterns: { readonly pattern: string; readonly from: string }[] = [];

  /** Must be called before the file is read, so that later changes are noticed. */
  addFile(path: string): void {
    const absolute = resolve(path);
    if (!this.#files.has(absolute)) this.#files.set(absolute, fileVersion(absolute, 0));
  }

  /** Whether a file has changed, appeared or disappeared. False while a file changes, because it may be incomplete. */
  haveChanged(): boolean {
    const found = this.patterns.map(({ pattern, from }) => findFiles(pattern, from));
    const paths = new Set([...this.#files.keys(), ...found.flatMap(({ files }) => files.map((path) => resolve(path)))]);
    const versions = [...paths].map((path) => [fileVersion(path), this.#files.get(path)]);
    return versions.every(([now]) => now !== undefined) && versions.some(([now, before]) => now !== before);
  }
}

/**
 * Loads the file at `path`; without `path`, the environment. Rejects with one ConfigError for all problems. `warnings` contain no secrets.
 */
export async function loadConfig(path: string | undefined, environment: Environment, inputs = new ConfigInputs()) {
  const unusableProxies = proxyProblems(environment);
  if (unusableProxies.length > 0) throw new ConfigError(unusableProxies);
  const files = new ConfigFiles(environment, inputs);
  const main =
    path === undefined ? readEnvironment(environment) : files.parse(path, files.read(path, false), configFile);
  const file = files.validate(main, configFile);
  const { accounts: listed } = isMapping(main.value) ? main.value : {};
  const accounts = (Array.isArray(listed) ? listed : []).flatMap((value: unknown, index): readonly WrittenAccount[] =>
    isMapping(value) ? [{ document: main, path: ['accounts', index], value }] : [],
  );
  const inFiles: AccountSource[] = [];
  for (const accountFile of files.findAccountFiles(main)) {
    // Let other work run between two files.
    await setImmediate();
    const document = files.parse(accountFile, files.read(accountFile, true), account);
    const parsed = files.validate(document, account);
    if (isMapping(document.value)) accounts.push({ document, path: [], value: document.value });
    if (parsed !== undefined) inFiles.push({ account: parsed, folder: dirname(accountFile) });
  }
  const problems = [...files.problems, ...missingBaseUrl(main, accounts), ...duplicateNames(accounts)];
  if (file === undefined || problems.length > 0) {
    const bySource = Map.groupBy(problems, ({ source }) => source);
    throw new ConfigError([...bySource.values()].flatMap((group) => group.toSorted(byPlace)));
  }
  const config = resolveConfig(file, path && dirname(path), inFiles);
  // systemd separates several directories in STATE_DIRECTORY by colons.
  const stateDirectory = config.stateDirectory ?? environment['STATE_DIRECTORY']?.split(':')[0];
  const ignored = path === undefined ? [] : ignoredVariables(path, environment, files.variables);
  const general = [...ignored, ...proxyWarnings(environment)];
  // A set, because each account in a file repeats the warnings about the file.
  const warnings = new Set([...general, ...configWarnings(config, main, accounts), ...files.warnings]);
  return { config: { ...config, ...(stateDirectory && { stateDirectory }) }, warnings: [...warnings] };
}

/** Maximum number of bytes of a file. A configuration of a thousand accounts with every key is ten times smaller. */
const maxFileSize = 16 * 1024 * 1024;

/** Reads and validates the files of a configuration, and collects their problems. */
class ConfigFiles {
  readonly problems: Problem[] = [];
  readonly variables = new Set<string>();
  readonly warnings: string[] = [];
  readonly #environment: Environment;
  readonly #inputs: ConfigInputs;

  constructor(environment: Environment, inputs: ConfigInputs) {
    this.#environment = environment;
    this.#inputs = inputs;
  }

  read(file: string, regularOnly: boolean): TextFile | ReadFailure {
    this.#inputs.addFile(file);
    return readTextFileSync(file, maxFileSize, { regularOnly });
  }

  parse(file: string, content: TextFile | ReadFailure, schema: z.ZodType): ConfigDocument {
    const options = { expand: (text: string) => expand(text, this.#environment, this.variables) };
    const document = readDocument(file, content, schema, options);
    const failure = describeContent(document.value, schema === account);
    return failure === undefined ? document : brokenDocument(file, failure);
  }

  validate<Schema extends z.ZodType>(document: ConfigDocument, schema: Schema): z.output<Schema> | undefined {
    this.problems.push(...document.problems);
    if (document.value === undefined) return undefined;
    const { data, error } = schema.safeParse(document.value);
    this.problems.push(...describeIssues(error?.issues, document, schema));
    this.#readReferences(document, document.value, []);
    return data;
  }

  /** Finds the files of `accounts_from`, sorted by path. The schema reports invalid patterns. */
  findAccountFiles(main: ConfigDocument): readonly string[] {
    const from = main.path;
    const written = isMapping(main.value) ? main.value['accounts_from'] : undefined;
    const found = new Map<string, string>();
    for (const [index, pattern] of [written].flat().entries()) {
      if (from === undefined || typeof pattern !== 'string' || validateFilePattern(pattern) !== undefined) continue;
      this.#inputs.patterns.push({ pattern, from });
      const { files, failure } = findFiles(pattern, from);
      for (const file of files) found.set(resolve(file), file);
      const key = ['accounts_from', ...(Array.isArray(written) ? [index] : [])];
      if (failure !== undefined) this.problems.push(...main.problemAt(key, withValue(main, key, failure)));
    }
    return [...found.values()].sort();
  }

  /** Reads the files in keys such as `password_file`, even if `value` is invalid, so that all problems are reported together. */
  #readReferences(document: ConfigDocument, value: unknown, path: KeyPath): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const keys = [...path, key];
      const read = readers.get(key);
      if (read === undefined) this.#readReferences(document, child, keys);
      if (read === undefined || typeof child !== 'string' || child === '') continue;
      const file = resolve(dirname(document.path ?? ''), child);
      this.#inputs.addFile(file);
      const content = read(file);
      if ('failure' in content) {
        const written = document.writtenAt(keys);
        const isRelative =
          written !== undefined && !isAbsolute(written) && content.failure.startsWith('does not exist');
        const message = `the file ${content.failure}${isRelative ? relativeHint : ''}`;
        this.problems.push(...document.problemAt(keys, message));
      } else if (read !== readCertificateFile) {
        this.warnings.push(...secretFileWarnings(document, keys, file, content));
      }
    }
  }
}

const readers: ReadonlyMap<unknown, (file: string) => TextFile | ReadFailure> = new Map([
  ['password_file', (file) => readSecretFile(file, 'password')],
  ['token_file', (file) => readSecretFile(file, 'token')],
  ['ca_file', readCertificateFile],
]);

/** Returns why a file as a whole is wrong; otherwise undefined. The schema's message would name the first line instead of the file. */
function describeContent(value: unknown, isAccount: boolean): string | undefined {
  if (isAccount && Array.isArray(value)) return 'contains a list; write one account per file, without the dash';
  if (value !== null) return undefined;
  return `is empty; ${isAccount ? 'write an account' : 'list accounts'} in it, as docs/configuration.md shows`;
}

function missingBaseUrl(main: ConfigDocument, accounts: readonly WrittenAccount[]): readonly Problem[] {
  const hasBaseUrl = (value: unknown) => isMapping(value) && isMapping(value['api']) && 'base_url' in value['api'];
  if (hasBaseUrl(main.value) || accounts.every(({ value }) => hasBaseUrl(value))) return [];
  const message = 'is missing; write the URL of the API, such as https://api.example.com/api';
  return main.problemAt(['api', 'base_url'], message);
}

function duplicateNames(accounts: readonly WrittenAccount[]): readonly Problem[] {
  return findRepeated(accounts, ({ value }) => value['name']).flatMap(({ account: { document, path }, first }) => {
    const [other] = first.document.problemAt([...first.path, 'name'], '');
    const where = other === undefined ? '' : `, at ${formatPlace(other)}`;
    const message = `is also the name of another account${where}; names must be unique`;
    const name = [...path, 'name'];
    return document.problemAt(name, withValue(document, name, message));
  });
}
