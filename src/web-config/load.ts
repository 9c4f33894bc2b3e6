import { byPlace, ConfigError, type Problem } from '../config/config-error.ts';
import { brokenDocument, type ConfigDocument, readDocument } from '../config/document.ts';
import { describeIssue } from '../config/schema-problem.ts';
import { readTextFileSync } from '../config/text-file.ts';
import { isMapping, type WebConfigFile, webConfigFile } from './schema.ts';
import { readTlsFiles } from './tls-files.ts';
import { webConfigWarnings } from './warnings.ts';
import type { AccessConfig, TlsConfig } from './web-config.ts';

/** A valid web configuration, with its certificates. */
export interface LoadedWebConfig {
  readonly access: AccessConfig;
  /** Undefined: no TLS. */
  readonly tls: TlsConfig | undefined;
  /** The files of certificates and key. */
  readonly tlsPaths: readonly string[];
  /** Settings that are ignored or risky: one line each, without secrets. */
  readonly warnings: readonly string[];
}

/** Reads and validates a web configuration file and the files that it names. Throws ConfigError with all problems. */
export function loadWebConfig(path: string): LoadedWebConfig {
  const parsed = parseWebConfig(path);
  const tls = readTlsFiles(parsed);
  const problems = [...parsed.problems, ...tls.problems];
  if (parsed.file === undefined || problems.length > 0) throw new ConfigError(problems.toSorted(byPlace));
  return {
    access: accessOf(parsed.file),
    tls: tls.config,
    tlsPaths: tls.paths,
    warnings: webConfigWarnings(parsed, tls),
  };
}

/** A web configuration file, before the files that it names are read. */
export interface ParsedWebConfig {
  readonly path: string;
  readonly document: ConfigDocument;
  /** The settings as written, valid or not, without empty ones. */
  readonly value: unknown;
  /** Undefined if the file is invalid; `problems` then contains the reasons. */
  readonly file: WebConfigFile | undefined;
  readonly problems: readonly Problem[];
}

/** Bytes; hundreds of users and a certificate need less. */
const maxFileSize = 4 * 1024 * 1024;

/** Reads and validates only the file itself. */
export function parseWebConfig(path: string): ParsedWebConfig {
  const read = readTextFileSync(path, { maxSize: maxFileSize, regularOnly: true });
  const document =
    'failure' in read
      ? brokenDocument(path, read.failure)
      : readDocument({ path, worldReadable: read.worldReadable }, read.text, webConfigFile, unexpanded, 'failsafe');
  if (document.value === undefined || document.problems.length > 0) {
    return { path, document, value: undefined, file: undefined, problems: document.problems };
  }
  const value = withoutEmpty(document.value);
  const parsed = webConfigFile.safeParse(value);
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, document, webConfigFile)),
    ...reservedUserName(value, document),
  ];
  return { path, document, value, file: parsed.data, problems };
}

/** The file has no variables: a bcrypt hash contains dollar signs. */
function unexpanded(text: string) {
  return { text, variables: [], problems: [] };
}

const emptyTexts: readonly unknown[] = ['', '~', 'null', 'Null', 'NULL', null];

/** Removes sections and settings without a value. Empty headers and users stay: they must not vanish unnoticed. */
function withoutEmpty(value: unknown): unknown {
  if (emptyTexts.includes(value)) return {};
  return dropEmpty(value, (section, key) => (key === 'basic_auth_users' ? section : dropEmpty(section)));
}

function dropEmpty(value: unknown, convert: (child: unknown, key: string) => unknown = (child) => child): unknown {
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => !emptyTexts.includes(child));
  return Object.fromEntries(kept.map(([key, child]) => [key, convert(child, key)]));
}

/** Schemas skip this key without an error, so that the user would be lost. */
function reservedUserName(value: unknown, document: ConfigDocument): readonly Problem[] {
  const users = isMapping(value) ? value.basic_auth_users : undefined;
  if (!isMapping(users) || !Object.hasOwn(users, '__proto__')) return [];
  return document.problemAtKey(['basic_auth_users', '__proto__'], 'has a reserved user name; choose another one');
}

/** The settings that are not about TLS. */
export function accessOf({ basic_auth_users, http_server_config, rate_limit }: WebConfigFile): AccessConfig {
  const { interval = 0, burst = 0 } = rate_limit ?? {};
  const headers = Object.entries(http_server_config?.headers ?? {});
  return {
    users: new Map(Object.entries(basic_auth_users ?? {})),
    headers: Object.fromEntries(headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    rateLimit: interval > 0 ? { interval, burst } : undefined,
  };
}
