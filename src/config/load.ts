import { dirname, isAbsolute } from 'node:path';
import { joinAccountFiles } from './account-files.ts';
import type { Config } from './config.ts';
import { byPlace, ConfigError, formatPlace, formatProblem, type Problem } from './config-error.ts';
import { brokenDocument, type ConfigDocument, readDocument } from './document.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { expand, isReference } from './expansion.ts';
import type { KeyPath } from './key-path.ts';
import { type ReferencedFile, readReferencedFiles } from './referenced-file.ts';
import { resolveConfig } from './resolve.ts';
import { configFile, isMapping, listOf } from './schema.ts';
import { describeIssue, withValue } from './schema-problem.ts';
import { readTextFile } from './text-file.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** What works and should be changed all the same: a line each, without secrets. */
  readonly warnings: readonly string[];
}

/** What flags say; undefined leaves it to the file. */
export interface ConfigOverrides {
  readonly listenAddress?: string | undefined;
  readonly telemetryPath?: string | undefined;
}

/** A thousand accounts with all that can be said of each are a tenth of it. */
const largestFile = 16 * 1024 * 1024;

/**
 * Reads and checks the configuration: the file, or without one the environment. Throws ConfigError with everything that
 * is wrong. Nothing is kept between two calls, so that a reload is one more call.
 */
export function loadConfig(
  path: string | undefined,
  environment: Environment,
  { listenAddress, telemetryPath }: ConfigOverrides = {},
): LoadedConfig {
  const document = path === undefined ? readEnvironment(environment) : readConfiguration(path, environment);
  const { config, warnings } = check(document);
  const web = {
    listenAddress: listenAddress ?? config.web.listenAddress,
    telemetryPath: telemetryPath ?? config.web.telemetryPath,
  };
  return { config: { ...config, web }, warnings };
}

function readConfiguration(path: string, environment: Environment): ConfigDocument {
  const main = readFile(path, environment, { regularOnly: false });
  if (main.value === null) return brokenDocument(path, 'is empty; list accounts in it, as docs/configuration.md shows');
  return joinAccountFiles(main, path, (file) => readFile(file, environment, { regularOnly: true }));
}

function readFile(path: string, environment: Environment, { regularOnly }: { regularOnly: boolean }): ConfigDocument {
  const file = readTextFile(path, { largest: largestFile, regularOnly });
  if ('complaint' in file) return brokenDocument(path, file.complaint);
  const { text, worldReadable } = file;
  return readDocument({ path, worldReadable }, text, (written) => expand(written, environment));
}

function check(document: ConfigDocument): LoadedConfig {
  if (document.value === undefined) throw new ConfigError(inOrder(document.problems, document));
  const parsed = configFile.safeParse(document.value);
  const files = readReferencedFiles(document.value, (path) => folderAt(path, document));
  const problems = [
    ...document.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, document, configFile)),
    ...describeNameClashes(document),
    ...files.flatMap((file) => describeUnread(file, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(inOrder(problems, document));
  return {
    config: resolveConfig(parsed.data, (path) => folderAt(path, document)),
    warnings: [...describeOpen(document), ...files.flatMap((file) => describeExposed(file, document))],
  };
}

/** Where relative paths at this place of the configuration begin. */
function folderAt(path: KeyPath, document: ConfigDocument): string {
  const file = document.fileAt(path);
  return file === undefined ? '.' : dirname(file.path);
}

function accountsOf({ value }: ConfigDocument): readonly unknown[] {
  return isMapping(value) ? listOf(value.accounts) : [];
}

/** Accounts with the name of one before them. */
function describeNameClashes(document: ConfigDocument): readonly Problem[] {
  const firsts = new Map<string, KeyPath>();
  return accountsOf(document).flatMap((account, index) => {
    const name = isMapping(account) ? account.name : undefined;
    if (typeof name !== 'string') return [];
    const path = ['accounts', index, 'name'];
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, path);
      return [];
    }
    const [other] = document.problemAt(first, '');
    const where = other === undefined ? '' : `, at ${formatPlace(other)}`;
    const message = `is the name of another account too${where}; give each its own`;
    return document.problemAt(path, withValue(document, path, message));
  });
}

function describeUnread({ path, content }: ReferencedFile, document: ConfigDocument): readonly Problem[] {
  if (!('complaint' in content)) return [];
  const written = document.writtenAt(path);
  const relative = written !== undefined && !isAbsolute(written) && content.complaint.startsWith('does not exist');
  const hint = relative ? ", which counts from this file's folder" : '';
  return document.problemAt(path, `the file ${content.complaint}${hint}`);
}

/** Files of the configuration that everyone can read and that hold a secret. */
function describeOpen(document: ConfigDocument): readonly string[] {
  const open = accountsOf(document).flatMap((_, index) => {
    const file = document.fileAt(['accounts', index]);
    return file?.worldReadable === true && holdsSecret(document, index) ? [file.path] : [];
  });
  return [...new Set(open)].map(
    (path) => `${path}: ${exposed} and holds a password or token; run chmod o-r on it, or use password_file`,
  );
}

/** Whether an account's password or token is written out, and not taken from a variable or from another file. */
function holdsSecret(document: ConfigDocument, index: number): boolean {
  return ['password', 'token'].some((key) => {
    const written = document.writtenAt(['accounts', index, key]);
    return written !== undefined && !isReference(written);
  });
}

const exposed = 'may be read by every user of this machine';

function describeExposed({ path, isSecret, content }: ReferencedFile, document: ConfigDocument): readonly string[] {
  if (!isSecret || 'complaint' in content || !content.worldReadable) return [];
  return document.problemAt(path, `the file ${exposed}; run chmod o-r on it`).map(formatProblem);
}

/** Each once: those of the configuration file first, then file by file; each file's from top to bottom. */
function inOrder(problems: readonly Problem[], document: ConfigDocument): readonly Problem[] {
  const distinct = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  const first = document.fileAt([])?.path;
  // Variables of the environment have an order of their own.
  if (first === undefined) return [...distinct.values()];
  return [...distinct.values()].sort(
    (one, other) =>
      Number(other.source === first) - Number(one.source === first) ||
      Number(one.source > other.source) - Number(one.source < other.source) ||
      byPlace(one, other),
  );
}
