import { figures, type Scope } from './figures.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { label, value } from './template.ts';

const backupAge = 'account_kind:hosting_backup_age_days:min';
const backups = 'account_kind:hosting_backups:max';
const inventory = 'account_kind:hosting_inventory:count';

/** Accounts without databases, for which missing or old database backups are normal. */
export function accountsWithoutDatabases(scope: Scope): string {
  return `label_replace(${figures.databases.expression(scope)} == 0, "kind", "databases", "", "")`;
}

/** Backups, and a sudden loss of sites, domains, databases or cron tasks. */
export function inventoryRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const memory = builder.parameter('HostingBackupMissing', 'memory');
  const lastDay = builder.parameter('HostingInventoryCollapsed', 'memory');
  const counted = [
    ['sites', figures.sites],
    ['domains', figures.domains],
    ['databases', figures.databases],
    ['cron_tasks', figures.cronTasks],
  ] as const;

  return {
    name: 'hosting-inventory',
    rules: [
      { record: backupAge, expr: figures.backupAge.expression(scope) },
      { record: backups, expr: figures.backups.expression(scope) },
      ...builder.alert('HostingBackupMissing', {
        summary: 'Hosting account has no backup.',
        description: [
          'The provider has listed no backup of the ',
          label('kind'),
          ' of account ',
          label('account'),
          ' for days. Data lost now cannot be restored from the provider.',
        ],
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
              `    ${accountsWithoutDatabases(scope)}`,
              ')',
            ].join('\n'),
            backups,
            'kind',
          ),
      }),
      ...builder.alert('HostingBackupTooOld', {
        summary: 'Newest backup of a hosting account is too old.',
        description: [
          'The newest backup of the ',
          label('kind'),
          ' of account ',
          label('account'),
          ' is ',
          value('tenths'),
          ' days old. Later changes cannot be restored from the provider.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingBackupTooOld',
            severity,
            `(${backupAge} unless ${accountsWithoutDatabases(scope)})`,
            backupAge,
            'kind',
          ),
      }),
      ...counted.map(([kind, figure]) => ({
        record: inventory,
        expr: figure.expression(scope),
        labels: { kind },
      })),
      ...builder.alert('HostingInventoryCollapsed', {
        summary: 'Hosting account lost most of its sites, domains, databases or cron tasks.',
        description: [
          'Account ',
          label('account'),
          ' has only ',
          value('percent'),
          ' of the ',
          label('kind'),
          ' that it had within the last day. They were deleted, disabled, or are no longer listed by the provider.',
        ],
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
    ],
  };
}
