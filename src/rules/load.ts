import { figures } from './figures.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { label, queryValue, value } from './template.ts';

const planLoad = 'account:hosting_plan_load:ratio';
const siteHour = 'account_site:hosting_site_load_hourly:max';

/** Load: all sites of an account against its plan, and each site against itself a week ago. */
export function loadRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const around = `${siteHour}[${builder.duration('1d')}] offset ${builder.duration('6d12h')}`;

  return {
    name: 'hosting-load',
    rules: [
      {
        record: planLoad,
        expr: figures.planLoadRatio.expression(scope),
        comment: 'Sites only: the load of databases has another unit and no limit in the plan.',
      },
      ...builder.alert('HostingPlanLoadHigh', {
        summary: 'Hosting account is close to the load limit of its plan.',
        description: [
          'The sites of account ',
          label('account'),
          ' use ',
          value('percent'),
          ' of the load that the plan allows (mean of the last month)',
          queryValue('; load: ', figures.planLoad.expression, 'number'),
          queryValue(' of ', figures.planLoadLimit.expression, 'number'),
          '. Above the limit the provider throttles the account or asks for a bigger plan.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => builder.beyondThreshold('HostingPlanLoadHigh', severity, planLoad, planLoad),
      }),
      {
        record: siteHour,
        expr: [
          figures.siteLoadHour.expression(scope),
          'and',
          `${figures.siteLoadHourAge.expression(scope)} < ${builder.parameterSeconds('HostingSiteLoadUnusual', 'age')}`,
        ].join('\n'),
        comment: 'Only while the hour is recent: the provider omits hours without load, so the newest may be old.',
      },
      ...builder.alert('HostingSiteLoadUnusual', {
        summary: 'Hosted site has an unusually high load.',
        description: [
          'Site ',
          label('site'),
          ' of account ',
          label('account'),
          ' has ',
          value('tenths'),
          ' times the load of its busiest hour around the same day last week, for at least two hours in a row. Look for bots, an attack, a new plugin or a campaign.',
        ],
        dashboard: 'hosting-workload',
        comment: 'Requires the complete day of last week: half a day may be the quiet half.',
        expr: (severity) =>
          [
            builder.beyondThreshold(
              'HostingSiteLoadUnusual',
              severity,
              `${siteHour} / (max_over_time(${around}) > 0)`,
              siteHour,
              'site_id',
              'site',
            ),
            'and',
            `${siteHour} >= ${builder.parameter('HostingSiteLoadUnusual', 'floor')}`,
            'and',
            `present_over_time(${siteHour}[${builder.duration('6h')}] offset ${builder.duration('7d6h')})`,
          ].join('\n'),
      }),
    ],
  };
}
