import { atDay, hold, missing, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const last = 'hosting_backup_last_timestamp_seconds';
const listed = 'hosting_backups';
const day = 1440;

/** Backups, and what an account holds. */
export function inventory(builder: ScenarioBuilder): TestSuite {
  const old = builder.threshold('HostingBackupTooOld', 'warning', 5);
  const aged = builder.forMinutes('HostingBackupTooOld', 'warning');
  const missingFor = builder.parameter('HostingBackupMissing', 'memory', 4320);
  const confirmed = builder.forMinutes('HostingBackupMissing', 'warning');
  const collapse = builder.forMinutes('HostingInventoryCollapsed', 'warning');
  const share = builder.threshold('HostingInventoryCollapsed', 'warning', 0.5);
  const files = { account: 'shop', kind: 'files' };
  const databases = { account: 'shop', kind: 'databases' };
  const rest = Math.ceil(100 * share) - 1;

  return {
    name: 'inventory',
    scenarios: [
      {
        name: 'the newest backup of the files is too old, that of the databases is not',
        minutes: aged + 60,
        series: {
          ...builder.up(aged + 60),
          ...builder.up(aged + 60, 'b'),
          [builder.series(last, files)]: hold(atDay(-old - 1), aged + 61),
          [builder.series(last, files, 'b')]: hold(atDay(-old - 1), aged + 61),
          [builder.series(last, databases)]: hold(atDay(-old + 1), aged + 61),
        },
        expected: [
          {
            alert: 'HostingBackupTooOld',
            since: 0,
            labels: files,
            value: (minute) => old + 1 + minute / day,
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'backups with gaps of days; backups of databases that are all dropped; a late backup',
        minutes: aged + 120,
        series: {
          ...builder.up(aged + 120),
          [builder.series(last, files)]: hold(atDay(-old + 0.5), aged + 121),
          [builder.series(last, { account: 'static', kind: 'databases' })]: hold(atDay(-300), aged + 121),
          [builder.series('hosting_databases', { account: 'static' })]: hold(0, aged + 121),
          [builder.series(last, { account: 'late', kind: 'files' })]: sequence(
            hold(atDay(-old - 1), Math.max(1, aged)),
            hold(0, 121),
          ),
        },
        expected: [],
        mustNotFire: ['HostingBackupTooOld'],
      },
      {
        name: 'not one backup for days; other accounts are new, have nothing to save, or had one in between',
        minutes: missingFor + confirmed + 60,
        evaluationMinutes: 5,
        series: {
          ...builder.up(missingFor + confirmed + 60),
          [builder.series(listed, files)]: hold(0, missingFor + confirmed + 61),
          [builder.series(listed, { account: 'new', kind: 'files' })]: sequence(
            missing(day),
            hold(0, missingFor + confirmed + 61 - day),
          ),
          [builder.series(listed, { account: 'static', kind: 'databases' })]: hold(0, missingFor + confirmed + 61),
          [builder.series('hosting_databases', { account: 'static' })]: hold(0, missingFor + confirmed + 61),
          [builder.series(listed, { account: 'gap', kind: 'files' })]: sequence(
            hold(0, day),
            hold(1, 60),
            hold(0, missingFor + confirmed + 1 - day),
          ),
        },
        expected: [{ alert: 'HostingBackupMissing', since: missingFor, labels: files, value: 0 }],
        mustNotFire: [],
      },
      {
        name: 'the provider lists no backup for some days, then again',
        minutes: missingFor + 120,
        evaluationMinutes: 5,
        series: {
          ...builder.up(missingFor + 120),
          [builder.series(listed, files)]: sequence(hold(7, 60), hold(0, missingFor - 60), hold(1, 121)),
        },
        expected: [],
        mustNotFire: ['HostingBackupMissing'],
      },
      {
        name: 'sites, domains, databases and cron tasks collapse, as two exporters see it at different minutes',
        minutes: collapse + 120,
        series: {
          ...builder.up(collapse + 120),
          ...builder.up(collapse + 120, 'b'),
          [builder.series('hosting_sites', { account: 'shop' })]: sequence(hold(100, 30), hold(rest, collapse + 91)),
          [builder.series('hosting_sites', { account: 'shop' }, 'b')]: sequence(
            hold(100, 45),
            hold(rest, collapse + 76),
          ),
          [builder.series('hosting_domains', { account: 'shop' })]: sequence(hold(100, 30), hold(rest, collapse + 91)),
          [builder.series('hosting_databases', { account: 'shop' })]: sequence(hold(100, 30), hold(0, collapse + 91)),
          [builder.series('hosting_cron_tasks', { account: 'shop', state: 'enabled' })]: sequence(
            hold(100, 30),
            hold(rest, collapse + 91),
          ),
          [builder.series('hosting_cron_tasks', { account: 'shop', state: 'disabled' })]: sequence(
            hold(0, 30),
            hold(100, collapse + 91),
          ),
        },
        expected: [
          ...(
            [
              ['sites', 45, rest / 100],
              ['domains', 30, rest / 100],
              ['databases', 30, 0],
              ['cron_tasks', 30, rest / 100],
            ] as const
          ).map(([kind, since, value]) => ({
            alert: 'HostingInventoryCollapsed' as const,
            since,
            labels: { account: 'shop', kind },
            value,
          })),
        ],
        mustNotFire: [],
      },
      {
        name: 'some are deleted, an account is empty, a poll answers an empty list once, the exporter restarts',
        minutes: collapse + 180,
        series: {
          ...builder.up(collapse + 180),
          [builder.series('hosting_sites', { account: 'shop' })]: sequence(
            hold(100, 30),
            hold(rest + 2, collapse + 151),
          ),
          [builder.series('hosting_sites', { account: 'empty' })]: hold(0, collapse + 181),
          [builder.series('hosting_sites', { account: 'odd' })]: sequence(
            hold(20, 30),
            hold(0, Math.max(1, collapse)),
            hold(20, 151),
          ),
          [builder.series('hosting_databases', { account: 'shop' })]: sequence(
            hold(20, 30),
            missing(10),
            hold(20, collapse + 141),
          ),
        },
        expected: [],
        mustNotFire: ['HostingInventoryCollapsed'],
      },
    ],
  };
}
