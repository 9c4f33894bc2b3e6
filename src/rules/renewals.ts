import { latestAt, merged, without } from './figures.ts';
import { records } from './records.ts';
import type { RecordingRule, RuleBuilder } from './rule.ts';

const renewalInfo = 'hosting_domain_renewal_info';

/** Records the renewals that were pending some days ago. */
export function pendingRenewals(builder: RuleBuilder): RecordingRule {
  const { scope } = builder;
  const offset = `offset ${builder.parameter('HostingDomainRenewalFailed', 'pending')}`;
  const pending = latestAt({ ...scope, window: builder.duration('1d') }, offset, renewalInfo, 'status="pending"');
  return { record: records.pendingRenewals, expr: `max ${without(scope)} (${pending})` };
}

/** Records the renewals that failed or hang, and the days until their domains expire. */
export function failedRenewals(builder: RuleBuilder): readonly RecordingRule[] {
  const inStatus = (status: string) => merged(builder.scope, renewalInfo, `status="${status}"`);
  return [
    ...(builder.stateless ? [pendingRenewals(builder)] : []),
    {
      record: records.failedRenewals,
      expr: builder.remembered({
        record: records.failedRenewals,
        collector: 'domains',
        current: `(${inStatus('error')} or ${inStatus('pending')} and ${builder.slow(records.pendingRenewals)})`,
        detail: ['domain', 'status'],
      }),
      comment: 'Renewals that failed, and renewals that are pending now and were already pending some days ago.',
    },
    {
      record: records.failedRenewalDays,
      expr: `${records.failedRenewals} * ignoring (status) group_left () (${records.domainDays} >= -1)`,
    },
  ];
}
