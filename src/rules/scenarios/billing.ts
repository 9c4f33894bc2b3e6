import { atDay, day, hold, repeat, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

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
  const renewalFailed = 'HostingDomainRenewalFailed';
  const failedDays = builder.threshold(renewalFailed, 'warning', 60);
  const pendingMinutes = builder.parameter(renewalFailed, 'pending', 3 * day);
  const forgetDays = builder.parameter('HostingDomainExpired', 'forget', 30);
  const domainAlerts = [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'] as const;
  const domainWait = Math.max(
    ...domainAlerts.flatMap((alert) => [builder.forMinutes(alert, 'warning'), builder.forMinutes(alert, 'critical')]),
  );
  const suspension = (account: string, days: number, instance = 'a') => ({
    [builder.series('hosting_account_block_timestamp_seconds', { account }, instance)]: atDay(days),
  });
  const domain = (name: string, days: number, renews?: 0 | 1) => ({
    [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: name })]: atDay(days),
    ...(renews !== undefined && {
      [builder.series('hosting_domain_auto_renew', { account: 'shop', domain: name })]: renews,
    }),
  });

  const renewal = (name: string, days: number, status: string) => ({
    ...domain(name, days, 1),
    [builder.series('hosting_domain_renewal_info', { account: 'shop', domain: name, status })]: 1,
  });

  return builder.suite('billing', [
    {
      name: 'the balance of three accounts runs out: warning for one, critical for another, a third is suspended today',
      minutes: suspensionWait + 60,
      series: {
        ...builder.up('b'),
        ...suspension('shop', (warningDays + criticalDays) / 2),
        ...suspension('shop', (warningDays + criticalDays) / 2, 'b'),
        ...suspension('mail', criticalDays / 2),
        ...suspension('due', 0),
        [builder.series('hosting_account_balance', { account: 'mail' })]: 12.5,
        [builder.series('hosting_account_daily_charge', { account: 'mail' })]: 12.75,
      },
      expected: [
        { alert: blocked, severities: ['warning'], since: 0, labels: { account: 'shop' } },
        { alert: blocked, since: 0, labels: { account: 'mail' }, value: Math.ceil(criticalDays / 2) },
        { alert: blocked, since: 0, labels: { account: 'due' }, value: 0 },
        { alert: 'HostingAccountBlockedToday', since: 0, labels: { account: 'due' } },
      ],
      mustNotFire: ['HostingAccountBlockedToday'],
    },
    {
      name: 'one account is paid in time, another within an hour: no alert',
      minutes: suspensionWait + 120,
      series: {
        ...suspension('rich', warningDays + 1),
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
        // The provider estimates whole days from each poll, so the timestamp advances during the day and drops at night.
        [builder.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: sequence(
          repeat(108, (index) => hold(index * 600 + atDay(3), 10)),
          repeat(72, (index) => hold((index + 108) * 600 + atDay(2), 10)),
          repeat(109, (index) => hold((index + 180) * 600 + atDay(40), 10)),
        ),
      },
      expected: [
        { alert: blocked, severities: ['warning'], since: 0, until: 1800, labels: { account: 'shop' } },
        { alert: blocked, severities: ['critical'], since: 1080, until: 1800, labels: { account: 'shop' } },
      ],
      mustNotFire: [],
      defaultsOnly: [blocked],
    },
    {
      name: 'domains expire: without automatic renewal, with an overdue renewal, and already expired',
      minutes: domainWait + 60,
      series: {
        ...domain('month.example', (expiryWarningDays + expiryCriticalDays) / 2, 0),
        ...domain('week.example', expiryCriticalDays / 2, 0),
        ...domain('unknown.example', expiryCriticalDays / 2),
        ...domain('renews.example', overdueDays / 2, 1),
        // Expires today. The timestamp is the start of the day.
        ...domain('today.example', -0.02, 1),
        ...domain('ended.example', -2, 0),
        ...renewal('ended-too.example', -2, 'error'),
        // A domain that is registered elsewhere fires only a warning.
        ...domain('elsewhere.example', -2, 0),
        ...domain('foreign.example', expiryCriticalDays / 2),
        ...Object.fromEntries(
          ['elsewhere.example', 'foreign.example'].map((name) => [
            builder.series('hosting_domain_under_control', { account: 'shop', domain: name }),
            0,
          ]),
        ),
        [builder.series('hosting_account_balance', { account: 'shop' })]: 3,
      },
      expected: [
        { alert: expiring, severities: ['warning'], since: 0, labels: { account: 'shop', domain: 'month.example' } },
        ...['week.example', 'unknown.example'].map((name) => ({
          alert: expiring as 'HostingDomainExpiring',
          since: 0,
          labels: { account: 'shop', domain: name },
          value: Math.floor(expiryCriticalDays / 2),
        })),
        {
          alert: 'HostingDomainRenewalOverdue',
          since: 0,
          labels: { account: 'shop', domain: 'renews.example' },
          value: Math.floor(overdueDays / 2),
        },
        {
          alert: 'HostingDomainRenewalOverdue',
          since: 0,
          labels: { account: 'shop', domain: 'today.example' },
        },
        ...['ended.example', 'ended-too.example'].map((name) => ({
          alert: 'HostingDomainExpired' as const,
          severities: ['critical'] as const,
          since: 0,
          labels: { account: 'shop', domain: name },
        })),
        {
          alert: 'HostingDomainExpired',
          severities: ['warning'],
          since: 0,
          labels: { account: 'shop', domain: 'elsewhere.example' },
        },
        {
          alert: expiring,
          severities: ['warning'],
          since: 0,
          labels: { account: 'shop', domain: 'foreign.example' },
        },
      ],
      mustNotFire: [],
    },
    {
      name: 'renewals fail or hang: status error fires at once, status pending after days, an old renewal never',
      minutes: pendingMinutes + 2 * day,
      overDays: true,
      series: {
        ...renewal('failed.example', failedDays - 10, 'error'),
        ...renewal('hanging.example', failedDays - 10, 'pending'),
        ...renewal('ordered.example', failedDays - 10, 'success'),
        ...renewal('old.example', failedDays + 200, 'error'),
        [builder.series('hosting_account_balance', { account: 'shop' })]: 3,
      },
      expected: [
        {
          alert: renewalFailed,
          since: 0,
          labels: { account: 'shop', domain: 'failed.example', status: 'error' },
        },
        {
          alert: renewalFailed,
          since: pendingMinutes,
          labels: { account: 'shop', domain: 'hanging.example', status: 'pending' },
        },
      ],
      mustNotFire: [renewalFailed],
    },
    {
      name: 'accounts override the days for all their domains: more days, off, and an override of another alert without effect',
      minutes: domainWait + 60,
      series: {
        ...Object.fromEntries(
          ['early', 'never', 'other'].flatMap((account) =>
            ['one.example', 'two.example'].map((name) => [
              builder.series('hosting_domain_expiry_timestamp_seconds', { account, domain: name }),
              hold(atDay(account === 'early' ? expiryWarningDays + 20 : expiryCriticalDays / 2), domainWait + 61),
            ]),
          ),
        ),
        ...builder.override('early', expiring, 'warning', expiryWarningDays + 30),
        ...builder.override('never', expiring, 'warning', Number.NEGATIVE_INFINITY),
        ...builder.override('never', expiring, 'critical', Number.NEGATIVE_INFINITY),
        ...builder.override('other', 'HostingDomainExpired', 'critical', Number.NEGATIVE_INFINITY),
      },
      expected: [
        ...['one.example', 'two.example'].map((name) => ({
          alert: expiring as 'HostingDomainExpiring',
          severities: ['warning'] as const,
          since: 0,
          labels: { account: 'early', domain: name },
        })),
        ...['one.example', 'two.example'].map((name) => ({
          alert: expiring as 'HostingDomainExpiring',
          since: 0,
          labels: { account: 'other', domain: name },
        })),
      ],
      mustNotFire: [],
      defaultsOnly: [expiring],
    },
    {
      name: 'domains that expire late, are renewed in time, or expired long ago: no alert',
      minutes: domainWait + 120,
      series: {
        ...domain('far.example', expiryWarningDays + 1, 0),
        ...domain('renews.example', overdueDays + 1, 1),
        ...domain('dead.example', -forgetDays - 2, 0),
        ...domain('пример.example', expiryWarningDays + 100, 1),
        [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'late.example' })]:
          sequence(hold(atDay(1), 10), hold(atDay(366), domainWait + 111)),
      },
      expected: [],
      mustNotFire: [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'],
    },
  ]);
}
