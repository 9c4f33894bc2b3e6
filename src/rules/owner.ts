import { figures } from './figures.ts';
import type { RuleGroup, RuleWriter } from './rule.ts';
import { ask, label, value } from './text.ts';

const paidDays = 'account:hosting_account_paid_days:max';
const domainDays = 'account_domain:hosting_domain_days_left:max';

/** What the owner of an account must do in time: pay it, renew its domains. */
export function ownerRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const renews = `${figures.domainAutoRenew.expression(scope)} == 1`;

  return {
    name: 'hosting-owner',
    rules: [
      { record: paidDays, expr: figures.paidDays.expression(scope) },
      ...writer.alert('HostingAccountBlockedSoon', {
        summary: 'Hosting account is about to be blocked for lack of money.',
        description: [
          'Account ',
          label('account'),
          ' is paid for ',
          value('whole'),
          " more days by the provider's estimate",
          ask('; its balance is ', figures.balance.expression, 'number'),
          ask(', it costs ', figures.dailyCharge.expression, 'number', ' a day'),
          '. Then all its sites and mail go down together.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) => writer.passed('HostingAccountBlockedSoon', severity, paidDays, paidDays),
      }),
      { record: domainDays, expr: figures.domainDaysLeft.expression(scope) },
      ...writer.alert('HostingDomainExpired', {
        summary: 'Registration of a hosted domain has ended.',
        description: [
          'The registration of domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' has ended (days left: ',
          value('whole'),
          '). Its sites and mail do not work; for some weeks it can still be renewed, often for more money.',
        ],
        dashboard: 'hosting-account',
        comment: 'The provider lists dead domains for long: after a while they are forgotten.',
        expr: (severity) =>
          writer.passed(
            'HostingDomainExpired',
            severity,
            `(${domainDays} > -${writer.knob('HostingDomainExpired', 'forget')})`,
            domainDays,
            'domain',
          ),
      }),
      ...writer.alert('HostingDomainExpiring', {
        summary: 'Hosted domain expires soon and is not renewed automatically.',
        description: [
          'Domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' expires in ',
          value('whole'),
          ' days, and the provider does not say that it renews it by itself. When it expires, its sites and mail stop.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          writer.passed(
            'HostingDomainExpiring',
            severity,
            `(${domainDays} >= 0 unless ${renews})`,
            domainDays,
            'domain',
          ),
      }),
      ...writer.alert('HostingDomainRenewalOverdue', {
        summary: 'Automatic renewal of a hosted domain has not happened.',
        description: [
          'Domain ',
          label('domain'),
          ' of account ',
          label('account'),
          ' expires in ',
          value('whole'),
          ' days though automatic renewal is on',
          ask('; the balance of the account is ', figures.balance.expression, 'number'),
          '. The renewal has probably failed.',
        ],
        dashboard: 'hosting-account',
        expr: (severity) =>
          writer.passed(
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
