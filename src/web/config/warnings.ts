import { formatProblem } from '../../config/values/config-error.ts';
import type { ParsedWebConfig } from './load.ts';
import { bcryptCost } from './scalars.ts';
import { isTlsEnabled } from './schema.ts';
import type { TlsFiles } from './tls-files.ts';

/** The highest cost of a bcrypt hash that causes no warning. With a higher cost, a login takes seconds and delays other new logins. */
const highCost = 14;

/** Risky or ignored settings of a valid web configuration: one line each, without secrets. */
export function webConfigWarnings(parsed: ParsedWebConfig, { certificate, worldReadableKey }: TlsFiles) {
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
