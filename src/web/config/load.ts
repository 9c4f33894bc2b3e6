import { type ConfigDocument, readDocument } from '../../config/file/document.ts';
import { isMapping } from '../../config/file/raw-mapping.ts';
import { describeIssues } from '../../config/file/schema-problem.ts';
import { byPlace, ConfigError, type Problem } from '../../config/values/config-error.ts';
import { readTextFileSync } from '../../config/values/text-file.ts';
import { type WebConfigFile, webConfigFile } from './schema.ts';
import { readTlsFiles } from './tls-files.ts';
import { webConfigWarnings } from './warnings.ts';

/** A valid web configuration. `tlsPaths`: the files of certificates and key. */
export type LoadedWebConfig = ReturnType<typeof loadWebConfig>;

/** Reads and validates a web configuration file and the files that it names. Throws ConfigError with all problems. */
export function loadWebConfig(path: string) {
  const parsed = parseWebConfig(path);
  const tls = readTlsFiles(parsed);
  const problems = [...parsed.problems, ...tls.problems];
  if (parsed.file === undefined || problems.length > 0) throw new ConfigError(problems.toSorted(byPlace));
  const warnings = webConfigWarnings(parsed, tls);
  return { access: accessOf(parsed.file), tls: tls.config, tlsPaths: tls.paths, warnings };
}

/** `value`: the YAML without empty settings. `file`: the validated settings; undefined if any setting is invalid. */
export type ParsedWebConfig = ReturnType<typeof parseWebConfig>;

/** Maximum number of bytes of the file. A file with hundreds of users and inline certificates is smaller. */
const maxFileSize = 4 * 1024 * 1024;

export function parseWebConfig(path: string) {
  const content = readTextFileSync(path, maxFileSize);
  // Variables are not expanded, because a bcrypt hash contains dollar signs.
  const document = readDocument(path, content, webConfigFile, { scalars: 'failsafe' });
  if (document.value === undefined || document.problems.length > 0) {
    return { path, document, value: undefined, file: undefined, problems: document.problems };
  }
  const value = withoutEmpty(document.value);
  const parsed = webConfigFile.safeParse(value);
  const problems = [
    ...describeIssues(parsed.error?.issues, document, webConfigFile),
    ...reservedUserName(value, document),
  ];
  return { path, document, value, file: parsed.data, problems };
}

const emptyTexts: readonly unknown[] = ['', '~', 'null', 'Null', 'NULL', null];

/** Removes empty sections and settings. Keeps empty headers and empty entries of users, so that validation reports them. */
function withoutEmpty(value: unknown): unknown {
  if (emptyTexts.includes(value)) return {};
  return dropEmpty(value, (section, key) => (key === 'basic_auth_users' ? section : dropEmpty(section)));
}

function dropEmpty(value: unknown, convert: (child: unknown, key: string) => unknown = (child) => child): unknown {
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => !emptyTexts.includes(child));
  return Object.fromEntries(kept.map(([key, child]) => [key, convert(child, key)]));
}

/** Reports the user `__proto__`, which zod would skip without an error. */
function reservedUserName(value: unknown, document: ConfigDocument): readonly Problem[] {
  const { basic_auth_users: users } = isMapping(value) ? value : {};
  if (!isMapping(users) || !Object.hasOwn(users, '__proto__')) return [];
  return document.problemAt(['basic_auth_users', '__proto__'], 'has a reserved user name; choose another one', 'key');
}

/** The settings of a web configuration file except those for TLS: who has access to the web server. */
export type AccessConfig = ReturnType<typeof accessOf>;

/** A token bucket for all requests. `interval` in milliseconds; with a `burst` of 0, every request is refused. */
export type RateLimit = NonNullable<AccessConfig['rateLimit']>;

/** `users` maps names to bcrypt hashes. If `users` is empty, no login is required. `headers` are added to every response. */
export function accessOf({ basic_auth_users, http_server_config, rate_limit }: WebConfigFile) {
  const { interval = 0, burst = 0 } = rate_limit ?? {};
  return {
    users: new Map(Object.entries(basic_auth_users ?? {})),
    headers: (http_server_config?.headers ?? {}) as Readonly<Record<string, string>>,
    rateLimit: interval > 0 ? { interval, burst } : undefined,
  };
}
