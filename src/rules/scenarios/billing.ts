import { atDay, hold, infinite, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const day = 1440;

/** Suspension for insufficient funds, and expiry of domains. */
export function billing(builder: ScenarioBuilder): TestSuite {
  const blocked = 'HostingAccountBlockedSoon';
  const warningDays = builder.threshold(blocked, 'warning', 7);
  const criticalDays = builder.threshold(blocked, 'critical', 3);
  const suspensionWait = Math.max(builder.forMinutes(blocked, 'warning'), builder.forMinutes(blocked, 'critical'));
  const expiring = 'HostingDomainExpiring';
  const expiryWarningDays = builder.threshold(expiring, 'warning', 30);
  const expiryCriticalDays = builder.threshold(expiring, 'critical', 7);
  const overdueDays = builder.threshold('HostingDomainRenewalOverdue', 'warning', 3);
  const forgetDays = builder.parameter('HostingDomainExpired', 'forget', 30);
  const domainAlerts = [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'] as const;
  const domainWait = Math.max(
    ...domainAlerts.flatMap((alert) => [builder.forMinutes(alert, 'warning'), builder.forMinutes(alert, 'critical')]),
  );
  const suspension = (account: string, days: number, minutes: number, instance = 'a') => ({
    [builder.series('hosting_account_block_timestamp_seconds', { account }, instance)]: hold(atDay(days), minutes + 1),
  });
  const domain = (name: string, days: number, renews: 0 | 1 | undefined, minutes: number) => ({
    [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: name })]: hold(
      atDay(days),
      minutes + 1,
    ),
    ...(renews !== undefined && {
      [builder.series('hosting_domain_auto_renew', { account: 'shop', domain: name })]: hold(renews, minutes + 1),
    }),
  });
  const override = (account: string, alert: string, severity: string, values: string) => ({
    [builder.series('hosting_account_alert_threshold', { account, alert, severity })]: values,
  });
  const daysLeft = (days: number) => (minute: number) => Math.floor(days - minute / day);
  const paidDays = (days: number) => (minute: number) => Math.ceil(days - minute / day);

  return {
    name: 'billing',
    scenarios: [
      {
        name: 'the balance of two accounts runs out: warning for one, critical for the other',
        minutes: suspensionWait + 60,
        series: {
          ...builder.up(suspensionWait + 60),
          ...builder.up(suspensionWait + 60, 'b'),
          ...suspension('shop', (warningDays + criticalDays) / 2, suspensionWait + 60),
          ...suspension('shop', (warningDays + criticalDays) / 2, suspensionWait + 60, 'b'),
          ...suspension('mail', criticalDays / 2, suspensionWait + 60),
          [builder.series('hosting_account_balance', { account: 'mail' })]: hold(12.5, suspensionWait + 61),
          [builder.series('hosting_account_daily_charge', { account: 'mail' })]: hold(12.75, suspensionWait + 61),
        },
        expected: [
          {
            alert: blocked,
            severities: ['warning'],
            since: 0,
            labels: { account: 'shop' },
            value: paidDays((warningDays + criticalDays) / 2),
          },
          {
            alert: blocked,
            since: 0,
            labels: { account: 'mail' },
            value: paidDays(criticalDays / 2),
            queryResults: () => ({ balance: 12.5, dailyCharge: 12.75 }),
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'one account is paid in time, another within an hour: no alert',
        minutes: suspensionWait + 120,
        series: {
          ...builder.up(suspensionWait + 120),
          ...suspension('rich', warningDays + 1, suspensionWait + 120),
          [builder.series('hosting_account_block_timestamp_seconds', { account: 'late' })]: sequence(
            hold(
              atDay(criticalDays / 2),
              Math.max(1, Math.min(builder.forMinutes(blocked, 'warning'), builder.forMinutes(blocked, 'critical'))),
            ),
            hold(atDay(warningDays + 30), suspensionWait + 120),
          ),
        },
        expected: [],
        mustNotFire: [blocked],
      },
      {
        name: 'the estimate falls from three to two days, and the payment arrives in the evening: warning, then critical, then resolved',
        minutes: 2 * day,
        overDays: true,
        series: {
          ...builder.up(2 * day),
          // The estimate is in whole days from each poll: the timestamp advances during the day and drops at night.
          [builder.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: sequence(
            ...Array.from({ length: 108 }, (_, index) => hold(index * 600 + atDay(3), 10)),
            ...Array.from({ length: 72 }, (_, index) => hold((index + 108) * 600 + atDay(2), 10)),
            ...Array.from({ length: 109 }, (_, index) => hold((index + 180) * 600 + atDay(40), 10)),
          ),
        },
        expected: [
          {
            alert: blocked,
            severities: ['warning'],
            since: 0,
            until: 1800,
            labels: { account: 'shop' },
            value: (minute) => (minute < 1080 ? 3 : 2),
          },
          {
            alert: blocked,
            severities: ['critical'],
            since: 1080,
            until: 1800,
            labels: { account: 'shop' },
            value: 2,
          },
        ],
        mustNotFire: [],
        defaultsOnly: [blocked],
      },
      {
        name: 'domains expire: without automatic renewal, with an overdue renewal, and already expired',
        minutes: domainWait + 60,
        series: {
          ...builder.up(domainWait + 60),
          ...domain('month.example', (expiryWarningDays + expiryCriticalDays) / 2, 0, domainWait + 60),
          ...domain('week.example', expiryCriticalDays / 2, 0, domainWait + 60),
          ...domain('unknown.example', expiryCriticalDays / 2, undefined, domainWait + 60),
          ...domain('renews.example', overdueDays / 2, 1, domainWait + 60),
          ...domain('ended.example', -1, 0, domainWait + 60),
          ...domain('ended-too.example', -1, 1, domainWait + 60),
          [builder.series('hosting_account_balance', { account: 'shop' })]: hold(3, domainWait + 61),
        },
        expected: [
          {
            alert: expiring,
            severities: ['warning'],
            since: 0,
            labels: { account: 'shop', domain: 'month.example' },
            value: daysLeft((expiryWarningDays + expiryCriticalDays) / 2),
          },
          ...['week.example', 'unknown.example'].map((name) => ({
            alert: expiring as 'HostingDomainExpiring',
            since: 0,
            labels: { account: 'shop', domain: name },
            value: daysLeft(expiryCriticalDays / 2),
          })),
          {
            alert: 'HostingDomainRenewalOverdue',
            since: 0,
            labels: { account: 'shop', domain: 'renews.example' },
            value: daysLeft(overdueDays / 2),
            queryResults: () => ({ balance: 3 }),
          },
          ...['ended.example', 'ended-too.example'].map((name) => ({
            alert: 'HostingDomainExpired' as const,
            since: 0,
            labels: { account: 'shop', domain: name },
            value: daysLeft(-1),
          })),
        ],
        mustNotFire: [],
      },
      {
        name: 'accounts override the days for all their domains: more days, off, and an override of another alert without effect',
        minutes: domainWait + 60,
        series: {
          ...builder.up(domainWait + 60),
          ...Object.fromEntries(
            ['early', 'never', 'other'].flatMap((account) =>
              ['one.example', 'two.example'].map((name) => [
                builder.series('hosting_domain_expiry_timestamp_seconds', { account, domain: name }),
                hold(atDay(account === 'early' ? expiryWarningDays + 20 : expiryCriticalDays / 2), domainWait + 61),
              ]),
            ),
          ),
          ...override('early', expiring, 'warning', hold(expiryWarningDays + 30, domainWait + 61)),
          ...override('never', expiring, 'warning', infinite(domainWait + 61, '-Inf')),
          ...override('never', expiring, 'critical', infinite(domainWait + 61, '-Inf')),
          ...override('other', 'HostingDomainExpired', 'critical', infinite(domainWait + 61, '-Inf')),
        },
        expected: [
          ...['one.example', 'two.example'].map((name) => ({
            alert: expiring as 'HostingDomainExpiring',
            severities: ['warning'] as const,
            since: 0,
            labels: { account: 'early', domain: name },
            value: daysLeft(expiryWarningDays + 20),
          })),
          ...['one.example', 'two.example'].map((name) => ({
            alert: expiring as 'HostingDomainExpiring',
            since: 0,
            labels: { account: 'other', domain: name },
            value: daysLeft(expiryCriticalDays / 2),
          })),
        ],
        mustNotFire: [],
        defaultsOnly: [expiring],
      },
      {
        name: 'domains that expire late, are renewed in time, or expired long ago: no alert',
        minutes: domainWait + 120,
        series: {
          ...builder.up(domainWait + 120),
          ...domain('far.example', expiryWarningDays + 1, 0, domainWait + 120),
          ...domain('renews.example', overdueDays + 1, 1, domainWait + 120),
          ...domain('dead.example', -forgetDays - 1, 0, domainWait + 120),
          ...domain('пример.example', expiryWarningDays + 100, 1, domainWait + 120),
          [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'late.example' })]:
            sequence(hold(atDay(1), 10), hold(atDay(366), domainWait + 111)),
        },
        expected: [],
        mustNotFire: [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'],
      },
    ],
  };
}
