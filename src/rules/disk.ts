import { figures } from './figures.ts';
import { records } from './records.ts';
import type { RecordingRule, RuleBuilder, RuleGroup } from './rule.ts';
import { decimal } from './rule-settings.ts';
import type { AlertName, Severity } from './thresholds.ts';

const { diskUsage: usage, diskUsed: used, diskFree: free, diskDaysToFull: daysToFull } = records;

/** Rules about disk space: almost full, full within hours, full within days, and fast-growing databases. */
export function diskRules(builder: RuleBuilder): readonly RuleGroup[] {
  const fast = (name: string) => builder.parameter('HostingDiskFillingUpFast', name);
  const history = builder.stateless
    ? records.diskHistory
    : `last_over_time(${records.diskHistory}[${builder.duration('1d')}])`;
  // Use the last recorded threshold. After a restart of Prometheus, the disk alerts are evaluated earlier than the thresholds.
  const beyond = (alert: AlertName, severity: Severity, subject: string) =>
    builder.beyond(alert, severity, subject, builder.recent(builder.threshold(alert, severity)));

  return [
    {
      name: 'hosting-disk',
      rules: [
        {
          record: daysToFull,
          expr: `clamp_min(${free}, 0) / clamp_min(${builder.slow(records.diskGrowth)}, 1) < 3650\nand ${builder.slow(records.diskDayGrowth)} > 0`,
          comment: 'Only accounts whose disk usage grows, and grew within the last day.',
        },
        {
          record: records.diskRate,
          expr: [
            'min without (over) (',
            `  label_replace(deriv(${usage}[${fast('short')}]), "over", "short", "", "")`,
            `  or label_replace(deriv(${usage}[${fast('long')}]), "over", "long", "", "")`,
            ')',
          ].join('\n'),
          comment:
            'The slower of two growth rates. The rate of the long window ignores bursts. The rate of the short window drops when the\ngrowth stops.',
        },
        {
          record: records.diskGrowing,
          expr: growing(builder),
          comment: 'Accounts whose disk usage grew in the last minutes and is the highest of the last two days.',
        },
        {
          record: records.diskHoursToFull,
          expr: builder.remembered({
            record: records.diskHoursToFull,
            collector: 'account',
            current: `(${free} > 0) / (${records.diskRate} > 0) / 3600 and ${records.diskGrowing}\nunless ignoring (collector) ${builder.collectorSuccess('account')} == 0`,
          }),
          comment: 'No series without growth. While polls fail, the last forecast is kept.',
        },
        ...(builder.has('HostingDiskAlmostFull', 'critical') ? urgentReasons(builder, history) : []),
        ...builder.alert('HostingDiskAlmostFull', {
          dashboard: 'hosting-account',
          comment:
            'critical: one of the reasons above applies. warning: does not fire if the usage only repeats the peak of yesterday.',
          expr: (severity) =>
            severity === 'critical'
              ? `${used} and ignoring (reason) ${records.diskUrgent}`
              : `${beyond('HostingDiskAlmostFull', severity, used)}${severity === 'warning' ? `\nunless ${builder.slow(records.diskRepeatedPeak)} + 0.01 >= ${used}` : ''}`,
        }),
        ...builder.alert('HostingDiskFillingUpFast', {
          dashboard: 'hosting-account',
          comment:
            '`for` is as long as the short window, so that a single jump of the usage leaves this window before the alert fires.',
          expr: (severity) =>
            `${beyond('HostingDiskFillingUpFast', severity, records.diskHoursToFull)}\nand ${used} >= ${fast('floor')}`,
        }),
      ],
    },
    builder.detailGroup(
      'hosting-disk-days',
      builder.thresholdAlert('HostingDiskFillingUp', {
        dashboard: 'hosting-account',
        subject: daysToFull,
        also: () => [`and ${used} >= ${builder.parameter('HostingDiskFillingUp', 'floor')}`, `and ${history}`],
      }),
    ),
    builder.detailGroup('hosting-databases', [
      ...builder.ifOn('HostingDatabaseGrewFast', {
        record: records.databaseGrowth,
        expr: `(${records.databaseSize} >= ${builder.parameter('HostingDatabaseGrewFast', 'floor')}) / (${builder.slow(records.databaseYesterday)} > 0)`,
      }),
      ...builder.thresholdAlert('HostingDatabaseGrewFast', {
        dashboard: 'hosting-workload',
        subject: records.databaseGrowth,
      }),
    ]),
  ];
}

function growing(builder: RuleBuilder): string {
  const { scope } = builder;
  const still = builder.parameter('HostingDiskFillingUpFast', 'still');
  const interval = figures.collectorInterval.expression({
    ...scope,
    matchers: `${scope.matchers},collector="account"`,
  });
  return [
    '(',
    `  ${usage} > ${usage} offset ${still}`,
    `  or ${usage} and ignoring (collector) ${interval} > ${builder.parameterSeconds('HostingDiskFillingUpFast', 'still')}`,
    ')',
    `and ${usage} > ${builder.slow(records.diskPeak)}`,
  ].join('\n');
}

/** The reason `days` applies from the critical threshold minus this share of the quota. */
export const earlyPage = 0.1;

/** Records why an almost full disk is urgent, with one series per account and reason. */
function urgentReasons(builder: RuleBuilder, history: string): readonly RecordingRule[] {
  const alert = 'HostingDiskAlmostFull';
  const threshold = builder.recent(builder.threshold(alert, 'critical'));
  const from = (lowest: string) => `${used} >= ignoring (alert, severity) ${lowest}`;
  const reasons = {
    over_quota: from(`clamp_min(${threshold}, 1)`),
    little_free: `${from(threshold)}\nand ${free} < ${builder.parameter(alert, 'free')}`,
    days: `${from(`(${threshold} - ${decimal(earlyPage)})`)}\nand ${daysToFull} < ${builder.parameter(alert, 'days')}`,
    new: `${from(`clamp_min(${threshold}, ${builder.parameter(alert, 'unknown')})`)}\nunless ${history}`,
  };
  return Object.entries(reasons).map(([reason, expr], index) => ({
    record: records.diskUrgent,
    expr,
    labels: { reason },
    ...(index === 0 && {
      comment:
        'Why an almost full disk is urgent: the quota is exceeded, little space is left, or the disk is full within days. The reason\n`new` means that the account has no history, so its growth is unknown.',
    }),
  }));
}
