import { accountsWithoutDatabases } from './account-figures.ts';
import { busiestHourLastWeek, figures } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

/** Rules that read hours or days of data from other records. */
export function historyRules(builder: RuleBuilder): RuleGroup {
  const { diskUsage: usage, diskUsed: used, diskDayGrowth: dayGrowth, databaseSize: size, siteHour } = records;
  const { backups, inventory, forwarding } = records;
  const day = builder.duration('1d');
  const memoryOf = (alert: 'HostingBackupMissing' | 'HostingInventoryCollapsed' | 'HostingMailForwardingStarted') =>
    builder.parameter(alert, 'memory');
  const range = (record: string, window: string, step = '5m') => builder.range(record, window, step);
  const longWindow = builder.parameter('HostingDiskFillingUpFast', 'long');
  const inventoryMemory = memoryOf('HostingInventoryCollapsed');
  const backupMemory = memoryOf('HostingBackupMissing');
  const forwardingMemory = memoryOf('HostingMailForwardingStarted');

  return builder.slowGroup('hosting-history', [
    {
      record: dayGrowth,
      expr: `${usage} - ${usage} offset ${day}`,
      comment: 'Net growth over exactly one day. Changes that repeat every night cancel out.',
    },
    {
      record: records.diskHistory,
      expr: `group without () (present_over_time(${range(usage, '4d', '1h')} offset ${builder.duration('3d')}))`,
      comment:
        'Accounts whose usage three to seven days ago is known. A gap of hours or days does not make an account new.',
    },
    {
      record: records.diskGrowth,
      expr: [
        'min without (over) (',
        `label_replace((${usage} - ${usage} offset ${builder.duration('7d')}) / 7, "over", "7d", "", "")`,
        `or label_replace(quantile_over_time(0.5, ${range(dayGrowth, '3d', '1h')}), "over", "3d", "", "")`,
        `) and ${records.diskHistory}`,
        'or',
        `min_over_time(${range(dayGrowth, '6h', '1h')}) and present_over_time(${range(dayGrowth, '1h', '30m')} offset ${builder.duration('6h')})`,
      ].join('\n'),
      comment:
        'The smaller of two growth rates. The median of three days ignores a single upload or clean-up. The mean of a week includes\nweekly clean-ups. For an account without three days of history: the lowest growth in the last six hours.',
    },
    {
      record: records.diskPeak,
      expr: `max_over_time(${range(usage, builder.parameter('HostingDiskFillingUpFast', 'memory'))} offset ${longWindow})`,
    },
    ...(builder.has('HostingDiskAlmostFull', 'warning')
      ? [
          {
            record: records.diskRepeatedPeak,
            expr: [
              `max_over_time(${range(used, '14h', '15m')} offset ${builder.duration('12h')})`,
              `and min_over_time(${range(used, '12h', '15m')}) < ignoring (alert, severity) ${builder.endThreshold('HostingDiskAlmostFull', 'warning')}`,
            ].join('\n'),
            comment:
              'The peak 12 to 26 hours ago, if the usage has fallen afterwards, for example after a nightly backup.',
          },
        ]
      : []),
    {
      record: records.databaseYesterday,
      expr: `max_over_time(${range(size, builder.parameter('HostingDatabaseGrewFast', 'memory'))} offset ${day})\nand present_over_time(${range(size, '1h')} offset ${builder.duration('30h')})`,
      comment:
        'The maximum over some hours of yesterday. A restore that first empties the database does not count as growth.',
    },
    {
      record: records.siteLastWeek,
      expr: [
        `max_over_time(${range(siteHour, '1d', '20m')} offset ${builder.duration('6d12h')})`,
        `and present_over_time(${range(siteHour, '6h', '20m')} offset ${builder.duration('7d6h')})`,
        'or',
        busiestHourLastWeek(builder.scope, (text) => builder.duration(text)),
      ].join('\n'),
      comment:
        'The load of the busiest hour around the same day last week. Requires the hours of a complete day, because half a day may be the\nquiet half. If these hours are missing, for example after the import of a history, the record is an estimate from the load of\nthat day.',
    },
    {
      record: records.mostBackups,
      expr: [
        `max_over_time(${range(backups, backupMemory)})`,
        `and present_over_time(${range(backups, '1h')} offset ${backupMemory})`,
        `unless ${accountsWithoutDatabases(builder.scope)}`,
      ].join('\n'),
      comment: 'The largest number of backups in the window, for accounts that were monitored during the whole window.',
    },
    {
      record: records.largestInventory,
      expr: `max_over_time(${range(inventory, inventoryMemory)}) > 1\nor\nmax_over_time(${range(`${inventory}{kind!="cron_tasks"}`, inventoryMemory)})`,
      comment: 'The largest number within the last day. Excludes a single cron task, because users often disable it.',
    },
    { record: forwarding, expr: figures.mailboxesForwarding.expression(builder.scope) },
    {
      record: records.forwardingBefore,
      expr: `last_over_time(${range(forwarding, '2d')} offset ${forwardingMemory})\nor\nmin_over_time(${range(forwarding, forwardingMemory)})`,
      comment:
        'The number a day ago. If no poll succeeded on that day: the last number before that day. For a domain without such a\nnumber: the lowest number so far.',
    },
    ...builder.ifOn('HostingMailForwardingStarted', {
      record: records.forwardingAdded,
      expr: `${forwarding} - ${records.forwardingBefore}`,
    }),
  ]);
}
