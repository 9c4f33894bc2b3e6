import { busiestHourLastWeek, figures } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

const { planLimit, planLoad, planLoadRatio, siteHour, siteLastWeek } = records;

/** Rules about load: all sites of an account compared with its plan, and each site compared with last week. */
export function loadRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;

  return {
    name: 'hosting-load',
    rules: [
      {
        record: planLimit,
        expr: builder.remembered({
          record: planLimit,
          collector: 'account',
          current: figures.planLoadLimit.expression(scope),
          field: 'hosting_account_load_limit',
        }),
      },
      {
        record: planLoad,
        expr: builder.remembered({
          record: planLoad,
          collector: 'site_load',
          current: figures.planLoad.expression(scope),
        }),
        comment: 'Counts only sites: the load of databases has another unit, and the plan does not limit it.',
      },
      { record: planLoadRatio, expr: `${planLoad} / (${planLimit} > 0)` },
      ...builder.alert('HostingPlanLoadHigh', {
        dashboard: 'hosting-account',
        expr: (severity) => builder.beyondThreshold('HostingPlanLoadHigh', severity, planLoadRatio, planLoadRatio),
      }),
      {
        record: siteHour,
        expr: [
          figures.siteLoadHour.expression(scope),
          'and',
          `${figures.siteLoadHourAge.expression(scope)} < ${builder.parameterSeconds('HostingSiteLoadUnusual', 'age')}`,
        ].join('\n'),
        comment: 'No series while the newest hour is old: the provider omits hours without load.',
      },
      {
        record: siteLastWeek,
        expr: [
          `max_over_time(${siteHour}[${builder.duration('1d')}${builder.stateless ? `:${builder.duration('20m')}` : ''}] offset ${builder.duration('6d12h')})`,
          'and',
          `present_over_time(${siteHour}[${builder.duration('6h')}] offset ${builder.duration('7d6h')})`,
          'or',
          busiestHourLastWeek(scope, (text) => builder.duration(text)),
        ].join('\n'),
        comment:
          'The load of the busiest hour around the same day last week. Requires the hours of a complete day, because half a day may be the\nquiet half. Without these hours, for example after the import of a history, the record is an estimate from the load of that\nday. A subquery with steps of 20 minutes would cost a third more.',
      },
      ...builder.alert('HostingSiteLoadUnusual', {
        dashboard: 'hosting-workload',
        expr: (severity) =>
          [
            builder.beyondThreshold(
              'HostingSiteLoadUnusual',
              severity,
              `${siteHour} / (${siteLastWeek} > 0)`,
              siteHour,
              'site_id',
              'site',
            ),
            'and',
            `${siteHour} >= ${builder.parameter('HostingSiteLoadUnusual', 'floor')}`,
          ].join('\n'),
      }),
    ],
  };
}
