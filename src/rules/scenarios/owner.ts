import { at, hold, inTurn, never, type Stage, type Theme } from './scenario.ts';

const day = 1440;

/** Money and domains. */
export function owner(stage: Stage): Theme {
  const blocked = 'HostingAccountBlockedSoon';
  const soon = stage.threshold(blocked, 'warning', 7);
  const now = stage.threshold(blocked, 'critical', 2);
  const payment = Math.max(stage.wait(blocked, 'warning'), stage.wait(blocked, 'critical'));
  const expiring = 'HostingDomainExpiring';
  const month = stage.threshold(expiring, 'warning', 30);
  const week = stage.threshold(expiring, 'critical', 7);
  const overdue = stage.threshold('HostingDomainRenewalOverdue', 'warning', 3);
  const forget = stage.knob('HostingDomainExpired', 'forget', 30);
  const waits = [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'] as const;
  const domainWait = Math.max(
    ...waits.flatMap((alert) => [stage.wait(alert, 'warning'), stage.wait(alert, 'critical')]),
  );
  const until = (account: string, days: number, minutes: number, instance = 'a') => ({
    [stage.series('hosting_account_block_timestamp_seconds', { account }, instance)]: hold(at(days), minutes + 1),
  });
  const domain = (name: string, days: number, renews: 0 | 1 | undefined, minutes: number) => ({
    [stage.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: name })]: hold(
      at(days),
      minutes + 1,
    ),
    ...(renews !== undefined && {
      [stage.series('hosting_domain_auto_renew', { account: 'shop', domain: name })]: hold(renews, minutes + 1),
    }),
  });
  const override = (account: string, alert: string, severity: string, values: string) => ({
    [stage.series('hosting_account_alert_threshold', { account, alert, severity })]: values,
  });
  const left = (days: number) => (minute: number) => Math.floor(days - minute / day);
  const paid = (days: number) => (minute: number) => Math.ceil(days - minute / day);

  return {
    name: 'owner',
    scenarios: [
      {
        name: 'the money runs out: warning, then critical, and none for who has just paid',
        minutes: payment + 60,
        series: {
          ...stage.up(payment + 60),
          ...stage.up(payment + 60, 'b'),
          ...until('shop', (soon + now) / 2, payment + 60),
          ...until('shop', (soon + now) / 2, payment + 60, 'b'),
          ...until('mail', now / 2, payment + 60),
          [stage.series('hosting_account_balance', { account: 'mail' })]: hold(12.5, payment + 61),
          [stage.series('hosting_account_daily_charge', { account: 'mail' })]: hold(12.75, payment + 61),
        },
        truths: [
          {
            alert: blocked,
            severities: ['warning'],
            since: 0,
            labels: { account: 'shop' },
            value: paid((soon + now) / 2),
            answers: () => [undefined, undefined],
          },
          {
            alert: blocked,
            since: 0,
            labels: { account: 'mail' },
            value: paid(now / 2),
            answers: () => [12.5, 12.75],
          },
        ],
        tempted: [],
      },
      {
        name: 'an account is paid in time, another within the hour',
        minutes: payment + 120,
        series: {
          ...stage.up(payment + 120),
          ...until('rich', soon + 1, payment + 120),
          [stage.series('hosting_account_block_timestamp_seconds', { account: 'late' })]: inTurn(
            hold(at(now / 2), Math.max(1, Math.min(stage.wait(blocked, 'warning'), stage.wait(blocked, 'critical')))),
            hold(at(soon + 30), payment + 120),
          ),
        },
        truths: [],
        tempted: [blocked],
      },
      {
        name: 'the provider says three days, the next morning two, and the money comes in the evening',
        minutes: 2 * day,
        every: 5,
        series: {
          ...stage.up(2 * day),
          // Whole days, said anew in every poll: the end moves on during the day and jumps back at night.
          [stage.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: inTurn(
            ...Array.from({ length: 108 }, (_, turn) => hold(turn * 600 + at(3), 10)),
            ...Array.from({ length: 72 }, (_, turn) => hold((turn + 108) * 600 + at(2), 10)),
            ...Array.from({ length: 109 }, (_, turn) => hold((turn + 180) * 600 + at(40), 10)),
          ),
        },
        truths: [
          {
            alert: blocked,
            severities: ['warning'],
            since: 0,
            until: 1800,
            labels: { account: 'shop' },
            value: (minute) => (minute < 1080 ? 3 : 2),
            answers: () => [undefined, undefined],
          },
          {
            alert: blocked,
            severities: ['critical'],
            since: 1080,
            until: 1800,
            labels: { account: 'shop' },
            value: 2,
            answers: () => [undefined, undefined],
          },
        ],
        tempted: [],
        defaultsOnly: [blocked],
      },
      {
        name: 'domains expire: without renewal, with a renewal that fails, and one that has ended',
        minutes: domainWait + 60,
        series: {
          ...stage.up(domainWait + 60),
          ...domain('month.example', (month + week) / 2, 0, domainWait + 60),
          ...domain('week.example', week / 2, 0, domainWait + 60),
          ...domain('unknown.example', week / 2, undefined, domainWait + 60),
          ...domain('renews.example', overdue / 2, 1, domainWait + 60),
          ...domain('ended.example', -1, 0, domainWait + 60),
          ...domain('ended-too.example', -1, 1, domainWait + 60),
          [stage.series('hosting_account_balance', { account: 'shop' })]: hold(3, domainWait + 61),
        },
        truths: [
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
            answers: () => [3],
          },
          ...['ended.example', 'ended-too.example'].map((name) => ({
            alert: 'HostingDomainExpired' as const,
            since: 0,
            labels: { account: 'shop', domain: name },
            value: left(-1),
          })),
        ],
        tempted: [],
      },
      {
        name: 'accounts override the days of all their domains: earlier, never, and none of another alert',
        minutes: domainWait + 60,
        series: {
          ...stage.up(domainWait + 60),
          ...Object.fromEntries(
            ['early', 'never', 'other'].flatMap((account) =>
              ['one.example', 'two.example'].map((name) => [
                stage.series('hosting_domain_expiry_timestamp_seconds', { account, domain: name }),
                hold(at(account === 'early' ? month + 20 : week / 2), domainWait + 61),
              ]),
            ),
          ),
          ...override('early', expiring, 'warning', hold(month + 30, domainWait + 61)),
          ...override('never', expiring, 'warning', never(domainWait + 61, '-Inf')),
          ...override('never', expiring, 'critical', never(domainWait + 61, '-Inf')),
          ...override('other', 'HostingDomainExpired', 'critical', never(domainWait + 61, '-Inf')),
        },
        truths: [
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
        tempted: [],
        defaultsOnly: [expiring],
      },
      {
        name: 'domains far from the end, renewed in time, and dead ones that the provider still lists',
        minutes: domainWait + 120,
        series: {
          ...stage.up(domainWait + 120),
          ...domain('far.example', month + 1, 0, domainWait + 120),
          ...domain('renews.example', overdue + 1, 1, domainWait + 120),
          ...domain('dead.example', -forget - 1, 0, domainWait + 120),
          ...domain('пример.example', month + 100, 1, domainWait + 120),
          [stage.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'late.example' })]:
            inTurn(hold(at(1), 10), hold(at(366), domainWait + 111)),
        },
        truths: [],
        tempted: [expiring, 'HostingDomainExpired', 'HostingDomainRenewalOverdue'],
      },
    ],
  };
}
