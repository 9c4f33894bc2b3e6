import { figures, merged, type Scope } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

const { backupAge, backups, inventory, forwarding } = records;

/** Accounts without databases, for which missing or old database backups are normal. */
export function accountsWithoutDatabases(scope: Scope): string {
  return `label_replace(${figures.databases.expression(scope)} == 0, "kind", "databases", "", "")`;
}

/** Rules about backups, a sudden loss of sites, domains, databases or cron tasks, and mailboxes that start to forward. */
export function inventoryRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const memory = builder.parameter('HostingBackupMissing', 'memory');
  const lastDay = builder.parameter('HostingInventoryCollapsed', 'memory');
  const forwardingMemory = builder.parameter('HostingMailForwardingStarted', 'memory');
  const withoutDatabases = accountsWithoutDatabases(scope);
  const counted = [
    ['sites', figures.sites],
    ['domains', figures.domains],
    ['databases', figures.databases],
    ['cron_tasks', figures.cronTasks],
  ] as const;

  return {
    name: 'hosting-inventory',
    rules: [
      {
        record: backups,
        expr: listedBackups(builder),
        comment:
          'The number of listed backups. 0 if the API answers without the number of backups, but reported it within the last day.',
      },
      {
        record: records.backupTime,
        expr: newestBackup(builder),
        comment: 'The time of the newest backup. While the list of backups is empty, the last known time is kept.',
      },
      { record: backupAge, expr: `(time() - ${records.backupTime}) / 86400` },
      ...builder.alert('HostingBackupMissing', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingBackupMissing',
            severity,
            [
              '(',
              `    max_over_time(${backups}[${memory}])`,
              '  and',
              `    ${backups}`,
              '  and',
              `    present_over_time(${backups}[${builder.duration('1h')}] offset ${memory})`,
              '  unless',
              `    ${withoutDatabases}`,
              ')',
            ].join('\n'),
            backups,
            'kind',
          ),
      }),
      ...builder.alert('HostingBackupTooOld', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingBackupTooOld',
            severity,
            `(${backupAge} unless ${withoutDatabases})`,
            backupAge,
            'kind',
          ),
      }),
      ...counted.map(([kind, figure]) => ({
        record: inventory,
        expr: builder.remembered({ record: inventory, kind, collector: kind, current: figure.expression(scope) }),
        labels: { kind },
      })),
      ...builder.alert('HostingInventoryCollapsed', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingInventoryCollapsed',
            severity,
            `${inventory} / (max_over_time(${inventory}[${lastDay}]) > 0)`,
            inventory,
            'kind',
          ),
      }),
      { record: forwarding, expr: figures.mailboxesForwarding.expression(scope) },
      ...builder.alert('HostingMailForwardingStarted', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingMailForwardingStarted',
            severity,
            `(${forwarding} - min_over_time(${forwarding}[${forwardingMemory}]))`,
            forwarding,
            'domain',
          ),
      }),
    ],
  };
}

function listedBackups(builder: RuleBuilder): string {
  const current = builder.remembered({
    record: backups,
    collector: 'backups',
    current: figures.backups.expression(builder.scope),
    detail: ['kind'],
  });
  const answers = `and ignoring (collector, kind) ${builder.collectorSuccess('backups')} == 1`;
  const before = builder.stateless
    ? `last_over_time((${figures.backups.expression(builder.scope)})[${builder.duration('7d')}:1h])`
    : `last_over_time(${backups}[${builder.duration('1d')}])`;
  return `${current}\nor\n0 * ${before} ${answers}`;
}

function newestBackup(builder: RuleBuilder): string {
  const { scope } = builder;
  const current = builder.remembered({
    record: records.backupTime,
    collector: 'backups',
    current: merged(scope, 'hosting_backup_last_timestamp_seconds'),
    detail: ['kind'],
  });
  if (builder.stateless) return current;
  return `${current}\nor\nlast_over_time(${records.backupTime}[${scope.window}]) and ${backups} == 0`;
}
