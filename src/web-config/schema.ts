import { validateHeaderValue } from 'node:http';
import * as z from 'zod';
import { validateBcryptHash } from './bcrypt-hash.ts';
import { parseGoDuration } from './go-duration.ts';
import { cipherSuites, curveNames, versionNames } from './tls-names.ts';

/** Why a text is invalid; undefined if it is valid. The message continues the key. */
type Validate = (text: string) => string | undefined;

/** Every scalar of the file is read as text, as it is written: `X-XSS-Protection: 1` is as good as `"1"`. */
function text(validate: Validate = () => undefined) {
  return z.string({ error: 'is not text; write a single value' }).check((context) => {
    const message = validate(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
  });
}

function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: 'is not a mapping; write lines of "key: value"' });
}

function choice(what: string, names: readonly string[]) {
  return text((value) =>
    names.includes(value) ? undefined : `is an unknown ${what}; write one of ${names.join(', ')}`,
  );
}

function list(element: z.ZodType<string>, example: string) {
  return z.array(element, { error: `is not a list; write one such as [${example}]` });
}

/** The values that YAML 1.1 reads as boolean, because other exporters do. */
const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['true', 'yes', 'on', 'y'].map((word) => [word, true])),
  ...Object.fromEntries(['false', 'no', 'off', 'n'].map((word) => [word, false])),
};

const boolean = text((value) =>
  booleans[value.toLowerCase()] === undefined ? 'is neither true nor false; write one of them' : undefined,
).transform((value) => booleans[value.toLowerCase()] === true);

/** Who has to show which certificate. `RequireClientCert` is an older name of `RequireAnyClientCert`. */
export const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'RequireClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;

export type ClientAuthType = (typeof clientAuthTypes)[number];

const clientAuthType = text((value) =>
  isClientAuthType(value) ? undefined : `is an unknown policy; write one of ${clientAuthTypes.join(', ')}`,
).transform((value) => (isClientAuthType(value) ? value : 'RequireAndVerifyClientCert'));

function isClientAuthType(value: string): value is ClientAuthType {
  return clientAuthTypes.some((type) => type === value);
}

const validateHeader =
  (name: string, choices?: readonly string[]): Validate =>
  (value) => {
    if (choices !== undefined && !choices.includes(value)) return `is an invalid value; write ${choices.join(' or ')}`;
    try {
      validateHeaderValue(name, value);
      return undefined;
    } catch {
      return 'contains a character that is not allowed in a header, such as a line break; remove it';
    }
  };

/** The headers that a file can set. Their names are case-sensitive. */
const headers = Object.fromEntries(
  Object.entries({
    'Content-Security-Policy': undefined,
    'X-Frame-Options': ['deny', 'sameorigin'],
    'X-Content-Type-Options': ['nosniff'],
    'X-XSS-Protection': undefined,
    'Strict-Transport-Security': undefined,
  }).map(([name, choices]) => [name, text(validateHeader(name, choices)).optional()]),
);

const interval = text((value) =>
  parseGoDuration(value) === undefined ? 'is not a duration; write one such as 1s, 250ms or 1h30m' : undefined,
).transform((value) => parseGoDuration(value) ?? 0);

const burst = text((value) =>
  /^\d{1,9}$/.test(value) ? undefined : 'is not a whole number; write one such as 10',
).transform(Number);

const tlsServerConfig = mapping({
  cert: text().optional(),
  cert_file: text().optional(),
  key: text().optional(),
  key_file: text().optional(),
  client_ca: text().optional(),
  client_ca_file: text().optional(),
  client_auth_type: clientAuthType.optional(),
  client_allowed_sans: list(text(), 'prometheus.example.com').optional(),
  min_version: choice('TLS version', versionNames).optional(),
  max_version: choice('TLS version', versionNames).optional(),
  cipher_suites: list(choice('cipher suite', cipherSuites), 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256').optional(),
  prefer_server_cipher_suites: boolean.optional(),
  curve_preferences: list(choice('curve', curveNames), 'X25519').optional(),
}).superRefine(checkTls, { when: ({ value }) => isMapping(value) });

/** A section before validation. */
type Written = Readonly<
  Partial<
    Record<
      | 'tls_server_config'
      | 'http_server_config'
      | 'basic_auth_users'
      | 'http2'
      | 'cert'
      | 'cert_file'
      | 'key'
      | 'key_file'
      | 'client_ca'
      | 'client_ca_file'
      | 'client_auth_type'
      | 'client_allowed_sans'
      | 'min_version'
      | 'max_version'
      | 'cipher_suites',
      unknown
    >
  >
>;

/** Whether a value is a mapping. Its keys need not be valid. */
export function isMapping(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const tlsSwitches = [
  'cert',
  'cert_file',
  'key',
  'key_file',
  'client_ca',
  'client_ca_file',
  'client_auth_type',
] as const satisfies readonly (keyof Written)[];

/** Whether a section switches TLS on. A version or a list of names alone does not. */
export function isTlsEnabled(section: Written): boolean {
  return tlsSwitches.some((key) => section[key] !== undefined);
}

const requiringCertificate: readonly unknown[] = [
  'RequireAnyClientCert',
  'RequireClientCert',
  'RequireAndVerifyClientCert',
] satisfies readonly ClientAuthType[];

/** Runs even if keys of the section are invalid. */
function checkTls(section: Written, context: z.core.$RefinementCtx): void {
  if (!isTlsEnabled(section)) return;
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (section.cert === undefined && section.cert_file === undefined) {
    report('is missing one of cert or cert_file; add cert_file with the path of the certificate');
  }
  if (section.key === undefined && section.key_file === undefined) {
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
  if (versionNames.indexOf(String(oldest)) > versionNames.indexOf(String(newest))) {
    report(`is above max_version, which is ${String(newest)}; lower it, or raise max_version`, 'min_version');
  }
}

/** Suites of which HTTP/2 needs one. */
const http2Suites = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];

/** Refuses what other exporters refuse at start, although this exporter does not speak HTTP/2 yet. */
function checkHttp2(file: Written, context: z.core.$RefinementCtx): void {
  const tls = isMapping(file.tls_server_config) ? file.tls_server_config : {};
  const http = isMapping(file.http_server_config) ? file.http_server_config : {};
  const suites = tls.cipher_suites;
  if (!isTlsEnabled(tls) || http.http2 === false || tls.min_version === 'TLS13') return;
  if (!Array.isArray(suites) || suites.length === 0 || http2Suites.some((suite) => suites.includes(suite))) return;
  context.addIssue({
    code: 'custom',
    path: ['tls_server_config', 'cipher_suites'],
    message: `is missing a cipher suite that HTTP/2 requires; add ${http2Suites.join(' or ')}, or set http2: false`,
  });
}

const user = text((hash) => validateBcryptHash(hash));

/** The web configuration file of exporter-toolkit. */
export const webConfigFile = mapping({
  tls_server_config: tlsServerConfig.optional(),
  http_server_config: mapping({ http2: boolean.optional(), headers: mapping(headers).optional() }).optional(),
  basic_auth_users: z
    .record(
      z.string().check((context) => {
        if (!context.value.includes(':')) return;
        const message = 'contains a colon, with which no client can log in; choose another user name';
        context.issues.push({ code: 'custom', input: context.value, message });
      }),
      user,
      { error: 'is not a mapping; write lines of "user: bcrypt hash"' },
    )
    .optional(),
  rate_limit: mapping({ interval: interval.optional(), burst: burst.optional() }).optional(),
}).superRefine(checkHttp2, { when: ({ value }) => isMapping(value) });

export type WebConfigFile = z.output<typeof webConfigFile>;
