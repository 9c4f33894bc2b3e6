import { check } from './check.ts';
import { type Life, mail, page, perhaps, type World } from './world.ts';

/** Accounts with and without problems. Their notifications must not depend on the state of Prometheus. */
function lives(): readonly Life[] {
  return [
    { name: 'everything is fine', account: { complete: true }, wants: [] },
    { name: 'stable at 96 % with 4 GB free', account: { disk: 96 }, wants: [mail('DiskAlmostFull', [-96, 1])] },
    { name: 'above the quota', account: { disk: 101 }, wants: [page('DiskAlmostFull', [-96, 1])] },
    {
      name: 'a backup of 18 GB every night',
      account: { disk: (hour) => (((hour % 24) + 24) % 24 < 3 ? 78 : 60) },
      wants: [],
    },
    {
      name: 'grows by 2 GB a day',
      account: { disk: (hour) => 73 + hour / 12 },
      wants: [mail('DiskFillingUp', [-60, 10])],
    },
    { name: 'suspended in five days', account: { suspended: 120 }, wants: [mail('AccountBlockedSoon', [-60, 2])] },
    {
      name: 'a domain expires in twenty days',
      account: { domains: { 'shop.example': { expires: 480 } } },
      wants: [mail('DomainExpiring', [-96, 2])],
    },
    {
      name: 'the login is rejected',
      account: { failing: (hour) => (hour > -10 ? 'auth' : undefined) },
      wants: [mail('CredentialsRejected', [-10, 1])],
    },
  ];
}

const world = (name: string, others: Partial<World>): World => ({ name, hours: 10, lives: lives(), ...others });

check(world('Prometheus is away for twenty minutes', { away: [[6, 6.34]] }));

check(
  world('Prometheus restarts twice within the wait of an alert', {
    hours: 8,
    away: [
      [6.2, 6.24],
      [6.3, 6.34],
    ],
    lives: [
      ...lives(),
      {
        name: 'grows above 85 % at hour 6',
        account: { disk: (hour) => (hour < 6 ? 80 : 88) },
        wants: [mail('DiskAlmostFull', [6.4, 7])],
      },
      {
        name: 'exceeds its quota at hour 6',
        account: { disk: (hour) => (hour < 6 ? 80 : 102) },
        wants: [page('DiskAlmostFull', [6.2, 6.8])],
      },
    ],
  }),
);

check(
  world('Prometheus is away for seven hours', {
    hours: 22,
    away: [[6, 13]],
    lives: lives().map((life) => ({
      ...life,
      // Prometheus restores only alerts that are at most an hour old. After seven hours, each alert waits for its `for`
      // again.
      wants: life.wants.flatMap((wanted) => [
        perhaps({ ...wanted, ends: [13, 14] }),
        perhaps({ ...wanted, begins: [13, 22] }),
        perhaps(wanted),
      ]),
    })),
  }),
);

check(
  world('Prometheus starts with an empty history', {
    history: 0,
    lives: lives().map((life) => ({
      ...life,
      wants: life.wants.map((wanted) =>
        wanted.alert === 'HostingDiskFillingUp' ? perhaps(wanted) : { ...wanted, begins: [0, 2.5] as const },
      ),
    })),
  }),
);

check(
  world('Prometheus is away for twenty minutes while the provider is', {
    hours: 8,
    history: 96,
    away: [[3, 3.34]],
    lives: [0, 1, 2].map((index) => ({
      name: `account ${index}`,
      account: {
        complete: true,
        disk: index === 2 ? 101 : 40,
        failing: (hour) => (hour > 2 && hour < 5 ? 'timeout' : undefined),
      },
      wants: index === 2 ? [page('DiskAlmostFull', [-96, 1])] : [],
    })),
    wants: [page('ProviderUnreachable', [2.1, 2.6], [5, 6])],
  }),
);
