import { beforeEach, expect, it, vi } from 'vitest';
import { readSummary } from '../../src/store/summary-figures.ts';
import { type Figure, showFigures, viewedAccount } from '../fixtures/viewed-account.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

const used = (bytes: number): Figure => ['hosting_account_disk_usage_bytes', bytes];

/** Everything that a summary shows. */
const figures = {
  account: [
    used(5),
    ['hosting_account_disk_limit_bytes', 10],
    ['hosting_account_load_limit', 20],
    ['hosting_account_block_timestamp_seconds', 1000],
    ['hosting_account_balance', -30],
    ['hosting_account_daily_charge', 40],
  ],
  site_load: [
    ['hosting_site_load_average', 1, { site_id: '1', site: 'a' }],
    ['hosting_site_load_average', 2, { site_id: '2', site: 'b' }],
  ],
  site_load_detail: [
    ['hosting_site_load_recent_average', 3, { site_id: '1', site: 'a' }],
    ['hosting_site_load_recent_average', 4, { site_id: '2', site: 'b' }],
  ],
  domains: [
    ['hosting_domain_expiry_timestamp_seconds', 2000, { domain: 'a' }],
    ['hosting_domain_expiry_timestamp_seconds', 3000, { domain: 'b' }],
    ['hosting_domain_expiry_timestamp_seconds', 4000, { domain: 'c' }],
    ['hosting_domain_auto_renew', 1, { domain: 'b' }],
    ['hosting_domain_renewal_info', 1, { domain: 'a', status: 'error' }],
    ['hosting_domain_renewal_info', 1, { domain: 'b', status: 'pending' }],
    ['hosting_domain_renewal_info', 1, { domain: 'd', status: 'error' }],
  ],
  backups: [
    ['hosting_backups', 3, { kind: 'files' }],
    ['hosting_backup_last_timestamp_seconds', 4000, { kind: 'databases' }],
  ],
  databases: [
    ['hosting_databases', 6],
    ['hosting_database_size_bytes', 7, { database: 'c' }],
  ],
  sites: [
    ['hosting_site_info', 1, { site_id: '1', site: 'd' }],
    ['hosting_site_domain_info', 1, { site_id: '1', domain: 'e' }],
  ],
} as const satisfies Readonly<Record<string, readonly Figure[]>>;

it('come from the results of their collectors', () => {
  const account = viewedAccount({ figures });

  expect(readSummary(account.store)).toEqual({
    diskUsed: 5,
    diskLimit: 10,
    loadLimit: 20,
    suspension: 1000,
    balance: -30,
    dailyCharge: 40,
    load: 3,
    recentLoad: 7,
    domains: [
      { name: 'a', expiry: 2000, isRenewed: false, hasFailed: true },
      { name: 'b', expiry: 3000, isRenewed: true, hasFailed: false },
      { name: 'c', expiry: 4000, isRenewed: false, hasFailed: false },
    ],
    failedWithoutDate: ['d'],
    backups: [
      { kind: 'files', count: 3, newest: undefined },
      { kind: 'databases', count: undefined, newest: 4000 },
    ],
    databases: 6,
    databaseNames: ['c'],
    sites: ['d'],
    siteDomains: new Map([['e', { account: 'shop', site_id: '1', domain: 'e' }]]),
  });
});

it('follow the newest results', () => {
  const account = viewedAccount({ figures });

  showFigures(account.store, 'account', [used(8)]);

  expect(readSummary(account.store)).toMatchObject({ diskUsed: 8, diskLimit: undefined, load: 3 });
});

it('end when the result of the collector ends', () => {
  const account = viewedAccount({ figures });

  vi.advanceTimersByTime(59 * minute);
  showFigures(account.store, 'databases', [['hosting_databases', 7]]);
  expect(readSummary(account.store)).toMatchObject({ diskUsed: 5 });
  vi.advanceTimersByTime(minute);

  const { databases, siteDomains: _, ...others } = readSummary(account.store);
  expect(databases).toBe(7);
  expect(Object.values(others).filter((value) => !Array.isArray(value) || value.length > 0)).toEqual(
    new Array(8).fill(undefined),
  );
});
