import { newest, type RuleCase } from './rule-case.ts';

const interval = 'account_collector:hosting_poll_interval_seconds:max';
const success = 'account_collector:hosting_poll_success:max';
const fresh = 'account_collector:hosting_exporter_fresh_timestamp_seconds:max';
const late = 'account_collector:hosting_exporter_fresh_timestamp_seconds:late';
const held = 'account_collector:hosting_exporter_held:group';
const refused = 'account_collector:hosting_permission_refused:group';
const lost = 'account_collector:hosting_permission_lost:group';
const covered = 'account:hosting_account_outage_timestamp_seconds:max';
const pollAge = 'account_collector:hosting_poll_age_intervals:max';
const newestPollAge = 'instance:hosting_exporter_newest_poll_age_seconds:min';
const clockLag = 'instance:hosting_clock_lag_minutes:min';
const away = 'account:hosting_account_away:group';
const accountUp = 'account:hosting_up:max';
const failing = 'hosting_exporter_collector_failing';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const labels = 'account="a",collector="c"';
const none = {};

function of(account: string, collector = 'c'): string {
  return `account="${account}",collector="${collector}"`;
}

export const collectorCases: readonly RuleCase[] = [
  ...newest(interval, 'hosting_exporter_collector_interval_seconds', { labels }),
  ...newest(success, 'hosting_exporter_collector_success', { labels }),
  ...newest(fresh, lastSuccess, { labels }),
  {
    rule: fresh,
    promise: 'the newest recorded time, for an hour',
    given: { [`${fresh}{${labels}}`]: '9 1 4' },
    results: { '2m': { [labels]: 4 }, '61m': { [labels]: 4 }, '63m': none },
  },
  {
    rule: fresh,
    promise: 'a recorded time, until it is a day old or as long as an exporter reports the collector',
    interval: '1h',
    given: {
      [`${fresh}{${of('old')}}`]: '21600x30',
      [`${fresh}{${of('new')}}`]: '21601x30',
      [`${fresh}{${of('reported')}}`]: '21600x30',
      [`${interval}{${of('reported')}}`]: '300x30',
    },
    results: { '30h': { [of('new')]: 21601, [of('reported')]: 21600 } },
  },
  {
    rule: fresh,
    promise: 'the time at which the collector appeared; a successful poll replaces it',
    given: {
      [`${interval}{${labels}}`]: '300x10',
      [`${interval}{${of('b')}}`]: '300x10',
      [`${fresh}{${of('b')}}`]: '120x10',
      [`${lastSuccess}{${of('b')},instance="a"}`]: '240x10',
    },
    results: { '10m': { [labels]: 600, [of('b')]: 240 } },
  },
  {
    rule: held,
    promise: 'failed collectors, and those of accounts that are away, for a day after the newest successful poll',
    interval: '1h',
    given: {
      [`${success}{${of('failed')}}`]: '0x30',
      [`${fresh}{${of('failed')}}`]: '21601x30',
      [`${success}{${of('old')}}`]: '0x30',
      [`${fresh}{${of('old')}}`]: '21600x30',
      [`${success}{${of('well')}}`]: '1x30',
      [`${fresh}{${of('well')}}`]: '21601x30',
      [`${success}{${of('never')}}`]: '0x30',
      [`${fresh}{${of('away')}}`]: '21601x30',
      [`${away}{account="away"}`]: '1x30',
      [`${fresh}{${of('away long')}}`]: '21600x30',
      [`${away}{account="away long"}`]: '1x30',
    },
    results: { '30h': { [of('failed')]: 0, [of('never')]: 0, [of('away')]: 21601 } },
  },
  ...newest(refused, failing, {
    labels: `${labels},reason="permission"`,
    result: labels,
    also: { [`${success}{${labels}}`]: '0x20' },
  }),
  {
    rule: refused,
    promise: 'not for another reason, and not if another exporter succeeds',
    given: {
      [`${failing}{${of('a')},reason="timeout",instance="a"}`]: '1',
      [`${success}{${of('a')}}`]: '0',
      [`${failing}{${of('b')},reason="permission",instance="a"}`]: '1',
      [`${success}{${of('b')}}`]: '1',
      [`${failing}{${of('c')},reason="permission",instance="a"}`]: '1',
    },
    results: { '0m': none },
  },
  {
    rule: lost,
    promise: 'collectors that succeeded before, and the collector account, for ten minutes',
    given: {
      [`${refused}{${of('a')}}`]: '1x20',
      [`${lastSuccess}{${of('a')},instance="a"}`]: '5',
      [`${refused}{${of('b', 'account')}}`]: '1x20',
      [`${failing}{${of('b', 'account')},reason="permission",instance="a",pod="p"}`]: '1',
      [`${refused}{${of('c')}}`]: '1x20',
      [`${failing}{${of('c')},reason="permission",instance="a"}`]: '1',
      [`${lastSuccess}{${of('d')},instance="a"}`]: '5',
      [`${failing}{${of('e', 'account')},reason="permission",instance="a"}`]: '1',
      [`${refused}{${of('f', 'account')}}`]: '1x20',
      [`${failing}{${of('f', 'account')},reason="timeout",instance="a"}`]: '1',
    },
    results: { '9m': { [of('a')]: 1, [of('b', 'account')]: 1 }, '11m': none },
  },
  ...['HostingProviderUnreachable', 'HostingMostLoginsRejected'].map((alert) => ({
    rule: covered,
    promise: `now for all accounts, for ten minutes after ${alert} fired`,
    given: {
      [`${accountUp}{account="a"}`]: '5x20',
      [`${accountUp}{account="b"}`]: '5x20',
      [`ALERTS{alertname="${alert}",alertstate="firing",severity="critical"}`]: '1',
    },
    results: { '9m': { 'account="a"': 540, 'account="b"': 540 }, '11m': none },
  })),
  ...['HostingAccountUnreachable', 'HostingCredentialsRejected'].map((alert) => ({
    rule: covered,
    promise: `now for the account, for ten minutes after ${alert} fired`,
    given: {
      [`${accountUp}{account="a"}`]: '5x20',
      [`${accountUp}{account="b"}`]: '5x20',
      [`ALERTS{account="a",alertname="${alert}",alertstate="firing",severity="warning"}`]: '1',
    },
    results: { '9m': { 'account="a"': 540 }, '11m': none },
  })),
  {
    rule: covered,
    promise: 'neither pending alerts nor other alerts count',
    given: {
      [`${accountUp}{account="a"}`]: '5',
      'ALERTS{alertname="HostingProviderUnreachable",alertstate="pending"}': '1',
      'ALERTS{account="a",alertname="HostingAccountUnreachable",alertstate="pending"}': '1',
      'ALERTS{account="a",alertname="HostingPollFailing",alertstate="firing"}': '1',
    },
    results: { '0m': none },
  },
  {
    rule: covered,
    promise: 'the newest recorded end of an outage, for an hour',
    given: { [`${covered}{account="a"}`]: '9 1 4' },
    results: { '2m': { 'account="a"': 4 }, '61m': { 'account="a"': 4 }, '63m': none },
  },
  {
    rule: covered,
    promise: 'an outage replaces the recorded end',
    given: {
      [`${covered}{account="a"}`]: '4x10',
      [`${covered}{account="b"}`]: '4x10',
      [`${accountUp}{account="a"}`]: '5x10',
      [`${accountUp}{account="b"}`]: '5x10',
      'ALERTS{account="a",alertname="HostingAccountUnreachable",alertstate="firing"}': '1x10',
    },
    results: { '10m': { 'account="a"': 600, 'account="b"': 4 } },
  },
  {
    rule: late,
    promise: 'more than an interval ago, unless the collector is refused',
    given: {
      [`${fresh}{${of('late')}}`]: '299x10',
      [`${interval}{${of('late')}}`]: '300x10',
      [`${fresh}{${of('on time')}}`]: '300x10',
      [`${interval}{${of('on time')}}`]: '300x10',
      [`${fresh}{${of('without interval')}}`]: '100x10',
      [`${interval}{${of('without interval')}}`]: '0x10',
      [`${fresh}{${of('second')}}`]: '598x10',
      [`${interval}{${of('second')}}`]: '1x10',
      [`${fresh}{${of('refused')}}`]: '100x10',
      [`${interval}{${of('refused')}}`]: '300x10',
      [`${refused}{${of('refused')}}`]: '1x10',
    },
    results: { '10m': { [of('late')]: 299, [of('second')]: 598 } },
  },
  {
    rule: pollAge,
    promise: 'intervals since the newest successful poll, or since the end of a later outage',
    given: {
      [`${late}{${of('a')}}`]: '60x10',
      [`${interval}{${of('a')}}`]: '270x10',
      [`${late}{${of('b')}}`]: '60x10',
      [`${covered}{account="b"}`]: '300x10',
      [`${interval}{${of('b')}}`]: '100x10',
      [`${late}{${of('c')}}`]: '300x10',
      [`${covered}{account="c"}`]: '60x10',
      [`${interval}{${of('c')}}`]: '150x10',
      [`${late}{${of('d')}}`]: '60x10',
      [`${interval}{${of('d')}}`]: '0x10',
      [`${late}{${of('second')}}`]: '598x10',
      [`${interval}{${of('second')}}`]: '1x10',
    },
    results: { '10m': { [of('a')]: 2, [of('b')]: 3, [of('c')]: 2, [of('second')]: 2 } },
  },
  {
    rule: newestPollAge,
    promise: 'seconds since the newest successful poll of the exporter, of samples of at most ten minutes ago',
    given: {
      [`${lastSuccess}{${of('a')},instance="x"}`]: '90 1 40',
      [`${lastSuccess}{${of('b')},instance="x"}`]: '2 80 60',
    },
    results: { '2m': { 'instance="x"': 60 }, '11m': { 'instance="x"': 600 }, '13m': none },
  },
  {
    rule: clockLag,
    promise: 'a backup in the future, of samples of at most ten minutes ago',
    given: {
      'hosting_backup_last_timestamp_seconds{account="a",kind="k",instance="x"}': '90 6000 1140',
      'hosting_backup_last_timestamp_seconds{account="b",kind="k",instance="x"}': '90 80 180',
      'hosting_backup_last_timestamp_seconds{account="a",kind="k",instance="now"}': '90 60 120',
    },
    results: { '2m': { 'instance="x"': -17 }, '11m': { 'instance="x"': -8 }, '13m': none },
  },
  {
    rule: clockLag,
    promise: 'a backup in the future counts before a poll in the future',
    given: {
      'hosting_backup_last_timestamp_seconds{account="a",kind="k",instance="x"}': '240x2',
      [`${newestPollAge}{instance="x"}`]: '-60x2',
    },
    results: { '2m': { 'instance="x"': -2 } },
  },
  {
    rule: clockLag,
    promise: 'a poll in the future',
    given: {
      [`${newestPollAge}{instance="a"}`]: '-120',
      [`${newestPollAge}{instance="b"}`]: '0',
      [`${newestPollAge}{instance="c"}`]: '60',
    },
    results: { '0m': { 'instance="a"': -2 } },
  },
  {
    rule: clockLag,
    promise: 'the lowest age within an hour, if polls reset it',
    given: {
      [`${newestPollAge}{instance="a"}`]: '60 300 300 300 900 600x100',
      [`${newestPollAge}{instance="b"}`]: '60 120 180 600x100',
    },
    results: { '59m': { 'instance="a"': 1 }, '62m': { 'instance="a"': 5 }, '67m': none },
  },
  {
    rule: 'HostingClocksDisagree warning',
    promise: 'ten minutes or more, in both directions',
    given: {
      [`${clockLag}{instance="a"}`]: '10',
      [`${clockLag}{instance="b"}`]: '9.9',
      [`${clockLag}{instance="c"}`]: '-10',
      [`${clockLag}{instance="d"}`]: '-9.9',
    },
    results: { '0m': { 'instance="a"': 10, 'instance="c"': 10 } },
  },
  ...newest('HostingSeriesDropped warning', 'hosting_exporter_collector_series_dropped', { labels }),
  {
    rule: 'HostingSeriesDropped warning',
    promise: 'a single dropped series',
    given: { [`hosting_exporter_collector_series_dropped{${labels},instance="a"}`]: '0x5 1' },
    results: { '5m': none, '6m': { [labels]: 1 } },
  },
  {
    rule: 'HostingPermissionMissing warning',
    promise: 'lost permissions',
    given: { [`${lost}{${of('a')}}`]: '1', [`${refused}{${of('b')}}`]: '1' },
    results: { '0m': { [of('a')]: 1 } },
  },
  {
    rule: 'HostingPermissionMissing info',
    promise: 'permissions that were never given',
    given: { [`${lost}{${of('a')}}`]: '1', [`${refused}{${of('a')}}`]: '1', [`${refused}{${of('b')}}`]: '1' },
    results: { '0m': { [of('b')]: 1 } },
  },
];
