import { dirname, isAbsolute, resolve } from 'node:path';
import type * as z from 'zod';
import { joinAccountFiles, patternsOf } from './account-files.ts';
import type { Config } from './config.ts';
import { byPlace, ConfigError, formatPlace, formatProblem, type Problem } from './config-error.ts';
import type { ConfigInputs } from './config-inputs.ts';
import { brokenDocument, type ConfigDocument, readDocument } from './document.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { expand } from './expansion.ts';
import { relativeHint } from './file-pattern.ts';
import type { KeyPath } from './key-path.ts';
import { type ReferencedFile, readReferencedFiles } from './referenced-file.ts';
import { resolveConfig } from './resolve.ts';
import { account, accountsOf, configFile, isMapping } from './schema.ts';
import { describeIssue, withValue } from './schema-problem.ts';
import { readTextFile } from './text-file.ts';
import { configWarnings, ignoredVariables, proxyWarnings } from './warnings.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** Input that is ignored or risky: one line each, without secrets. */
  readonly warnings: readonly string[];
}

/** Values of flags, which take precedence over the file; undefined if a flag is not given. */
export interface ConfigOverrides {
  readonly listenAddresses?: readonly string[] | undefined;
  readonly telemetryPath?: string | undefined;
}

/** How a configuration is read. */
export interface LoadOptions {
  /** Interrupts the reading. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the files, even those of an invalid configuration. */
  readonly inputs?: ConfigInputs | undefined;
}

/** Bytes; ten times the size of a thousand accounts with every key set. */
const maxFileSize = 16 * 1024 * 1024;

/**
 * Reads and validates the configuration file, or the environment if there is no file. Rejects with a ConfigError with all
 * problems, or with the signal's reason. It keeps no state, so a reload is another call.
 */
export async function loadConfig(
  path: string | undefined,
  environment: Environment,
  { listenAddresses, telemetryPath }: ConfigOverrides = {},
  options: LoadOptions = {},
): Promise<LoadedConfig> {
  const used = new Set<string>();
  const document =
    path === undefined ? readEnvironment(environment) : await readConfiguration(path, environment, used, options);
  const { config, warnings } = await validate(document, options);
  const web = {
    listenAddresses: listenAddresses ?? config.web.listenAddresses,
    telemetryPath: telemetryPath ?? config.web.telemetryPath,
  };
  // systemd separates several directories by colons.
  const stateDirectory = config.stateDirectory ?? environment['STATE_DIRECTORY']?.split(':')[0];
  const ignored = path === undefined ? [] : ignoredVariables(path, environment, used);
  return {
    config: { ...config, web, ...(stateDirectory && { stateDirectory }) },
    warnings: [...ignored, ...proxyWarnings(environment), ...warnings],
  };
}

/** Adds the variables that the files refer to to `used`. */
async function readConfiguration(
  path: string,
  environment: Environment,
  used: Set<string>,
  { signal, inputs }: LoadOptions,
): Promise<ConfigDocument> {
  const read = (file: string, schema: z.ZodType, regularOnly: boolean) => {
    inputs?.files.add(resolve(file));
    return readFile(file, schema, environment, used, regularOnly);
  };
  const main = await read(path, configFile, false);
  if (main.value === null) return brokenDocument(path, 'is empty; list accounts in it, as docs/configuration.md shows');
  for (const { pattern } of patternsOf(main.value)) inputs?.patterns.push({ pattern, from: path });
  return joinAccountFiles(main, path, (file) => read(file, account, true), signal);
}

async function readFile(
  path: string,
  schema: z.ZodType,
  environment: Environment,
  used: Set<string>,
  regularOnly: boolean,
): Promise<ConfigDocument> {
  const file = await readTextFile(path, { maxSize: maxFileSize, regularOnly });
  if ('failure' in file) return brokenDocument(path, file.failure);
  const { text, worldReadable } = file;
  return readDocument({ path, worldReadable }, text, schema, (written) => {
    const expansion = expand(written, environment);
    for (const name of expansion.variables) used.add(name);
    return expansion;
  });
}

async function validate(document: ConfigDocument, { signal, inputs }: LoadOptions): Promise<LoadedConfig> {
  if (document.value === undefined) throw new ConfigError(inOrder(document.problems, document));
  const parsed = configFile.safeParse(document.value);
  const files = await readReferencedFiles(document.value, (path) => folderAt(path, document), signal);
  for (const { file } of files) inputs?.files.add(file);
  const problems = [
    ...document.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, document, configFile)),
    ...describeDuplicateNames(document),
    ...files.flatMap((file) => describeReadFailure(file, document)),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(inOrder(problems, document));
  const secrets = new Map(files.map(({ file, content }) => [file, 'text' in content ? content.text : '']));
  const config = resolveConfig(parsed.data, {
    folderAt: (path) => folderAt(path, document),
    secretIn: (file) => secrets.get(file) ?? '',
  });
  return { config, warnings: configWarnings(config, document, files) };
}

/** The directory that paths in this part of the configuration are relative to. */
function folderAt(path: KeyPath, document: ConfigDocument): string {
  const file = document.fileAt(path);
  return file === undefined ? '.' : dirname(file.path);
}

/** A problem for each account with the name of an earlier one. */
function describeDuplicateNames(document: ConfigDocument): readonly Problem[] {
  const firsts = new Map<string, KeyPath>();
  return accountsOf(document.value).flatMap((written, index) => {
    const name = isMapping(written) ? written.name : undefined;
    if (typeof name !== 'string') return [];
    const path = ['accounts', index, 'name'];
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, path);
      return [];
    }
    const [other] = document.problemAt(first, '');
    const where = other === undefined ? '' : `, at ${formatPlace(other)}`;
    const message = `is also the name of another account${where}; names must be unique`;
    return document.problemAt(path, withValue(document, path, message));
  });
}

function describeReadFailure({ path, content }: ReferencedFile, document: ConfigDocument): readonly Problem[] {
  if (!('failure' in content)) return [];
  const written = document.writtenAt(path);
  const relative = written !== undefined && !isAbsolute(written) && content.failure.startsWith('does not exist');
  return document.problemAt(path, `the file ${content.failure}${relative ? relativeHint : ''}`);
}

/** Removes duplicates and sorts: first the configuration file, then file by file, each from top to bottom. */
function inOrder(problems: readonly Problem[], document: ConfigDocument): readonly Problem[] {
  const distinct = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  const first = document.fileAt([])?.path;
  // Problems of the environment are in the order of its variables.
  if (first === undefined) return [...distinct.values()];
  return [...distinct.values()].sort(
    (one, other) =>
      Number(other.source === first) - Number(one.source === first) ||
      Number(one.source > other.source) - Number(one.source < other.source) ||
      byPlace(one, other),
  );
}
