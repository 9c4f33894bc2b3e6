import * as z from 'zod';
import { isMapping, mapping, type RawMapping } from '../../config/file/document.ts';
import { cipherSuiteNames, clientAuthTypes, curveNames, versionNames } from './tls-options.ts';

/** Scalars are read as text, so that `X-XSS-Protection: 1` needs no quotation marks. Messages print the key before these texts. */
const text = z.string({ error: 'is not text; write a single value' });

function choice<const Name extends string>(what: string, names: readonly Name[]) {
  return z.enum(names, { error: `is an unknown ${what}; write one of ${names.join(', ')}` });
}

function list<Element extends z.ZodType>(element: Element, example: string) {
  return z.array(element, { error: `is not a list; write one such as [${example}]` });
}

/** The booleans of YAML 1.1, as in other exporters. */
const boolean = text
  .regex(/^(?:true|yes|on|y|false|no|off|n)$/i, 'is neither true nor false; write one of them')
  .transform((word) => /^(?:true|yes|on|y)$/i.test(word));

const header = text.regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  'contains a character that is not allowed in a header, such as a line break; remove it',
);

/** The headers that a file can set. Header names are case-sensitive. */
const headers = mapping({
  'Content-Security-Policy': header,
  'X-Frame-Options': z.enum(['deny', 'sameorigin'], { error: 'is an invalid value; write deny or sameorigin' }),
  'X-Content-Type-Options': z.enum(['nosniff'], { error: 'is an invalid value; write nosniff' }),
  'X-XSS-Protection': header,
  'Strict-Transport-Security': header,
});

const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Go's durations, such as `1h30m`, in milliseconds. As in other exporters, a number without a unit is in nanoseconds. */
const goDuration = text
  .regex(
    /^(?:\d{1,15}|(?:\d{1,15}(?:\.\d*)?(?:ns|[uµμ]s|ms|s|m|h))+)$/,
    'is not a duration; write one such as 1s, 250ms or 1h30m',
  )
  .transform((duration) =>
    [...duration.matchAll(/([\d.]+)(\D*)/g)].reduce(
      (sum, [, number, unit]) => sum + Number(number) * (unitMilliseconds[unit || 'ns'] ?? 0),
      0,
    ),
  );

/** The message does not quote the text, because it may be a password. */
const bcryptHash = text.regex(
  /^\$2[aby]?\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/,
  'is not a bcrypt hash with a cost from 4 to 31; write the output of `hosting-account-exporter hash-password`',
);

/** The cost of a valid bcrypt hash. Each increment by 1 doubles the time of a login. */
export function bcryptCost(hash: string): number {
  return Number(hash.split('$')[2]);
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
});

const tlsSwitches = ['cert', 'cert_file', 'key', 'key_file', 'client_ca', 'client_ca_file', 'client_auth_type'];

/** Whether a section enables TLS. A TLS version or cipher suite alone does not enable TLS. */
export function isTlsEnabled(section: RawMapping): boolean {
  return tlsSwitches.some((key) => section[key] !== undefined);
}

/** Checks TLS settings that depend on each other, even if other settings are invalid. */
function checkTls({ tls_server_config: tls }: RawMapping, context: z.core.$RefinementCtx): void {
  if (!isMapping(tls) || !isTlsEnabled(tls)) return;
  const report = (message: string, ...key: string[]) =>
    context.addIssue({ code: 'custom', message, path: ['tls_server_config', ...key] });
  if ((tls['cert'] ?? tls['cert_file']) === undefined) {
    report('is missing one of cert or cert_file; add cert_file with the path of the certificate');
  }
  if ((tls['key'] ?? tls['key_file']) === undefined) {
    report('is missing one of key or key_file; add key_file with the path of the private key');
  }
  const {
    client_auth_type: policy = 'NoClientCert',
    min_version: oldest = 'TLS12',
    max_version: newest = 'TLS13',
  } = tls;
  for (const key of policy === 'NoClientCert' ? ['client_ca', 'client_ca_file'] : []) {
    if (tls[key] === undefined) continue;
    report('has no effect without a client auth policy; add client_auth_type: RequireAndVerifyClientCert', key);
  }
  if (tls['client_allowed_sans'] !== undefined && !String(policy).startsWith('Require')) {
    const advice = 'set client_auth_type to RequireAndVerifyClientCert or RequireAnyClientCert';
    report(`has no effect unless clients must show a certificate; ${advice}`, 'client_allowed_sans');
  }
  const order: readonly unknown[] = versionNames;
  if (order.indexOf(oldest) > order.indexOf(newest)) {
    report(`is above max_version, which is ${String(newest)}; lower it, or raise max_version`, 'min_version');
  }
}

/** The format of exporter-toolkit's web configuration file. */
export const webConfigFile = mapping({
  tls_server_config: tlsServerConfig,
  http_server_config: mapping({ http2: boolean, headers }),
  basic_auth_users: z.record(
    text.regex(/^[^:]*$/, 'contains a colon, which basic auth forbids; choose another user name'),
    bcryptHash,
    { error: 'is not a mapping; write lines of "user: bcrypt hash"' },
  ),
  rate_limit: mapping({
    interval: goDuration,
    burst: text.regex(/^\d{1,9}$/, 'is not a whole number; write one such as 10').transform(Number),
  }),
}).superRefine(checkTls, { when: ({ value }) => isMapping(value) });

export type WebConfigFile = z.output<typeof webConfigFile>;
