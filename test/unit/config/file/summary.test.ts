import { expect, test } from 'vitest';
import { summarizeConfig } from '../../../../src/config/file/summary.ts';
import type { CollectorConfig, Config } from '../../../../src/config/values/config.ts';
import { inlineSecret } from '../../../../src/config/values/secret.ts';

const api: Config['accounts'][number]['api'] = {
  baseUrl: 'https://api.example.com',
  timeout: 30_000,
  maxItems: 100_000,
  requestsPerMinute: 30,
  sizeUnits: 'decimal',
  numberFormat: 'auto',
  timeZone: 'UTC',
  settlingTime: 600_000,
  inputFormat: 'auto',
  caFile: undefined,
};

const hourly: CollectorConfig = {
  enabled: true,
  schedule: { kind: 'every', interval: 3_600_000 },
  maxAge: undefined,
  maxSeries: 10_000,
};

test('lists accounts, schedules, thresholds and warnings, without secrets', () => {
  const config: Config = {
    accounts: [
      {
        name: 'shop',
        credentials: { kind: 'password', login: 'u1', password: inlineSecret('hunter2') },
        api,
        collectors: {
          account: hourly,
          databases: { ...hourly, schedule: { kind: 'cron', pattern: '7 * * * *', timeZone: 'Europe/Moscow' } },
          site_load: { ...hourly, enabled: false },
        },
        labels: {},
        alerts: { HostingDiskAlmostFull: { warning: 0.9 } },
      },
      {
        name: 'blog',
        credentials: { kind: 'token', token: inlineSecret('hunter2') },
        api: { ...api, requestsPerMinute: 1 },
        collectors: { account: { ...hourly, enabled: false } },
        labels: { customer: 'acme' },
        alerts: {},
      },
    ],
    web: { listenAddresses: [':10380'], telemetryPath: '/metrics' },
  };

  expect(summarizeConfig({ config, warnings: ['config.yml: is world-readable'] })).toBe(
    `The configuration is valid: 2 accounts, 1 warning.
Listen address :10380, metrics path /metrics.
account shop: https://api.example.com, login u1, at most 30 calls per minute
  collectors: account every 1h, databases at "7 * * * *" (Europe/Moscow)
  disabled: site_load
  alert thresholds: HostingDiskAlmostFull
account blog: https://api.example.com, token, at most 1 call per minute
  collectors: none
  disabled: account
  labels: customer
warning: config.yml: is world-readable
`,
  );
});

const shop: Config['accounts'][number] = {
  name: 'shop',
  credentials: { kind: 'password', login: 'u1', password: inlineSecret('hunter2') },
  api,
  collectors: { account: hourly, sites: { ...hourly, enabled: false } },
  labels: {},
  alerts: {},
};

test('says once which collectors most accounts have', () => {
  const others = ['a', 'b'].map((name) => ({ ...shop, name }));
  const own = { ...shop, collectors: { account: hourly, sites: hourly } };
  const web = { listenAddresses: [':10380'], telemetryPath: '/metrics' };

  expect(summarizeConfig({ config: { accounts: [own, ...others], web }, warnings: [] })).toBe(
    `The configuration is valid: 3 accounts, 0 warnings.
Listen address :10380, metrics path /metrics.
all accounts that do not list their own collectors:
  collectors: account every 1h
  disabled: sites
account shop: https://api.example.com, login u1, at most 30 calls per minute
  collectors: account every 1h, sites every 1h
account a: https://api.example.com, login u1, at most 30 calls per minute
account b: https://api.example.com, login u1, at most 30 calls per minute
`,
  );
});

test('says how many accounts the flags select', () => {
  const web = { listenAddresses: [':10380'], telemetryPath: '/metrics' };
  const config = { accounts: [], otherAccounts: ['a', 'b', 'c'], web };

  expect(summarizeConfig({ config, warnings: [] }).split('\n')[0]).toBe(
    'The configuration is valid: the flags select 0 of 3 accounts, 0 warnings.',
  );
});

test('names every address and the state directory', () => {
  const web = { listenAddresses: [':10380', '[::1]:9'], telemetryPath: '/metrics' };

  expect(summarizeConfig({ config: { accounts: [], web, stateDirectory: '/var/lib/x' }, warnings: [] })).toBe(
    `The configuration is valid: 0 accounts, 0 warnings.
Listen addresses :10380, [::1]:9, metrics path /metrics.
State directory /var/lib/x.
`,
  );
});
