import { figures, merged, type Scope } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';

const { domainDays, paidDays } = records;

/** Rules about deadlines: the suspension of an account, and the expiry of its domains. */
export function billingRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const expiry = (current: (scope: Scope) => string, record: string) => ({
    record,
    expr: builder.remembered({ record, collector: 'domains', current: current(scope), detail: ['domain'] }),
  });

  return {
    name: 'hosting-billing',
    rules: [
      {
        record: records.blockTime,
        expr: builder.remembered({
          record: records.blockTime,
          collector: 'account',
          current: merged(scope, 'hosting_account_block_timestamp_seconds'),
          field: 'hosting_account_block_timestamp_seconds',
        }),
      },
      { record: paidDays, expr: `ceil(clamp_min((${records.blockTime} - time()) / 86400, 0))` },
      ...builder.alert('HostingAccountBlockedSoon', {
        dashboard: 'hosting-account',
        expr: (severity) => builder.beyondThreshold('HostingAccountBlockedSoon', severity, paidDays, paidDays),
      }),
      expiry((one) => merged(one, 'hosting_domain_expiry_timestamp_seconds'), records.domainExpiry),
      expiry(figures.domainAutoRenew.expression, records.domainRenews),
      { record: domainDays, expr: `floor((${records.domainExpiry} - time()) / 86400)` },
      ...builder.alert('HostingDomainExpired', {
        dashboard: 'hosting-account',
        comment: 'Providers list expired domains for a long time, so the alert ignores domains that expired long ago.',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingDomainExpired',
            severity,
            `(${domainDays} > -${builder.parameter('HostingDomainExpired', 'forget')})`,
            domainDays,
            'domain',
          ),
      }),
      ...builder.alert('HostingDomainExpiring', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingDomainExpiring',
            severity,
            `(${domainDays} >= 0 unless ${records.domainRenews} == 1)`,
            domainDays,
            'domain',
          ),
      }),
      ...builder.alert('HostingDomainRenewalOverdue', {
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingDomainRenewalOverdue',
            severity,
            `(${domainDays} >= 0 and ${records.domainRenews} == 1)`,
            domainDays,
            'domain',
          ),
      }),
    ],
  };
}
