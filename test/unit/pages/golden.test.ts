import { expect, it } from 'vitest';
import type { Failure } from '../../../src/api/error.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { accountPage } from '../../../src/pages/account-page.ts';
import type { PageContext } from '../../../src/pages/context.ts';
import type { ExporterView } from '../../../src/pages/exporter-page.ts';
import { exporterPage } from '../../../src/pages/exporter-page.ts';
import { formatOf } from '../../../src/pages/format.ts';
import { textsOf } from '../../../src/pages/language.ts';
import { overviewPage } from '../../../src/pages/overview-page.ts';
import type { AccountDetail } from '../../../src/pages/view/account-detail.ts';
import type { AccountSummary } from '../../../src/pages/view/account-summary.ts';
import { readListRequest } from '../../../src/pages/view/list-request.ts';
import type { Overview } from '../../../src/pages/view/overview.ts';
import { dueOf } from '../../../src/pages/view/problems.ts';
import type { ViewedPoller } from '../../../src/pages/view/viewed-account.ts';
import { growing } from '../../fixtures/daily-memory.ts';
import { finishedPoll } from '../../fixtures/finished-poll.ts';
import { pageContext } from '../../fixtures/page-context.ts';

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
  diskDays: undefined,
  suspension: undefined,
  backups: [],
  planLoad: undefined,
  nextDomain: undefined,
  backup: undefined,
  answered: undefined,
};

const fine: AccountSummary = {
  name: 'blog',
  labels: { customer: 'acme' },
  state: 'ok',
  problems: [],
  pollers: [],
  nextAttempt: undefined,
  timeZone: 'UTC',
  disk: { used: 5 * gigabyte, limit: undefined, ratio: undefined, level: 'ok' },
  diskFull: { time: now + 40 * day, days: 40, level: 'ok' },
  diskDays: undefined,
  suspension: { time: now + hour, days: 0, level: 'ok' },
  backups: [],
  planLoad: { used: 12.5, limit: undefined, ratio: undefined, level: 'ok' },
  nextDomain: { domain: 'blog.example', time: now + 40 * day, days: 40, level: 'ok' },
  backup: { kind: 'files', time: now - 3 * hour, days: 0, level: 'ok' },
  answered: now - 5 * minute,
};

const urgent: AccountSummary = {
  name: 'shop & co',
  labels: { customer: 'acme', team: 'A&B' },
  state: 'critical',
  problems: [
    { kind: 'disk', state: 'critical', ratio: 1.02 },
    { kind: 'disk filling', state: 'warning', time: now + 3 * day },
    { kind: 'domain', state: 'critical', domain: 'shop.example', time: now - 2 * day, alert: 'HostingDomainExpired' },
    { kind: 'domain', state: 'warning', domain: 'old.example', time: now + 5 * day, alert: 'HostingDomainExpiring' },
    { kind: 'suspension', state: 'warning', time: now + 2 * day },
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
  pollers: [],
  nextAttempt: undefined,
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
  planLoad: { used: 90, limit: 100, ratio: 0.9, level: 'warning' },
  nextDomain: { domain: 'shop.example', time: now - 2 * day, days: -2, level: 'critical' },
  backup: { kind: 'files', time: now - 9 * day, days: 9, level: 'warning' },
  answered: now - 2 * hour,
};

function collectorOf(name: string): Collector {
  const collector = collectors.find((candidate) => candidate.name === name);
  if (collector === undefined) throw new RangeError(`there is no collector ${name}`);
  return collector;
}

interface PollerParts extends Partial<Omit<ViewedPoller, 'collector' | 'newest'>> {
  readonly collector?: string;
  readonly methods?: Collector['methods'];
  readonly lastSuccess?: number | undefined;
  readonly failure?: Failure;
  readonly isFromEarlierProcess?: boolean;
}

function pollerOf({
  collector: name = 'account',
  methods = ['user/getAccountInfo'],
  ...parts
}: PollerParts): ViewedPoller {
  const {
    lastSuccess = 'lastSuccess' in parts ? undefined : now - 2 * minute,
    failure,
    isFromEarlierProcess = false,
  } = parts;
  const failures = failure === undefined ? [] : [failure];
  return {
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
    forbiddenMethods: [],
    recentPolls: [],
    ...parts,
  };
}

function failureOf(reason: Failure['reason'], message: string): Failure {
  return { reason, message, accepted: true };
}

const days = { from: Date.parse('2026-05-04T00:00:00Z'), to: Date.parse('2026-06-03T00:00:00Z') };
const hours = { from: Date.parse('2026-06-02T12:00:00Z'), to: Date.parse('2026-06-03T12:00:00Z') };

const pollers: readonly ViewedPoller[] = [
  pollerOf({
    isPolling: true,
    isFromEarlierProcess: true,
    recentPolls: [
      finishedPoll({ ended: now - 2 * minute }),
      finishedPoll({ ended: now - 7 * minute, seconds: 5, calls: 2, failures: [failureOf('timeout', 'no answer')] }),
    ],
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
    failure: failureOf('permission', 'not permitted'),
    forbiddenMethods: ['mail/getList'],
  }),
];

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
    },
  },
  diskDays: { from: now - 29 * day, to: now, values: growing(30, 61 * gigabyte, gigabyte / 2) },
  balanceDays: { from: now - 29 * day, to: now, values: [undefined, 100, 80] },
  loadDays: { from: now - 29 * day, to: now, values: [50, 60] },
  plan: 'Plan 5',
  balance: -12.5,
  dailyCharge: 3.25,
  sites: {
    total: 2,
    rows: [
      {
        id: '7',
        name: 'shop.example',
        mean: 60.5,
        hour: { value: 4, start: now - hour },
        histories: {
          days: { ...days, values: [0, undefined, 30, 60] },
          hours: { ...hours, values: [0, 0] },
          sizes: undefined,
        },
        shareOfLimit: 0.605,
        isFrozen: true,
      },
      {
        id: '8',
        name: '',
        mean: undefined,
        hour: undefined,
        histories: undefined,
        shareOfLimit: undefined,
        isFrozen: false,
      },
    ],
  },
  databases: {
    total: 40,
    rows: [
      {
        name: 'shop_main',
        size: 2.5 * gigabyte,
        mean: 7,
        hour: { value: 1.5, start: now - hour },
        histories: {
          days: { ...days, values: [1, 2] },
          hours: { ...hours, values: [3, 0.01] },
          sizes: { ...days, values: [1_000_000, 2_000_000] },
        },
        remoteAccesses: 3,
      },
      {
        name: 'shop_new',
        size: undefined,
        mean: undefined,
        hour: undefined,
        histories: undefined,
        remoteAccesses: undefined,
      },
    ],
  },
  domains: {
    total: 3,
    rows: [
      {
        name: 'shop.example',
        expiry: { time: now - 2 * day, days: -2, level: 'critical' },
        renewsAutomatically: false,
        isRegistered: true,
        hasSite: true,
        renewal: 'error',
        registrar: 'Registrar',
        status: 'expired',
        phpVersion: '8.3',
        certificate: 'valid',
        dnsRecords: [
          { type: 'A', count: 2 },
          { type: 'MX', count: 1 },
        ],
        mailboxes: 1200,
        forwarding: 1,
        withoutSpamFilter: 1,
      },
      {
        name: 'blog.example',
        expiry: { time: now, days: 0, level: 'warning' },
        renewsAutomatically: true,
        isRegistered: true,
        hasSite: true,
        renewal: '',
        registrar: '',
        status: '',
        phpVersion: '',
        certificate: '',
        dnsRecords: [],
        mailboxes: 4,
        forwarding: 0,
        withoutSpamFilter: undefined,
      },
      {
        name: 'unknown.example',
        expiry: undefined,
        renewsAutomatically: undefined,
        isRegistered: false,
        hasSite: false,
        renewal: '',
        registrar: '',
        status: '',
        phpVersion: '',
        certificate: '',
        dnsRecords: [],
        mailboxes: undefined,
        forwarding: undefined,
        withoutSpamFilter: undefined,
      },
    ],
  },
  planItems: [
    { kind: 'sites', used: 2, limit: 10 },
    { kind: 'domains', used: 3, limit: undefined },
    { kind: 'databases', used: undefined, limit: 5 },
    { kind: 'mailboxes', used: 1204, limit: 1200 },
    { kind: 'ftpAccounts', used: undefined, limit: undefined },
    { kind: 'cronTasks', used: 4, limit: undefined },
  ],
  cronTasksDisabled: 2,
  lacksCronEmail: true,
  backupJobs: [
    { kind: 'databases', operation: 'restore', status: 'error', newest: now - 9 * hour },
    { kind: 'files', operation: 'download', status: 'success', newest: now - 2 * day },
    { kind: 'files', operation: 'restore', status: 'queued', newest: now - 3 * day },
    { kind: 'files', operation: 'merge', status: '', newest: now - 4 * day },
  ],
  server: {
    name: 'web7',
    loadAverage: 3.5,
    memory: 64 * gigabyte,
    memoryUsed: 16 * gigabyte,
    uptimeSeconds: 100 * 86_400,
    software: ['nginx: 1.27.4', 'php: 8.2.28'],
  },
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
  plan: '',
  balance: undefined,
  dailyCharge: undefined,
  sites: { total: 0, rows: [] },
  databases: { total: 0, rows: [] },
  domains: { total: 0, rows: [] },
  lacksCronEmail: false,
  backupJobs: [],
  server: {
    name: '',
    loadAverage: undefined,
    memory: undefined,
    memoryUsed: undefined,
    uptimeSeconds: undefined,
    software: [],
  },
  answered: new Map([['ftp_accounts', now]]),
};

const overview: Overview = {
  request: readListRequest(new URLSearchParams()),
  labels: [],
  label: undefined,
  groupSizes: new Map([['', 203]]),
  matches: new Map(),
  total: 203,
  counts: { critical: 1, warning: 0, failing: 0, partly: 0, waiting: 1, ok: 201 },
  outage: undefined,
  found: 203,
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

const load = { callsPerMinute: 4.5, budget: 30 };

const exporter: ExporterView = {
  build: { version: '1.2.3', revision: 'abc', nodeVersion: 'v24.0.0' },
  started: now - 2 * hour,
  configFile: '/etc/exporter.yml',
  lastReload: { time: now - 5 * minute, problems: 'exporter.yml:3: unknown key' },
  webConfig: { file: '/etc/web.yml', lastReload: undefined },
  memory: { resident: 120_000_000, heap: 40_000_000 },
  accounts: 203,
  budgets: [
    { name: 'shop', load, queueLength: 7, pauseRemaining: minute, stretch: 1.5 },
    { name: 'blog', load, queueLength: 0, pauseRemaining: 0, stretch: 1 },
  ],
  methods: [{ method: 'mysql/getList', calls: 3, seconds: 0.25 }],
};

const calm: ExporterView = {
  ...exporter,
  configFile: undefined,
  lastReload: { time: now - 5 * minute, problems: undefined },
  webConfig: undefined,
  budgets: [],
  methods: [],
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
    const request = readListRequest(new URLSearchParams('q=blo'));
    const matches = new Map([['blog', [['domain', 'blog.example'] as const]]]);
    const found = { ...overview, request, matches, found: 1, page: 1, pages: 1, accounts: [fine] };
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
])('the page %s in %s, in %s, equals the file in test/unit/pages/golden', async (name, language, timeZone) => {
  const page = pages[name]?.({ language, texts: textsOf[language], format: formatOf(language, timeZone), now }) ?? '';

  // The hash of the style or the script is the same on all pages.
  await expect(lines(page.replace(/\/style\/[\da-f]+/g, '/style/hash'))).toMatchFileSnapshot(
    `golden/${name}.${language}.txt`,
  );
});
