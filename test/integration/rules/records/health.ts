import { newest, type RuleCase } from './rule-case.ts';

const seen = 'account:hosting_account_seen_timestamp_seconds:max';
const unreported = 'account:hosting_account_unreported:group';
const away = 'account:hosting_account_away:group';
const exportersUp = 'job:hosting_exporters_up:min';
const exporterUp = 'instance:hosting_exporter_up:last';
const accountUp = 'account:hosting_up:max';
const rejected = 'account:hosting_account_rejected:group';
const unreachable = 'account:hosting_account_unreachable:group';
const notPolled = 'instance:hosting_accounts_not_polled:ratio';
const current = 'job:hosting_alert_threshold:current';
const none = {};

function reloadFailed(metric: string): RuleCase {
  return {
    rule: 'HostingConfigReloadFailed warning',
    promise: `the newest reload, of at most ten minutes ago, failed (${metric})`,
    given: { [`${metric}{instance="failed"}`]: '1 0', [`${metric}{instance="repaired"}`]: '0 1' },
    results: { '1m': { 'instance="failed"': 0 }, '10m': { 'instance="failed"': 0 }, '12m': none },
  };
}

/** The share of accounts with a problem. */
function share(rule: string, problem: string): RuleCase {
  return {
    rule,
    promise: 'the share of all accounts, if there are at least two',
    given: {
      [`${problem}{account="a"}`]: '0',
      [`${accountUp}{account="a"}`]: '0x10',
      [`${accountUp}{account="b"}`]: '1',
      [`${accountUp}{account="c"}`]: '1',
      [`${accountUp}{account="d"}`]: '1',
      [`${problem}{account="e"}`]: '_x9 0x10',
      [`${accountUp}{account="e"}`]: '_x9 0x10',
      [`${problem}{account="f"}`]: '_x9 0x10',
      [`${accountUp}{account="f"}`]: '_x20',
    },
    results: { '0m': { '': 0.25 }, '9m': { '': 1 }, '18m': none },
  };
}

/** The share of the accounts of an exporter that get no answer, and that other exporters do not poll, or poll. */
function exporterShare(severity: string, others: (account: string, minutes: string) => readonly [string, string]) {
  const rule = `${notPolled}{severity="${severity}"}`;
  const up = (account: string) => `hosting_up{account="${account}",instance="a"}`;
  return [
    {
      rule,
      promise: 'the newest answer of each account, for ten minutes',
      given: {
        ...Object.fromEntries(['x', 'y', 'failing', 'working', 'always'].map((account) => others(account, 'x20'))),
        [up('x')]: '0',
        [up('y')]: '0',
        [up('failing')]: '1 0x20',
        [up('working')]: '0 1x20',
        [up('elsewhere')]: '0x20',
        [up('always')]: '1x20',
      },
      results: { '9m': { 'instance="a"': 0.5 }, '11m': { 'instance="a"': 0.25 } },
    },
    {
      rule,
      promise: 'all of two accounts',
      given: {
        ...Object.fromEntries(['x', 'y'].map((account) => others(account, 'x2'))),
        [up('x')]: '0',
        [up('y')]: '0',
      },
      results: { '0m': { 'instance="a"': 1 } },
    },
    {
      rule,
      promise: 'the only account of an exporter',
      given: { ...Object.fromEntries([others('x', 'x2')]), [up('x')]: '0' },
      results: { '0m': severity === 'critical' ? none : { 'instance="a"': 1 } },
    },
  ];
}

/** An alert about single accounts yields to the alert about most accounts. */
function yields(alert: string, record: string, ratio: string, most: string): RuleCase {
  const given = (at: string, values: string) => ({
    [`${ratio}{at="${at}"}`]: values,
    [`${current}{at="${at}",alert="${most}",severity="critical"}`]: '0.6',
    [`${record}{account="a",at="${at}"}`]: '1',
  });
  return {
    rule: `${alert} warning`,
    promise: `unless ${most} names the cause`,
    given: {
      ...given('below', '0.59'),
      ...given('at', '0.6'),
      ...given('above', '0.7'),
      [`${record}{account="a",at="alone"}`]: '1',
    },
    results: { '0m': { 'account="a",at="below"': 1, 'account="a",at="alone"': 1 } },
  };
}

export const healthCases: readonly RuleCase[] = [
  {
    rule: seen,
    promise: 'the newest report of any exporter',
    given: {
      'hosting_up{account="a",instance="a",pod="p"}': '1x5',
      'hosting_up{account="a",instance="b",pod="q"}': '1x3',
    },
    results: { '3m': { 'account="a"': 180 }, '7m': { 'account="a"': 300 }, '11m': none },
  },
  {
    rule: seen,
    promise: 'the newest recorded report, for an hour',
    given: { [`${seen}{account="a"}`]: '9 1 4' },
    results: { '61m': { 'account="a"': 4 }, '63m': none },
  },
  {
    rule: seen,
    promise: 'a report counts for a day; a new one replaces it',
    interval: '1h',
    given: {
      [`${seen}{account="a"}`]: '21601x30',
      [`${seen}{account="b"}`]: '21600x30',
      [`${seen}{account="c"}`]: '21601x30',
      'hosting_up{account="c",instance="a"}': '1x30',
    },
    results: { '30h': { 'account="a"': 21601, 'account="c"': 108_000 } },
  },
  {
    rule: unreported,
    promise: 'no report for five minutes',
    given: { [`${seen}{account="a"}`]: '300x10', [`${seen}{account="b"}`]: '301x10' },
    results: { '10m': { 'account="a"': 1 } },
  },
  {
    rule: exportersUp,
    promise: 'an exporter is up if it answered within ten minutes; all must be up',
    given: { 'up{instance="a"}': '1 0x20', 'up{instance="b"}': '1x20' },
    results: { '1m': { '': 1 }, '9m': { '': 1 }, '11m': { '': 0 } },
  },
  {
    rule: away,
    promise: 'unreported accounts that were reported within the last hour',
    given: {
      [`${seen}{account="a"}`]: '3601x120',
      [`${unreported}{account="a"}`]: '1x120',
      [`${seen}{account="b"}`]: '3600x120',
      [`${unreported}{account="b"}`]: '1x120',
      [`${seen}{account="c"}`]: '3601x120',
    },
    results: { '120m': { 'account="a"': 1 } },
  },
  {
    rule: away,
    promise: 'accounts that were away within the last hour, while an exporter is down',
    given: {
      [`${seen}{account="a"}`]: '-5000x70',
      [`${unreported}{account="a"}`]: '1x70',
      [`${away}{account="a"}`]: '1',
    },
    results: { '59m': { 'account="a"': 1 }, '61m': none },
  },
  ...[
    ['0x30', { 'account="a"': 1 }],
    ['1x30', none],
  ].map(([up, expected]) => ({
    rule: away,
    promise: `for a day, while an exporter is down (${up})`,
    interval: '1h',
    given: {
      [`${seen}{account="a"}`]: '21601x30',
      [`${unreported}{account="a"}`]: '1x30',
      [`${away}{account="a"}`]: '1x30',
      [`${seen}{account="b"}`]: '21600x30',
      [`${unreported}{account="b"}`]: '1x30',
      [`${away}{account="b"}`]: '1x30',
      [`${seen}{account="c"}`]: '21601x30',
      [`${unreported}{account="c"}`]: '1x30',
      [exportersUp]: up as string,
    },
    results: { '30h': expected as Readonly<Record<string, number>> },
  })),
  {
    rule: 'HostingExporterAbsent critical',
    promise: 'Prometheus has no target',
    given: { 'up{instance="a"}': '0' },
    results: { '4m': none, '6m': { '': 1 } },
  },
  {
    rule: exporterUp,
    promise: 'the value of half a minute ago fills a gap',
    given: { 'up{instance="a"}': '1 stale' },
    results: { '1m': { 'instance="a"': 1 }, '1m20s': { 'instance="a"': 1 }, '1m40s': none },
  },
  {
    rule: exporterUp,
    promise: 'the current value counts first',
    given: { 'up{instance="a"}': '1 0' },
    results: { '1m': { 'instance="a"': 0 } },
  },
  {
    rule: 'HostingExporterDown critical',
    promise: 'a target is down, and an account is away or no target is up',
    given: {
      [`${exporterUp}{instance="down",at="alone"}`]: '0',
      [`${exporterUp}{instance="up",at="alone"}`]: '1',
    },
    results: { '0m': none },
  },
  {
    rule: 'HostingExporterDown critical',
    promise: 'an account is away',
    given: {
      [`${exporterUp}{instance="down"}`]: '0x9',
      [`${exporterUp}{instance="up"}`]: '1x9',
      [`${away}{account="a"}`]: '_x6 1x3',
    },
    results: { '5m': none, '7m': { 'instance="down"': 0 } },
  },
  {
    rule: 'HostingExporterDown critical',
    promise: 'no target is up',
    given: { [`${exporterUp}{instance="a"}`]: '0', [`${exporterUp}{instance="b"}`]: '0' },
    results: { '0m': { 'instance="a"': 0, 'instance="b"': 0 } },
  },
  {
    rule: 'HostingExporterDown warning',
    promise: 'a target is down',
    given: { [`${exporterUp}{instance="a"}`]: '0', [`${exporterUp}{instance="b"}`]: '1' },
    results: { '0m': { 'instance="a"': 0 } },
  },
  {
    rule: 'instance:hosting_exporter_restarts:changes',
    promise: 'restarts within the last hour',
    given: { 'process_start_time_seconds{instance="a"}': '1x4 2 3x80' },
    results: { '63m': { 'instance="a"': 2 }, '67m': { 'instance="a"': 0 } },
  },
  {
    rule: 'HostingScrapedTooRarely warning',
    promise: 'fewer than 9 scrapes in an hour',
    given: { 'up{instance="a"}': '1x8', 'up{instance="b"}': '1x7', 'up{instance="c"}': '1x8 _x11 1x7' },
    results: {
      '10m': { 'instance="b"': 8 },
      '59m': { 'instance="b"': 8 },
      '70m': { 'instance="c"': 8 },
    },
  },
  reloadFailed('hosting_exporter_config_last_reload_successful'),
  reloadFailed('hosting_exporter_web_config_last_reload_successful'),
  {
    rule: 'HostingStateNotSaved warning',
    promise: 'less than three quarters succeed',
    given: {
      'hosting_exporter_state_save_success{instance="a"}': '1 1 1 0',
      'hosting_exporter_state_save_success{instance="b"}': '0 1 1 0',
    },
    results: { '3m': { 'instance="b"': 0.5 } },
  },
  {
    rule: 'HostingStateNotSaved warning',
    promise: 'within two hours',
    given: { 'hosting_exporter_state_save_success{instance="a"}': '0 _x117 1' },
    results: { '119m': { 'instance="a"': 0.5 }, '121m': none },
  },
  {
    rule: 'HostingShardsDisagree warning',
    promise: 'the newest numbers of shards differ',
    given: {
      'hosting_exporter_shards{at="a",instance="a",pod="p"}': '1 3',
      'hosting_exporter_shards{at="a",instance="b",pod="q"}': '1 2',
      'hosting_exporter_shards{at="b",instance="a",pod="p"}': '1 3 3',
      'hosting_exporter_shards{at="b",instance="b",pod="q"}': '3 3 3',
    },
    results: { '2m': { 'at="a"': 3 } },
  },
  {
    rule: 'HostingShardsDisagree warning',
    promise: 'a stopped exporter counts for ten minutes',
    given: {
      'hosting_exporter_shards{at="higher",instance="a"}': '3x20',
      'hosting_exporter_shards{at="higher",instance="b"}': '2',
      'hosting_exporter_shards{at="lower",instance="a"}': '2x20',
      'hosting_exporter_shards{at="lower",instance="b"}': '3',
    },
    results: { '9m': { 'at="higher"': 3, 'at="lower"': 3 }, '11m': none },
  },
  {
    rule: 'HostingAccountMissing warning',
    promise: 'an unreported account, although all exporters are up',
    given: {
      [`${unreported}{account="a"}`]: '1x20',
      [exportersUp]: '0x4 1x4',
    },
    results: { '4m': none, '7m': { 'account="a"': 1 }, '15m': none },
  },
  ...newest(accountUp, 'hosting_up'),
  {
    rule: rejected,
    promise: 'the credentials were rejected within ten minutes, and no exporter logs in',
    given: {
      'hosting_exporter_collector_failing{account="a",collector="c",reason="auth",instance="a",pod="p"}': '1',
      [`${accountUp}{account="a"}`]: '0x20',
      'hosting_exporter_collector_failing{account="b",collector="c",reason="auth",instance="a"}': '1',
      [`${accountUp}{account="b"}`]: '1x20',
      'hosting_exporter_collector_failing{account="c",collector="c",reason="timeout",instance="a"}': '1',
      [`${accountUp}{account="c"}`]: '0x20',
    },
    results: { '9m': { 'account="a"': 1 }, '11m': none },
  },
  {
    rule: unreachable,
    promise: 'no answer, and not rejected',
    given: {
      [`${accountUp}{account="a"}`]: '0',
      [`${accountUp}{account="b"}`]: '1',
      [`${accountUp}{account="c"}`]: '0',
      [`${rejected}{account="c"}`]: '1',
    },
    results: { '0m': { 'account="a"': 0 } },
  },
  share('job:hosting_accounts_unreachable:ratio', unreachable),
  share('job:hosting_accounts_rejected:ratio', rejected),
  ...['job:hosting_accounts_unreachable:ratio', 'job:hosting_accounts_rejected:ratio'].map((rule) => ({
    rule,
    promise: 'two accounts, and one account',
    given: {
      [`${rule.includes('rejected') ? rejected : unreachable}{account="a"}`]: '0x20',
      [`${accountUp}{account="a"}`]: '0x20',
      [`${accountUp}{account="b"}`]: '1',
    },
    results: { '0m': { '': 0.5 }, '10m': none },
  })),
  ...exporterShare('critical', (account, minutes) => [`${unreachable}{account="${account}"}`, `0${minutes}`]),
  ...exporterShare('warning', (account, minutes) => [`${accountUp}{account="${account}"}`, `1${minutes}`]),
  {
    rule: `${notPolled}{severity="warning"}`,
    promise: 'not if no exporter gets an answer',
    given: { [`${accountUp}{account="x"}`]: '0', 'hosting_up{account="x",instance="a"}': '0' },
    results: { '0m': none },
  },
  {
    rule: 'HostingExporterCannotPoll critical',
    promise: 'a share of 0.6 or more, unless HostingProviderUnreachable names the cause',
    given: {
      [`${notPolled}{severity="critical",instance="a"}`]: '0.6x40',
      [`${notPolled}{severity="critical",instance="b"}`]: '0.59x40',
      [`${notPolled}{severity="warning",instance="c"}`]: '1x40',
      'job:hosting_accounts_unreachable:ratio': '0.59x10 0.6x10 0.61x10',
      [`${current}{alert="HostingProviderUnreachable",severity="critical"}`]: '0.6x30',
    },
    results: {
      '10m': { 'instance="a",severity="critical"': 0.6 },
      '15m': none,
      '25m': none,
      '40m': { 'instance="a",severity="critical"': 0.6 },
    },
  },
  {
    rule: 'HostingExporterCannotPoll warning',
    promise: 'a share of 0.6 or more',
    given: {
      [`${notPolled}{severity="warning",instance="a"}`]: '0.6',
      [`${notPolled}{severity="warning",instance="b"}`]: '0.59',
      [`${notPolled}{severity="critical",instance="c"}`]: '1',
    },
    results: { '0m': { 'instance="a",severity="warning"': 0.6 } },
  },
  yields(
    'HostingAccountUnreachable',
    unreachable,
    'job:hosting_accounts_unreachable:ratio',
    'HostingProviderUnreachable',
  ),
  yields('HostingCredentialsRejected', rejected, 'job:hosting_accounts_rejected:ratio', 'HostingMostLoginsRejected'),
  ...[
    ['HostingProviderUnreachable', 'job:hosting_accounts_unreachable:ratio'],
    ['HostingMostLoginsRejected', 'job:hosting_accounts_rejected:ratio'],
    ['HostingExporterRestarting', 'instance:hosting_exporter_restarts:changes'],
  ].map(([alert, subject]) => {
    const severity = alert === 'HostingExporterRestarting' ? 'warning' : 'critical';
    return {
      rule: `${alert} ${severity}`,
      promise: 'the threshold or more',
      given: {
        [`${subject}{at="below"}`]: '4',
        [`${subject}{at="equal"}`]: '5',
        [`${subject}{at="above"}`]: '6',
        ...Object.fromEntries(
          ['below', 'equal', 'above'].map((at) => [
            `${current}{at="${at}",alert="${alert}",severity="${severity}"}`,
            '5',
          ]),
        ),
      },
      results: { '0m': { 'at="equal"': 5, 'at="above"': 6 } },
    };
  }),
  {
    rule: 'HostingApiLimitHit info',
    promise: 'the API refused calls within half an hour',
    given: {
      'hosting_exporter_api_request_failures_total{account="a",reason="limit",instance="a",pod="p"}': '0 100x80',
      'hosting_exporter_api_request_failures_total{account="a",reason="limit",instance="b",pod="q"}': '0 1x80',
      'hosting_exporter_api_request_failures_total{account="one",reason="limit",instance="a",pod="p"}': '0 1x80',
      'hosting_exporter_api_request_failures_total{account="b",reason="timeout",instance="a",pod="p"}': '0 100x80',
      'hosting_exporter_api_request_failures_total{account="c",reason="limit",instance="a",pod="p"}': '5x80',
    },
    results: { '29m': { 'account="a"': 101, 'account="one"': 1 }, '33m': none },
  },
  {
    rule: 'HostingApiBudgetExhausted info',
    promise: 'the queue of one exporter was not empty for half an hour',
    given: {
      'hosting_exporter_api_queue_length{account="a",instance="a",pod="p"}': '0 5x60',
      'hosting_exporter_api_queue_length{account="a",instance="b",pod="q"}': '0x60',
      'hosting_exporter_api_queue_length{account="one",instance="b",pod="q"}': '0 1x60',
    },
    results: { '29m': none, '32m': { 'account="a"': 5, 'account="one"': 1 } },
  },
];
