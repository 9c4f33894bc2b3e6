import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../src/collectors/collector.ts';
import { readOverview } from '../../../src/pages/view/overview.ts';
import { daysUntilFull, readChanges, readDays } from '../../../src/pages/view/trends.ts';
import { type DailyMemory, emptyMemory } from '../../../src/store/daily-memory.ts';
import { dailyMemory, growing } from '../../fixtures/daily-memory.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';
import { changed, type Figure, resultOf, viewedAccount } from '../../fixtures/viewed-account.ts';

const today = '2026-06-03';
const noon = `${today}T12:00:00Z`;
const megabyte = 1_000_000;
const gigabyte = 1000 * megabyte;

describe('the days until the disk is full', () => {
  it.each<[string, readonly (number | null)[], number, number | undefined]>([
    ['are known on the fourth day', [40, 41, 42, 43], 43, 57],
    ['are unknown on the third day', [40, 41, 42], 42, undefined],
    ['follow the median of three days', [40, 41, 42, 72, 73], 73, 27],
    ['follow exactly three days', [40, 50, 51, 52, 54, 56], 56, 22],
    ['follow the mean of a week, if it is less', [60, 50, 51, 52, 53, 54, 61.2], 61.2, 194],
    ['follow no day before the last week', [70, 40, 41, 42, 43, 44, 45, 46, 47], 47, 53],
    ['follow the first day of the last week', [50, 45, 47, 49, 51, 53, 55, 57], 57, 43],
    ['are unknown if the usage rose on half of the days', [40, 39, 38, 37, 38, 39, 40], 40, undefined],
    ['are unknown if the usage does not grow', [40, 40, 40, 40, 40], 40, undefined],
    ['are unknown if the usage has fallen since yesterday', [40, 41, 42, 43], 42, undefined],
    ['count only differences between consecutive days', [40, null, 42, 43, 44], 44, undefined],
    ['survive a gap', [39, 40, null, 42, 43, 44], 44, 56],
    ['are known for a year', [8, 8.25, 8.5, 8.75], 8.75, 365],
    ['are unknown after a year', [7.75, 8, 8.25, 8.5], 8.5, undefined],
    ['are 0 at the limit', [97, 98, 99, 100], 100, 0],
    ['are unknown beyond the limit', [98, 99, 100, 101], 101, undefined],
  ])('%s', (_, usage, used, expected) => {
    const days = daysUntilFull(usage, used, 100);

    expect(days && Math.round(days)).toBe(expected);
  });

  it('are exact for a steady growth', async () => {
    const rates = fc.integer({ min: 1, max: 1e9 });
    const counts = fc.integer({ min: 4, max: 15 });

    await fc.assert(
      fc.asyncProperty(rates, counts, fc.integer({ min: 0, max: 365 }), async (rate, count, days) => {
        const usage = growing(count, rate * 100, rate);

        expect(daysUntilFull(usage, rate * 100, rate * (100 + days))).toBeCloseTo(days);
      }),
    );
  });
});

const sites = (...names: readonly string[]): readonly Figure[] => [
  ['hosting_sites', names.length],
  ...names.map((site, id): Figure => ['hosting_site_info', 1, { site_id: `${id}`, site }]),
];

/** The changes since a number of days ago, when an account had these lists. */
function changesSince(
  lists: Parameters<typeof dailyMemory>[0]['lists'],
  figures: Readonly<Record<string, readonly Figure[]>>,
  since: 'yesterday' | 'lastWeek' = 'yesterday',
) {
  fakeDate(noon);
  const memory = dailyMemory({ date: today, disk: growing(9, gigabyte, 0), ...(lists && { lists }) });
  const account = viewedAccount({ memory, figures, collectors: Object.keys(figures) });
  return readChanges(account, Date.now())[since].list;
}

describe('the changes of an account', () => {
  it('name what came and went', () => {
    const before = { databases: { a: 1, constructor: 1 } };
    const databases: readonly Figure[] = [
      ['hosting_databases', 3],
      ...['b', 'constructor', '__proto__'].map((database): Figure => ['hosting_database_size_bytes', 1, { database }]),
    ];

    expect(changesSince({ 1: before }, { databases })).toEqual([
      { kind: 'databases', name: 'a', before: 1, after: undefined },
      { kind: 'databases', name: 'b', before: undefined, after: 1 },
      { kind: 'databases', name: '__proto__', before: undefined, after: 1 },
    ]);
  });

  it('tell sites with equal names apart by their IDs, also above 2^53', () => {
    const [large, larger] = ['9007199254740992', '9007199254740993'];
    const figures = [
      ['hosting_sites', 3],
      ['hosting_site_info', 1, { site_id: '1', site: 'www' }],
      ['hosting_site_info', 1, { site_id: larger, site: 'www' }],
      ['hosting_site_info', 1, { site_id: '4', site: '' }],
    ] as const;

    expect(changesSince({ 1: { sites: { 1: 'www', [large]: 'www', 3: 'shop' } } }, { sites: figures })).toEqual([
      { kind: 'sites', name: 'shop', before: 'shop', after: undefined },
      { kind: 'sites', name: `www (${large})`, before: 'www', after: undefined },
      { kind: 'sites', name: '4', before: undefined, after: '' },
      { kind: 'sites', name: `www (${larger})`, before: undefined, after: 'www' },
    ]);
  });

  it.each<[string, Figure, string, number | string, boolean]>([
    ['disk', ['hosting_account_disk_usage_bytes', 1.02 * gigabyte], 'shop', gigabyte, true],
    ['disk', ['hosting_account_disk_usage_bytes', 0.98 * gigabyte], 'shop', gigabyte, true],
    ['disk', ['hosting_account_disk_usage_bytes', 1.01 * gigabyte], 'shop', gigabyte, false],
    ['expires', ['hosting_domain_expiry_timestamp_seconds', 9, { domain: 'd' }], 'd', 8, true],
    ['expires', ['hosting_domain_expiry_timestamp_seconds', 8, { domain: 'd' }], 'd', 9, false],
    ['php', ['hosting_site_domain_info', 1, { domain: 'd', php_version: '8.3' }], 'd', '8.2', true],
    ['php', ['hosting_site_domain_info', 1, { domain: 'd', php_version: '8.3' }], 'd', '8.3', false],
    ['php', ['hosting_site_domain_info', 1, { domain: 'd', php_version: '' }], 'd', '8.3', false],
    ['mailboxes', ['hosting_mailboxes_forwarding', 2, { domain: 'd' }], 'd', 1, true],
    ['mailboxes', ['hosting_mailboxes_forwarding', 1, { domain: 'd' }], 'd', 2, false],
    ['mailboxes', ['hosting_mailboxes_forwarding', 1, { domain: 'd' }], 'other', 0, false],
  ])('of %s from %j are those that matter', (kind, figure, name, before, matters) => {
    const changes = changesSince({ 1: { [kind]: { [name]: before } } }, { account: [figure] });

    expect(changes.map((change) => change.kind)).toEqual(matters ? [kind] : []);
  });

  it.each([
    [100 * megabyte, 110 * megabyte, 1],
    [100 * megabyte, 109 * megabyte, 0],
    [1000 * megabyte, 1090 * megabyte, 0],
    [10 * megabyte, 20 * megabyte, 1],
    [10 * megabyte, 20 * megabyte - 1, 0],
    [100 * megabyte, 50 * megabyte, 0],
  ])('of a database from %i to %i bytes: %i', (before, after, count) => {
    const databases: readonly Figure[] = [
      ['hosting_databases', 1],
      ['hosting_database_size_bytes', after, { database: 'shop_main' }],
    ];

    expect(changesSince({ 1: { databases: { shop_main: before } } }, { databases })).toHaveLength(count);
  });

  it('compare no incomplete list, and say so if its collector is enabled', () => {
    const incomplete = [['hosting_site_info', 1, { site_id: '1', site: 'a' }]] as const;
    const notCompared = [{ kind: 'sites', name: '' }];

    expect(changesSince({ 1: { sites: { 1: 'a', 2: 'b' } } }, { sites: incomplete })).toEqual(notCompared);
    expect(changesSince({ 1: { php: {} } }, { sites: sites('a') })).toEqual(notCompared);
    expect(changesSince({ 1: { sites: { 1: 'a' } } }, { account: [] })).toEqual([]);
  });

  it('compare with exactly that day', () => {
    const lists = { 1: { sites: { 0: 'a' } }, 7: { sites: { 9: 'b' } } };

    expect(changesSince(lists, { sites: sites('a') })).toHaveLength(0);
    expect(changesSince(lists, { sites: sites('a') }, 'lastWeek')).toHaveLength(2);
    expect(changesSince({ 6: {}, 8: {} }, { sites: sites('a') }, 'lastWeek')).toHaveLength(0);
  });
});

describe('of a day that the account does not remember', () => {
  const databases = (...sizes: readonly (readonly [string, number])[]): readonly Figure[] => [
    ['hosting_databases', sizes.length],
    ...sizes.map(([database, size]): Figure => ['hosting_database_size_bytes', size, { database }]),
  ];
  /** A payload of stat/getDbLoad with the sizes of days. */
  const reported = (days: Readonly<Record<string, number | null>>) => {
    const rows = Object.entries(days).map(([date, value]) => {
      const start = Date.parse(`${date}T00:00+03:00`);
      return { period: { start, end: start + 86_400_000 }, value };
    });
    return JSON.stringify({ hours: [], days: [], sizeDays: rows });
  };
  const read = (memory: DailyMemory, settlingTime = 0) => {
    fakeDate(noon);
    const account = viewedAccount({
      timeZone: 'Europe/Moscow',
      memory,
      figures: { databases: databases(['main', 90 * megabyte], ['new', 50 * megabyte], ['calm', 20 * megabyte]) },
      collectors: ['databases', 'database_load_detail', 'sites'],
    });
    const days = { '2026-05-27': 40 * megabyte, '2026-06-01': null, '2026-06-02': 70 * megabyte, [today]: 0 };
    const sizes = { main: days, gone: days, calm: { '2026-06-02': 20 * megabyte }, new: { [today]: 0 } };
    for (const [database, rows] of Object.entries(sizes)) {
      const result = resultOf(account.store, { payload: reported(rows) });
      account.store.set('database_load_detail', keyOf({ database }), result);
    }
    return readChanges(changed(account, { settlingTime }), Date.now());
  };
  const grown = (before: number) => {
    const list = [{ kind: 'databases', name: 'main', before: before * megabyte, after: 90 * megabyte }];
    return { isRemembered: false, list, grown: list };
  };

  it('only sizes that the API still reports are compared', () => {
    expect(read(emptyMemory)).toEqual({ yesterday: grown(70), lastWeek: grown(40) });
  });

  it('a size is compared only if its day ended at least settling_time ago', () => {
    const sinceMidnight = Date.parse(noon) - Date.parse(`${today}T00:00+03:00`);

    expect(read(emptyMemory, sinceMidnight).yesterday).toEqual(grown(70));
    expect(read(emptyMemory, sinceMidnight + 1).yesterday).toEqual({ isRemembered: false, list: [] });
  });

  it('nothing of the API replaces what the account remembers', () => {
    const memory = dailyMemory({ date: today, disk: [1, 1], lists: { 1: { databases: {} } } });

    const { yesterday, lastWeek } = read(memory);

    expect(yesterday.list.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'sites ',
      'databases main',
      'databases new',
      'databases calm',
    ]);
    expect(yesterday.grown?.map(({ name }) => name)).toEqual(['main', 'new', 'calm']);
    expect(lastWeek).toEqual(grown(40));
  });
});

it('charts begin on the second day', () => {
  fakeDate(noon);
  const account = (disk: readonly (number | null)[]) => viewedAccount({ memory: dailyMemory({ date: today, disk }) });

  const { diskDays: month } = readDays(account(growing(40, 40, 1)), Date.now());
  expect(month?.values).toEqual(growing(30, 40, 1));
  expect([month?.from, month?.to]).toEqual([Date.parse('2026-05-05T12:00:00Z'), Date.now()]);
  expect(readDays(account([1]), Date.now()).diskDays).toBeUndefined();
  expect(readDays(account([1, null, 2]), Date.now()).diskDays?.values.slice(-4)).toEqual([undefined, 1, undefined, 2]);
  expect(readDays(account([1, 2]), Date.now()).balanceDays?.values.slice(-3)).toEqual([undefined, 500, 500]);
  expect(readDays(account([1, 2]), Date.now()).loadDays?.values.slice(-3)).toEqual([undefined, 12.5, 12.5]);
});

describe('the list of accounts', () => {
  const filling = { memory: dailyMemory({ date: today, disk: growing(10, 88 * gigabyte, gigabyte) }) };
  const disk: readonly Figure[] = [
    ['hosting_account_disk_usage_bytes', 80 * gigabyte],
    ['hosting_account_disk_limit_bytes', 100 * gigabyte],
  ];

  it('warns of a disk that will be full, by the threshold of the account', async () => {
    fakeDate(noon);
    const memory = dailyMemory({ date: today, disk: growing(10, 80 * gigabyte, 2 * gigabyte) });
    const thresholds = [{ alert: 'HostingDiskFillingUp', severity: 'warning', value: 5 }] as const;
    const accounts = [
      viewedAccount({ name: 'a', memory, figures: { account: disk } }),
      viewedAccount({ name: 'b', memory, figures: { account: disk }, thresholds: [...thresholds] }),
    ];

    const overview = await readOverview(accounts, new URLSearchParams(), Date.now());

    expect(overview.accounts.map(({ state, diskFull }) => [state, Math.round(diskFull?.days ?? 0)])).toEqual([
      ['warning', 10],
      ['ok', 10],
    ]);
  });

  it.each([
    [12, 12],
    [13, 0],
  ])('of %i accounts has the changes of %i', async (count, expected) => {
    fakeDate(noon);
    const accounts = Array.from({ length: count }, (_, index) =>
      viewedAccount({ name: `a${index}`, ...filling, figures: { account: disk, sites: sites('a') } }),
    );

    const overview = await readOverview(accounts, new URLSearchParams(), Date.now());

    expect(overview.changes).toHaveLength(expected);
  });
});
