import * as z from 'zod';
import type { Collector } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import { type OverridableAlert, overridableAlerts } from '../rules/thresholds.ts';
import { accountNameComplaint } from './account-name.ts';
import { baseUrlComplaint } from './base-url.ts';
import { cronComplaint } from './cron-pattern.ts';
import { formatValue } from './document.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { filePatternComplaint } from './file-pattern.ts';
import { listenAddressComplaint } from './listen-address.ts';
import { secretComplaint } from './secret.ts';
import { telemetryPathComplaint } from './telemetry-path.ts';
import { timeZoneComplaint } from './time-zone.ts';

/** What holds where the file says nothing. */
export const defaults = {
  timeout: '30s',
  requests_per_minute: 30,
  size_units: 'decimal',
  time_zone: 'UTC',
  input_format: 'auto',
  max_series: 10_000,
  listen_address: ':10380',
  telemetry_path: '/metrics',
} as const;

/** What the documentation says of a key, besides its type. */
type Note = {
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
  /** What kind of text it is, where "string" says too little. */
  readonly title?: string;
  /** For editors; `${NAME}` must pass it too. */
  readonly pattern?: string;
};

/** Messages continue the key or its value: `api.timeout: "30 sec" is not a duration; write …`. */
type Complaint = (text: string) => string | undefined;

const variable = '.*\\$\\{.*';
const second = 1000;
const day = 86_400_000;

function text(complaint: Complaint, note: Note) {
  return z
    .string({ error: ({ input }) => notText(input, complaint) })
    .check((context) => {
      const message = complaint(context.value);
      if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
    })
    .meta(note);
}

/** A number may be text that lacks its quotes, or may lack more than that. */
function notText(input: unknown, complaint: Complaint): string {
  if (input === undefined) return 'is missing';
  if (input === null) return 'is empty; write a value, or remove the key';
  if (typeof input === 'object') return 'is not text; write it in one line';
  return complaint(String(input)) ?? 'is not text; put it in quotes';
}

function duration(from: number, to: number, note: Note) {
  const range = `from ${formatDuration(from)} to ${formatDuration(to)}`;
  return text(
    (value) => {
      const milliseconds = parseDuration(value);
      if (milliseconds === undefined)
        return 'is not a duration; write a whole number and s, m, h or d, such as 30s or 1h';
      return milliseconds < from || milliseconds > to ? `is out of range; write a duration ${range}` : undefined;
    },
    { title: `duration ${range}`, pattern: `^(\\d+[smhd]|${variable})$`, ...note },
  );
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

function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.input === undefined ? 'is missing' : 'is not a mapping; write lines of "key: value" below it',
  });
}

/** A part of the file that may be there with all its lines commented out. */
function section<S extends z.ZodType>(schema: S, description: string, example: Readonly<Record<string, unknown>>) {
  return schema.nullish().meta({ description, examples: [example] });
}

const nonEmpty: Complaint = (value) => (value === '' ? 'is empty; write a value, or remove the key' : undefined);

const apiSettings = mapping({
  base_url: text(baseUrlComplaint, {
    title: 'URL',
    description:
      'Address of the API, without section and method. Required, here or in each account. https:// only, except for localhost.',
    examples: ['https://api.example.com/api'],
  }).optional(),
  timeout: duration(second, 600 * second, {
    description: 'Time for one call, from its start to the last byte.',
    default: defaults.timeout,
    examples: ['20s'],
  }).optional(),
  requests_per_minute: wholeNumber(1, 60_000, {
    description:
      "Calls that the exporter allows itself for one account. The provider's limit, often 60, is for all tools of that account together.",
    default: defaults.requests_per_minute,
    examples: [300],
  }).optional(),
  size_units: choice(['decimal', 'binary'], {
    description:
      'What KB, MB and GB mean in answers: 1000-based or 1024-based. KiB, MiB and GiB are always 1024-based.',
    default: defaults.size_units,
    examples: ['binary'],
  }).optional(),
  time_zone: text(timeZoneComplaint, {
    title: 'IANA time zone',
    description: 'Zone of dates without one in answers, and of cron patterns.',
    default: defaults.time_zone,
    examples: ['Europe/Moscow'],
  }).optional(),
  input_format: choice(['auto', 'plain', 'json'], {
    description:
      "How arguments of a call are sent: as plain parameters, as JSON in input_data, or as the API's answers suggest.",
    default: defaults.input_format,
    examples: ['json'],
  }).optional(),
  ca_file: text(nonEmpty, {
    title: 'path',
    description: "PEM file of certificates to trust besides the system's.",
    examples: ['/etc/ssl/private-ca.pem'],
  }).optional(),
});

function collectorSettings({ help, schedule, offByDefault }: Collector) {
  return mapping({
    enabled: z
      .boolean({ error: 'is neither true nor false; write one of them' })
      .meta({ description: 'Whether it is polled at all.', default: offByDefault !== true, examples: [false] })
      .optional(),
    every: duration(second, 7 * day, {
      description: 'Time between two polls.',
      default: schedule,
      examples: ['2h'],
    }).optional(),
    schedule: text(cronComplaint, {
      title: 'cron pattern',
      description: 'When to poll, instead of `every`: a cron pattern of five or six fields, in `time_zone`.',
      examples: ['7 * * * *'],
    }).optional(),
    max_age: duration(second, 365 * day, {
      description:
        'How long the last good result is shown while polls fail. By default three intervals and ten minutes.',
      examples: ['12h'],
    }).optional(),
    max_series: wholeNumber(100, 1_000_000, {
      description:
        'Series that it may bring for one account. The biggest sites and databases, and the domains that expire first, are kept; what is left out is counted.',
      default: defaults.max_series,
      examples: [2000],
    }).optional(),
  })
    .superRefine(
      ({ every, schedule }, context) => {
        if (every === undefined || schedule === undefined) return;
        context.addIssue({ code: 'custom', message: 'has both every and schedule; keep one of them' });
      },
      { when: ({ value }) => isMapping(value) },
    )
    .meta({ description: help });
}

const collectorsSettings = mapping(
  Object.fromEntries(collectors.map((collector) => [collector.name, collectorSettings(collector).optional()])),
);

const off = z.literal(['off', false]);

/** A number that makes sense for the alert, or off. */
function threshold({ unit, maximum }: OverridableAlert) {
  const isShare = unit === 'ratio';
  const share = `write a share from 0 to ${maximum}, such as 0.9 for 90 %, or off`;
  const figure = z.number().min(0, { error: `is negative; ${isShare ? share : 'write 0 or more, or off'}` });
  const bounded = Number.isFinite(maximum)
    ? figure.max(maximum, { error: `is more than ${maximum}; ${share}` })
    : figure;
  const plain = `write ${unit === 'count' ? 'one' : `a number of ${unit}`}, or off`;
  return z.union([off, bounded], { error: `is not a number; ${isShare ? share : plain}` });
}

function alertSettings(alert: OverridableAlert) {
  const { description, unit, defaults: values } = alert;
  const shape = Object.fromEntries(
    Object.entries(values).map(([severity, value]) => [severity, threshold(alert).meta({ default: value }).optional()]),
  );
  const error = `is neither off nor thresholds; write off, or thresholds such as ${formatValue(values)}`;
  return z.union([off, mapping(shape)], { error }).meta({ description: `${description} Unit: ${unit}.` });
}

const alertsSettings = z.strictObject(
  Object.fromEntries(overridableAlerts.map((one) => [one.alert, alertSettings(one).optional()])),
  { error: 'is not a mapping; write lines of "AlertName: off" below it' },
);

/** A mapping before it is known to be right. */
type Written = Readonly<
  Partial<
    Record<'accounts' | 'accounts_from' | 'api' | 'base_url' | 'name' | 'login' | (typeof secretKeys)[number], unknown>
  >
>;

const secretKeys = ['password', 'password_file', 'token', 'token_file'] as const;

/** An account: an element of `accounts`, or a file of its own. */
export const account = mapping({
  name: text(accountNameComplaint, {
    description: 'The label `account` of all its series. Unique.',
    examples: ['shop'],
  }),
  login: text(nonEmpty, {
    description: 'Login of the account. Required with a password; not used with a token.',
    examples: ['u12345'],
  }).optional(),
  password: text((value) => secretComplaint(value, 'password'), {
    description: 'Password of the API. Better kept in a file of its own, or in a variable.',
    examples: [`\${SHOP_PASSWORD}`],
  }).optional(),
  password_file: text(nonEmpty, {
    title: 'path',
    description: 'File that holds the password and nothing else. Re-read when it changes.',
    examples: ['/run/secrets/shop'],
  }).optional(),
  token: text((value) => secretComplaint(value, 'token'), {
    description: 'Bearer token, instead of login and password.',
    examples: [`\${SHOP_TOKEN}`],
  }).optional(),
  token_file: text(nonEmpty, {
    title: 'path',
    description: 'File that holds the token and nothing else. Re-read when it changes.',
    examples: ['/run/secrets/shop-token'],
  }).optional(),
  api: section(apiSettings, 'Overrides of `api` for this account.', { time_zone: 'Asia/Almaty' }),
  collectors: section(collectorsSettings, 'Overrides of `collectors` for this account.', {
    databases: { every: '2h' },
  }),
  alerts: section(
    alertsSettings,
    'Thresholds for this account, by the name of the alert: a number or `off` for each severity, or `off` for the alert.',
    { HostingDiskAlmostFull: 'off' },
  ),
})
  .superRefine(checkCredentials, { when: ({ value }) => isMapping(value) })
  .meta({ oneOf: secretKeys.map((key) => having(key, {})) });

/** JSON Schema of a mapping with this key. */
function having(key: string, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: { [key]: schema }, required: [key] };
}

/** Also runs where other keys of the account are wrong, so `value` holds what was written. */
function checkCredentials(value: Written, context: z.core.$RefinementCtx): void {
  const given = secretKeys.filter((key) => value[key] !== undefined);
  const complain = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (given.length === 0) complain('has no password or token; add password_file, password, token_file or token');
  if (given.length > 1) complain(`has ${given.join(' and ')}; keep one of them`);
  const [only] = given;
  if (given.length !== 1 || only === undefined) return;
  if (only.startsWith('password') && value.login === undefined) complain('has a password, but no login; add login');
  if (only.startsWith('token') && value.login !== undefined) {
    complain('is of no use with a token; remove login, or give a password', 'login');
  }
}

/** What is wrong with `accounts` where it is no list. */
export function noListComplaint(accounts: unknown): string {
  return accounts === null
    ? 'is empty; list at least one account below it'
    : 'is not a list; begin each account with "- name: …"';
}

const filePattern = text(filePatternComplaint, {
  title: 'path with wildcards',
  description: 'Matches files with one account each.',
});

/** The YAML file. Documentation and the JSON Schema are generated from it. */
export const configFile = mapping({
  api: section(apiSettings, 'How the API is reached. Each account may override any of it.', {
    base_url: 'https://api.example.com/api',
  }),
  accounts: z
    .array(account, { error: ({ input }) => noListComplaint(input) })
    .meta({ description: 'The accounts to watch.' })
    .optional(),
  accounts_from: z
    .union([filePattern, z.array(filePattern).min(1, { error: 'is empty; name files in it, or remove the key' })], {
      error: 'is not a path; write one such as accounts/*.yml, or a list of them',
    })
    .meta({
      title: 'path with wildcards, or a list of them',
      description: 'Files with one account each, written as an element of `accounts` is.',
      examples: ['accounts/*.yml'],
    })
    .optional(),
  collectors: section(collectorsSettings, 'What is polled, and when. Each account may override any of it.', {
    databases: { every: '2h' },
  }),
  web: section(
    mapping({
      listen_address: text(listenAddressComplaint, {
        title: '[host]:port',
        description: 'Where the exporter listens. The flag --web.listen-address wins.',
        default: defaults.listen_address,
        examples: ['127.0.0.1:10380'],
      }).optional(),
      telemetry_path: text(telemetryPathComplaint, {
        title: 'path',
        description: 'Path of the metrics page. The flag --web.telemetry-path wins.',
        default: defaults.telemetry_path,
        examples: ['/hosting'],
      }).optional(),
    }),
    'The web server.',
    { listen_address: '127.0.0.1:10380' },
  ),
})
  .superRefine(
    (value, context) => {
      checkAccounts(value, context);
      checkBaseUrls(value, context);
    },
    { when: ({ value }) => isMapping(value) },
  )
  .meta({
    allOf: [{ anyOf: [having('accounts', { type: 'array', items: {}, minItems: 1 }), having('accounts_from', {})] }],
  });

export type ConfigFile = z.output<typeof configFile>;
export type AccountFile = z.output<typeof account>;
export type CollectorsFile = z.output<typeof collectorsSettings>;
export type AlertsFile = z.output<typeof alertsSettings>;

function checkBaseUrls(value: Written, context: z.core.$RefinementCtx): void {
  if (hasBaseUrl(value)) return;
  const missing = listOf(value.accounts).filter((one) => isMapping(one) && !hasBaseUrl(one)).length;
  if (missing === 0) return;
  const message = "is missing; write the API's address, such as https://api.example.com/api";
  context.addIssue({ code: 'custom', path: ['api', 'base_url'], message });
}

function checkAccounts({ accounts, accounts_from }: Written, context: z.core.$RefinementCtx): void {
  if (accounts_from !== undefined) return;
  const complain = (message: string) => context.addIssue({ code: 'custom', path: ['accounts'], message });
  if (accounts === undefined) complain('is missing; list at least one account, or name their files in accounts_from');
  if (Array.isArray(accounts) && accounts.length === 0) complain('is empty; list at least one account below it');
}

function hasBaseUrl(value: Written): boolean {
  const api = value.api;
  return isMapping(api) && api.base_url !== undefined;
}

/** The elements of a list; none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether it is one as far as YAML goes. */
export function isMapping(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
