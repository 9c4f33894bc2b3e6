import * as z from 'zod';
import type { Collector } from '../../collectors/collector.ts';
import { collectors } from '../../collectors/list.ts';
import { validateSecret } from '../values/secret.ts';
import * as validators from '../values/validators.ts';
import { alertsSettings } from './alert-thresholds.ts';
import {
  choice,
  duration,
  mapping,
  nonEmptyText,
  oneOrMore,
  path,
  section,
  text,
  wholeNumber,
} from './field-schemas.ts';
import { isMapping, listOf, type RawMapping, secretKeys } from './raw-mapping.ts';

export const defaults = {
  timeout: '30s',
  requests_per_minute: 30,
  max_items: 100_000,
  size_units: 'decimal',
  number_format: 'auto',
  time_zone: 'UTC',
  settling_time: '10m',
  input_format: 'auto',
  max_series: 10_000,
  listen_address: ':10380',
  telemetry_path: '/metrics',
} as const;

const second = 1000;
const day = 86_400_000;

const apiSettings = mapping({
  base_url: text(validators.validateBaseUrl, {
    title: 'URL',
    description:
      'URL of the API, without section and method. Required here or in each account. Must be https://, except for localhost.',
    examples: ['https://api.example.com/api'],
  }).optional(),
  timeout: duration(second, 600 * second, {
    description: 'Timeout of one API call, from its start to the last byte of the response.',
    default: defaults.timeout,
    examples: ['20s'],
  }).optional(),
  requests_per_minute: wholeNumber(1, 60_000, {
    description:
      "Budget of API calls per minute for one account. The provider's limit, often 60, applies to all tools of the account together.",
    default: defaults.requests_per_minute,
    examples: [300],
  }).optional(),
  max_items: wholeNumber(100, 1_000_000, {
    description:
      'Maximum number of entries of one list in an API response. A longer list fails with the reason `payload`.',
    default: defaults.max_items,
    examples: [20_000],
  }).optional(),
  size_units: choice(['decimal', 'binary'], {
    description:
      'Whether KB, MB and GB in API responses are 1000-based or 1024-based. KiB, MiB and GiB are always 1024-based.',
    default: defaults.size_units,
    examples: ['binary'],
  }).optional(),
  number_format: choice(['auto', 'comma', 'dot'], {
    description:
      'Decimal mark of numbers in texts of API responses, such as sizes. The other mark separates thousands. With `auto`, comma and dot are both decimal marks. With `auto`, a number with a comma before exactly three digits is refused with the reason `payload`, because the comma may also separate thousands.',
    default: defaults.number_format,
    examples: ['comma'],
  }).optional(),
  time_zone: text(validators.validateTimeZone, {
    title: 'IANA time zone',
    description: 'Time zone of cron patterns, and of dates without a zone in API responses.',
    default: defaults.time_zone,
    examples: ['Europe/Moscow'],
  }).optional(),
  settling_time: duration(0, day, {
    description:
      'Time from the end of an hour or day until its load counts as complete, by the clock of the API. Raise this time if the provider needs longer to add up the load.',
    default: defaults.settling_time,
    examples: ['30m'],
  }).optional(),
  input_format: choice(['auto', 'plain', 'json'], {
    description:
      'How API calls send their arguments: as plain parameters, or as JSON in input_data. With `auto`, the exporter detects the format from the responses.',
    default: defaults.input_format,
    examples: ['json'],
  }).optional(),
  ca_file: path({
    description:
      "PEM file of certificates to trust in addition to the system's. The exporter reads the file before each API call. If the content has changed, the call uses a new connection. If the file is damaged or cannot be read, the call fails with the reason `local`.",
    examples: ['/etc/ssl/private-ca.pem'],
  }).optional(),
});

/** Runs a check of several keys even if one of the keys is invalid. */
const ifMapping = { when: ({ value }: z.core.ParsePayload) => isMapping(value) };

function collectorSettings({ help, schedule, offByDefault }: Collector) {
  return mapping({
    enabled: z
      .boolean({ error: 'is neither true nor false; write one of them' })
      .meta({ description: 'Whether the collector is polled.', default: offByDefault !== true, examples: [false] })
      .optional(),
    every: duration(second, 7 * day, {
      description: 'Interval between polls.',
      default: schedule,
      examples: ['2h'],
    }).optional(),
    schedule: text(validators.validateCronPattern, {
      title: 'cron pattern',
      description: 'Cron pattern of five or six fields in `time_zone`, as an alternative to `every`.',
      examples: ['7 * * * *'],
    }).optional(),
    max_age: duration(second, 365 * day, {
      description: 'Age at which a result expires. Defaults to three intervals plus ten minutes.',
      examples: ['12h'],
    }).optional(),
    max_series: wholeNumber(100, 1_000_000, {
      description:
        'Maximum number of series of the collector for one account. Further series are dropped and counted. The least important series are dropped first, such as those of the least loaded sites and of the domains that expire last.',
      default: defaults.max_series,
      examples: [2000],
    }).optional(),
  })
    .superRefine(({ every, schedule }, context) => {
      if (every === undefined || schedule === undefined) return;
      context.addIssue({ code: 'custom', message: 'has both every and schedule; keep one of them' });
    }, ifMapping)
    .meta({ description: help });
}

const collectorsSettings = mapping(
  Object.fromEntries(collectors.map((collector) => [collector.name, collectorSettings(collector).optional()])),
);

/** The keys have no schema, because zod would report an invalid key in another format than other errors. */
const labelsSettings = z
  .record(z.string(), text(validators.validateLabelValue, { description: 'Value of the label.' }), {
    error: 'is not a mapping; write lines of "name: value"',
  })
  .superRefine((labels, context) => {
    const names = Object.keys(labels);
    for (const message of [validators.validateLabelCount(names.length), ...names.map(validators.validateLabelName)]) {
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    }
  });

/** An account: an element of `accounts`, or a file that `accounts_from` names. */
export const account = mapping({
  name: text(validators.validateAccountName, {
    description: 'Value of the label `account` on all series of the account. Must be unique.',
    examples: ['shop'],
  }),
  login: nonEmptyText({
    description: 'Login of the account. Required with a password, not allowed with a token.',
    examples: ['u12345'],
  }).optional(),
  password: text((value) => validateSecret(value, 'password'), {
    description: 'Password for the API. Prefer `password_file` or an environment variable.',
    examples: [`\${SHOP_PASSWORD}`],
  }).optional(),
  password_file: path({
    description: 'File that contains only the password. The exporter reads the file for each API call.',
    examples: ['/run/secrets/shop'],
  }).optional(),
  token: text((value) => validateSecret(value, 'token'), {
    description: 'Bearer token, as an alternative to login and password.',
    examples: [`\${SHOP_TOKEN}`],
  }).optional(),
  token_file: path({
    description: 'File that contains only the token. The exporter reads the file for each API call.',
    examples: ['/run/secrets/shop-token'],
  }).optional(),
  labels: section(
    labelsSettings,
    'Own labels of the account, such as its customer. The metric `hosting_account_labels` has these labels with the prefix `label_`.',
    { customer: 'acme', team: 'web' },
  ),
  api: section(apiSettings, 'Overrides of `api` for this account.', { time_zone: 'Asia/Almaty' }),
  collectors: section(collectorsSettings, 'Overrides of `collectors` for this account.', {
    databases: { every: '2h' },
  }),
  alerts: section(
    alertsSettings,
    'Alert thresholds of this account, by alert name: a number or `off` per severity, or `off` for the whole alert.',
    { HostingDiskAlmostFull: 'off' },
  ),
})
  .superRefine(checkCredentials, ifMapping)
  .meta({ oneOf: secretKeys.map((key) => having(key, {})) });

/** The JSON Schema of a mapping that must have this key. */
function having(key: string, schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'object', properties: { [key]: schema }, required: [key] };
}

/** Checks the credentials of an account. Runs even if other keys are invalid, so `value` may be invalid, too. */
function checkCredentials(value: RawMapping, context: z.core.$RefinementCtx): void {
  const given = secretKeys.filter((key) => value[key] !== undefined);
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (given.length === 0) report('has no password or token; add password_file, password, token_file or token');
  if (given.length > 1) report(`has ${given.join(' and ')}; keep one of them`);
  const [only] = given;
  if (given.length !== 1 || only === undefined) return;
  if (only.startsWith('password') && value.login === undefined) report('has a password but no login; add login');
  if (only.startsWith('token') && value.login !== undefined) {
    report('is not allowed with a token; remove login, or use a password', 'login');
  }
}

export function describeNonList(accounts: unknown): string {
  return accounts === null
    ? 'is empty; list at least one account'
    : 'is not a list; start each account with "- name: …"';
}

const filePattern = text(validators.validateFilePattern, {
  title: 'path with wildcards',
  description: 'Pattern of files with one account each.',
});

const listenAddress = text(validators.validateListenAddress, { description: 'An address to listen on.' });

/** The schema of the YAML file. Documentation and the JSON Schema are generated from it. */
export const configFile = mapping({
  api: section(apiSettings, 'Connection to the API. Each account can override any key.', {
    base_url: 'https://api.example.com/api',
  }),
  accounts: z
    .array(account, { error: ({ input }) => describeNonList(input) })
    .meta({ description: 'The accounts to monitor.' })
    .optional(),
  accounts_from: oneOrMore(
    filePattern,
    'is not a path; write one such as accounts/*.yml, or a list of them',
    'is empty; name files in it, or remove the key',
    {
      title: 'path with wildcards, or a list of them',
      description: 'Files with one account each. A file has the keys of an element of `accounts`.',
      examples: ['accounts/*.yml'],
    },
  ).optional(),
  collectors: section(collectorsSettings, 'Collectors and their schedules. Each account can override any key.', {
    databases: { every: '2h' },
  }),
  web: section(
    mapping({
      listen_address: oneOrMore(
        listenAddress,
        'is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380',
        'is empty; write an address, or remove the key',
        {
          title: '[host]:port, or a list of them',
          description:
            'Listen address. Without a host, the port is open on all interfaces, IPv4 and IPv6. The flag --web.listen-address takes precedence.',
          default: defaults.listen_address,
          examples: ['127.0.0.1:10380'],
        },
      ).optional(),
      telemetry_path: text(validators.validateTelemetryPath, {
        title: 'path',
        description: 'Path of the metrics page. The flag --web.telemetry-path takes precedence.',
        default: defaults.telemetry_path,
        examples: ['/hosting'],
      }).optional(),
    }),
    'The web server.',
    { listen_address: '127.0.0.1:10380' },
  ),
  state: section(
    mapping({
      directory: path({
        description:
          'Directory in which the exporter saves its figures for the next start. The exporter needs permission to write there. Only exporters with different `--shard` can share a directory. Defaults to the variable STATE_DIRECTORY, which systemd sets. Without a directory, nothing is saved.',
        examples: ['/var/lib/hosting-account-exporter'],
      }).optional(),
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
export type CollectorFile = z.output<ReturnType<typeof collectorSettings>>;

function checkAccounts(value: RawMapping, context: z.core.$RefinementCtx): void {
  const { accounts, accounts_from } = value;
  const report = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path });
  if (accounts_from === undefined && accounts === undefined)
    report('is missing; list at least one account, or name files of accounts in accounts_from', 'accounts');
  if (accounts_from === undefined && Array.isArray(accounts) && accounts.length === 0)
    report('is empty; list at least one account', 'accounts');
  if (!hasBaseUrl(value) && listOf(accounts).some((one) => isMapping(one) && !hasBaseUrl(one)))
    report('is missing; write the URL of the API, such as https://api.example.com/api', 'api', 'base_url');
}

function hasBaseUrl({ api }: RawMapping): boolean {
  return isMapping(api) && api.base_url !== undefined;
}
