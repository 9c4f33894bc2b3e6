import { expect, it } from 'vitest';
import { effectiveThresholds } from '../../../src/config/file/alert-thresholds.ts';
import { domainDeadline, summarize } from '../../../src/pages/view/account-summary.ts';
import type { Account } from '../../../src/polling/account.ts';
import type { Poller } from '../../../src/polling/poller.ts';
import { dailyMemory, growing } from '../../fixtures/daily-memory.ts';
import { finishedPoll } from '../../fixtures/finished-poll.ts';
import { changed, type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();
const day = 86_400;
const seconds = Math.floor(now / 1000);

function summaryOf(parts: Parameters<typeof viewedAccount>[0]) {
  return summaryOfAccount(viewedAccount({ lastSuccess: now, ...parts }));
}

function summaryOfAccount(account: Account) {
  return summarize(account, now);
}

const disk = (used: number): readonly Figure[] => [
  ['hosting_account_disk_usage_bytes', used],
  ['hosting_account_disk_limit_bytes', 100],
];

/** A domain that expires in this number of whole days. */
function expiring(domain: string, days: number): Figure {
  return ['hosting_domain_expiry_timestamp_seconds', seconds + (days + 0.5) * day, { domain }];
}

it('warns of dropped series', () => {
  const { state, problems } = summaryOf({ dropped: { databases: 7 } });

  expect(state).toBe('warning');
  expect(problems).toEqual([{ kind: 'dropped series', state: 'warning', collectors: ['databases'] }]);
});

it('knows nothing without figures', () => {
  const summary = summaryOf({});

  expect(summary).toMatchObject({ state: 'ok', problems: [] });
  expect([summary.disk, summary.suspension, summary.planLoad, summary.nextDomain, summary.backup]).toEqual(
    new Array(5).fill(undefined),
  );
});

it.each([
  [84, 'ok'],
  [85, 'warning'],
  [95, 'critical'],
  [120, 'critical'],
])('rates a disk with %d of 100 bytes as %s', (used, state) => {
  const alert = 'HostingDiskAlmostFull';
  const thresholds = [
    { alert, severity: 'warning', value: 0.85 },
    { alert, severity: 'critical', value: 0.95 },
  ];
  const summary = summaryOf({ figures: { account: disk(used) }, thresholds });

  expect(summary).toMatchObject({ state, disk: { used, limit: 100, ratio: used / 100, level: state } });
});

it('rates by the thresholds of the account', () => {
  const alert = 'HostingDiskAlmostFull';
  const thresholds = [
    { alert, severity: 'warning', value: 0.5 },
    { alert, severity: 'critical', value: Number.POSITIVE_INFINITY },
  ];

  expect(summaryOf({ figures: { account: disk(51) }, thresholds }).state).toBe('warning');
  expect(summaryOf({ figures: { account: disk(99) }, thresholds }).state).toBe('warning');
});

it('is not rated by thresholds of another alert', () => {
  const thresholds = [{ alert: 'HostingPlanLoadHigh', severity: 'warning', value: 0.1 }];

  expect(summaryOf({ figures: { account: disk(51) }, thresholds }).state).toBe('ok');
});

it.each([
  ['with gigabytes free for weeks', 97, 0.1, 10, 'warning'],
  ['with little space free', 99.95, 0.001, 10, 'critical'],
  ['that is full in two days', 86, 7, 10, 'critical'],
  ['that is full in five days', 86, 2.8, 10, 'warning'],
  ['without free space', 100, 0, 10, 'critical'],
  ['without a history', 98, 0, 1, 'critical'],
  ['with less, without a history', 97, 0, 1, 'warning'],
] as const)('rates a disk %s like the alert: %d%%, %d GB a day', (_, used, perDay, days, level) => {
  const memory = dailyMemory({
    date: new Date(now).toISOString().slice(0, 10),
    disk: growing(days, used * 1e9, perDay * 1e9),
  });
  const account: readonly Figure[] = [
    ['hosting_account_disk_usage_bytes', used * 1e9],
    ['hosting_account_disk_limit_bytes', 100e9],
  ];

  expect(summaryOf({ figures: { account }, memory }).disk?.level).toBe(level);
});

it.each([undefined, 0])('has no share of a disk with the limit %s', (limit) => {
  const account: Figure[] = [['hosting_account_disk_usage_bytes', 5]];
  if (limit !== undefined) account.push(['hosting_account_disk_limit_bytes', limit]);

  const { state, problems, disk } = summaryOf({ figures: { account } });

  expect([state, problems]).toEqual(['ok', []]);
  expect(disk).toEqual({ used: 5, limit, ratio: undefined, level: 'ok' });
});

it.each([
  [8.5, 9, 'ok'],
  [7, 7, 'ok'],
  [6, 6, 'warning'],
  [3, 3, 'warning'],
  [2, 2, 'critical'],
  [-4, 0, 'critical'],
])('counts %d days until suspension as %d whole days, which is %s', (left, days, level) => {
  const figures = { account: [['hosting_account_block_timestamp_seconds', seconds + left * day]] } as const;

  expect(summaryOf({ figures }).suspension).toMatchObject({ days, level });
});

it.each([
  ['in debt without an estimate', -17.5, undefined, ['balance']],
  ['in debt with an estimate of a month', -17.5, 30, ['balance']],
  ['in debt on the day of the suspension', -17.5, 0, ['suspension']],
  ['with nothing left', 0, undefined, []],
  ['with money and an estimate of two days', 17.5, 2, ['suspension']],
])('judges an account %s', (_what, balance, daysLeft, kinds) => {
  const block: readonly Figure[] =
    daysLeft === undefined ? [] : [['hosting_account_block_timestamp_seconds', seconds + daysLeft * day]];
  const figures = { account: [...disk(1), ['hosting_account_balance', balance], ...block] } as const;

  const { state, problems } = summaryOf({ figures });

  expect(problems.map(({ kind }) => kind)).toEqual(kinds);
  expect(state).toBe(kinds.length === 0 ? 'ok' : 'critical');
});

it('warns when three days exceed the plan although the mean of the month does not', () => {
  const account = [['hosting_account_load_limit', 80], ...disk(1)] as const;
  const site_load = [['hosting_site_load_average', 52, { site_id: '1', site: 'a' }]] as const;
  const site_load_detail = [['hosting_site_load_recent_average', 240, { site_id: '1', site: 'a' }]] as const;

  const { recentLoad, problems } = summaryOf({ figures: { account, site_load, site_load_detail } });

  expect(recentLoad).toEqual({ used: 240, limit: 80, ratio: 3, level: 'warning' });
  expect(problems).toEqual([{ kind: 'recent load', state: 'warning', ratio: 3 }]);
});

it('adds the load of all sites', () => {
  const figures = {
    account: [['hosting_account_load_limit', 10]],
    site_load: [
      ['hosting_site_load_average', 5, { site_id: '1', site: 'a "b", {c} 1' }],
      ['hosting_site_load_average', 4, { site_id: '2', site: 'd' }],
    ],
  } as const;

  expect(summaryOf({ figures })).toMatchObject({
    state: 'warning',
    planLoad: { used: 9, limit: 10, ratio: 0.9 },
  });
});

it('names the domain that needs action before one that expires earlier', () => {
  const domain = (name: string, days: number, renews: number): readonly Figure[] => [
    expiring(name, days),
    ['hosting_domain_auto_renew', renews, { domain: name }],
  ];
  const domains = [...domain('renewed', 5, 1), ...domain('manual', 20, 0), ...domain('abandoned', -40, 0)];

  const { nextDomain, problems, state } = summaryOf({ figures: { domains } });

  expect(nextDomain).toMatchObject({ domain: 'manual', days: 20, level: 'warning' });
  expect(state).toBe('warning');
  expect(problems).toEqual([
    {
      kind: 'domain',
      state: 'warning',
      domain: 'manual',
      time: (seconds + 20.5 * day) * 1000,
      alert: 'HostingDomainExpiring',
    },
  ]);
});

it.each([
  ['error', 50, 'warning'],
  ['error', 61, 'ok'],
  ['pending', 50, 'ok'],
  ['success', 50, 'ok'],
])('rates a renewal with the status %s, %i days before the expiry, as %s', (status, days, level) => {
  const domains: readonly Figure[] = [
    expiring('a', days),
    ['hosting_domain_auto_renew', 1, { domain: 'a' }],
    ['hosting_domain_renewal_info', 1, { domain: 'a', status }],
  ];

  const { nextDomain, state } = summaryOf({ figures: { domains } });

  expect([nextDomain?.level, state]).toEqual([level, level]);
});

it.each([
  ['error', effectiveThresholds(), ['renewal']],
  ['pending', effectiveThresholds(), []],
  ['error', [], []],
])('rates a renewal with the status %s of a domain without date by the thresholds %j', (status, thresholds, kinds) => {
  const domains: readonly Figure[] = [['hosting_domain_renewal_info', 1, { domain: 'a', status }]];

  const { problems } = summaryOf({ figures: { domains }, thresholds });

  expect(problems.map(({ kind }) => kind)).toEqual(kinds);
});

it('lists the domains that need action by urgency and date, and leaves out those that were given up', () => {
  const domains = [
    expiring('in 20 days', 20),
    expiring('fine', 200),
    expiring('in 12 days', 12),
    expiring('expired', -2),
    expiring('given up today', -31),
    expiring('almost given up', -30),
    expiring('in 2 days', 2),
  ];

  const { problems, nextDomain } = summaryOf({ figures: { domains } });

  expect(problems.map((problem) => ('domain' in problem ? [problem.domain, problem.state] : problem))).toEqual([
    ['almost given up', 'critical'],
    ['expired', 'critical'],
    ['in 2 days', 'critical'],
    ['in 12 days', 'warning'],
    ['in 20 days', 'warning'],
  ]);
  expect(nextDomain?.domain).toBe('almost given up');
});

it.each([
  [-29, 'critical'],
  [-30, 'ok'],
])('rates a domain that expired %i days ago as %s', (days, level) => {
  const domain = { expiry: now / 1000 + days * day, isRenewed: false, hasFailed: false };

  expect(domainDeadline(domain, effectiveThresholds(), now)).toMatchObject({ days, level });
});

it('warns of a failed renewal until the end of the last day, also without other alerts about renewals', () => {
  const thresholds = effectiveThresholds({ HostingDomainRenewalOverdue: 'off', HostingDomainExpiring: 'off' });
  const domain = { expiry: now / 1000, isRenewed: true, hasFailed: true };

  expect(domainDeadline(domain, thresholds, now)).toMatchObject({ days: 0, alert: 'HostingDomainRenewalFailed' });
});

it('names the domain that expires next if none needs action', () => {
  const domains = [expiring('third', 300), expiring('first', 100), expiring('second', 200)];

  expect(summaryOf({ figures: { domains } }).nextDomain).toMatchObject({
    domain: 'first',
    days: 100,
    level: 'ok',
  });
  expect(summaryOf({ figures: { domains } }).problems).toEqual([]);
});

it('rates a domain as expired after the end of the day on which it expires, and not on this day', () => {
  const renewed = (days: number): readonly Figure[] => [
    expiring('a', days),
    ['hosting_domain_auto_renew', 1, { domain: 'a' }],
  ];

  const rated = [0, -1, -2].map((days) => summaryOf({ figures: { domains: renewed(days) } }).nextDomain);

  expect(rated.map((domain) => [domain?.days, domain?.level])).toEqual([
    [0, 'warning'],
    [0, 'warning'],
    [-1, 'critical'],
  ]);
});

it('counts the backups of a kind without a newest one', () => {
  const figures = { backups: [['hosting_backups', 4, { kind: 'files' }]] } as const;

  expect(summaryOf({ figures })).toMatchObject({ state: 'ok', problems: [], backup: undefined });
});

it('answered when its own figures did, else when a collector succeeded last', () => {
  const [withAccount, withoutAccount] = [
    viewedAccount({ figures: { account: disk(1) }, lastSuccess: 1000 }),
    viewedAccount({ lastSuccess: 1000 }),
  ];
  const [first, ...others] = withoutAccount.pollers;
  const pollers = [...others, { ...first, newest: finishedPoll({ lastSuccess: 2000 }) } as Poller];
  const later = changed(withoutAccount, { pollers });

  expect(summaryOfAccount(withAccount).answered).toBeGreaterThanOrEqual(now);
  expect(summaryOfAccount(later).answered).toBe(2000);
});

it('answered when a figure became old, if a collector fails', () => {
  const failure = { reason: 'timeout', message: 'no answer', accepted: true } as const;
  const failing = viewedAccount({ failures: { domains: failure, backups: failure }, lastSuccess: now - 1000 });
  const pollers = failing.pollers.map((one) =>
    one.collector.name === 'backups'
      ? ({ ...one, newest: finishedPoll({ ...one.newest, lastSuccess: now - 7_200_000 }) } as Poller)
      : one,
  );

  expect(summaryOfAccount(changed(failing, { pollers })).answered).toBe(now - 7_200_000);
});

it.each([
  [0, 4],
  [1, 3],
  [3, 1],
  [4, undefined],
])('with %d remembered days has a forecast of the disk usage in %j days', (count, days) => {
  const date = new Date(now).toISOString().slice(0, 10);
  const memory = dailyMemory({ date, disk: growing(count, 1, 0) });

  const { forecastFrom } = summaryOf({ figures: { account: disk(1) }, memory });

  expect(forecastFrom).toBe(days && now + days * day * 1000);
});

it('shows the older of the newest backups, and does not miss those of databases that do not exist', () => {
  const backups: readonly Figure[] = [
    ['hosting_backups', 3, { kind: 'files' }],
    ['hosting_backups', 0, { kind: 'databases' }],
    ['hosting_backup_last_timestamp_seconds', seconds - day, { kind: 'files' }],
    ['hosting_backup_last_timestamp_seconds', seconds - 9 * day, { kind: 'databases' }],
  ];

  const withDatabases = summaryOf({ figures: { backups, databases: [['hosting_databases', 1]] } });
  const without = summaryOf({ figures: { backups, databases: [['hosting_databases', 0]] } });

  expect(withDatabases.problems.map(({ kind }) => kind)).toEqual(['old backup', 'no backup']);
  expect(withDatabases.backup).toMatchObject({ kind: 'databases', level: 'warning' });
  expect(without).toMatchObject({ state: 'ok', problems: [], backup: { kind: 'databases', level: 'ok' } });
  const noFiles: readonly Figure[] = [['hosting_backups', 0, { kind: 'files' }]];
  const { problems } = summaryOf({ figures: { backups: noFiles, databases: [['hosting_databases', 0]] } });
  expect(problems).toMatchObject([{ kind: 'no backup', backups: 'files' }]);
});

it('fails if the API rejects the credentials, even if other figures are missing too', () => {
  const failure = { reason: 'auth', message: 'no', accepted: false } as const;

  const { state, problems } = summaryOf({ failures: { account: failure, domains: failure } });

  expect(state).toBe('failing');
  expect(problems).toEqual([{ kind: 'unreachable', state: 'failing', cause: { reason: 'auth', status: undefined } }]);
});

it('names failing collectors by cause, and collectors without permission', () => {
  const failures = {
    domains: { reason: 'permission', message: 'no', accepted: true },
    backups: { reason: 'http', message: 'HTTP status 500', accepted: false, status: 500 },
    databases: { reason: 'http', message: 'HTTP status 500', accepted: false, status: 500 },
    dns: { reason: 'timeout', message: 'no answer', accepted: false },
  } as const;
  const collectors = ['account', 'databases', 'domains', 'backups', 'dns'];

  const { state, problems } = summaryOf({ failures, collectors });

  const failing = { kind: 'failing polls', state: 'partly', since: undefined };
  expect(state).toBe('partly');
  expect(problems).toEqual([
    { ...failing, cause: { reason: 'http', status: 500 }, collectors: ['databases', 'backups'] },
    { ...failing, cause: { reason: 'timeout', status: undefined }, collectors: ['dns'] },
    { kind: 'not permitted', state: 'partly', collectors: ['domains'] },
  ]);
});

it.each([
  [14, 'partly', undefined],
  // Three intervals.
  [15, 'warning', now - 15 * 60_000],
])('rates failing collectors whose figures are %i minutes old as %s', (age, state, since) => {
  const failures = { backups: { reason: 'http', message: 'no', accepted: false } } as const;

  const summary = summaryOf({ failures, lastSuccess: now - age * 60_000 });

  const cause = { reason: 'http', status: undefined };
  expect(summary.state).toBe(state);
  expect(summary.problems).toEqual([{ kind: 'failing polls', state, cause, collectors: ['backups'], since }]);
});

it('names the reason of the account collector if the account is unreachable, even if another collector failed first', () => {
  const failures = {
    databases: { reason: 'network', message: 'no', accepted: false },
    account: { reason: 'timeout', message: 'no', accepted: false },
  } as const;

  const { problems } = summaryOf({ failures, collectors: ['databases', 'account'] });

  expect(problems).toEqual([
    { kind: 'unreachable', state: 'failing', cause: { reason: 'timeout', status: undefined } },
  ]);
});

it('names another reason if the account collector is off', () => {
  const failures = { databases: { reason: 'network', message: 'no', accepted: false } } as const;
  const account = viewedAccount({ failures, collectors: ['domains', 'databases'] });

  const { problems } = summaryOfAccount(changed(account, { up: false }));

  expect(problems).toEqual([
    { kind: 'unreachable', state: 'failing', cause: { reason: 'network', status: undefined } },
  ]);
});

it('names a missing permission of the account collector, without which little is known', () => {
  const failures = { account: { reason: 'permission', message: 'no', accepted: true } } as const;

  expect(summaryOf({ failures }).problems).toEqual([
    { kind: 'not permitted', state: 'failing', collectors: ['account'] },
  ]);
});

it('waits until each collector has been polled', () => {
  const [first, ...others] = viewedAccount({ polled: false }).pollers;
  const polled = viewedAccount({ lastSuccess: now });
  const pollers = [...polled.pollers.slice(0, 1), ...others];

  expect(first?.collector.name).toBe('account');
  expect(summaryOfAccount(changed(polled, { pollers }))).toMatchObject({
    state: 'waiting',
    problems: [{ kind: 'not polled', state: 'waiting', collectors: ['databases', 'domains', 'backups'] }],
  });
});

it('is partially monitored if a result has expired, and waits if it is being polled', () => {
  const account = viewedAccount({ lastSuccess: now, missing: { backups: 1 } });
  const pollers = account.pollers.map((poller) => changed(poller, { isPolling: true }));
  const polling = changed(account, { pollers });

  expect(summaryOfAccount(account)).toMatchObject({
    state: 'partly',
    problems: [{ kind: 'no figures', state: 'partly', collectors: ['backups'] }],
  });
  expect(summaryOfAccount(polling)).toMatchObject({
    state: 'waiting',
    problems: [{ kind: 'not polled', state: 'waiting', collectors: ['backups'] }],
  });
});

it('is partially monitored if the account answers without its disk usage', () => {
  const account: readonly Figure[] = [['hosting_account_balance', 5]];

  expect(summaryOf({ figures: { account } })).toMatchObject({
    state: 'partly',
    problems: [{ kind: 'unknown disk', state: 'partly' }],
  });
});

it('orders problems of one state by the day on which they hurt', () => {
  const account: readonly Figure[] = [...disk(96), ['hosting_account_block_timestamp_seconds', seconds + 1.5 * day]];
  const domains = [expiring('in 2 days', 2), expiring('today', 0), expiring('expired', -3)];
  const backups: readonly Figure[] = [['hosting_backups', 0, { kind: 'files' }]];

  const { problems } = summaryOf({ figures: { account, domains, backups }, dropped: { domains: 1 } });

  expect(
    problems.map(({ kind, state, ...others }) => ('domain' in others ? others.domain : `${state}: ${kind}`)),
  ).toEqual([
    'expired',
    'critical: disk',
    'today',
    'critical: suspension',
    'in 2 days',
    'warning: no backup',
    'warning: dropped series',
  ]);
});
