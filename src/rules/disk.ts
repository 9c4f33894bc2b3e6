import { figures } from './figures.ts';
import { records } from './records.ts';
import { decimal, type RuleBuilder, type RuleGroup } from './rule.ts';
import type { Severity } from './thresholds.ts';

const { diskUsage: usage, diskLimit: limit, diskUsed: used, diskDayGrowth: dayGrowth, diskGrowth: growth } = records;
const { diskDaysToFull: daysToFull, diskHoursToFull: hoursToFull, databaseSize } = records;

/** Rules about disk space: almost full, full within hours, full within days, and fast-growing databases. */
export function diskRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const day = builder.duration('1d');
  const week = builder.duration('7d');
  const longWindow = builder.parameter('HostingDiskFillingUpFast', 'long');
  const fastMemory = builder.parameter('HostingDiskFillingUpFast', 'memory');
  const restore = builder.parameter('HostingDatabaseGrewFast', 'memory');
  const median = `quantile_over_time(0.5, ${dayGrowth}[${builder.duration('3d')}:${builder.duration('1h')}])`;

  return {
    name: 'hosting-disk',
    rules: [
      {
        record: usage,
        expr: builder.remembered({
          record: usage,
          collector: 'account',
          current: figures.diskUsage.expression(scope),
          field: 'hosting_account_disk_usage_bytes',
        }),
        comment:
          'Drops the labels of the exporter: an HA pair counts once, and an account that moves keeps its history.',
      },
      {
        record: limit,
        expr: builder.remembered({
          record: limit,
          collector: 'account',
          current: figures.diskLimit.expression(scope),
          field: 'hosting_account_disk_limit_bytes',
        }),
        comment: 'Without a disk limit, an account has no series in this record and in the rules that use it.',
      },
      { record: used, expr: `${usage} / (${limit} > 0)` },
      {
        record: dayGrowth,
        expr: `${usage} - ${usage} offset ${day}`,
        comment: 'Net growth over exactly one day. Changes that repeat every night cancel out.',
      },
      {
        record: growth,
        expr: [
          // `min` computes each rate once. `a < b or b` would compute the median, the most expensive part of all rules, twice.
          'min without (over) (',
          `    label_replace((${usage} - ${usage} offset ${week}) / 7, "over", "week", "", "")`,
          '  or',
          `    label_replace(${median}, "over", "days", "", "")`,
          ')',
          'and',
          `present_over_time(${dayGrowth}[${builder.duration('6h')}] offset ${builder.duration('2d')})`,
        ].join('\n'),
        comment:
          'The smaller of two growth rates: the median of three days, which ignores a single upload or clean-up, and the mean of a\nweek, which includes weekly clean-ups. Requires three days of history, so that the first upload does not count as a trend.',
      },
      { record: daysToFull, expr: `(${limit} - ${usage} > 0) / (${growth} > 0)` },
      {
        record: hoursToFull,
        expr: builder.remembered({ record: hoursToFull, collector: 'account', current: hoursAtCurrentRate(builder) }),
        comment:
          'Uses the slower of two growth rates: the rate of the long window ignores bursts, and the rate of the short window drops\nwhen the growth stops. No series if the usage has not grown in the last minutes. While polls fail, the last forecast stays.',
      },
      ...builder.alert('HostingDiskAlmostFull', {
        dashboard: 'hosting-account',
        comment:
          'critical: the quota is exceeded, little space is left, the disk is full within days, or the account is too new for a forecast.',
        expr: (severity) =>
          severity === 'critical'
            ? builder.withHysteresis('HostingDiskAlmostFull', severity, (margin) => urgent(builder, severity, margin))
            : builder.beyondThreshold('HostingDiskAlmostFull', severity, used, used),
      }),
      ...builder.alert('HostingDiskFillingUpFast', {
        dashboard: 'hosting-account',
        comment:
          'The value is in seconds, in steps of ten minutes.\n`for` is as long as the short window, so that a single jump of the usage leaves this window before the alert fires.',
        expr: (severity) =>
          [
            'clamp_min(round(3600 * (',
            builder.beyondThreshold('HostingDiskFillingUpFast', severity, hoursToFull, hoursToFull),
            '), 600), 600)',
            'and',
            `${used} >= ${builder.parameter('HostingDiskFillingUpFast', 'floor')}`,
            'and',
            `${usage} > max_over_time(${usage}[${fastMemory}] offset ${longWindow})`,
          ].join('\n'),
      }),
      ...builder.alert('HostingDiskFillingUp', {
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
        dashboard: 'hosting-workload',
        comment:
          'Compares the size with its maximum over some hours of yesterday, so that a restore, which first empties the database, does not count as growth.',
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

/** Hours until the quota is used up, for accounts whose newest poll succeeded and whose usage grows now. */
function hoursAtCurrentRate(builder: RuleBuilder): string {
  const { scope } = builder;
  const shortWindow = builder.parameter('HostingDiskFillingUpFast', 'short');
  const longWindow = builder.parameter('HostingDiskFillingUpFast', 'long');
  const still = builder.parameter('HostingDiskFillingUpFast', 'still');
  const interval = figures.collectorInterval.expression({
    ...scope,
    matchers: `${scope.matchers},collector="account"`,
  });
  return [
    '(',
    `  (${limit} - ${usage} > 0)`,
    '  /',
    '  (',
    '    (',
    `        deriv(${usage}[${shortWindow}]) < deriv(${usage}[${longWindow}])`,
    '      or',
    `        deriv(${usage}[${longWindow}])`,
    '    ) > 0',
    '  )',
    '  / 3600',
    'and',
    '  (',
    `      ${usage} > ${usage} offset ${still}`,
    '    or',
    `      ${usage} and ignoring (collector) ${interval} > ${builder.parameterSeconds('HostingDiskFillingUpFast', 'still')}`,
    '  )',
    `unless ignoring (collector) ${builder.collectorSuccess('account')} == 0`,
    ')',
  ].join('\n');
}

/**
 * While the critical alert fires, its limits `free` and `days` are multiplied by this factor. Otherwise a figure that varies
 * around a limit would end and restart the alert again and again.
 */
const slack = 1.5;

/** The condition `forecast` applies from this distance below the critical threshold. The distance is a share of the quota. */
export const earlyPage = 0.1;

/**
 * The conditions that make an almost full disk a critical alert. `forecast` applies from `earlyPage` below the critical
 * threshold, the other conditions from the threshold itself. Each expression selects the accounts to which its condition applies.
 */
export function pageCauses(parts: {
  readonly used: string;
  /** Selects the accounts with enough history for a forecast. */
  readonly known: string;
  readonly free: string;
  readonly daysToFull: string;
  readonly fullFrom: string;
  readonly freeBelow: string;
  readonly daysBelow: string;
}): Readonly<Record<'full' | 'free' | 'unknown' | 'forecast', string>> {
  return {
    full: `${parts.used} >= ${parts.fullFrom}`,
    free: `${parts.free} < ${parts.freeBelow}`,
    unknown: `${parts.used} unless ${parts.known}`,
    forecast: `${parts.daysToFull} < ${parts.daysBelow}`,
  };
}

function urgent(builder: RuleBuilder, severity: Severity, margin: number): string {
  const alert = 'HostingDiskAlmostFull';
  const factor = margin === 0 ? 1 : slack;
  const beyond = (more: number) => builder.beyondAccountThreshold(alert, severity, margin + more, used, used);
  const below = (name: string) => decimal(Number(builder.parameter(alert, name)) * factor);
  const causes = pageCauses({
    used,
    known: growth,
    free: `${limit} - ${usage}`,
    daysToFull,
    fullFrom: decimal(1 - margin),
    freeBelow: below('free'),
    daysBelow: below('days'),
  });
  return [
    beyond(0),
    'and',
    '(',
    `    ${causes.full}`,
    '  or',
    `    ${causes.free}`,
    '  or',
    `    ${causes.unknown}`,
    ')',
    'or',
    beyond(earlyPage),
    'and',
    causes.forecast,
  ].join('\n');
}
