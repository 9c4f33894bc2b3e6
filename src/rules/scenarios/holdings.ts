import { at, hold, inTurn, missing, type Stage, type Theme } from './scenario.ts';

const last = 'hosting_backup_last_timestamp_seconds';
const listed = 'hosting_backups';
const day = 1440;

/** Backups, and what an account holds. */
export function holdings(stage: Stage): Theme {
  const old = stage.threshold('HostingBackupTooOld', 'warning', 5);
  const aged = stage.wait('HostingBackupTooOld', 'warning');
  const missingFor = stage.knob('HostingBackupMissing', 'memory', 4320);
  const confirmed = stage.wait('HostingBackupMissing', 'warning');
  const collapse = stage.wait('HostingInventoryCollapsed', 'warning');
  const share = stage.threshold('HostingInventoryCollapsed', 'warning', 0.5);
  const files = { account: 'shop', kind: 'files' };
  const databases = { account: 'shop', kind: 'databases' };
  const rest = Math.ceil(100 * share) - 1;

  return {
    name: 'holdings',
    scenarios: [
      {
        name: 'the newest backup of the files is too old, that of the databases is not',
        minutes: aged + 60,
        series: {
          ...stage.up(aged + 60),
          ...stage.up(aged + 60, 'b'),
          [stage.series(last, files)]: hold(at(-old - 1), aged + 61),
          [stage.series(last, files, 'b')]: hold(at(-old - 1), aged + 61),
          [stage.series(last, databases)]: hold(at(-old + 1), aged + 61),
        },
        truths: [
          {
            alert: 'HostingBackupTooOld',
            since: 0,
            labels: files,
            value: (minute) => old + 1 + minute / day,
          },
        ],
        tempted: [],
      },
      {
        name: 'backups with gaps of days; backups of databases that are all dropped; a late backup',
        minutes: aged + 120,
        series: {
          ...stage.up(aged + 120),
          [stage.series(last, files)]: hold(at(-old + 0.5), aged + 121),
          [stage.series(last, { account: 'static', kind: 'databases' })]: hold(at(-300), aged + 121),
          [stage.series('hosting_databases', { account: 'static' })]: hold(0, aged + 121),
          [stage.series(last, { account: 'late', kind: 'files' })]: inTurn(
            hold(at(-old - 1), Math.max(1, aged)),
            hold(0, 121),
          ),
        },
        truths: [],
        tempted: ['HostingBackupTooOld'],
      },
      {
        name: 'not one backup for days; other accounts are new, have nothing to save, or had one in between',
        minutes: missingFor + confirmed + 60,
        every: 5,
        series: {
          ...stage.up(missingFor + confirmed + 60),
          [stage.series(listed, files)]: hold(0, missingFor + confirmed + 61),
          [stage.series(listed, { account: 'new', kind: 'files' })]: inTurn(
            missing(day),
            hold(0, missingFor + confirmed + 61 - day),
          ),
          [stage.series(listed, { account: 'static', kind: 'databases' })]: hold(0, missingFor + confirmed + 61),
          [stage.series('hosting_databases', { account: 'static' })]: hold(0, missingFor + confirmed + 61),
          [stage.series(listed, { account: 'gap', kind: 'files' })]: inTurn(
            hold(0, day),
            hold(1, 60),
            hold(0, missingFor + confirmed + 1 - day),
          ),
        },
        truths: [{ alert: 'HostingBackupMissing', since: missingFor, labels: files, value: 0 }],
        tempted: [],
      },
      {
        name: 'the provider lists no backup for some days, then again',
        minutes: missingFor + 120,
        every: 5,
        series: {
          ...stage.up(missingFor + 120),
          [stage.series(listed, files)]: inTurn(hold(7, 60), hold(0, missingFor - 60), hold(1, 121)),
        },
        truths: [],
        tempted: ['HostingBackupMissing'],
      },
      {
        name: 'sites, domains, databases and cron tasks collapse, as two exporters see it at different minutes',
        minutes: collapse + 120,
        series: {
          ...stage.up(collapse + 120),
          ...stage.up(collapse + 120, 'b'),
          [stage.series('hosting_sites', { account: 'shop' })]: inTurn(hold(100, 30), hold(rest, collapse + 91)),
          [stage.series('hosting_sites', { account: 'shop' }, 'b')]: inTurn(hold(100, 45), hold(rest, collapse + 76)),
          [stage.series('hosting_domains', { account: 'shop' })]: inTurn(hold(100, 30), hold(rest, collapse + 91)),
          [stage.series('hosting_databases', { account: 'shop' })]: inTurn(hold(100, 30), hold(0, collapse + 91)),
          [stage.series('hosting_cron_tasks', { account: 'shop', state: 'enabled' })]: inTurn(
            hold(100, 30),
            hold(rest, collapse + 91),
          ),
          [stage.series('hosting_cron_tasks', { account: 'shop', state: 'disabled' })]: inTurn(
            hold(0, 30),
            hold(100, collapse + 91),
          ),
        },
        truths: [
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
        tempted: [],
      },
      {
        name: 'some are deleted, an account is empty, a poll answers an empty list once, the exporter restarts',
        minutes: collapse + 180,
        series: {
          ...stage.up(collapse + 180),
          [stage.series('hosting_sites', { account: 'shop' })]: inTurn(hold(100, 30), hold(rest + 2, collapse + 151)),
          [stage.series('hosting_sites', { account: 'empty' })]: hold(0, collapse + 181),
          [stage.series('hosting_sites', { account: 'odd' })]: inTurn(
            hold(20, 30),
            hold(0, Math.max(1, collapse)),
            hold(20, 151),
          ),
          [stage.series('hosting_databases', { account: 'shop' })]: inTurn(
            hold(20, 30),
            missing(10),
            hold(20, collapse + 141),
          ),
        },
        truths: [],
        tempted: ['HostingInventoryCollapsed'],
      },
    ],
  };
}
