import { atDay, hold, infinite, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const day = 1440;

/** Money and domains. */
export function billing(builder: ScenarioBuilder): TestSuite {
  const blocked = 'HostingAccountBlockedSoon';
  const soon = builder.threshold(blocked, 'warning', 7);
  const now = builder.threshold(blocked, 'critical', 2);
  const payment = Math.max(builder.forMinutes(blocked, 'warning'), builder.forMinutes(blocked, 'critical'));
  const expiring = 'HostingDomainExpiring';
  const month = builder.threshold(expiring, 'warning', 30);
  const week = builder.threshold(expiring, 'critical', 7);
  const overdue = builder.threshold('HostingDomainRenewalOverdue', 'warning', 3);
  const forget = builder.parameter('HostingDomainExpired', 'forget', 30);
  const waits = [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'] as const;
  const domainWait = Math.max(
    ...waits.flatMap((alert) => [builder.forMinutes(alert, 'warning'), builder.forMinutes(alert, 'critical')]),
  );
  const until = (account: string, days: number, minutes: number, instance = 'a') => ({
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
  const left = (days: number) => (minute: number) => Math.floor(days - minute / day);
  const paid = (days: number) => (minute: number) => Math.ceil(days - minute / day);

  return {
    name: 'billing',
    scenarios: [
      {
        name: 'the money runs out: warning, then critical, and none for who has just paid',
        minutes: payment + 60,
        series: {
          ...builder.up(payment + 60),
          ...builder.up(payment + 60, 'b'),
          ...until('shop', (soon + now) / 2, payment + 60),
          ...until('shop', (soon + now) / 2, payment + 60, 'b'),
          ...until('mail', now / 2, payment + 60),
          [builder.series('hosting_account_balance', { account: 'mail' })]: hold(12.5, payment + 61),
          [builder.series('hosting_account_daily_charge', { account: 'mail' })]: hold(12.75, payment + 61),
        },
        expected: [
          {
            alert: blocked,
            severities: ['warning'],
            since: 0,
            labels: { account: 'shop' },
            value: paid((soon + now) / 2),
            queryResults: () => [undefined, undefined],
          },
          {
            alert: blocked,
            since: 0,
            labels: { account: 'mail' },
            value: paid(now / 2),
            queryResults: () => [12.5, 12.75],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'an account is paid in time, another within the hour',
        minutes: payment + 120,
        series: {
          ...builder.up(payment + 120),
          ...until('rich', soon + 1, payment + 120),
          [builder.series('hosting_account_block_timestamp_seconds', { account: 'late' })]: sequence(
            hold(
              atDay(now / 2),
              Math.max(1, Math.min(builder.forMinutes(blocked, 'warning'), builder.forMinutes(blocked, 'critical'))),
            ),
            hold(atDay(soon + 30), payment + 120),
          ),
        },
        expected: [],
        mustNotFire: [blocked],
      },
      {
        name: 'the provider says three days, the next morning two, and the money comes in the evening',
        minutes: 2 * day,
        evaluationMinutes: 5,
        series: {
          ...builder.up(2 * day),
          // Whole days, said anew in every poll: the end moves on during the day and jumps back at night.
          [builder.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: sequence(
            ...Array.from({ length: 108 }, (_, turn) => hold(turn * 600 + atDay(3), 10)),
            ...Array.from({ length: 72 }, (_, turn) => hold((turn + 108) * 600 + atDay(2), 10)),
            ...Array.from({ length: 109 }, (_, turn) => hold((turn + 180) * 600 + atDay(40), 10)),
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
            queryResults: () => [undefined, undefined],
          },
          {
            alert: blocked,
            severities: ['critical'],
            since: 1080,
            until: 1800,
            labels: { account: 'shop' },
            value: 2,
            queryResults: () => [undefined, undefined],
          },
        ],
        mustNotFire: [],
        defaultsOnly: [blocked],
      },
      {
        name: 'domains expire: without renewal, with a renewal that fails, and one that has ended',
        minutes: domainWait + 60,
        series: {
          ...builder.up(domainWait + 60),
          ...domain('month.example', (month + week) / 2, 0, domainWait + 60),
          ...domain('week.example', week / 2, 0, domainWait + 60),
          ...domain('unknown.example', week / 2, undefined, domainWait + 60),
          ...domain('renews.example', overdue / 2, 1, domainWait + 60),
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
            value: left((month + week) / 2),
          },
          ...['week.example', 'unknown.example'].map((name) => ({
            alert: expiring as 'HostingDomainExpiring',
            since: 0,
            labels: { account: 'shop', domain: name },
            value: left(week / 2),
          })),
          {
            alert: 'HostingDomainRenewalOverdue',
            since: 0,
            labels: { account: 'shop', domain: 'renews.example' },
            value: left(overdue / 2),
            queryResults: () => [3],
          },
          ...['ended.example', 'ended-too.example'].map((name) => ({
            alert: 'HostingDomainExpired' as const,
            since: 0,
            labels: { account: 'shop', domain: name },
            value: left(-1),
          })),
        ],
        mustNotFire: [],
      },
      {
        name: 'accounts override the days of all their domains: earlier, never, and none of another alert',
        minutes: domainWait + 60,
        series: {
          ...builder.up(domainWait + 60),
          ...Object.fromEntries(
            ['early', 'never', 'other'].flatMap((account) =>
              ['one.example', 'two.example'].map((name) => [
                builder.series('hosting_domain_expiry_timestamp_seconds', { account, domain: name }),
                hold(atDay(account === 'early' ? month + 20 : week / 2), domainWait + 61),
              ]),
            ),
          ),
          ...override('early', expiring, 'warning', hold(month + 30, domainWait + 61)),
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
            value: left(month + 20),
          })),
          ...['one.example', 'two.example'].map((name) => ({
            alert: expiring as 'HostingDomainExpiring',
            since: 0,
            labels: { account: 'other', domain: name },
            value: left(week / 2),
          })),
        ],
        mustNotFire: [],
        defaultsOnly: [expiring],
      },
      {
        name: 'domains far from the end, renewed in time, and dead ones that the provider still lists',
        minutes: domainWait + 120,
        series: {
          ...builder.up(domainWait + 120),
          ...domain('far.example', month + 1, 0, domainWait + 120),
          ...domain('renews.example', overdue + 1, 1, domainWait + 120),
          ...domain('dead.example', -forget - 1, 0, domainWait + 120),
          ...domain('пример.example', month + 100, 1, domainWait + 120),
          [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'late.example' })]:
            sequence(hold(atDay(1), 10), hold(atDay(366), domainWait + 111)),
        },
        expected: [],
        mustNotFire: [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'],
      },
    ],
  };
}
