import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/account-view/account-summary.ts';
import { runToEnd } from '../../../src/in-turns.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();
const day = 86_400;
const seconds = Math.floor(now / 1000);

function summaryOf(parts: Parameters<typeof viewedAccount>[0]) {
  return runToEnd(summarize(viewedAccount({ lastSuccess: now, ...parts }), now));
}

const disk = (used: number): readonly Figure[] => [
  ['hosting_account_disk_usage_bytes', used],
  ['hosting_account_disk_limit_bytes', 100],
];

/** A domain that expires in this number of whole days. */
function expiring(domain: string, days: number): Figure {
  return ['hosting_domain_expiry_timestamp_seconds', seconds + (days + 0.5) * day, { domain }];
}

describe('the summary of an account', () => {
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
    const summary = summaryOf({ figures: { account: disk(used) } });

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

  it('has no share of a disk without a limit', () => {
    const { disk, state } = summaryOf({ figures: { account: [['hosting_account_disk_usage_bytes', 5]] } });

    expect(state).toBe('ok');
    expect(disk).toEqual({ used: 5, limit: undefined, ratio: undefined, level: 'ok' });
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

  it('adds the load of all sites', () => {
    const figures = {
      account: [['hosting_account_load_limit', 10]],
      site_load: [
        ['hosting_site_load_average', 5, { site_id: '1', site: 'a "b", {c} 1' }],
        ['hosting_site_load_average', 4, { site_id: '2', site: 'd' }],
      ],
    } as const;

    expect(summaryOf({ figures })).toMatchObject({ state: 'warning', planLoad: { used: 9, limit: 10, ratio: 0.9 } });
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
    expect(problems).toEqual([{ kind: 'domain', state: 'warning', domain: 'manual', days: 20 }]);
  });

  it('lists the domains that need action by urgency and date, and leaves out those that were given up', () => {
    const domains = [
      expiring('in 20 days', 20),
      expiring('fine', 200),
      expiring('in 12 days', 12),
      expiring('expired', -2),
      expiring('given up today', -30),
      expiring('almost given up', -29),
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

  it('names the domain that expires next if none needs action', () => {
    const domains = [expiring('third', 300), expiring('first', 100), expiring('second', 200)];

    expect(summaryOf({ figures: { domains } }).nextDomain).toMatchObject({ domain: 'first', days: 100, level: 'ok' });
    expect(summaryOf({ figures: { domains } }).problems).toEqual([]);
  });

  it('rates a domain that expired today as expired, and not one that expires today', () => {
    const renewed = (days: number): readonly Figure[] => [
      expiring('a', days),
      ['hosting_domain_auto_renew', 1, { domain: 'a' }],
    ];

    expect(summaryOf({ figures: { domains: renewed(0) } }).nextDomain).toMatchObject({ days: 0, level: 'warning' });
    expect(summaryOf({ figures: { domains: renewed(-1) } }).nextDomain).toMatchObject({
      days: -1,
      level: 'critical',
    });
  });

  it('names the problem of an account that is suspended soon', () => {
    const figures = { account: [['hosting_account_block_timestamp_seconds', seconds + 2 * day]] } as const;

    expect(summaryOf({ figures }).problems).toEqual([{ kind: 'suspension', state: 'critical', days: 2 }]);
  });

  it('has no share of a limit that is zero', () => {
    const account: readonly Figure[] = [
      ['hosting_account_disk_usage_bytes', 5],
      ['hosting_account_disk_limit_bytes', 0],
    ];

    expect(summaryOf({ figures: { account } })).toMatchObject({
      state: 'ok',
      problems: [],
      disk: { used: 5, limit: 0, ratio: undefined, level: 'ok' },
    });
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
    const later = { ...withoutAccount, pollers: [...others, { ...first, newest: { lastSuccess: 2000 } }] };

    expect(runToEnd(summarize(withAccount, now)).answered).toBeGreaterThanOrEqual(now);
    expect(runToEnd(summarize(later as typeof withoutAccount, now)).answered).toBe(2000);
  });

  it('rates an expired domain as critical, even if the provider should have renewed it', () => {
    const figures = {
      domains: [
        ['hosting_domain_expiry_timestamp_seconds', seconds - day, { domain: 'a' }],
        ['hosting_domain_auto_renew', 1, { domain: 'a' }],
      ],
    } as const;

    expect(summaryOf({ figures })).toMatchObject({ state: 'critical', nextDomain: { domain: 'a', level: 'critical' } });
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
  });

  it('fails if the API rejects the credentials, even if other figures are missing too', () => {
    const failure = { reason: 'auth', message: 'no', accepted: false } as const;

    const { state, problems } = summaryOf({ failures: { account: failure, domains: failure } });

    expect(state).toBe('failing');
    expect(problems).toEqual([{ kind: 'unreachable', state: 'failing', reason: 'auth' }]);
  });

  it('names failing collectors, but not those without permission', () => {
    const failures = {
      domains: { reason: 'permission', message: 'no', accepted: true },
      backups: { reason: 'http', message: 'HTTP status 500', accepted: false },
    } as const;

    expect(summaryOf({ failures }).problems).toEqual([
      { kind: 'failing polls', state: 'failing', collectors: ['backups'] },
    ]);
  });

  it('warns of failing collectors whose figures are old', () => {
    const failures = { backups: { reason: 'http', message: 'no', accepted: false } } as const;

    const { state, problems } = summaryOf({ failures, lastSuccess: now - 15 * 60_000 });

    expect(state).toBe('warning');
    expect(problems[0]).toEqual({ kind: 'stale', state: 'warning', collectors: ['backups'] });
  });

  it('does not warn of failing collectors whose figures are less than three intervals old', () => {
    const failures = { backups: { reason: 'http', message: 'no', accepted: false } } as const;

    const { problems } = summaryOf({ failures, lastSuccess: now - 14 * 60_000 });

    expect(problems.map(({ kind }) => kind)).toEqual(['failing polls']);
  });

  it('names the reason of the account collector if the account is unreachable, even if another collector failed first', () => {
    const failures = {
      databases: { reason: 'network', message: 'no', accepted: false },
      account: { reason: 'timeout', message: 'no', accepted: false },
    } as const;

    const { problems } = summaryOf({ failures, collectors: ['databases', 'account'] });

    expect(problems).toEqual([{ kind: 'unreachable', state: 'failing', reason: 'timeout' }]);
  });

  it('names another reason if the account collector is off', () => {
    const failures = { databases: { reason: 'network', message: 'no', accepted: false } } as const;
    const account = viewedAccount({ failures, collectors: ['domains', 'databases'] });

    const { problems } = runToEnd(summarize({ ...account, up: false }, now));

    expect(problems).toEqual([{ kind: 'unreachable', state: 'failing', reason: 'network' }]);
  });

  it('names a missing permission of the account collector, without which little is known', () => {
    const failures = { account: { reason: 'permission', message: 'no', accepted: true } } as const;

    expect(summaryOf({ failures }).problems).toEqual([
      { kind: 'failing polls', state: 'failing', collectors: ['account'] },
    ]);
  });

  it('waits before the first poll', () => {
    expect(summaryOf({ polled: false })).toMatchObject({ state: 'waiting', answered: undefined });
  });
});
