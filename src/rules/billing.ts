import { figures } from './figures.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { label, queryValue, value } from './template.ts';

const paidDays = 'account:hosting_account_paid_days:max';
const domainDays = 'account_domain:hosting_domain_days_left:max';

/** Deadlines of the account owner: pay for the account, renew its domains. */
export function billingRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const renews = `${figures.domainAutoRenew.expression(scope)} == 1`;

  return {
    name: 'hosting-billing',
    rules: [
      { record: paidDays, expr: figures.paidDays.expression(scope) },
      ...builder.alert('HostingAccountBlockedSoon', {
        summary: 'Hosting account is about to be suspended for insufficient funds.',
        description: [
          'The provider will suspend account ',
          label('account'),
          ' for insufficient funds (days left by its estimate: ',
          value('whole'),
          queryValue('; balance: ', figures.balance.expression, 'number'),
          queryValue('; daily charge: ', figures.dailyCharge.expression, 'number'),
          '). All its sites and mail then go down.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => builder.beyondThreshold('HostingAccountBlockedSoon', severity, paidDays, paidDays),
      }),
      { record: domainDays, expr: figures.domainDaysLeft.expression(scope) },
      ...builder.alert('HostingDomainExpired', {
        summary: 'Hosted domain has expired.',
        description: [
          'Domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' has expired (days left: ',
          value('whole'),
          '). Its sites and mail do not work. Renew it now: for some weeks that is still possible, often at a higher price.',
        ],
        dashboard: 'hosting-account',
        comment: 'Providers list expired domains for a long time, so the alert ignores old ones.',
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
        summary: 'Hosted domain expires soon without automatic renewal.',
        description: [
          'Domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' expires soon (days left: ',
          value('whole'),
          '), and automatic renewal is off or unknown. When it expires, its sites and mail stop working.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingDomainExpiring',
            severity,
            `(${domainDays} >= 0 unless ${renews})`,
            domainDays,
            'domain',
          ),
      }),
      ...builder.alert('HostingDomainRenewalOverdue', {
        summary: 'Automatic renewal of a hosted domain is overdue.',
        description: [
          'Domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' expires soon (days left: ',
          value('whole'),
          ') although automatic renewal is on',
          queryValue('; account balance: ', figures.balance.expression, 'number'),
          '. The renewal has probably failed.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          builder.beyondThreshold(
            'HostingDomainRenewalOverdue',
            severity,
            `(${domainDays} >= 0 and ${renews})`,
            domainDays,
            'domain',
          ),
      }),
    ],
  };
}
