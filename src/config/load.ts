import { dirname, isAbsolute } from 'node:path';
import type * as z from 'zod';
import type { Config } from './config.ts';
import { ConfigError, formatProblem, type Problem } from './config-error.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { expand, isReference } from './expansion.ts';
import { type KeyPath, quote } from './key-path.ts';
import { knownKeys } from './known-keys.ts';
import { type ReferencedFile, readReferencedFiles } from './referenced-file.ts';
import { resolveConfig } from './resolve.ts';
import { configFile } from './schema.ts';
import { closest } from './suggestion.ts';
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
  const { config, warnings } =
    path === undefined ? check(readEnvironment(environment), '.') : readConfigFile(path, environment);
  const web = {
    listenAddress: listenAddress ?? config.web.listenAddress,
    telemetryPath: telemetryPath ?? config.web.telemetryPath,
  };
  return { config: { ...config, web }, warnings };
}

function readConfigFile(path: string, environment: Environment): LoadedConfig {
  const file = readTextFile(path, { largest: largestFile, regularOnly: false });
  if ('complaint' in file) throw new ConfigError([{ source: path, message: file.complaint }]);
  const document = readDocument(path, file.text, (text) => expand(text, environment));
  if (document.value === null) {
    const message = 'is empty; list accounts in it, as docs/configuration.md shows';
    throw new ConfigError([{ source: path, message }]);
  }
  const loaded = check(document, dirname(path));
  if (!file.worldReadable || !holdsSecret(loaded.config, document)) return loaded;
  const warning = `${path}: ${exposed} and holds a password or token; run chmod o-r on it, or use password_file`;
  return { ...loaded, warnings: [warning, ...loaded.warnings] };
}

const exposed = 'may be read by every user of this machine';

/** Whether a password or token is written out in the file, and not taken from a variable or from another file. */
function holdsSecret(config: Config, document: ConfigDocument): boolean {
  return config.accounts.some((_, index) =>
    ['password', 'token'].some((key) => {
      const written = document.writtenAt(['accounts', index, key]);
      return written !== undefined && !isReference(written);
    }),
  );
}

function check(document: ConfigDocument, folder: string): LoadedConfig {
  if (document.value === undefined) throw new ConfigError(inOrder(document.problems));
  const parsed = configFile.safeParse(document.value);
  const files = readReferencedFiles(document.value, folder);
  const problems = [
    ...document.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, document)),
    ...files.flatMap((file) => describeUnread(file, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(inOrder(problems));
  return {
    config: resolveConfig(parsed.data, folder),
    warnings: files.flatMap((file) => describeExposed(file, document)),
  };
}

function describeIssue(issue: z.core.$ZodIssue, document: ConfigDocument, base: KeyPath = []): readonly Problem[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => {
        const suggestion = closest(key, knownKeys(configFile, path));
        const advice = suggestion === undefined ? 'remove it' : `did you mean "${suggestion}"?`;
        return present(document.problemAtKey([...path, key], `unknown key; ${advice}`));
      });
    case 'invalid_union': {
      const likeliest = issue.errors.find((issues) => issues.every((one) => !isAboutType(one)));
      if (likeliest !== undefined) return likeliest.flatMap((one) => describeIssue(one, document, path));
      return present(document.problemAt(path, issue.message));
    }
    case 'invalid_key':
      return present(document.problemAtKey(path, issue.issues[0]?.message ?? issue.message));
    case 'invalid_type':
      return present(document.problemAt(path, issue.message));
    default:
      return present(document.problemAt(path, withValue(document, path, issue.message)));
  }
}

/** Of a union, the branch for another type of value: its complaints are beside the point. */
function isAboutType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

const unshown: readonly unknown[] = ['password', 'token', 'password_file', 'token_file', 'base_url'];

/**
 * A message with the value as it stands in the file, with variables unexpanded. Secrets are not shown, nor the keys in
 * which people put secrets by mistake.
 */
function withValue(document: ConfigDocument, path: KeyPath, message: string): string {
  const written = unshown.includes(path.at(-1)) ? undefined : document.writtenAt(path);
  return written === undefined || written === '' ? message : `${quote(written)} ${message}`;
}

function describeUnread({ path, content }: ReferencedFile, document: ConfigDocument): readonly Problem[] {
  if (!('complaint' in content)) return [];
  const written = document.writtenAt(path);
  const relative = written !== undefined && !isAbsolute(written) && content.complaint.startsWith('does not exist');
  const hint = relative ? ", which counts from this file's folder" : '';
  return present(document.problemAt(path, `the file ${content.complaint}${hint}`));
}

function describeExposed({ path, isSecret, content }: ReferencedFile, document: ConfigDocument): readonly string[] {
  if (!isSecret || 'complaint' in content || !content.worldReadable) return [];
  return present(document.problemAt(path, `the file ${exposed}; run chmod o-r on it`)).map(formatProblem);
}

function present(problem: Problem | undefined): readonly Problem[] {
  return problem === undefined ? [] : [problem];
}

/** From top to bottom, each once. */
function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const distinct = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...distinct.values()].sort(
    (one, other) =>
      (one.place?.line ?? 0) - (other.place?.line ?? 0) || (one.place?.column ?? 0) - (other.place?.column ?? 0),
  );
}
