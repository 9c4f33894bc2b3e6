import { figures } from './figures.ts';
import type { RuleGroup, RuleWriter } from './rule.ts';
import { ask, label, type Part, value } from './text.ts';

const usage = 'account:hosting_account_disk_usage_bytes:max';
const limit = 'account:hosting_account_disk_limit_bytes:min';
const used = 'account:hosting_account_disk_usage_per_limit:ratio';
const dayGrowth = 'account:hosting_account_disk_usage_bytes:delta1d';
const growth = 'account:hosting_account_disk_growth_bytes_per_day:slower';
const daysToFull = 'account:hosting_account_disk_days_to_full:slow';
const hoursToFull = 'account:hosting_account_disk_hours_to_full:fast';
const databaseSize = 'account_database:hosting_database_size_bytes:max';

const freeBytes: Part = ask('; ', figures.diskFree.expression, 'bytes', ' are free');
const age: Part = ask(
  '. The figure is ',
  (scope) => figures.dataAge.expression({ ...scope, matchers: `${scope.matchers},collector="account"` }),
  'duration',
  ' old',
);

/** Disk space: full, filling within days, filling within hours, and the database that does it. */
export function diskRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const day = writer.time('1d');
  const week = writer.time('7d');
  const shortWindow = writer.knob('HostingDiskFillingUpFast', 'short');
  const longWindow = writer.knob('HostingDiskFillingUpFast', 'long');
  const fastMemory = writer.knob('HostingDiskFillingUpFast', 'memory');
  const restore = writer.knob('HostingDatabaseGrewFast', 'memory');
  const median = `quantile_over_time(0.5, ${dayGrowth}[${writer.time('3d')}:${writer.time('1h')}])`;

  return {
    name: 'hosting-disk',
    rules: [
      {
        record: usage,
        expr: figures.diskUsage.expression(scope),
        comment: 'Free of the exporter that polled it: an HA pair counts once, and history survives a move.',
      },
      {
        record: limit,
        expr: figures.diskLimit.expression(scope),
        comment: 'A plan without a limit has no series, here or below.',
      },
      { record: used, expr: `${usage} / (${limit} > 0)` },
      {
        record: dayGrowth,
        expr: `${usage} - ${usage} offset ${day}`,
        comment: 'Net growth over exactly one day: what comes and goes every night cancels out.',
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
          `present_over_time(${dayGrowth}[${writer.time('6h')}] offset ${writer.time('2d')})`,
        ].join('\n'),
        comment:
          'The median of three days, which no single upload or clean-up moves; or the mean of a week where that is less,\nso that a weekly clean-up counts. Without three days of history there is no trend: a first upload is none.',
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
        comment: 'At the slower of two paces: the long one ignores bursts, the short one notices when it stops.',
      },
      ...writer.alert('HostingDiskAlmostFull', {
        summary: 'Hosting account is almost out of disk space.',
        description: [
          'Account ',
          label('account'),
          ' uses ',
          value('percent'),
          ' of its disk quota',
          freeBytes,
          age,
          '. At the quota mail bounces and uploads and database writes fail.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => writer.passed('HostingDiskAlmostFull', severity, used, used),
      }),
      ...writer.alert('HostingDiskFillingUpFast', {
        summary: 'Hosting account runs out of disk space within hours.',
        description: [
          'Account ',
          label('account'),
          ' is full in about ',
          value('whole'),
          ' hours at its present pace',
          ask('; ', figures.diskUsedRatio.expression, 'percent', ' are used'),
          freeBytes,
          '. Something writes without end: a log, a backup into the home directory, an upload loop.',
        ],
        dashboard: 'hosting-account',
        comment: '`for` is as long as the short window: a single step has left that window before it can fire.',
        expr: (severity) =>
          [
            writer.passed('HostingDiskFillingUpFast', severity, hoursToFull, hoursToFull),
            'and',
            `${used} >= ${writer.knob('HostingDiskFillingUpFast', 'floor')}`,
            'and',
            `${usage} > max_over_time(${usage}[${fastMemory}] offset ${longWindow})`,
          ].join('\n'),
      }),
      ...writer.alert('HostingDiskFillingUp', {
        summary: 'Hosting account runs out of disk space within weeks.',
        description: [
          'Account ',
          label('account'),
          ' is full in about ',
          value('whole'),
          ' days at the pace of the last days',
          ask('; ', figures.diskUsedRatio.expression, 'percent', ' are used'),
          freeBytes,
          '.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          [
            writer.passed('HostingDiskFillingUp', severity, daysToFull, daysToFull),
            'and',
            `${used} >= ${writer.knob('HostingDiskFillingUp', 'floor')}`,
          ].join('\n'),
      }),
      {
        record: databaseSize,
        expr: figures.databaseSize.expression(scope),
      },
      ...writer.alert('HostingDatabaseGrewFast', {
        summary: 'Hosting database grew unusually within a day.',
        description: [
          'Database ',
          label('database'),
          ' of account ',
          label('account'),
          ' is ',
          value('tenths'),
          ' times as big as a day ago',
          ask('; all databases together take ', figures.databasesSize.expression, 'bytes'),
          '. Mostly a table of logs, sessions or spam.',
        ],
        dashboard: 'hosting-workload',
        comment:
          'Against the highest size of some hours of yesterday: a restore that empties the database first is no growth.',
        expr: (severity) =>
          [
            writer.passed(
              'HostingDatabaseGrewFast',
              severity,
              `${databaseSize} / (max_over_time(${databaseSize}[${restore}] offset ${day}) > 0)`,
              databaseSize,
              'database',
            ),
            'and',
            `${databaseSize} >= ${writer.knob('HostingDatabaseGrewFast', 'floor')}`,
            'and',
            `present_over_time(${databaseSize}[${writer.time('1h')}] offset ${writer.time('30h')})`,
          ].join('\n'),
      }),
    ],
  };
}
