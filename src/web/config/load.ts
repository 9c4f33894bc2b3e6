import { isMapping, readDocument } from '../../config/file/document.ts';
import { describeIssues } from '../../config/file/schema-problem.ts';
import { byPlace, ConfigError, formatProblem, type Problem } from '../../config/values/config-error.ts';
import { readTextFileSync } from '../../config/values/text-file.ts';
import { bcryptCost, isTlsEnabled, type WebConfigFile, webConfigFile } from './schema.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';

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

/** Maximum number of bytes of the file. Even a file with hundreds of users and inline certificates does not reach this size. */
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
  const problems = [...describeIssues(parsed.error?.issues, document, webConfigFile)];
  // zod ignores a user with this name and reports no error.
  if (isMapping(value) && Object.hasOwn(value['basic_auth_users'] ?? {}, '__proto__')) {
    const path = ['basic_auth_users', '__proto__'];
    problems.push(...document.problemAt(path, 'has a reserved user name; choose another one', 'key'));
  }
  return { path, document, value, file: parsed.data, problems };
}

const emptyTexts: readonly unknown[] = ['', '~', 'null', 'Null', 'NULL', null];

/** Removes empty sections and settings. Keeps empty headers and empty entries of users, so that validation reports them. */
function withoutEmpty(value: unknown, name = ''): unknown {
  if (!isMapping(value) || ['headers', 'basic_auth_users'].includes(name)) return value;
  const kept = Object.entries(value).filter(([, child]) => !emptyTexts.includes(child));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutEmpty(child, key)]));
}

/** Limits who may send requests, and how often. If `users` is empty, no login is required. */
export type AccessConfig = ReturnType<typeof accessOf>;

/** `users`: bcrypt hashes by name. `headers`: sent with each response. `rateLimit`: limits all requests together, by a token bucket. */
export function accessOf({ basic_auth_users, http_server_config, rate_limit }: WebConfigFile) {
  const { interval = 0, burst = 0 } = rate_limit ?? {};
  return {
    users: new Map(Object.entries(basic_auth_users ?? {})),
    headers: (http_server_config?.headers ?? {}) as Readonly<Record<string, string>>,
    rateLimit: interval > 0 ? { interval, burst } : undefined,
  };
}

/** Maximum cost of a bcrypt hash without a warning. With a higher cost, a new login takes seconds and delays other new logins. */
const highCost = 14;

/** Warns of risky or ignored settings of a valid web configuration. Each warning is one line without secrets. */
function webConfigWarnings({ document, file = {} }: ParsedWebConfig, { certificate, worldReadableKey }: TlsFiles) {
  const {
    tls_server_config: tls = {},
    basic_auth_users: users = {},
    rate_limit: { interval = 0, burst = 0 } = {},
  } = file;
  const problems: Problem[] = [];
  const warn = (condition: boolean, message: string, ...path: readonly string[]) => {
    if (condition) problems.push(...document.problemAt(path, message));
  };
  const warnTls = (condition: boolean, key: string, message: string) =>
    warn(condition, message, 'tls_server_config', key);
  const isOn = isTlsEnabled(tls);
  const isIgnored = Object.keys(tls).length > 0 && !isOn;
  warn(isIgnored, 'has no certificate, so TLS is off; add cert_file and key_file', 'tls_server_config');
  for (const name of ['cert', 'key', 'client_ca'] as const) {
    const isDouble = tls[name] !== undefined && tls[`${name}_file`] !== undefined;
    warnTls(isDouble, name, `is ignored, because ${name}_file is set; remove one of them`);
  }
  warnTls(worldReadableKey, 'key_file', 'the file is world-readable; run chmod o-r on it');
  const hasReadableKey = tls.key !== undefined && document.worldReadable;
  warnTls(hasReadableKey, 'key', 'is in a world-readable file; run chmod o-r on it');
  if (certificate !== undefined) {
    const { validToDate: end } = certificate;
    const key = tls.cert_file === undefined ? 'cert' : 'cert_file';
    warnTls(end.getTime() < Date.now(), key, `the certificate expired on ${end.toISOString()}; renew it`);
  }
  const trustsAll = tls.client_ca === undefined && tls.client_ca_file === undefined;
  const advice = 'add client_ca_file, or every certificate of a public authority is accepted';
  const verifies = /Verify/.test(tls.client_auth_type ?? '');
  warnTls(verifies && trustsAll, 'client_auth_type', `verifies certificates without client_ca_file; ${advice}`);
  for (const [name, hash] of Object.entries(users)) {
    const message = `has cost ${bcryptCost(hash)}, which makes a login take seconds; use 10 to 12`;
    warn(bcryptCost(hash) > highCost, message, 'basic_auth_users', name);
  }
  const hasUsers = Object.keys(users).length > 0;
  warn(hasUsers && !isOn, 'are sent unencrypted, because TLS is off; add tls_server_config', 'basic_auth_users');
  const refusesAll = interval > 0 && burst === 0;
  warn(refusesAll, 'is 0, so every request is refused; set it to 1 or more', 'rate_limit', 'burst');
  return problems.map(formatProblem);
}
