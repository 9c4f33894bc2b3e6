import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readSummaryFigures } from '../../../../src/pages/view/summary-figures.ts';
import type { ViewedAccount } from '../../../../src/pages/view/viewed-account.ts';
import { KeptPayload } from '../../../../src/results/kept-payload.ts';
import { TimeSlice } from '../../../../src/runtime/time-slice.ts';
import { type Figure, publishFigures, viewedAccount } from '../../../fixtures/viewed-account.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function read(account: ViewedAccount) {
  return readSummaryFigures(account, new TimeSlice());
}

const used = (bytes: number): Figure => ['hosting_account_disk_usage_bytes', bytes];

/** Everything that a summary shows. */
const figures = {
  account: [
    used(5),
    ['hosting_account_disk_limit_bytes', 10],
    ['hosting_account_load_limit', 20],
    ['hosting_account_block_timestamp_seconds', 1000],
  ],
  site_load: [
    ['hosting_site_load_average', 1, { site_id: '1', site: 'a' }],
    ['hosting_site_load_average', 2, { site_id: '2', site: 'b' }],
  ],
  domains: [
    ['hosting_domain_expiry_timestamp_seconds', 2000, { domain: 'a' }],
    ['hosting_domain_expiry_timestamp_seconds', 3000, { domain: 'b' }],
    ['hosting_domain_auto_renew', 1, { domain: 'b' }],
    ['hosting_domain_renewal_info', 1, { domain: 'a', status: 'error' }],
    ['hosting_domain_renewal_info', 1, { domain: 'b', status: 'pending' }],
  ],
  backups: [
    ['hosting_backups', 3, { kind: 'files' }],
    ['hosting_backup_last_timestamp_seconds', 4000, { kind: 'databases' }],
  ],
  databases: [['hosting_databases', 6]],
} as const satisfies Readonly<Record<string, readonly Figure[]>>;

describe('the figures of a summary', () => {
  it('come from the payloads of their collectors', async () => {
    const account = viewedAccount({ figures });

    const own = await read(account);

    expect(own).toEqual({
      diskUsed: 5,
      diskLimit: 10,
      loadLimit: 20,
      suspension: 1000,
      load: 3,
      domains: [
        { name: 'a', expiry: 2000, isRenewed: false, hasFailed: true },
        { name: 'b', expiry: 3000, isRenewed: true, hasFailed: false },
      ],
      backups: [
        { kind: 'files', count: 3, newest: undefined },
        { kind: 'databases', count: undefined, newest: 4000 },
      ],
      databases: 6,
    });
  });

  it('are decoded once, and again only for a collector with a newer payload', async () => {
    const account = viewedAccount({ figures: { ...figures, mailboxes: [['hosting_mailboxes', 1, { domain: 'a' }]] } });
    const decode = vi.spyOn(KeptPayload.prototype, 'decode');

    await read(account);
    expect(decode).toHaveBeenCalledTimes(5);
    await read(account);
    expect(decode).toHaveBeenCalledTimes(5);
    publishFigures(account.store, 'account', [used(8)]);
    expect(await read(account)).toMatchObject({ diskUsed: 8, diskLimit: undefined, load: 3 });
    expect(decode).toHaveBeenCalledTimes(6);
    decode.mockRestore();
  });

  it('end with their result', async () => {
    const account = viewedAccount({ figures });
    await read(account);

    vi.advanceTimersByTime(59 * minute);
    publishFigures(account.store, 'databases', [['hosting_databases', 7]]);
    expect(await read(account)).toMatchObject({ diskUsed: 5 });
    vi.advanceTimersByTime(minute);

    expect(await read(account)).toEqual({ domains: [], backups: [], databases: 7 });
  });

  it('end with the item that is no longer listed', async () => {
    const account = viewedAccount({ collectors: ['backups'] });
    for (const kind of ['files', 'databases']) {
      publishFigures(account.store, 'backups', [['hosting_backups', 1, { kind }]], { item: kind });
    }
    const kindsOf = async () => (await read(account)).backups?.map(({ kind }) => kind);
    expect(await kindsOf()).toEqual(['files', 'databases']);

    account.store.retain('backups', new Set(['files']));

    expect(await kindsOf()).toEqual(['files']);
  });

  it('follow the settings of the account to which a reload hands the payload', async () => {
    const before = viewedAccount({ figures });
    const after = viewedAccount({ collectors: Object.keys(figures), maxSeries: 1 });
    await read(before);
    for (const collector of Object.keys(figures)) {
      for (const [item, kept] of before.store.payloads(collector)) {
        after.store.publish(collector, item, [], minute, kept);
      }
    }

    expect(await read(after)).toMatchObject({ load: 2 });
    expect(await read(before)).toMatchObject({ load: 3 });
  });
});
