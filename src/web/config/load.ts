import { type ConfigDocument, readDocument } from '../../config/file/document.ts';
import { isMapping } from '../../config/file/raw-mapping.ts';
import { describeIssues } from '../../config/file/schema-problem.ts';
import { byPlace, ConfigError, formatProblem, type Problem } from '../../config/values/config-error.ts';
import { readTextFileSync } from '../../config/values/text-file.ts';
import { bcryptCost } from './scalars.ts';
import { isTlsEnabled, type WebConfigFile, webConfigFile } from './schema.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

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
  const value = emptyTexts.includes(document.value) ? {} : withoutEmpty(document.value);
  const parsed = webConfigFile.safeParse(value);
  const problems = [
    ...describeIssues(parsed.error?.issues, document, webConfigFile),
    ...reservedUserName(value, document),
  ];
  return { path, document, value, file: parsed.data, problems };
}

const emptyTexts: readonly unknown[] = ['', '~', 'null', 'Null', 'NULL', null];

/** Removes empty sections and settings. Keeps empty headers and empty entries of users, so that validation reports them. */
function withoutEmpty(value: unknown, name = ''): unknown {
  if (!isMapping(value) || ['headers', 'basic_auth_users'].includes(name)) return value;
  const kept = Object.entries(value).filter(([, child]) => !emptyTexts.includes(child));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutEmpty(child, key)]));
}

/** Reports the user `__proto__`, which zod would skip without an error. */
function reservedUserName(value: unknown, document: ConfigDocument): readonly Problem[] {
  const { basic_auth_users: users } = isMapping(value) ? value : {};
  if (!isMapping(users) || !Object.hasOwn(users, '__proto__')) return [];
  return document.problemAt(['basic_auth_users', '__proto__'], 'has a reserved user name; choose another one', 'key');
}

/** All settings of a web configuration file except TLS settings. They control the access to the web server. */
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

/** Maximum cost of a bcrypt hash without a warning. With a higher cost, a login takes seconds and delays other new logins. */
const highCost = 14;

/** Risky or ignored settings of a valid web configuration: one line each, without secrets. */
function webConfigWarnings(parsed: ParsedWebConfig, { certificate, worldReadableKey }: TlsFiles) {
  const { document, file = {} } = parsed;
  const tls = file.tls_server_config ?? {};
  const users = Object.entries(file.basic_auth_users ?? {});
  const at = (path: readonly string[], message: string) => document.problemAt(path, message).map(formatProblem);
  const inTls = (key: string, message: string) => at(['tls_server_config', key], message);
  const warnings: (readonly string[])[] = [];
  if (Object.keys(tls).length > 0 && !isTlsEnabled(tls)) {
    warnings.push(at(['tls_server_config'], 'has no certificate, so TLS is off; add cert_file and key_file'));
  }
  for (const name of ['cert', 'key', 'client_ca'] as const) {
    if (tls[name] === undefined || tls[`${name}_file`] === undefined) continue;
    warnings.push(inTls(name, `is ignored, because ${name}_file is set; remove one of them`));
  }
  if (worldReadableKey) warnings.push(inTls('key_file', 'the file is world-readable; run chmod o-r on it'));
  if (tls.key !== undefined && document.fileAt([])?.worldReadable === true) {
    warnings.push(inTls('key', 'is in a world-readable file; run chmod o-r on it'));
  }
  if (certificate !== undefined && certificate.validToDate.getTime() < Date.now()) {
    const key = tls.cert_file === undefined ? 'cert' : 'cert_file';
    warnings.push(inTls(key, `the certificate expired on ${certificate.validToDate.toISOString()}; renew it`));
  }
  if (/Verify/.test(tls.client_auth_type ?? '') && tls.client_ca === undefined && tls.client_ca_file === undefined) {
    const advice = 'add client_ca_file, or every certificate of a public authority is accepted';
    warnings.push(inTls('client_auth_type', `verifies certificates without client_ca_file; ${advice}`));
  }
  for (const [name, hash] of users) {
    const cost = bcryptCost(hash);
    if (cost <= highCost) continue;
    warnings.push(at(['basic_auth_users', name], `has cost ${cost}, which makes a login take seconds; use 10 to 12`));
  }
  if (users.length > 0 && !isTlsEnabled(tls)) {
    warnings.push(at(['basic_auth_users'], 'are sent unencrypted, because TLS is off; add tls_server_config'));
  }
  const { interval = 0, burst = 0 } = file.rate_limit ?? {};
  if (interval > 0 && burst === 0) {
    warnings.push(at(['rate_limit', 'burst'], 'is 0, so every request is refused; set it to 1 or more'));
  }
  return warnings.flat();
}
