import * as z from 'zod';
import type { Collector } from '../../collectors/collector.ts';
import { collectors } from '../../collectors/list.ts';
import { formatDuration, parseDuration } from '../values/duration.ts';
import { validateSecret } from '../values/secret.ts';
import * as validators from '../values/validators.ts';
import { alertsSettings } from './alert-thresholds.ts';
import { isMapping, mapping, notMapping, type RawMapping } from './document.ts';
import { secretKeys } from './environment.ts';
import { validateFilePattern } from './file-pattern.ts';

export const defaults = {
  timeout: '30s',
  requests_per_minute: 30,
  max_items: 10_000,
  size_units: 'decimal',
  number_format: 'auto',
  time_zone: 'UTC',
  settling_time: '10m',
  input_format: 'auto',
  max_series: 10_000,
  listen_address: ':10380',
  telemetry_path: '/metrics',
} as const;

// Messages of these schemas follow the key and its value: `api.timeout: "30 sec" is not a duration; write …`.

/** `title`: the name of the type in the documentation, if "text" is too general. `pattern`: for editors; must also match `${NAME}`. */
type Note = z.GlobalMeta;

type Validator = (text: string) => string | undefined;

function text(validate: Validator, note: Note = {}) {
  return z
    .string({ error: ({ input }) => describeNonText(input, validate) })
    .check((context) => {
      const message = validate(context.value);
      if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
    })
    .meta(note);
}

/** Describes a value that is not text. Suggests quotes only if the value would be valid with them. */
function describeNonText(input: unknown, validate: Validator): string {
  if (input === undefined) return 'is missing';
  if (input === null) return emptyValue;
  if (typeof input === 'object') return 'is not text; write a single value';
  return validate(String(input)) ?? 'is not text; put it in quotes';
}

const emptyValue = 'is empty; write a value, or remove the key';

function path(note: Note) {
  return text((value) => (value === '' ? emptyValue : undefined), { title: 'path', ...note });
}

function duration(from: number, to: number, note: Note) {
  const range = `from ${formatDuration(from)} to ${formatDuration(to)}`;
  const validate: Validator = (value) => {
    const milliseconds = parseDuration(value);
    if (Number.isNaN(milliseconds))
      return 'is not a duration; write a whole number and s, m, h or d, such as 30s or 1h';
    return milliseconds < from || milliseconds > to ? `is out of range; write a duration ${range}` : undefined;
  };
  return text(validate, { title: `duration ${range}`, pattern: '^(\\d+[smhd]|.*\\$\\{.*)$', ...note });
}

function wholeNumber(from: number, to: number, note: Note) {
  const range = `from ${from} to ${to}`;
  return z
    .int({ error: `is not a whole number; write one ${range}, without quotes` })
    .min(from, { error: `is too small; write a whole number ${range}` })
    .max(to, { error: `is too large; write a whole number ${range}` })
    .meta(note);
}

function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, note: Note) {
  return z.enum(choices, { error: `is not one of ${choices.join(', ')}; write one of them` }).meta(note);
}

function oneOrMore(element: z.ZodString, error: string, errorIfEmpty: string, note: Note) {
  const list = z.array(element).min(1, { error: errorIfEmpty });
  return z.union([element, list], { error }).meta(note);
}

/** A part of the file that may be empty, for example because all its lines are commented out. */
function section<S extends z.ZodType>(schema: S, description: string, example: object) {
  return schema.nullable().meta({ description, examples: [example] });
}

const second = 1000;
const day = 86_400_000;

const apiSettings = mapping({
  base_url: text(validators.validateBaseUrl, { title: 'URL', examples: ['https://api.example.com/api'] }).describe(
    'URL of the API, without section and method. Required here or in each account. Must be https://, except for localhost.',
  ),
  timeout: duration(second, 600 * second, { default: defaults.timeout, examples: ['20s'] }).describe(
    'Timeout of one API call, from its start to the last byte of the response.',
  ),
  requests_per_minute: wholeNumber(1, 60_000, { default: defaults.requests_per_minute, examples: [300] }).describe(
    "Budget of API calls per minute for one account. The provider's limit, often 60, applies to all tools of the account together.",
  ),
  max_items: wholeNumber(100, 100_000, { default: defaults.max_items, examples: [20_000] }).describe(
    'Maximum number of entries of one list in an API response. A longer list fails with the reason `payload`.',
  ),
  size_units: choice(['decimal', 'binary'], { default: defaults.size_units, examples: ['binary'] }).describe(
    'Whether KB, MB and GB in API responses are 1000-based or 1024-based. KiB, MiB and GiB are always 1024-based.',
  ),
  number_format: choice(['auto', 'comma', 'dot'], { default: defaults.number_format, examples: ['comma'] }).describe(
    'Decimal mark of numbers in texts of API responses, such as sizes. The other mark separates thousands. With `auto`, comma and dot are both decimal marks. With `auto`, a number with a comma before exactly three digits is refused with the reason `payload`, because the comma may also separate thousands.',
  ),
  time_zone: text(validators.validateTimeZone, {
    title: 'IANA time zone',
    default: defaults.time_zone,
    examples: ['Europe/Moscow'],
  }).describe('Time zone of cron patterns, and of dates without a zone in API responses.'),
  settling_time: duration(0, day, { default: defaults.settling_time, examples: ['30m'] }).describe(
    'Time from the end of an hour or day until its load counts as complete, by the clock of the API. Raise this time if the provider needs longer to add up the load.',
  ),
  input_format: choice(['auto', 'plain', 'json'], { default: defaults.input_format, examples: ['json'] }).describe(
    'How API calls send their arguments: as plain parameters, or as JSON in input_data. With `auto`, the exporter detects the format from the responses.',
  ),
  ca_file: path({ examples: ['/etc/ssl/private-ca.pem'] }).describe(
    "PEM file of certificates to trust in addition to those of Node.js, for the API and for a proxy. The system's certificates are trusted only with `NODE_OPTIONS=--use-system-ca`. The exporter reads the file before each API call. If the content has changed, the call uses a new connection. If the file is damaged or cannot be read, the call fails with the reason `local`.",
  ),
});

/** Lets a check run on every mapping, even if some keys of the mapping are invalid. */
const ifMapping = { when: ({ value }: z.core.ParsePayload) => isMapping(value) };

function collectorSettings({ help, schedule, offByDefault }: Collector) {
  return mapping({
    enabled: z
      .boolean({ error: 'is neither true nor false; write one of them' })
      .meta({ description: 'Whether the collector is polled.', default: offByDefault !== true, examples: [false] }),
    every: duration(second, 7 * day, { default: schedule, examples: ['2h'] }).describe('Interval between polls.'),
    schedule: text(validators.validateCronPattern, { title: 'cron pattern', examples: ['7 * * * *'] }).describe(
      'Cron pattern of five or six fields in `time_zone`, as an alternative to `every`.',
    ),
    max_age: duration(second, 365 * day, { examples: ['12h'] }).describe(
      'Age at which a result expires. Defaults to three intervals plus ten minutes.',
    ),
    max_series: wholeNumber(100, 1_000_000, { default: defaults.max_series, examples: [2000] }).describe(
      'Maximum number of series of the collector for one account. Further series are dropped and counted. The least important series are dropped first, such as those of the least loaded sites and of the domains that expire last.',
    ),
  })
    .superRefine(({ every, schedule }, context) => {
      if (every === undefined || schedule === undefined) return;
      context.addIssue({ code: 'custom', message: 'has both every and schedule; keep one of them' });
    }, ifMapping)
    .meta({ description: help });
}

const collectorsSettings = mapping(
  Object.fromEntries(collectors.map((collector) => [collector.name, collectorSettings(collector)])),
);

const labelsSettings = z.record(
  text(validators.validateLabelName),
  text(validators.validateLabelValue).describe('Value of the label.'),
  { error: 'is not a mapping; write lines of "name: value"' },
);

const exclusions = (what: string, example: string) =>
  oneOrMore(
    text(validators.validateExclusion),
    'is neither a name nor a list of names; write one such as old.example or *.example',
    'is empty; write a name, or remove the key',
    { title: 'name or pattern, or a list of them', examples: [example] },
  ).describe(what);

const excludeSettings = mapping({
  domains: exclusions(
    'Domains and subdomains, also those of sites. `*` stands for any characters. Letter case and punycode do not matter.',
    '*.old.example',
  ),
  sites: exclusions('Sites, by name or ID. Their domains are not left out.', 'test'),
  databases: exclusions('Databases.', '*_backup'),
});

/** An account: an element of `accounts`, or a file that `accounts_from` names. */
export const account = z
  .strictObject(
    {
      name: text(validators.validateAccountName, { examples: ['shop'] }).describe(
        'Value of the label `account` on all series of the account. Must be unique.',
      ),
      ...mapping({
        login: text((value) => (value === '' ? emptyValue : validators.validateLogin(value)), {
          examples: ['u12345'],
        }).describe('Login of the account. Required with a password, not allowed with a token.'),
        password: text((value) => validateSecret(value, 'password'), { examples: [`\${SHOP_PASSWORD}`] }).describe(
          'Password for the API. Prefer `password_file` or an environment variable.',
        ),
        password_file: path({ examples: ['/run/secrets/shop'] }).describe(
          'File that contains only the password. The exporter reads the file for each API call.',
        ),
        token: text((value) => validateSecret(value, 'token'), { examples: [`\${SHOP_TOKEN}`] }).describe(
          'Bearer token, as an alternative to login and password.',
        ),
        token_file: path({ examples: ['/run/secrets/shop-token'] }).describe(
          'File that contains only the token. The exporter reads the file for each API call.',
        ),
        labels: section(
          labelsSettings,
          'Own labels of the account, such as its customer. The metric `hosting_account_labels` has these labels with the prefix `label_`.',
          { customer: 'acme', team: 'web' },
        ),
        api: section(apiSettings, 'Overrides of `api` for this account.', { time_zone: 'Asia/Almaty' }),
        collectors: section(collectorsSettings, 'Overrides of `collectors` for this account.', {
          databases: { every: '2h' },
        }),
        alerts: section(alertsSettings, 'Overrides of `alerts` for this account.', { HostingDiskAlmostFull: 'off' }),
        exclude: section(
          excludeSettings,
          'Domains, sites and databases that are not monitored. They cost no calls, have no series, and no number counts them, except those of the plan.',
          { domains: ['old.example', '*.test.example'] },
        ),
      }).shape,
    },
    notMapping,
  )
  .superRefine(checkCredentials, ifMapping)
  .meta({ oneOf: secretKeys.map((key) => having(key, {})) });

/** The JSON Schema of a mapping that must have this key. */
function having(key: string, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: { [key]: schema }, required: [key] };
}

/** Checks the credentials of an account. Runs even if other keys are invalid, so `value` may contain invalid values. */
function checkCredentials(value: RawMapping, context: z.core.$RefinementCtx): void {
  const { login } = value;
  const given = secretKeys.filter((key) => value[key] !== undefined);
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (given.length === 0) report('has no password or token; add password_file, password, token_file or token');
  if (given.length > 1) report(`has ${given.join(' and ')}; keep one of them`);
  const [only] = given;
  if (given.length !== 1 || only === undefined) return;
  if (only.startsWith('password') && login === undefined) report('has a password but no login; add login');
  if (only.startsWith('token') && login !== undefined) {
    report('is not allowed with a token; remove login, or use a password', 'login');
  }
}

/** The schema of the YAML file. Documentation and the JSON Schema are generated from it. */
export const configFile = mapping({
  api: section(apiSettings, 'Connection to the API. Each account can override any key.', {
    base_url: 'https://api.example.com/api',
  }),
  accounts: z
    .array(account, {
      error: ({ input }) =>
        input === null ? 'is empty; list at least one account' : 'is not a list; start each account with "- name: …"',
    })
    .meta({ description: 'The accounts to monitor.' }),
  accounts_from: oneOrMore(
    text(validateFilePattern, { title: 'path with wildcards' }).describe('Pattern of files with one account each.'),
    'is not a path; write one such as accounts/*.yml, or a list of them',
    'is empty; name files in it, or remove the key',
    { title: 'path with wildcards, or a list of them', examples: ['accounts/*.yml'] },
  ).describe('Files with one account each. A file has the keys of an element of `accounts`.'),
  collectors: section(collectorsSettings, 'Collectors and their schedules. Each account can override any key.', {
    databases: { every: '2h' },
  }),
  alerts: section(
    alertsSettings,
    'Alert thresholds of all accounts, by alert name: a number or `off` per severity, or `off` for the whole alert. Each account can override any of them.',
    { HostingDiskAlmostFull: { warning: 0.8 } },
  ),
  web: section(
    mapping({
      listen_address: oneOrMore(
        text(validators.validateListenAddress).describe('An address to listen on.'),
        'is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380',
        'is empty; write an address, or remove the key',
        { title: '[host]:port, or a list of them', default: defaults.listen_address, examples: ['127.0.0.1:10380'] },
      ).describe(
        'Listen address. Without a host, the port is open on all interfaces, IPv4 and IPv6. The flag --web.listen-address takes precedence.',
      ),
      telemetry_path: text(validators.validateTelemetryPath, {
        title: 'path',
        default: defaults.telemetry_path,
        examples: ['/hosting'],
      }).describe('Path of the metrics page. The flag --web.telemetry-path takes precedence.'),
    }),
    'The web server.',
    { listen_address: '127.0.0.1:10380' },
  ),
  state: section(
    mapping({
      directory: path({ examples: ['/var/lib/hosting-account-exporter'] }).describe(
        'Directory in which the exporter saves its figures for the next start. The exporter needs permission to write there. Only exporters with different `--shard` can share a directory. Defaults to the variable STATE_DIRECTORY, which systemd sets. Without a directory, nothing is saved.',
      ),
    }),
    'The state that survives a restart.',
    { directory: '/var/lib/hosting-account-exporter' },
  ),
})
  .superRefine(checkAccounts, ifMapping)
  .meta({
    allOf: [{ anyOf: [having('accounts', { type: 'array', items: {}, minItems: 1 }), having('accounts_from', {})] }],
  });

export type ConfigFile = z.output<typeof configFile>;
export type AccountFile = z.output<typeof account>;
export type ApiFile = z.output<typeof apiSettings>;

function checkAccounts(value: RawMapping, context: z.core.$RefinementCtx): void {
  const { accounts, accounts_from } = value;
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (accounts_from !== undefined) return;
  if (accounts === undefined)
    report('is missing; list at least one account, or name files of accounts in accounts_from', 'accounts');
  if (Array.isArray(accounts) && accounts.length === 0) report('is empty; list at least one account', 'accounts');
}
