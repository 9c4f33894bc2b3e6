import { newest, type Results, type RuleCase, remembered, type Series } from './rule-case.ts';

const accountCurrent = 'account:hosting_alert_threshold:current';
const elsewhere = 'account_domain:hosting_domain_elsewhere:group';
const paidDays = 'account:hosting_account_paid_days:max';
const failed = 'account_renewal:hosting_renewal_failed:max';
const pendingBefore = 'account_renewal:hosting_renewal_pending:before';
const renewals = 'hosting_domain_renewal_info';
const growth = 'account_database:hosting_database_growth:ratio';
const siteRatio = 'account_site:hosting_site_load_per_last_week:ratio';
const inventoryShare = 'account_kind:hosting_inventory:ratio';
const domain = 'account="a",domain="a.example"';
const none = {};

interface Compared {
  readonly alert: string;
  readonly severity: string;
  readonly subject: string;
  /** The record with the current threshold. */
  readonly threshold: string;
  /** The labels of the detail. */
  readonly detail?: string;
  readonly fires: 'at' | 'below';
  readonly also?: (account: string) => Series;
}

/** The alert compares the record with the current threshold of its account or detail. */
function compared({ alert, severity, subject, threshold, detail, fires, also = () => ({}) }: Compared): RuleCase {
  const labels = (account: string) => [`account="${account}"`, ...(detail === undefined ? [] : [detail])].join(',');
  const given = ['below', 'equal', 'above'].map((account, index) => ({
    [`${subject}{${labels(account)}}`]: String(4 + index),
    [`${threshold}{${labels(account)},alert="${alert}",severity="${severity}"}`]: '5',
    [`${threshold}{${labels(account)},alert="${alert}",severity="other"}`]: fires === 'at' ? '-9' : '9',
    ...also(account),
  }));
  return {
    rule: `${alert} ${severity}`,
    promise: fires === 'at' ? 'the threshold or more' : 'less than the threshold',
    given: Object.assign({}, ...given) as Series,
    results: {
      '0m': fires === 'at' ? { [labels('equal')]: 5, [labels('above')]: 6 } : { [labels('below')]: 4 },
    },
  };
}

function ofDomain(alert: string, severity: string, record: string, also: readonly string[] = []): RuleCase {
  return compared({
    alert,
    severity,
    subject: `account_domain:hosting_domain_days_left:${record}`,
    threshold: 'account_domain:hosting_alert_threshold:current',
    detail: 'domain="a.example"',
    fires: 'below',
    also: (account) =>
      Object.fromEntries(also.map((name) => [`${name}{account="${account}",domain="a.example"}`, '0'])),
  });
}

/** Whether the alert fires for a domain that is registered elsewhere, and for one that is not. */
function registrar(alert: string, severity: string, record: string, results: Results): RuleCase {
  const subject = `account_domain:hosting_domain_days_left:${record}`;
  const threshold = 'account_domain:hosting_alert_threshold:current';
  return {
    rule: `${alert} ${severity}`,
    promise: 'depends on where the domain is registered',
    given: {
      [`${subject}{account="a",domain="here"}`]: '4',
      [`${subject}{account="a",domain="elsewhere"}`]: '4',
      [`${threshold}{account="a",domain="here",alert="${alert}",severity="${severity}"}`]: '5',
      [`${threshold}{account="a",domain="elsewhere",alert="${alert}",severity="${severity}"}`]: '5',
      [`${elsewhere}{account="a",domain="elsewhere"}`]: '0',
    },
    results: { '0m': results },
  };
}

/** A ratio to a record, whose newest value counts for an hour. Values below `least` do not count. */
function ratio(
  rule: string,
  {
    subject,
    base,
    labels,
    least = 0,
  }: { subject: string; base: string; labels: (id: string) => string; least?: number },
): RuleCase {
  const value = least === 0 ? 20 : least;
  return {
    rule,
    promise: 'divided by the newest value of the last hour that is above 0',
    given: {
      [`${subject}{${labels('a')}}`]: `${value}x70`,
      [`${base}{${labels('a')}}`]: `9 ${value / 8} ${value / 4}`,
      [`${subject}{${labels('zero')}}`]: `${value}x70`,
      [`${base}{${labels('zero')}}`]: '9 1 0x70',
      [`${subject}{${labels('one')}}`]: `${value}x70`,
      [`${base}{${labels('one')}}`]: '1',
      ...(least > 0 && {
        [`${subject}{${labels('small')}}`]: `${least * 0.99}x70`,
        [`${base}{${labels('small')}}`]: '0.1x70',
      }),
    },
    results: {
      '2m': { [labels('a')]: 4, [labels('one')]: value },
      '61m': { [labels('a')]: 4 },
      '63m': none,
    },
  };
}

/** An alert about a detail compares the newest value of the last hour with the threshold of the account. */
function newestOfHour(alert: string, severity: string, record: string, detail: string, fires: string): RuleCase {
  const series = (account: string) => `${record}{account="${account}",${detail}}`;
  const threshold = (account: string) =>
    `${accountCurrent}{account="${account}",alert="${alert}",severity="${severity}"}`;
  return {
    rule: `${alert} ${severity}`,
    promise: 'the newest value, for an hour',
    given: {
      [series('below')]: '9 1 4',
      [threshold('below')]: '5x70',
      [series('equal')]: '9 1 5',
      [threshold('equal')]: '5x70',
      [series('above')]: '1 9 6',
      [threshold('above')]: '5x70',
    },
    results: {
      '61m':
        fires === 'below'
          ? { [`account="below",${detail}`]: 4 }
          : { [`account="equal",${detail}`]: 5, [`account="above",${detail}`]: 6 },
      '63m': none,
    },
  };
}

export const alertCases: readonly RuleCase[] = [
  {
    rule: 'HostingAccountBlockedToday critical',
    promise: 'less than a day, unless HostingAccountBlockedSoon is off',
    given: {
      [`${paidDays}{account="a"}`]: '0',
      [`${accountCurrent}{account="a",alert="HostingAccountBlockedSoon",severity="critical"}`]: '3',
      [`${paidDays}{account="later"}`]: '1',
      [`${accountCurrent}{account="later",alert="HostingAccountBlockedSoon",severity="critical"}`]: '3',
      [`${paidDays}{account="off"}`]: '0',
      [`${accountCurrent}{account="off",alert="HostingAccountBlockedSoon",severity="critical"}`]: '-Inf',
    },
    results: { '0m': { 'account="a"': 0 } },
  },
  ...['critical', 'warning'].map((severity) =>
    compared({
      alert: 'HostingAccountBlockedSoon',
      severity,
      subject: paidDays,
      threshold: accountCurrent,
      fires: 'below',
    }),
  ),
  ofDomain('HostingDomainExpired', 'critical', 'end'),
  ofDomain('HostingDomainExpired', 'warning', 'end', [elsewhere]),
  ofDomain('HostingDomainExpiring', 'critical', 'manual'),
  ofDomain('HostingDomainExpiring', 'warning', 'manual'),
  ofDomain('HostingDomainRenewalOverdue', 'warning', 'automatic'),
  registrar('HostingDomainExpired', 'critical', 'end', { 'account="a",domain="here"': 4 }),
  registrar('HostingDomainExpired', 'warning', 'end', { 'account="a",domain="elsewhere"': 4 }),
  registrar('HostingDomainExpiring', 'critical', 'manual', { 'account="a",domain="here"': 4 }),
  registrar('HostingDomainExpiring', 'warning', 'manual', {
    'account="a",domain="here"': 4,
    'account="a",domain="elsewhere"': 4,
  }),
  compared({
    alert: 'HostingDomainRenewalFailed',
    severity: 'warning',
    subject: 'account_renewal:hosting_days_left:max',
    threshold: 'account_renewal:hosting_alert_threshold:current',
    detail: 'domain="a.example",status="error"',
    fires: 'below',
  }),
  ...newest(failed, renewals, { labels: `${domain},status="error"` }),
  ...newest(failed, renewals, {
    labels: `${domain},status="pending"`,
    also: { [`${pendingBefore}{${domain},status="pending"}`]: '1x20' },
  }),
  {
    rule: failed,
    promise: 'pending, and pending before within the last hour',
    given: {
      [`${renewals}{${domain},status="pending",instance="a"}`]: '7x70',
      [`${pendingBefore}{${domain},status="pending"}`]: '1',
      [`${renewals}{account="new",domain="a.example",status="pending",instance="a"}`]: '7x70',
      [`${pendingBefore}{account="renewed",domain="a.example",status="pending"}`]: '1x70',
      [`${renewals}{account="renewed",domain="a.example",status="success",instance="a"}`]: '7x70',
    },
    results: { '59m': { [`${domain},status="pending"`]: 7 }, '61m': none },
  },
  ...remembered(failed, {
    labels: `${domain},status="error"`,
    collector: 'domains',
    current: `${renewals}{${domain},status="error",instance="a"}`,
  }),
  {
    rule: 'account_renewal:hosting_days_left:max',
    promise: 'days left of domains with a failed renewal, until the end of their last day',
    given: Object.fromEntries(
      [
        ['a', '1', '-1'],
        ['past', '1', '-2'],
        ['renewed', undefined, '5'],
      ].flatMap(([account = '', value, days = '']) => [
        [`account_domain:hosting_domain_days_left:max{account="${account}",domain="d"}`, days],
        ...(value === undefined ? [] : [[`${failed}{account="${account}",domain="d",status="error"}`, value]]),
      ]),
    ),
    results: { '0m': { 'account="a",domain="d",status="error"': -1 } },
  },
  ratio(growth, {
    subject: 'account_database:hosting_database_size_bytes:max',
    base: 'account_database:hosting_database_size_bytes:max_yesterday',
    labels: (id) => `account="a",database="${id}"`,
    least: 100_000_000,
  }),
  ratio(siteRatio, {
    subject: 'account_site:hosting_site_load_hourly:max',
    base: 'account_site:hosting_site_load_hourly:max1d_last_week',
    labels: (id) => `account="a",site_id="1",site="${id}"`,
    least: 1,
  }),
  ratio(inventoryShare, {
    subject: 'account_kind:hosting_inventory:count',
    base: 'account_kind:hosting_inventory:max_memory',
    labels: (id) => `account="a",kind="${id}"`,
  }),
  compared({
    alert: 'HostingDatabaseGrewFast',
    severity: 'info',
    subject: growth,
    threshold: 'account_database:hosting_alert_threshold:current',
    detail: 'database="d"',
    fires: 'at',
  }),
  compared({
    alert: 'HostingPlanLoadHigh',
    severity: 'warning',
    subject: 'account:hosting_plan_load:ratio',
    threshold: accountCurrent,
    fires: 'at',
  }),
  compared({
    alert: 'HostingSiteLoadUnusual',
    severity: 'info',
    subject: siteRatio,
    threshold: 'account_site:hosting_alert_threshold:current',
    detail: 'site_id="1",site="s"',
    fires: 'at',
  }),
  compared({
    alert: 'HostingBackupTooOld',
    severity: 'warning',
    subject: 'account_kind:hosting_backup_age_days:min',
    threshold: 'account_kind:hosting_alert_threshold:current',
    detail: 'kind="k"',
    fires: 'at',
  }),
  compared({
    alert: 'HostingInventoryCollapsed',
    severity: 'warning',
    subject: inventoryShare,
    threshold: 'account_kind:hosting_alert_threshold:current',
    detail: 'kind="k"',
    fires: 'below',
  }),
  compared({
    alert: 'HostingPollFailing',
    severity: 'warning',
    subject: 'account_collector:hosting_poll_age_intervals:max',
    threshold: 'account_collector:hosting_alert_threshold:current',
    detail: 'collector="c"',
    fires: 'at',
  }),
  newestOfHour('HostingBackupMissing', 'warning', 'account_kind:hosting_backups:max_memory', 'kind="k"', 'below'),
  newestOfHour(
    'HostingMailForwardingStarted',
    'info',
    'account_domain:hosting_mailboxes_forwarding:delta',
    'domain="d"',
    'at',
  ),
];
