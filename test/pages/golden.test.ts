import { expect, it } from 'vitest';
import type { Failure } from '../../src/api/error.ts';
import type { Collector } from '../../src/collectors/collector.ts';
import { collectors } from '../../src/collectors/list.ts';
import { accountPage } from '../../src/pages/account-page.ts';
import type { PageContext } from '../../src/pages/context.ts';
import type { ExporterView } from '../../src/pages/exporter-page.ts';
import { exporterPage } from '../../src/pages/exporter-page.ts';
import { formatOf } from '../../src/pages/format.ts';
import { textsOf } from '../../src/pages/language.ts';
import { overviewPage } from '../../src/pages/overview-page.ts';
import type { AccountDetail } from '../../src/pages/view/account-detail.ts';
import type { AccountSummary } from '../../src/pages/view/account-summary.ts';
import type { Overview } from '../../src/pages/view/overview.ts';
import { dueOf } from '../../src/pages/view/problems.ts';
import type { Poller } from '../../src/polling/poller.ts';
import { Figures } from '../../src/store/figures.ts';
import { growing } from '../fixtures/daily-memory.ts';
import { busyBudget, exporterView } from '../fixtures/exporter-view.ts';
import { finishedPoll } from '../fixtures/finished-poll.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { type Figure, familiesOf } from '../fixtures/viewed-account.ts';

const now = Date.parse('2026-06-03T12:34:00Z');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const gigabyte = 1_000_000_000;

const nothingKnown: AccountSummary = {
  name: 'new',
  labels: {},
  state: 'waiting',
  problems: [],
  pollers: [],
  nextAttempt: undefined,
  timeZone: 'UTC',
  disk: undefined,
  diskFull: undefined,
  forecastFrom: undefined,
  diskDays: undefined,
  suspension: undefined,
  backups: [],
  balance: undefined,
  dailyCharge: undefined,
  planLoad: undefined,
  recentLoad: undefined,
  domains: [],
  siteDomains: new Map(),
  nextDomain: undefined,
  backup: undefined,
  answered: undefined,
};

const fine: AccountSummary = {
  ...nothingKnown,
  name: 'blog',
  labels: { customer: 'acme' },
  state: 'ok',
  disk: { used: 5 * gigabyte, limit: undefined, ratio: undefined, level: 'ok' },
  diskFull: { time: now + 40 * day, days: 40, level: 'ok' },
  suspension: { time: now + hour, days: 0, level: 'ok' },
  balance: { amount: 310, level: 'ok' },
  dailyCharge: 10,
  planLoad: { used: 12.5, limit: undefined, ratio: undefined, level: 'ok' },
  recentLoad: { used: 11, limit: undefined, ratio: undefined, level: 'ok' },
  nextDomain: { domain: 'blog.example', time: now + 40 * day, days: 40, level: 'ok', renews: true },
  backup: { kind: 'files', time: now - 3 * hour, days: 0, level: 'ok' },
  answered: now - 5 * minute,
};

const urgent: AccountSummary = {
  ...nothingKnown,
  name: 'shop & co',
  labels: { customer: 'acme', team: 'A&B' },
  state: 'critical',
  problems: [
    { kind: 'disk', state: 'critical', ratio: 1.02 },
    { kind: 'disk filling', state: 'warning', time: now + 3 * day },
    { kind: 'domain', state: 'critical', domain: 'shop.example', time: now - 2 * day, alert: 'HostingDomainExpired' },
    { kind: 'domain', state: 'warning', domain: 'old.example', time: now + 5 * day, alert: 'HostingDomainExpiring' },
    { kind: 'suspension', state: 'warning', time: now + 2 * day },
    { kind: 'balance', state: 'critical', balance: -17.5 },
    { kind: 'recent load', state: 'warning', ratio: 3 },
    { kind: 'plan load', state: 'warning', ratio: 0.9 },
    { kind: 'old backup', state: 'warning', backups: 'files', days: 9 },
    { kind: 'no backup', state: 'warning', backups: 'databases' },
    { kind: 'dropped series', state: 'warning', collectors: ['sites'] },
    { kind: 'unreachable', state: 'failing', cause: { reason: 'timeout', status: undefined } },
    {
      kind: 'failing polls',
      state: 'partly',
      cause: { reason: 'http', status: 500 },
      collectors: ['domains', 'dns'],
      since: undefined,
    },
    {
      kind: 'failing polls',
      state: 'warning',
      cause: { reason: 'timeout', status: undefined },
      collectors: ['domains'],
      since: now - 3 * hour,
    },
    { kind: 'not permitted', state: 'partly', collectors: ['dns', 'mailboxes'] },
    { kind: 'no figures', state: 'partly', collectors: ['sites'] },
    { kind: 'not polled', state: 'waiting', collectors: ['databases'] },
    { kind: 'unknown disk', state: 'partly' },
  ],
  timeZone: 'America/New_York',
  disk: { used: 102 * gigabyte, limit: 100 * gigabyte, ratio: 1.02, level: 'critical' },
  diskFull: { time: now + 3 * day, days: 3, level: 'warning' },
  diskDays: { from: now - 14 * day, to: now, values: [undefined, 88 * gigabyte, 97 * gigabyte] },
  suspension: { time: now + 2 * day, days: 2, level: 'warning' },
  backups: [
    {
      kind: 'files',
      count: 5,
      newest: { time: now - 9 * day, days: 9, level: 'warning' },
      missing: 'ok',
    },
    { kind: 'databases', count: 0, newest: undefined, missing: 'warning' },
  ],
  balance: { amount: -17.5, level: 'critical' },
  dailyCharge: 49.1,
  planLoad: { used: 90, limit: 100, ratio: 0.9, level: 'warning' },
  recentLoad: { used: 300, limit: 100, ratio: 3, level: 'warning' },
  domains: [
    { domain: 'shop.example', time: now - 2 * day, days: -2, level: 'critical', renews: false },
    { domain: 'blog.example', time: now, days: 0, level: 'warning', renews: false },
  ],
  nextDomain: { domain: 'shop.example', time: now - 2 * day, days: -2, level: 'critical', renews: false },
  backup: { kind: 'files', time: now - 9 * day, days: 9, level: 'warning' },
  answered: now - 2 * hour,
};

function collectorOf(name: string): Collector {
  const collector = collectors.find((candidate) => candidate.name === name);
  if (collector === undefined) throw new RangeError(`there is no collector ${name}`);
  return collector;
}

interface PollerParts extends Partial<Omit<Poller, 'collector' | 'newest'>> {
  readonly collector?: string;
  readonly methods?: Collector['methods'];
  readonly lastSuccess?: number | undefined;
  readonly failure?: Failure;
  readonly isFromEarlierProcess?: boolean;
}

function pollerOf({ collector: name = 'account', methods = ['user/getAccountInfo'], ...parts }: PollerParts): Poller {
  const {
    lastSuccess = 'lastSuccess' in parts ? undefined : now - 2 * minute,
    failure,
    isFromEarlierProcess = false,
  } = parts;
  const failures = failure === undefined ? [] : [failure];
  const read = {
    collector: { ...collectorOf(name), methods },
    newest: finishedPoll({
      succeeded: failures.length === 0 && lastSuccess !== undefined,
      failures,
      lastSuccess,
      isFromEarlierProcess,
    }),
    droppedSeries: 0,
    missingResults: 0,
    interval: 5 * minute,
    isPolling: false,
    nextRun: now + 3 * minute,
    ...parts,
  };
  return read as Partial<Poller> as Poller;
}

function failureOf(reason: Failure['reason'], message: string): Failure {
  return { reason, message, accepted: true };
}

const days = { from: Date.parse('2026-05-04T00:00:00Z'), to: Date.parse('2026-06-03T00:00:00Z') };
const hours = { from: Date.parse('2026-06-02T12:00:00Z'), to: Date.parse('2026-06-03T12:00:00Z') };

const pollers: readonly Poller[] = [
  pollerOf({
    isPolling: true,
    isFromEarlierProcess: true,
  }),
  pollerOf({ collector: 'sites', interval: 30_000, lastSuccess: undefined, nextRun: undefined }),
  pollerOf({ collector: 'databases', isPolling: true, lastSuccess: undefined }),
  pollerOf({ collector: 'domains', failure: failureOf('timeout', 'no answer in 5 s'), methods: ['domain/getList'] }),
  pollerOf({
    collector: 'dns',
    failure: failureOf('permission', 'not permitted'),
    methods: ['dns/getData', 'domain/getList'],
  }),
  pollerOf({
    collector: 'mailboxes',
    failure: { ...failureOf('permission', 'not permitted'), forbiddenMethod: 'mail/getList' },
  }),
];

const figuresOf = (figures: readonly Figure[]) => new Figures(familiesOf(figures));

const planFigures: readonly Figure[] = [
  ['hosting_account_sites_used', 2],
  ['hosting_account_sites_limit', 10],
  ['hosting_account_domains_used', 3],
  ['hosting_account_databases_limit', 5],
  ['hosting_account_mailboxes_used', 1204],
  ['hosting_account_mailboxes_limit', 1200],
  ['hosting_cron_tasks', 4, { state: 'enabled' }],
  ['hosting_cron_tasks', 2, { state: 'disabled' }],
];

/** The histories of the rows of a table, by collector and number. */
const histories: Readonly<Record<string, ReturnType<AccountDetail['historiesOf']>[number]>> = {
  'site_load_detail 0': {
    days: { ...days, values: [0, undefined, 30, 60] },
    hours: { ...hours, values: [0, 0] },
    sizes: undefined,
  },
  'database_load_detail 0': {
    days: { ...days, values: [1, 2] },
    hours: { ...hours, values: [3, 0.01] },
    sizes: { ...days, values: [1_000_000, 2_000_000] },
  },
};

const noHistories = { days: undefined, hours: undefined, sizes: undefined };

const detail: AccountDetail = {
  summary: { ...urgent, pollers, nextAttempt: now + minute },
  changes: {
    yesterday: {
      isRemembered: true,
      list: [
        { kind: 'disk', name: 'shop', before: 60.7 * gigabyte, after: 61.4 * gigabyte },
        { kind: 'sites', name: 'new.example', before: undefined, after: 1 },
        { kind: 'databases', name: 'shop_old', before: 5_000_000, after: undefined },
        { kind: 'databases', name: 'shop_main', before: 151_000_000, after: 186_000_000 },
        { kind: 'domains', name: '' },
        { kind: 'expires', name: 'blog.example', before: now / 1000, after: now / 1000 + 365 * 86_400 },
        { kind: 'php', name: 'shop.example', before: '8.1', after: '8.2' },
        { kind: 'mailboxes', name: 'shop.example', before: 0, after: 1 },
      ],
    },
    lastWeek: {
      isRemembered: false,
      list: [{ kind: 'databases', name: 'shop_main', before: 121_000_000, after: 186_000_000 }],
      grown: [
        { kind: 'databases', name: 'shop_main', before: 121_000_000, after: 186_000_000 },
        { kind: 'databases', name: 'new & small', before: undefined, after: 3_000_000 },
      ],
    },
  },
  diskDays: { from: now - 29 * day, to: now, values: growing(30, 61 * gigabyte, gigabyte / 2) },
  balanceDays: { from: now - 29 * day, to: now, values: [undefined, 100, 80] },
  loadDays: { from: now - 29 * day, to: now, values: [50, 60] },
  figures: figuresOf([
    ['hosting_account_info', 1, { tariff: 'Plan 5', server: 'web7' }],
    ['hosting_account_balance', -12.5],
    ['hosting_account_daily_charge', 3.25],
    ['hosting_account_load_limit', 100],
    ['hosting_site_load_average', 60.5, { site_id: '7', site: 'shop.example' }],
    ['hosting_site_load_hourly', 4, { site_id: '7' }],
    ['hosting_site_load_hourly_timestamp_seconds', (now - hour) / 1000, { site_id: '7' }],
    ['hosting_site_frozen', 1, { site_id: '7' }],
    ['hosting_site_info', 1, { site_id: '8', site: '' }],
    ['hosting_database_size_bytes', 2.5 * gigabyte, { database: 'shop_main' }],
    ['hosting_database_load_average', 7, { database: 'shop_main' }],
    ['hosting_database_load_hourly', 1.5, { database: 'shop_main' }],
    ['hosting_database_load_hourly_timestamp_seconds', (now - hour) / 1000, { database: 'shop_main' }],
    ['hosting_database_remote_accesses', 3, { database: 'shop_main' }],
    ['hosting_database_load_average', 0, { database: 'shop_new' }],
    ['hosting_domain_auto_renew', 0, { domain: 'shop.example' }],
    ['hosting_domain_auto_renew', 1, { domain: 'blog.example' }],
    ['hosting_domain_renewal_info', 1, { domain: 'shop.example', status: 'error' }],
    ['hosting_domain_info', 1, { domain: 'shop.example', registrar: 'Registrar', status: 'expired' }],
    ['hosting_site_domain_info', 1, { domain: 'shop.example', php_version: '8.0.30', ssl_status: 'valid' }],
    ['hosting_site_domain_info', 1, { domain: 'blog.example', php_version: '', ssl_status: '' }],
    ['hosting_site_domain_https', 1, { domain: 'shop.example' }],
    ['hosting_site_domain_https', 0, { domain: 'blog.example' }],
    ['hosting_domain_php_info', 1, { domain: 'unknown.example', version: '' }],
    ['hosting_domain_dns_records', 2, { domain: 'shop.example', type: 'A' }],
    ['hosting_domain_dns_records', 1, { domain: 'shop.example', type: 'MX' }],
    ['hosting_mailboxes', 1200, { domain: 'shop.example' }],
    ['hosting_mailboxes_forwarding', 1, { domain: 'shop.example' }],
    ['hosting_mailboxes_spam_filter_disabled', 1, { domain: 'shop.example' }],
    ['hosting_mailboxes', 4, { domain: 'blog.example' }],
    ...planFigures,
    ['hosting_cron_email_set', 0],
    ...(
      [
        ['files', 'merge', '', now - 4 * day],
        ['files', 'restore', 'queued', now - 3 * day],
        ['files', 'download', 'success', now - 2 * day],
        ['databases', 'restore', 'error', now - 9 * hour],
      ] as const
    ).map(([kind, operation, status, time]): Figure => {
      return ['hosting_backup_job_last_timestamp_seconds', time / 1000, { kind, operation, status }];
    }),
    ['hosting_server_load_average', 3.5],
    ['hosting_server_memory_bytes', 64 * gigabyte],
    ['hosting_server_memory_used_bytes', 16 * gigabyte],
    ['hosting_server_uptime_seconds', 100 * 86_400],
    ['hosting_server_software_info', 1, { software: 'nginx', version: '1.27.4' }],
    ['hosting_server_software_info', 1, { software: 'php', version: '8.2.28' }],
  ]),
  excluded: [
    ['domains', 3],
    ['databases', 1],
  ],
  historiesOf: (collector, items) => items.map((_, index) => histories[`${collector} ${index}`] ?? noHistories),
  answered: new Map([
    ['account', now - 2 * minute],
    ['site_load', now - 10 * minute],
    ['sites', now - 3 * hour],
    ['databases', now - minute],
    ['domains', now - 30_000],
    ['dns', now - day],
    ['backups', now - hour],
  ]),
};

/** An account without any figure, with long tables that the reader has opened. */
const empty: AccountDetail = {
  ...detail,
  summary: nothingKnown,
  changes: { yesterday: { isRemembered: false, list: [] }, lastWeek: { isRemembered: true, list: [] } },
  diskDays: undefined,
  balanceDays: undefined,
  loadDays: undefined,
  figures: figuresOf(planFigures),
  answered: new Map([['ftp_accounts', now]]),
};

const request: Overview['request'] = {
  ...{ isPlain: true, search: '', cause: '', states: [], labels: [], sort: '', group: '', page: 1 },
};

const overview: Overview = {
  request,
  usual: 'customer',
  labels: [],
  label: undefined,
  groupSizes: new Map([['', 203]]),
  matches: new Map(),
  total: 203,
  counts: { critical: 1, warning: 0, failing: 0, partly: 0, waiting: 1, ok: 201 },
  outage: undefined,
  found: [urgent, fine, nothingKnown],
  page: 2,
  pages: 3,
  problems: urgent.problems.map((problem) => ({ account: urgent, problem, due: dueOf(problem, now) })),
  accounts: [urgent, fine, nothingKnown],
  changes: [
    {
      account: 'shop & co',
      yesterday: {
        isRemembered: true,
        list: [{ kind: 'sites', name: 'new.example', before: undefined, after: 1 }],
      },
      lastWeek: { isRemembered: false, list: [] },
    },
  ],
};

const working = { reloadFailed: () => false, otherAccounts: () => 0 };

const exporter = exporterView(now, {
  accounts: 203,
  budgets: [busyBudget('shop'), { ...busyBudget('blog'), queueLength: 0, pauseRemaining: 0, stretch: 1 }],
});

const calm: ExporterView = {
  ...exporter,
  configFile: undefined,
  lastReload: { time: now - 5 * minute, problems: undefined },
  webConfig: undefined,
  budgets: [],
};

/** One element per line, so that a difference is easy to read. */
function lines(page: string): string {
  return page.replace(/(<\/[a-z0-9]+>)(?=<)/g, '$1\n');
}

/** Pages whose content is written above, by file name. */
const pages: Readonly<Record<string, (changes: Partial<PageContext>) => string>> = {
  overview: (changes) =>
    overviewPage(
      pageContext({ ...changes, query: new URLSearchParams('lang=en&refresh=off'), refresh: undefined }),
      overview,
      { reloadFailed: () => true, otherAccounts: () => 0 },
    ),
  outage: (changes) => {
    const outage = { cause: { reason: 'http', status: 502 }, accounts: 200, nextAttempt: now + minute } as const;
    return overviewPage(pageContext({ ...changes }), { ...overview, outage }, working);
  },
  search: (changes) => {
    const matches = new Map([['blog', [['domain', 'blog.example'] as const]]]);
    const found = {
      ...overview,
      request: { ...request, isPlain: false, search: 'blo' },
      matches,
      found: [fine],
      page: 1,
      pages: 1,
      accounts: [fine],
    };
    return overviewPage(pageContext({ ...changes, query: new URLSearchParams('q=blo&page=2') }), found, working);
  },
  groups: (changes) => {
    const accounts = [urgent, fine, { ...fine, name: 'magazine' }, nothingKnown];
    const groupSizes = new Map([
      ['acme', 3],
      ['', 7],
    ]);
    const grouped = { ...overview, labels: ['customer', 'team'], label: 'customer', groupSizes, accounts, page: 1 };
    return overviewPage(pageContext({ ...changes }), grouped, working);
  },
  account: (changes) => accountPage(pageContext({ ...changes, path: '/accounts/shop' }), detail),
  'account-opened': (changes) => {
    const query = new URLSearchParams('all=sites&all=databases&polls=account&polls=sites');
    return accountPage(pageContext({ ...changes, path: '/accounts/shop', query }), detail);
  },
  'account-empty': (changes) => accountPage(pageContext({ ...changes, path: '/accounts/new' }), empty),
  'account-waiting': (changes) =>
    accountPage(pageContext({ ...changes, path: '/accounts/new' }), { ...empty, answered: new Map() }),
  status: (changes) => exporterPage(pageContext({ ...changes, path: '/status', refresh: undefined }), exporter),
  'status-calm': (changes) => exporterPage(pageContext({ ...changes, path: '/status' }), calm),
};

it.each([
  ...Object.keys(pages).map((name) => [name, 'en', 'America/New_York'] as const),
  ['account', 'ru', 'Europe/Moscow'] as const,
  ['overview', 'ru', 'Europe/Moscow'] as const,
])('the page %s in %s, in %s, equals the file in test/pages/golden', async (name, language, timeZone) => {
  const page = pages[name]?.({ language, texts: textsOf[language], format: formatOf(language, timeZone), now }) ?? '';

  // The hash of the style or the script is the same on all pages.
  await expect(lines(page.replace(/\/style\/[\da-f]+/g, '/style/hash'))).toMatchFileSnapshot(
    `golden/${name}.${language}.txt`,
  );
});
