import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

/** Rules about load: all sites of an account compared with its plan, and each site compared with last week. */
export function loadRules(builder: RuleBuilder): RuleGroup {
  return builder.detailGroup('hosting-load', [
    ...builder.thresholdAlert('HostingPlanLoadHigh', { dashboard: 'hosting-account', subject: records.planLoadRatio }),
    ...builder.ifOn('HostingSiteLoadUnusual', {
      record: records.siteLoadRatio,
      expr: `(${records.siteHour} >= ${builder.parameter('HostingSiteLoadUnusual', 'floor')}) / (${builder.slow(records.siteLastWeek)} > 0)`,
    }),
    ...builder.thresholdAlert('HostingSiteLoadUnusual', {
      dashboard: 'hosting-workload',
      subject: records.siteLoadRatio,
    }),
  ]);
}
