import type { AccountLife, Reason } from './account.ts';
import { check } from './check.ts';
import { type Life, mail, page, perhaps, type World } from './world.ts';

const before = [-48, 0] as const;
const world = (name: string, others: Partial<World> & Pick<World, 'lives'>): World => ({
  name,
  hours: 10,
  history: 48,
  evaluationSeconds: 120,
  ...others,
});

/** The same life of each of eight accounts. */
const eight = (account: (index: number) => AccountLife, wants: (index: number) => Life['wants'] = () => []) =>
  Array.from({ length: 8 }, (_, index) => ({ name: `account ${index}`, account: account(index), wants: wants(index) }));

check(
  world('half a day of holes in the data, of pairs and of deadlines at night', {
    hours: 30,
    exporters: { a: {}, b: {} },
    lives: [
      { name: 'fine', account: { complete: true }, wants: [] },
      { name: 'fine on the other exporter', account: { exporter: () => 'b' }, wants: [] },
      {
        name: 'the polls fail for fifty minutes of every hour: the page stays',
        account: { disk: 101, failing: (hour) => (hour > 0 && hour % 1 > 0.17 ? 'timeout' : undefined) },
        wants: [page('DiskAlmostFull', before), perhaps(mail('AccountUnreachable', [0.4, 3]))],
      },
      {
        name: 'the quota is missing for three hours: the page stays',
        account: { disk: 101, quota: (hour) => (hour > 2 && hour < 5 ? undefined : 100) },
        wants: [page('DiskAlmostFull', before)],
      },
      {
        name: 'a permission is lost for ten hours: the page stays',
        account: {
          disk: 101,
          failing: (hour, collector) => (collector === 'account' && hour > 2 && hour < 12 ? 'permission' : undefined),
        },
        wants: [page('DiskAlmostFull', before), mail('PermissionMissing', [2.2, 3], [12, 13])],
      },
      {
        name: 'a log grows by 4 GB an hour while every second poll fails',
        account: {
          disk: (hour) => Math.min(95, Math.max(70, 70 + (hour - 2) * 4)),
          failing: (hour) => (Math.floor(hour * 12) % 2 === 0 && hour > 0 ? 'timeout' : undefined),
        },
        wants: [page('DiskFillingUpFast', [3.2, 6.5], [8, 9.5]), page('DiskAlmostFull', [6, 9.5])],
      },
      {
        name: 'one exporter of a pair fails after a clean-up, and shows the old figure until it expires',
        account: { disk: (hour) => (hour < 2.1 ? 90 : 50) },
        replica: {
          disk: (hour) => (hour < 2.1 ? 90 : 50),
          exporter: () => 'b',
          failing: (hour) => (hour > 2 && hour < 6 ? 'network' : undefined),
        },
        wants: [mail('DiskAlmostFull', before, [2.1, 7])],
      },
      {
        name: 'missing for an hour between two shards, with a full disk',
        account: { disk: 101, exporter: (hour) => (hour < 2 ? 'a' : hour < 3 ? undefined : 'b') },
        wants: [page('DiskAlmostFull', before), mail('AccountMissing', [2.3, 3], [3, 3.5])],
      },
      {
        name: 'removed, and added again three hours later: the alert ends within two hours',
        account: { disk: 90, exporter: (hour) => (hour < 2 || hour > 5 ? 'a' : undefined) },
        wants: [
          mail('DiskAlmostFull', before, [2.2, 4]),
          mail('DiskAlmostFull', [5.4, 6]),
          mail('AccountMissing', [2.3, 3], [5, 5.5]),
        ],
      },
      {
        name: 'the provider reports at five past midnight that two days are left: a page in the morning',
        account: { suspended: (hour) => (hour < 16.1 ? hour + 480 : 60) },
        wants: [page('AccountBlockedSoon', [23.9, 24.3]), perhaps(mail('AccountBlockedSoon', [17, 18.5], [18, 30]))],
      },
      {
        name: 'the provider reports at three in the morning that the suspension is due: someone is woken',
        account: { suspended: (hour) => (hour < 19 ? 100 : 18) },
        wants: [
          page('AccountBlockedToday', [19.2, 20]),
          mail('AccountBlockedSoon', before, [19.2, 20.2]),
          perhaps(page('AccountBlockedSoon', before, [19.2, 20.2])),
        ],
      },
      {
        name: 'from hour 2 on, the estimate changes between today and tomorrow every hour: one page',
        account: { suspended: (hour) => (hour > 2 && Math.floor(hour) % 2 === 0 ? hour - 1 : hour + 20) },
        wants: [
          page('AccountBlockedToday', [2.2, 2.8]),
          page('AccountBlockedSoon', before, [2.2, 2.8]),
          perhaps(mail('AccountBlockedSoon', before, [2.2, 2.8])),
        ],
      },
      {
        name: 'paid at ten in the evening, after the page of the day',
        account: { suspended: (hour) => (hour < 14 ? 40 : 2000) },
        wants: [page('AccountBlockedSoon', [-48, 1], [14, 19]), perhaps(mail('AccountBlockedSoon', before, [14, 19]))],
      },
      {
        name: 'the last day of a domain ends at midnight: a page in the morning',
        account: { domains: { 'shop.example': { renews: 1, expires: -8 } } },
        wants: [mail('DomainRenewalOverdue', before, [16, 24]), page('DomainExpired', [23.9, 24.3])],
      },
      {
        name: 'automatic renewal is turned off three weeks ahead',
        account: { domains: { 'shop.example': { renews: (hour) => (hour < 2 ? 1 : 0), expires: 500 } } },
        wants: [mail('DomainExpiring', [3, 9.6])],
      },
      {
        name: 'a database is emptied and restored in an hour',
        account: { databases: { main: (hour) => (hour > 2 && hour < 3 ? 0.1 : 2) } },
        wants: [],
      },
      {
        name: 'a database disappears: one of three',
        account: { databases: { one: 1, two: 1, three: (hour) => (hour < 2 ? 1 : undefined) } },
        wants: [],
      },
      {
        name: 'the only site disappears',
        account: { sites: (hour) => (hour < 2 ? 1 : 0) },
        wants: [mail('InventoryCollapsed', [3.4, 5], [27, 30])],
      },
    ],
  }),
);

const failsFrom = (from: number, to: number, reason: Reason) => (hour: number) =>
  hour > from && hour < to ? reason : undefined;

check(
  world('the files with the passwords are missing on one of two exporters', {
    exporters: { a: {}, b: {} },
    lives: eight((index) => (index < 4 ? { exporter: () => 'b', failing: failsFrom(2, 6, 'auth') } : {})),
    wants: [page('MostLoginsRejected', [2.1, 2.8], [6, 7])],
    messages: 1,
  }),
);

check(
  world('the exporter is down for half an hour during an outage of the provider', {
    exporters: { a: { down: [[3, 3.5]], restarts: [3.5] } },
    lives: eight(() => ({ failing: failsFrom(2, 6, 'timeout') })),
    wants: [page('ProviderUnreachable', [2.1, 2.6], [6, 7.2]), page('ExporterDown', [3.08, 3.4], [3.5, 4.3])],
    messages: 2,
  }),
);

check(
  world('the exporter does not answer for ten minutes of every half hour', {
    exporters: { a: { down: Array.from({ length: 8 }, (_, index) => [2 + index / 2, 2.17 + index / 2] as const) } },
    lives: eight(
      (index) => ({ disk: index === 0 ? 101 : 40 }),
      (index) => (index === 0 ? [page('DiskAlmostFull', before)] : []),
    ),
    wants: [page('ExporterDown', [2.1, 2.6], [5.9, 6.4])],
    messages: 2,
  }),
);

check(
  world('a rolling update replaces both shards within minutes', {
    exporters: {
      a: { absent: [[2, 10]] },
      b: { absent: [[2.1, 10]] },
      c: { absent: [[-48, 2.05]] },
      d: { absent: [[-48, 2.15]] },
    },
    lives: eight(
      (index) => ({
        disk: index === 0 ? 101 : 40,
        exporter: (hour) =>
          index % 2 === 0
            ? hour < 2
              ? 'a'
              : hour < 2.05
                ? undefined
                : 'c'
            : hour < 2.1
              ? 'b'
              : hour < 2.15
                ? undefined
                : 'd',
      }),
      (index) => (index === 0 ? [page('DiskAlmostFull', before)] : []),
    ),
    messages: 1,
  }),
);

check(
  world('the clock of the exporter is two hours behind', {
    lives: eight((index) => ({ clock: -2, ...(index === 0 && { complete: true }) })),
    wants: [mail('ClocksDisagree', [-48, 2])],
    messages: 1,
  }),
);

check(
  world('a label is added to the scrape target', {
    relabelled: 2,
    lives: eight(
      (index) => ({ disk: [101, 90][index] ?? 40, ...(index === 2 && { complete: true }) }),
      (index) => (index === 0 ? [page('DiskAlmostFull', before)] : index === 1 ? [mail('DiskAlmostFull', before)] : []),
    ),
    messages: 2,
  }),
);

check(
  world('one exporter of two reaches nothing, and polls two of three accounts', {
    exporters: { a: {}, b: {} },
    lives: eight((index) => (index < 2 ? { exporter: () => 'b', failing: failsFrom(2, 6, 'network') } : {})).slice(
      0,
      3,
    ),
    wants: [page('ProviderUnreachable', [2.1, 2.6], [6, 7])],
    messages: 1,
  }),
);

check(
  world('series are dropped in some polls: at most three notifications a day', {
    hours: 24,
    lives: [
      {
        name: 'in every second poll',
        account: { dropped: (hour) => (Math.floor(hour * 12) % 2 === 0 ? 5 : undefined) },
        wants: [perhaps(mail('SeriesDropped', [-48, 24]))],
      },
      {
        name: 'for an hour of every two',
        account: { dropped: (hour) => (Math.floor(hour) % 2 === 0 ? 5 : undefined) },
        wants: [mail('SeriesDropped', before)],
      },
      {
        name: 'for six hours of every twelve',
        account: { dropped: (hour) => (Math.floor(hour / 6) % 2 === 0 ? 5 : undefined) },
        wants: [mail('SeriesDropped', before)],
      },
    ],
  }),
);
