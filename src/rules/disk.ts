import { figures } from './figures.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { label, queryValue, type TemplatePart, value } from './template.ts';

const usage = 'account:hosting_account_disk_usage_bytes:max';
const limit = 'account:hosting_account_disk_limit_bytes:min';
const used = 'account:hosting_account_disk_usage_per_limit:ratio';
const dayGrowth = 'account:hosting_account_disk_usage_bytes:delta1d';
const growth = 'account:hosting_account_disk_growth_bytes_per_day:slower';
const daysToFull = 'account:hosting_account_disk_days_to_full:slow';
const hoursToFull = 'account:hosting_account_disk_hours_to_full:fast';
const databaseSize = 'account_database:hosting_database_size_bytes:max';

const freeBytes: TemplatePart = queryValue('; ', figures.diskFree.expression, 'bytes', ' are free');
const lastPoll: TemplatePart = queryValue(
  '. Last successful poll: ',
  (scope) => figures.dataAge.expression({ ...scope, matchers: `${scope.matchers},collector="account"` }),
  'duration',
  ' ago',
);

/** Disk space: almost full, full within hours, full within days, and fast-growing databases. */
export function diskRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const day = builder.duration('1d');
  const week = builder.duration('7d');
  const shortWindow = builder.parameter('HostingDiskFillingUpFast', 'short');
  const longWindow = builder.parameter('HostingDiskFillingUpFast', 'long');
  const fastMemory = builder.parameter('HostingDiskFillingUpFast', 'memory');
  const restore = builder.parameter('HostingDatabaseGrewFast', 'memory');
  const median = `quantile_over_time(0.5, ${dayGrowth}[${builder.duration('3d')}:${builder.duration('1h')}])`;

  return {
    name: 'hosting-disk',
    rules: [
      {
        record: usage,
        expr: figures.diskUsage.expression(scope),
        comment: 'Without the labels of the exporter: an HA pair counts once, and moving an account keeps its history.',
      },
      {
        record: limit,
        expr: figures.diskLimit.expression(scope),
        comment: 'A plan without a limit has no series, neither here nor in the rules below.',
      },
      { record: used, expr: `${usage} / (${limit} > 0)` },
      {
        record: dayGrowth,
        expr: `${usage} - ${usage} offset ${day}`,
        comment: 'Net growth over exactly one day, in which nightly changes cancel out.',
      },
      {
        record: growth,
        expr: [
          '(',
          `    (${usage} - ${usage} offset ${week}) / 7 < ${median}`,
          '  or',
          `    ${median}`,
          ')',
          'and',
          `present_over_time(${dayGrowth}[${builder.duration('6h')}] offset ${builder.duration('2d')})`,
        ].join('\n'),
        comment:
          'The median of three days, which a single upload or clean-up does not affect, or the mean of a week if that is less,\nso that a weekly clean-up counts. Requires three days of history, so that a first upload is not a trend.',
      },
      {
        record: daysToFull,
        expr: `(${limit} - ${usage} > 0) / (${growth} > 0)`,
      },
      {
        record: hoursToFull,
        expr: [
          `(${limit} - ${usage} > 0)`,
          '/',
          '(',
          '  (',
          `      deriv(${usage}[${shortWindow}]) < deriv(${usage}[${longWindow}])`,
          '    or',
          `      deriv(${usage}[${longWindow}])`,
          '  ) > 0',
          ')',
          '/ 3600',
        ].join('\n'),
        comment:
          'Uses the slower of two growth rates: the long one ignores bursts, the short one drops when the growth stops.',
      },
      ...builder.alert('HostingDiskAlmostFull', {
        summary: 'Hosting account is almost out of disk space.',
        description: [
          'Account ',
          label('account'),
          ' uses ',
          value('percent'),
          ' of its disk quota',
          freeBytes,
          lastPoll,
          '. At the quota, mail bounces, and uploads and database writes fail.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => builder.beyondThreshold('HostingDiskAlmostFull', severity, used, used),
      }),
      ...builder.alert('HostingDiskFillingUpFast', {
        summary: 'Hosting account runs out of disk space within hours.',
        description: [
          'Account ',
          label('account'),
          ' reaches its disk quota in about ',
          value('whole'),
          ' hours at the current growth rate',
          queryValue('; ', figures.diskUsedRatio.expression, 'percent', ' is used'),
          freeBytes,
          '. Find and stop what keeps writing: often a debug log, a backup into the home directory or an upload loop.',
        ],
        dashboard: 'hosting-account',
        comment:
          '`for` is as long as the short window, so that a single step leaves the window before the alert fires.',
        expr: (severity) =>
          [
            builder.beyondThreshold('HostingDiskFillingUpFast', severity, hoursToFull, hoursToFull),
            'and',
            `${used} >= ${builder.parameter('HostingDiskFillingUpFast', 'floor')}`,
            'and',
            `${usage} > max_over_time(${usage}[${fastMemory}] offset ${longWindow})`,
          ].join('\n'),
      }),
      ...builder.alert('HostingDiskFillingUp', {
        summary: 'Hosting account runs out of disk space within weeks.',
        description: [
          'Account ',
          label('account'),
          ' reaches its disk quota in about ',
          value('whole'),
          ' days at the growth rate of the last days',
          queryValue('; ', figures.diskUsedRatio.expression, 'percent', ' is used'),
          freeBytes,
          '.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          [
            builder.beyondThreshold('HostingDiskFillingUp', severity, daysToFull, daysToFull),
            'and',
            `${used} >= ${builder.parameter('HostingDiskFillingUp', 'floor')}`,
          ].join('\n'),
      }),
      {
        record: databaseSize,
        expr: figures.databaseSize.expression(scope),
      },
      ...builder.alert('HostingDatabaseGrewFast', {
        summary: 'Hosting database grew unusually fast.',
        description: [
          'Database ',
          label('database'),
          ' of account ',
          label('account'),
          ' is ',
          value('tenths'),
          ' times as large as a day ago',
          queryValue('; all databases together use ', figures.databasesSize.expression, 'bytes'),
          '. Usually a table of logs, sessions or spam grows.',
        ],
        dashboard: 'hosting-workload',
        comment:
          'Compared with the highest size in some hours of yesterday: a restore that empties the database first is not growth.',
        expr: (severity) =>
          [
            builder.beyondThreshold(
              'HostingDatabaseGrewFast',
              severity,
              `${databaseSize} / (max_over_time(${databaseSize}[${restore}] offset ${day}) > 0)`,
              databaseSize,
              'database',
            ),
            'and',
            `${databaseSize} >= ${builder.parameter('HostingDatabaseGrewFast', 'floor')}`,
            'and',
            `present_over_time(${databaseSize}[${builder.duration('1h')}] offset ${builder.duration('30h')})`,
          ].join('\n'),
      }),
    ],
  };
}
