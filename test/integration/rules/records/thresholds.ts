import { newest, type Results, type RuleCase } from './rule-case.ts';

const override = 'account:hosting_account_alert_threshold:max';
const seen = 'account:hosting_account_seen_timestamp_seconds:max';
const fire = 'account:hosting_alert_threshold:fire';
const end = 'account:hosting_alert_threshold:end';
const current = 'account:hosting_alert_threshold:current';
const firing = 'alert:hosting_alert_firing:group';
const unreported = 'account:hosting_account_unreported:group';
const none = {};

/** Alerts whose threshold accounts can override: where they begin and, from 10, where they end. */
const overridable: readonly (readonly [alert: string, severity: string, begins: number, ends: number | undefined])[] = [
  ['HostingPollFailing', 'warning', 3, 9],
  ['HostingDiskAlmostFull', 'critical', 0.95, 9.98],
  ['HostingDiskAlmostFull', 'warning', 0.85, 9.97],
  ['HostingDiskFillingUp', 'warning', 14, 17],
  ['HostingDiskFillingUpFast', 'critical', 12, 16],
  ['HostingAccountBlockedSoon', 'critical', 3, 12],
  ['HostingAccountBlockedSoon', 'warning', 7, 12],
  ['HostingDomainExpired', 'critical', 0, 11],
  ['HostingDomainExpired', 'warning', 0, 11],
  ['HostingDomainExpiring', 'critical', 7, 12],
  ['HostingDomainExpiring', 'warning', 30, 12],
  ['HostingDomainRenewalOverdue', 'warning', 3, 12],
  ['HostingDomainRenewalFailed', 'warning', 60, 12],
  ['HostingBackupTooOld', 'warning', 5, 9],
  ['HostingBackupMissing', 'warning', 1, undefined],
  ['HostingPlanLoadHigh', 'warning', 0.8, 9.95],
  ['HostingInventoryCollapsed', 'warning', 0.5, 10.1],
  ['HostingMailForwardingStarted', 'info', 1, undefined],
  ['HostingSiteLoadUnusual', 'info', 4, 9],
  ['HostingDatabaseGrewFast', 'info', 1.5, 9.9],
];

/** Details with their own current threshold, and the record that the alert compares. */
const ofDetails: readonly (readonly [
  alert: string,
  severity: string,
  kind: string,
  labels: string,
  subject: string,
])[] = [
  ['HostingPollFailing', 'warning', 'collector', 'collector="c"', 'account_collector:hosting_poll_age_intervals:max'],
  ['HostingDatabaseGrewFast', 'info', 'database', 'database="d"', 'account_database:hosting_database_growth:ratio'],
  ['HostingDomainExpired', 'critical', 'domain', 'domain="d"', 'account_domain:hosting_domain_days_left:end'],
  ['HostingDomainExpired', 'warning', 'domain', 'domain="d"', 'account_domain:hosting_domain_days_left:end'],
  ['HostingDomainExpiring', 'critical', 'domain', 'domain="d"', 'account_domain:hosting_domain_days_left:manual'],
  ['HostingDomainExpiring', 'warning', 'domain', 'domain="d"', 'account_domain:hosting_domain_days_left:manual'],
  [
    'HostingDomainRenewalOverdue',
    'warning',
    'domain',
    'domain="d"',
    'account_domain:hosting_domain_days_left:automatic',
  ],
  [
    'HostingDomainRenewalFailed',
    'warning',
    'renewal',
    'domain="d",status="error"',
    'account_renewal:hosting_days_left:max',
  ],
  [
    'HostingSiteLoadUnusual',
    'info',
    'site',
    'site_id="1",site="s"',
    'account_site:hosting_site_load_per_last_week:ratio',
  ],
  ['HostingBackupTooOld', 'warning', 'kind', 'kind="k"', 'account_kind:hosting_backup_age_days:min'],
  ['HostingInventoryCollapsed', 'warning', 'kind', 'kind="k"', 'account_kind:hosting_inventory:ratio'],
];

/** Alerts with one threshold for each target. */
const ofTargets: readonly (readonly [
  alert: string,
  severity: string,
  subject: string,
  begins: number,
  ends: number,
])[] = [
  ['HostingExporterRestarting', 'warning', 'instance:hosting_exporter_restarts:changes', 3, 1],
  ['HostingProviderUnreachable', 'critical', 'job:hosting_accounts_unreachable:ratio', 0.6, 0.3],
  ['HostingMostLoginsRejected', 'critical', 'job:hosting_accounts_rejected:ratio', 0.6, 0.2],
];

const shared = [
  'HostingDiskAlmostFull',
  'HostingDiskFillingUp',
  'HostingDiskFillingUpFast',
  'HostingAccountBlockedSoon',
  'HostingBackupMissing',
  'HostingPlanLoadHigh',
  'HostingMailForwardingStarted',
];

const currentOfBoth: Results = Object.fromEntries(
  shared.flatMap((alert) => [
    [`account="a",alert="${alert}",severity="warning"`, 4],
    [`account="b",alert="${alert}",severity="warning"`, 6],
  ]),
);

export const thresholdCases: readonly RuleCase[] = [
  ...newest(override, 'hosting_account_alert_threshold', { labels: 'account="a",alert="A",severity="warning"' }),
  {
    rule: override,
    promise: 'an unreported account keeps its newest thresholds for an hour',
    given: {
      [`${override}{account="a",alert="A",severity="warning"}`]: '9 1 4',
      [`${override}{account="b",alert="A",severity="warning"}`]: '9 1 4',
      [`${unreported}{account="a"}`]: '1x70',
    },
    results: { '61m': { 'account="a",alert="A",severity="warning"': 4 }, '63m': none },
  },
  ...overridable.flatMap(([alert, severity, begins, ends]) => [
    {
      rule: `${fire}{alert="${alert}",severity="${severity}"}`,
      promise: 'the default, or the threshold of the account',
      given: {
        [`${seen}{account="a"}`]: '90000',
        [`${seen}{account="b"}`]: '90000',
        [`${override}{account="b",alert="${alert}",severity="${severity}"}`]: '42',
        [`${override}{account="a",alert="${alert}",severity="other"}`]: '43',
        [`${override}{account="a",alert="Other",severity="${severity}"}`]: '44',
      },
      results: { '0m': { 'account="a"': begins, 'account="b"': 42 } },
    },
    ...(ends === undefined
      ? []
      : [
          {
            rule: `${end}{alert="${alert}",severity="${severity}"}`,
            promise: 'further than the threshold at which the alert begins',
            digits: 3,
            given: {
              [`${fire}{account="a",alert="${alert}",severity="${severity}"}`]: '10',
              [`${fire}{account="a",alert="${alert}",severity="other"}`]: '20',
              [`${fire}{account="a",alert="Other",severity="${severity}"}`]: '20',
            },
            results: { '0m': { [`account="a",alert="${alert}",severity="${severity}"`]: ends } },
          },
        ]),
  ]),
  {
    rule: firing,
    promise: 'alerts that fired within the last hour',
    given: {
      'ALERTS{account="a",alertname="HostingA",alertstate="firing",severity="warning"}': '1',
      'ALERTS{account="a",alertname="HostingB",alertstate="pending",severity="warning"}': '1',
      'ALERTS{account="a",alertname="Other",alertstate="firing",severity="warning"}': '1',
    },
    results: { '59m': { 'account="a",alert="HostingA",severity="warning"': 1 }, '61m': none },
  },
  {
    rule: current,
    promise: 'where the alert ends while it fires, otherwise where it begins; the newest value, for an hour',
    given: Object.fromEntries([
      ...[...shared, 'HostingPollFailing'].flatMap((alert) => [
        ...['a', 'b'].flatMap((account) => [
          [`${end}{account="${account}",alert="${alert}",severity="warning"}`, '9 1 4'],
          [`${fire}{account="${account}",alert="${alert}",severity="warning"}`, '2 8 6'],
        ]),
        [`${firing}{account="a",alert="${alert}",severity="warning"}`, '1x70'],
      ]),
    ]),
    results: {
      '2m': currentOfBoth,
      '61m': currentOfBoth,
      '63m': none,
    },
  },
  ...ofDetails.flatMap(([alert, severity, kind, labels, subject]) => {
    const names = `alert="${alert}",severity="${severity}"`;
    const other = labels.replace(/="[^"]*"/, '="calm"');
    return [
      {
        rule: `account_${kind}:hosting_alert_threshold:current{${names}}`,
        promise:
          'where the alert ends while it fires for the detail, otherwise where it begins; the newest, for an hour',
        given: {
          [`${end}{account="a",${names}}`]: '9 1 4',
          [`${fire}{account="a",${names}}`]: '2 8 6',
          [`${firing}{account="a",${labels},${names}}`]: '1x70',
          [`${subject}{account="a",${labels}}`]: '-3x70',
          [`${subject}{account="a",${other}}`]: '-3x70',
        },
        results: {
          '2m': { [`account="a",${labels},${names}`]: 4, [`account="a",${other}`]: 6 },
          '61m': { [`account="a",${labels},${names}`]: 4, [`account="a",${other}`]: 6 },
          '63m': none,
        },
      },
    ];
  }),
  ...ofTargets.map(([alert, severity, subject, begins, ends]) => {
    const names = `alert="${alert}",severity="${severity}"`;
    return {
      rule: `job:hosting_alert_threshold:current{${names}}`,
      promise: 'where the alert ends while it fires, otherwise where it begins',
      given: {
        [`${firing}{instance="a",${names}}`]: '1',
        [`${subject}{instance="a"}`]: '7',
        [`${subject}{instance="b"}`]: '7',
      },
      results: { '0m': { [`instance="a",${names}`]: ends, 'instance="b"': begins } },
    };
  }),
];
