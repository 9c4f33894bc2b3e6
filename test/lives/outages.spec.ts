import type { AccountLife, Reason } from './account.ts';
import { check } from './check.ts';
import { type Hours, type Life, mail, page, perhaps, type Want, type World } from './world.ts';

const isIn = (hour: number, parts: readonly Hours[]) => parts.some(([from, to]) => hour >= from && hour < to);

/** Eight accounts with the same events. One account is above its quota, and another uses 90 % of its quota. */
function fleet(common: AccountLife, wants: readonly Want[] = []): readonly Life[] {
  const disks = [40, 40, 40, 40, 40, 40, 90, 101];
  const known: Readonly<Record<number, Want>> = {
    90: mail('DiskAlmostFull', [-48, 1]),
    101: page('DiskAlmostFull', [-48, 1]),
  };
  return disks.map((disk, index) => ({
    name: `account ${index} at ${disk} %`,
    account: { disk, ...(index === 0 && { complete: true as const }), ...common },
    wants: [...(known[disk] === undefined ? [] : [known[disk]]), ...wants],
  }));
}

/** Number of messages about the disks of a `fleet`. */
const disks = 2;

function world(name: string, others: Partial<World> & Pick<World, 'lives'>): World {
  return { name, hours: 8, history: 48, ...others };
}

const failing = (reason: Reason, ...parts: readonly Hours[]): AccountLife => ({
  failing: (hour) => (isIn(hour, parts) ? reason : undefined),
});

check(
  world('an outage of the provider of five minutes', { lives: fleet(failing('timeout', [2, 2.09])), messages: disks }),
);

check(
  world('an outage of the provider of ten hours', {
    hours: 14,
    lives: fleet(failing('http', [2, 12])),
    wants: [page('ProviderUnreachable', [2.15, 2.6], [12, 13.1])],
    messages: disks + 1,
  }),
);

check(
  world('a provider that fails for ten minutes in every half hour', {
    lives: fleet(
      failing('timeout', ...Array.from({ length: 10 }, (_, index) => [2 + index / 2, 2.17 + index / 2] as const)),
    ),
    wants: [perhaps(page('ProviderUnreachable', [2, 7], [2.5, 8]))],
    messages: disks + 1,
  }),
);

check(
  world('all logins are rejected by night: told in the morning', {
    hours: 28,
    lives: fleet(failing('auth', [17, 40])),
    wants: [page('MostLoginsRejected', [23.9, 24.5])],
    messages: disks + 1,
  }),
);

check(
  world('the provider closes a section to all accounts', {
    lives: fleet(
      { sites: 6, failing: (hour, collector) => (collector === 'sites' && hour > 2 ? 'permission' : undefined) },
      [mail('PermissionMissing', [2.2, 3.2])],
    ),
    messages: disks + 1,
  }),
);

check(
  world('the backups of all accounts stop', {
    hours: 140,
    scrapeSeconds: 300,
    evaluationSeconds: 300,
    lives: fleet({ newestBackup: (hour) => Math.min(-4, Math.floor((hour - 20) / 24) * 24 + 20) }, [
      mail('BackupTooOld', [116, 120]),
      mail('BackupTooOld', [116, 120]),
    ]),
    messages: disks + 1,
  }),
);

check(
  world('a new pod replaces the exporter within three minutes', {
    exporters: { a: { absent: [[2, 8]] }, c: { absent: [[-48, 2.05]] } },
    lives: fleet({ exporter: (hour) => (hour < 2 ? 'a' : 'c') }),
    messages: disks,
  }),
);

check(
  world('a new pod replaces the exporter and never answers', {
    exporters: { a: { absent: [[2, 8]] }, c: { absent: [[-48, 2.05]], down: [[2.05, 8]] } },
    lives: fleet({}),
    wants: [page('ExporterDown', [2.08, 2.6])],
    messages: disks + 1,
  }),
);

check(
  world('one exporter of a pair is rejected for five hours', {
    exporters: { a: {}, b: {} },
    lives: fleet({}).map((life) => ({
      ...life,
      replica: { ...life.account, exporter: () => 'b', ...failing('auth', [2, 7]) },
    })),
    wants: [mail('ExporterCannotPoll', [2.5, 3], [7, 8])],
    messages: disks + 1,
  }),
);
