import { validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { isMapping, type RawMapping } from '../../config/file/raw-mapping.ts';
import { parseGoDuration, validateBcryptHash } from './scalars.ts';
import { cipherSuiteNames, clientAuthTypes, curveNames, versionNames } from './tls-options.ts';

/** Scalars are read as text, so that `X-XSS-Protection: 1` needs no quotation marks. */
const text = z.string({ error: 'is not text; write a single value' });

/** Text that `validate` accepts. `validate` returns undefined or the problem of a text. Messages show the problem after the key. */
function validText(validate: (text: string) => string | undefined) {
  return text.check(({ value, issues }) => {
    const message = validate(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  });
}

/** Text that `read` converts to a value. `read` returns undefined for an invalid text. */
function textFor<Value>(read: (text: string) => Value | undefined, message: string) {
  const valid = validText((value) => (read(value) === undefined ? message : undefined));
  return valid.transform((value) => read(value) as Value);
}

function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'is not a mapping; write lines of "key: value"' }).partial();
}

function choice<Name extends string>(what: string, names: readonly Name[]) {
  const message = `is an unknown ${what}; write one of ${names.join(', ')}`;
  return textFor((text) => names.find((name) => name === text), message);
}

function list<Element extends z.ZodType>(element: Element, example: string) {
  return z.array(element, { error: `is not a list; write one such as [${example}]` });
}

/** The booleans of YAML 1.1, as in other exporters. */
const booleans = new Map([
  ...['true', 'yes', 'on', 'y'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n'].map((word) => [word, false] as const),
]);

const boolean = textFor((text) => booleans.get(text.toLowerCase()), 'is neither true nor false; write one of them');

/** The headers that a file can set. Header names are case-sensitive. */
const headers = Object.fromEntries(
  Object.entries({
    'Content-Security-Policy': undefined,
    'X-Frame-Options': ['deny', 'sameorigin'],
    'X-Content-Type-Options': ['nosniff'],
    'X-XSS-Protection': undefined,
    'Strict-Transport-Security': undefined,
  }).map(([name, choices]) => [name, validText((value) => validateHeader(name, value, choices))]),
);

function validateHeader(name: string, value: string, choices: readonly string[] = [value]): string | undefined {
  if (!choices.includes(value)) return `is an invalid value; write ${choices.join(' or ')}`;
  try {
    validateHeaderValue(name, value);
    return undefined;
  } catch {
    return 'contains a character that is not allowed in a header, such as a line break; remove it';
  }
}

const tlsServerConfig = mapping({
  cert: text,
  cert_file: text,
  key: text,
  key_file: text,
  client_ca: text,
  client_ca_file: text,
  client_auth_type: choice('policy', clientAuthTypes),
  client_allowed_sans: list(text, 'prometheus.example.com'),
  min_version: choice('TLS version', versionNames),
  max_version: choice('TLS version', versionNames),
  cipher_suites: list(choice('cipher suite', cipherSuiteNames), 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'),
  prefer_server_cipher_suites: boolean,
  curve_preferences: list(choice('curve', curveNames), 'X25519'),
}).superRefine(checkTls, { when: ({ value }) => isMapping(value) });

const tlsSwitches = ['cert', 'cert_file', 'key', 'key_file', 'client_ca', 'client_ca_file', 'client_auth_type'];

/** Whether a section enables TLS. A TLS version or cipher suite alone does not enable TLS. */
export function isTlsEnabled(section: RawMapping): boolean {
  return tlsSwitches.some((key) => section[key] !== undefined);
}

const requiringCertificate: readonly unknown[] = clientAuthTypes.filter((type) => type.startsWith('Require'));

/** Checks the relations between keys, even if other keys are invalid. */
function checkTls(section: RawMapping, context: z.core.$RefinementCtx): void {
  if (!isTlsEnabled(section)) return;
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  const { cert, cert_file: certFile, key: inlineKey, key_file: keyFile } = section;
  if ((cert ?? certFile) === undefined) {
    report('is missing one of cert or cert_file; add cert_file with the path of the certificate');
  }
  if ((inlineKey ?? keyFile) === undefined) {
    report('is missing one of key or key_file; add key_file with the path of the private key');
  }
  const { client_auth_type: policy = 'NoClientCert', client_allowed_sans: names } = section;
  if (policy === 'NoClientCert') {
    for (const key of ['client_ca', 'client_ca_file'] as const) {
      if (section[key] === undefined) continue;
      report('has no effect without a client auth policy; add client_auth_type: RequireAndVerifyClientCert', key);
    }
  }
  if (names !== undefined && !requiringCertificate.includes(policy)) {
    const advice = 'set client_auth_type to RequireAndVerifyClientCert or RequireAnyClientCert';
    report(`has no effect unless clients must show a certificate; ${advice}`, 'client_allowed_sans');
  }
  const { min_version: oldest = 'TLS12', max_version: newest = 'TLS13' } = section;
  const order: readonly unknown[] = versionNames;
  if (order.indexOf(oldest) > order.indexOf(newest)) {
    report(`is above max_version, which is ${String(newest)}; lower it, or raise max_version`, 'min_version');
  }
}

/** HTTP/2 requires at least one of these cipher suites. */
const http2Suites = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** Rejects cipher suites with which HTTP/2 is impossible. Other exporters do so, too; this exporter itself does not support HTTP/2. */
function checkHttp2(file: RawMapping, context: z.core.$RefinementCtx): void {
  const { tls_server_config: tls, http_server_config: http } = file;
  if (!isMapping(tls) || !isTlsEnabled(tls) || (isMapping(http) && http['http2'] === false)) return;
  const { cipher_suites: suites, min_version: oldest } = tls;
  if (oldest === 'TLS13' || !Array.isArray(suites) || suites.length === 0) return;
  if (http2Suites.some((suite) => suites.includes(suite))) return;
  context.addIssue({
    code: 'custom',
    path: ['tls_server_config', 'cipher_suites'],
    message: `is missing a cipher suite that HTTP/2 requires; add ${http2Suites.join(' or ')}, or set http2: false`,
  });
}

/** The format of exporter-toolkit's web configuration file. */
export const webConfigFile = mapping({
  tls_server_config: tlsServerConfig,
  http_server_config: mapping({ http2: boolean, headers: mapping(headers) }),
  basic_auth_users: z.record(
    validText((name) =>
      name.includes(':') ? 'contains a colon, which basic auth forbids; choose another user name' : undefined,
    ),
    validText(validateBcryptHash),
    { error: 'is not a mapping; write lines of "user: bcrypt hash"' },
  ),
  rate_limit: mapping({
    interval: textFor(parseGoDuration, 'is not a duration; write one such as 1s, 250ms or 1h30m'),
    burst: textFor(
      (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
      'is not a whole number; write one such as 10',
    ),
  }),
}).superRefine(checkHttp2, { when: ({ value }) => isMapping(value) });

export type WebConfigFile = z.output<typeof webConfigFile>;
