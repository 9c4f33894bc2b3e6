import { figures, type Scope } from './figures.ts';
import type { RuleGroup, RuleWriter } from './rule.ts';
import { label, value } from './text.ts';

const backupAge = 'account_kind:hosting_backup_age_days:min';
const backups = 'account_kind:hosting_backups:max';
const inventory = 'account_kind:hosting_inventory:count';

/** Accounts without databases: no backups of these are no fault, and old ones are no news. */
export function nothingToSave(scope: Scope): string {
  return `label_replace(${figures.databases.expression(scope)} == 0, "kind", "databases", "", "")`;
}

/** What an account holds: its backups, and whether its sites, domains, databases and cron tasks are still there. */
export function holdingsRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const memory = writer.knob('HostingBackupMissing', 'memory');
  const lastDay = writer.knob('HostingInventoryCollapsed', 'memory');
  const counted = [
    ['sites', figures.sites],
    ['domains', figures.domains],
    ['databases', figures.databases],
    ['cron_tasks', figures.cronTasks],
  ] as const;

  return {
    name: 'hosting-holdings',
    rules: [
      { record: backupAge, expr: figures.backupAge.expression(scope) },
      { record: backups, expr: figures.backups.expression(scope) },
      ...writer.alert('HostingBackupMissing', {
        summary: 'Hosting account has no backup at all.',
        description: [
          'The provider has listed no backup of the ',
          label('kind'),
          ' of account ',
          label('account'),
          ' for days. What is lost now cannot be restored from there.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          writer.passed(
            'HostingBackupMissing',
            severity,
            [
              '(',
              `    max_over_time(${backups}[${memory}])`,
              '  and',
              `    ${backups}`,
              '  and',
              `    present_over_time(${backups}[${writer.time('1h')}] offset ${memory})`,
              '  unless',
              `    ${nothingToSave(scope)}`,
              ')',
            ].join('\n'),
            backups,
            'kind',
          ),
      }),
      ...writer.alert('HostingBackupTooOld', {
        summary: 'Newest backup of a hosting account is too old.',
        description: [
          'The newest backup of the ',
          label('kind'),
          ' of account ',
          label('account'),
          ' is ',
          value('tenths'),
          ' days old',
          '. What changed since then cannot be restored from the provider.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          writer.passed(
            'HostingBackupTooOld',
            severity,
            `(${backupAge} unless ${nothingToSave(scope)})`,
            backupAge,
            'kind',
          ),
      }),
      ...counted.map(([kind, figure]) => ({
        record: inventory,
        expr: figure.expression(scope),
        labels: { kind },
      })),
      ...writer.alert('HostingInventoryCollapsed', {
        summary: 'Hosting account lost most of its sites, domains, databases or cron tasks.',
        description: [
          'Account ',
          label('account'),
          ' has only ',
          value('percent'),
          ' of the ',
          label('kind'),
          ' that it had within the last day. Deleted, switched off, or no longer shown by the provider.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          writer.passed(
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
