import { records } from './records.ts';
import { failedRenewals } from './renewals.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

/** Rules about deadlines: the suspension of an account, and the expiry of its domains. */
export function billingRules(builder: RuleBuilder): RuleGroup {
  const due = `${records.paidDays} < ${builder.parameter('HostingAccountBlockedToday', 'days')}`;
  const soon = `ignoring (alert, severity) ${builder.threshold('HostingAccountBlockedSoon', 'critical')} > -Inf`;
  return builder.detailGroup('hosting-billing', [
    ...builder.alert('HostingAccountBlockedToday', {
      dashboard: 'hosting-account',
      expr: () => `${due}${builder.has('HostingAccountBlockedSoon', 'critical') ? `\nand ${soon}` : ''}`,
    }),
    ...builder.thresholdAlert('HostingAccountBlockedSoon', { dashboard: 'hosting-account', subject: records.paidDays }),
    ...builder.thresholdAlert('HostingDomainExpired', {
      dashboard: 'hosting-account',
      comment: 'warning: the domain is registered elsewhere.',
      subject: records.domainDaysToEnd,
      also: (severity) => [`${severity === 'critical' ? 'unless' : 'and'} ${records.domainElsewhere}`],
    }),
    ...builder.thresholdAlert('HostingDomainExpiring', {
      dashboard: 'hosting-account',
      subject: records.manualDomainDays,
      also: (severity) => (severity === 'critical' ? [`unless ${records.domainElsewhere}`] : []),
    }),
    ...builder.thresholdAlert('HostingDomainRenewalOverdue', {
      dashboard: 'hosting-account',
      subject: records.renewedDomainDays,
    }),
    ...failedRenewals(builder),
    ...builder.thresholdAlert('HostingDomainRenewalFailed', {
      dashboard: 'hosting-account',
      subject: records.failedRenewalDays,
    }),
  ]);
}
