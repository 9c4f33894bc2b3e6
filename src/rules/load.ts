import { figures } from './figures.ts';
import type { RuleGroup, RuleWriter } from './rule.ts';
import { ask, label, value } from './text.ts';

const planLoad = 'account:hosting_plan_load:ratio';
const siteHour = 'account_site:hosting_site_load_hourly:max';

/** Processor time: the whole account against its plan, and a site against itself. */
export function loadRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const around = `${siteHour}[${writer.time('1d')}] offset ${writer.time('6d12h')}`;

  return {
    name: 'hosting-load',
    rules: [
      {
        record: planLoad,
        expr: figures.planLoadRatio.expression(scope),
        comment: 'Sites only: the load of databases is in another unit, and the plan does not limit it.',
      },
      ...writer.alert('HostingPlanLoadHigh', {
        summary: 'Hosting account is close to the load that its plan allows.',
        description: [
          'The sites of account ',
          label('account'),
          ' use ',
          value('percent'),
          ' of the load that the plan allows (mean of the last month)',
          ask('; that is ', figures.planLoad.expression, 'number'),
          ask(' of ', figures.planLoadLimit.expression, 'number'),
          '. Above the plan the provider slows the account down or asks for a bigger plan.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => writer.passed('HostingPlanLoadHigh', severity, planLoad, planLoad),
      }),
      {
        record: siteHour,
        expr: [
          figures.siteLoadHour.expression(scope),
          'and',
          `${figures.siteLoadHourAge.expression(scope)} < ${writer.seconds('HostingSiteLoadUnusual', 'age')}`,
        ].join('\n'),
        comment:
          'Only while the hour is recent: the provider leaves out hours without load, and then shows an old one.',
      },
      ...writer.alert('HostingSiteLoadUnusual', {
        summary: 'Hosted site has far more load than a week ago.',
        description: [
          'Site ',
          label('site'),
          ' of account ',
          label('account'),
          ' has ',
          value('tenths'),
          ' times the load of its busiest hour around this day last week, two hours in a row',
          '. Look for bots, an attack, a new plugin or a campaign.',
        ],
        dashboard: 'hosting-workload',
        comment: 'Only where the whole day of last week is known: half a day may be its quiet half.',
        expr: (severity) =>
          [
            writer.passed(
              'HostingSiteLoadUnusual',
              severity,
              `${siteHour} / (max_over_time(${around}) > 0)`,
              siteHour,
              'site_id',
              'site',
            ),
            'and',
            `${siteHour} >= ${writer.knob('HostingSiteLoadUnusual', 'floor')}`,
            'and',
            `present_over_time(${siteHour}[${writer.time('6h')}] offset ${writer.time('7d6h')})`,
          ].join('\n'),
      }),
    ],
  };
}
