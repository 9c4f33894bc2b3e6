import {
  atDay,
  ended,
  hold,
  infinite,
  missing,
  ramp,
  type ScenarioBuilder,
  sequence,
  type TestSuite,
} from './scenario.ts';

const up = 'hosting_up';
const failures = 'hosting_exporter_api_request_failures_total';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const interval = 'hosting_exporter_collector_interval_seconds';
const success = 'hosting_exporter_collector_success';

/** Availability and configuration of the exporter. */
export function exporter(builder: ScenarioBuilder): TestSuite {
  const down = { labels: builder.exporter('a'), value: 0 } as const;
  const downMinutes = builder.forMinutes('HostingExporterDown', 'warning') + 20;
  const downWait = builder.forMinutes('HostingExporterDown', 'critical');
  const absentWait = builder.forMinutes('HostingExporterAbsent', 'critical');
  const reloadWait = builder.forMinutes('HostingConfigReloadFailed', 'warning');
  const missingWait = builder.forMinutes('HostingAccountMissing', 'warning');

  return {
    name: 'exporter',
    scenarios: [
      {
        name: 'the only exporter goes down: critical, and its account is not reported as missing',
        minutes: 10 + downMinutes + missingWait,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + missingWait + 1)),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
        },
        expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing', 'HostingExporterAbsent'],
      },
      {
        name: 'one exporter of an HA pair goes down: warning only',
        minutes: 10 + downMinutes,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + 1)),
          ...builder.up(10 + downMinutes, 'b'),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
          [builder.series(up, { account: 'shop' }, 'b')]: hold(1, 11 + downMinutes),
        },
        expected: [{ alert: 'HostingExporterDown', severities: ['warning'], since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing'],
      },
      {
        name: 'one of two exporters with different accounts goes down: critical, because its account is not monitored',
        minutes: 10 + downMinutes,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + 1)),
          ...builder.up(10 + downMinutes, 'b'),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: hold(1, 11 + downMinutes),
        },
        expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing'],
      },
      {
        name: 'an exporter restarts repeatedly, each time faster than `for`: no alert',
        minutes: 100,
        series: {
          [builder.series('up')]: sequence(
            hold(1, 20),
            hold(0, Math.max(1, downWait - 1)),
            hold(1, 20),
            hold(0, Math.max(1, downWait - 1)),
            hold(1, 80),
          ),
        },
        expected: [],
        mustNotFire: ['HostingExporterDown', 'HostingExporterAbsent'],
      },
      {
        name: 'the target disappears and returns',
        minutes: 20 + absentWait + 40,
        series: { [builder.series('up')]: sequence(hold(1, 20), missing(absentWait + 20), hold(1, 21)) },
        expected: [{ alert: 'HostingExporterAbsent', since: 20, until: 40 + absentWait, labels: {}, value: 1 }],
        mustNotFire: ['HostingExporterDown'],
      },
      {
        name: 'Prometheus restarts and has no target for some minutes: no alert',
        minutes: 60,
        series: { [builder.series('up')]: sequence(missing(Math.max(1, absentWait - 1)), hold(1, 60)) },
        expected: [],
        mustNotFire: ['HostingExporterAbsent'],
      },
      {
        name: 'a reload fails, and a later one succeeds',
        minutes: 10 + reloadWait + 20,
        series: {
          ...builder.up(30 + reloadWait),
          [builder.series('hosting_exporter_config_last_reload_successful')]: sequence(
            hold(1, 10),
            hold(0, reloadWait + 10),
            hold(1, 11),
          ),
        },
        expected: [
          {
            alert: 'HostingConfigReloadFailed',
            since: 10,
            until: 20 + reloadWait,
            labels: builder.exporter('a'),
            value: 0,
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'a reload fails, and the error is fixed immediately: no alert',
        minutes: 60,
        series: {
          ...builder.up(60),
          [builder.series('hosting_exporter_config_last_reload_successful')]: sequence(
            hold(1, 10),
            hold(0, Math.max(1, reloadWait)),
            hold(1, 60),
          ),
        },
        expected: [],
        mustNotFire: ['HostingConfigReloadFailed'],
      },
      {
        name: 'an account disappears from both exporters of an HA pair',
        minutes: 30 + missingWait + 30,
        series: {
          ...builder.up(60 + missingWait),
          ...builder.up(60 + missingWait, 'b'),
          [builder.series(up, { account: 'shop' })]: hold(1, 61 + missingWait),
          [builder.series(up, { account: 'shop' }, 'b')]: hold(1, 61 + missingWait),
          [builder.series(up, { account: 'blog' })]: sequence(hold(1, 25), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: sequence(hold(1, 30), ended),
        },
        expected: [{ alert: 'HostingAccountMissing', since: 30, labels: { account: 'blog' }, value: 1 }],
        mustNotFire: [],
      },
      {
        name: 'an account moves to another exporter with a gap: no alert',
        minutes: 120,
        series: {
          ...builder.up(120),
          ...builder.up(120, 'b'),
          [builder.series(up, { account: 'blog' })]: sequence(hold(1, 30), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: sequence(
            missing(30 + Math.max(1, missingWait - 5)),
            hold(1, 100),
          ),
        },
        expected: [],
        mustNotFire: ['HostingAccountMissing', 'HostingExporterDown'],
      },
    ],
  };
}

/** Connection to the provider: outages, credentials, limit and budget. */
export function provider(builder: ScenarioBuilder): TestSuite {
  const outageWait = builder.forMinutes('HostingProviderUnreachable', 'critical');
  const rejectedWait = builder.forMinutes('HostingCredentialsRejected', 'warning');
  const limitWait = builder.forMinutes('HostingApiLimitHit', 'info');
  const limitWindow = builder.parameter('HostingApiLimitHit', 'window', 30);
  const queueWait = builder.forMinutes('HostingApiBudgetExhausted', 'info');
  const queueWindow = builder.parameter('HostingApiBudgetExhausted', 'window', 30);
  const method = 'user/getAccountInfo';
  const failed = (account: string, reason: string) => builder.series(failures, { account, method, reason });
  const minimumAccounts = builder.parameter('HostingProviderUnreachable', 'accounts', 2);
  const accounts = Array.from({ length: Math.max(10, minimumAccounts) }, (_, index) => `shop${index}`);
  const share = builder.threshold('HostingProviderUnreachable', 'critical', 0.6);
  const belowThreshold = Math.max(0, Math.ceil(share * accounts.length) - 1);

  return {
    name: 'provider',
    scenarios: [
      {
        name: 'the provider is down: first one alert for all accounts, later stale data',
        minutes: 10 + outageWait + 30,
        series: {
          ...builder.up(40 + outageWait),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [builder.series(up, { account }), sequence(hold(1, 10), hold(0, outageWait + 20), hold(1, 11))],
              [failed(account, 'timeout'), sequence(hold(0, 10), ramp(1, 2, outageWait + 31))],
              [failed(account, 'network'), sequence(hold(0, 10), ramp(1, 1, outageWait + 31))],
              [builder.series(interval, { account, collector: 'account' }), hold(300, 41 + outageWait)],
              [
                builder.series(lastSuccess, { account, collector: 'account' }),
                lastSuccessfulPoll(10, outageWait + 20, 41 + outageWait),
              ],
            ]),
          ),
        },
        expected: [
          {
            alert: 'HostingProviderUnreachable',
            since: 10,
            until: 30 + outageWait,
            labels: {},
            value: 1,
            queryResults: () => [['timeout', 'network']],
          },
          ...accounts.map((account) => ({
            alert: 'HostingPollFailing' as const,
            // The last successful poll was in minute 5.
            since: 5 + 5 * builder.threshold('HostingPollFailing', 'warning', 3),
            until: 30 + outageWait,
            labels: { account, collector: 'account' },
            value: (minute: number) => (minute - 5) * 60,
            queryResults: () => [300, ['timeout', 'network']],
          })),
        ],
        mustNotFire: ['HostingCredentialsRejected', 'HostingAccountMissing'],
      },
      {
        name: 'the share of accounts without an answer is below the threshold: no alert',
        minutes: 120,
        series: {
          ...builder.up(120),
          ...Object.fromEntries(
            accounts.map((account, index) => [
              builder.series(up, { account }),
              index < belowThreshold ? sequence(hold(1, 10), hold(0, 111)) : hold(1, 121),
            ]),
          ),
        },
        expected: [],
        mustNotFire: ['HostingProviderUnreachable'],
      },
      {
        name: 'all credentials are rejected: the provider answers, so it is not reported as unreachable',
        minutes: 10 + rejectedWait + 60,
        series: {
          ...builder.up(70 + rejectedWait),
          ...Object.fromEntries(
            accounts.slice(0, 3).flatMap((account) => [
              [builder.series(up, { account }), sequence(hold(1, 10), hold(0, rejectedWait + 30), hold(1, 31))],
              [failed(account, 'auth'), sequence(hold(0, 10), steps(1, 5, rejectedWait + 30), hold(99, 31))],
            ]),
          ),
        },
        expected: accounts.slice(0, 3).map((account) => ({
          alert: 'HostingCredentialsRejected' as const,
          since: 10,
          until: 40 + rejectedWait,
          labels: { account },
          value: 0,
        })),
        mustNotFire: ['HostingProviderUnreachable'],
      },
      {
        name: 'a single rejection, and accounts that are down briefly after a start: no alert',
        minutes: 90,
        series: {
          ...builder.up(90),
          [builder.series(up, { account: 'shop' })]: sequence(
            hold(1, 10),
            hold(0, Math.max(1, rejectedWait)),
            hold(1, 90),
          ),
          [failed('shop', 'auth')]: sequence(hold(0, 10), hold(1, 90)),
          [builder.series(up, { account: 'blog' })]: sequence(hold(0, Math.max(1, outageWait)), hold(1, 90)),
          [builder.series(up, { account: 'wiki' })]: sequence(hold(0, Math.max(1, outageWait)), hold(1, 90)),
        },
        expected: [],
        mustNotFire: ['HostingCredentialsRejected', 'HostingProviderUnreachable'],
      },
      {
        name: 'only one exporter of an HA pair reaches the provider: no alert',
        minutes: 10 + outageWait + 30,
        series: {
          ...builder.up(40 + outageWait),
          ...builder.up(40 + outageWait, 'b'),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [builder.series(up, { account }), hold(0, 41 + outageWait)],
              [builder.series(up, { account }, 'b'), hold(1, 41 + outageWait)],
            ]),
          ),
        },
        expected: [],
        mustNotFire: ['HostingProviderUnreachable', 'HostingCredentialsRejected'],
      },
      {
        name: 'the provider refuses calls for longer than an hour',
        minutes: limitWindow + limitWait + 60,
        series: {
          ...builder.up(limitWindow + limitWait + 60),
          [failed('shop', 'limit')]: sequence(hold(0, 30), ramp(1, 1, limitWindow + limitWait + 31)),
          [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            limitWindow + limitWait + 61,
          ),
        },
        expected: [
          {
            alert: 'HostingApiLimitHit',
            since: 30,
            labels: { account: 'shop' },
            value: (minute) => Math.min(limitWindow, minute - 29),
            queryResults: () => [30],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'the provider refuses calls in one busy minute: no alert',
        minutes: 120,
        series: {
          ...builder.up(120),
          [failed('shop', 'limit')]: sequence(hold(0, 30), hold(7, 91)),
        },
        expected: [],
        mustNotFire: limitWindow <= limitWait ? ['HostingApiLimitHit'] : [],
        defaultsOnly: ['HostingApiLimitHit'],
      },
      {
        name: 'the call queue never empties',
        minutes: queueWindow + queueWait + 20,
        series: {
          ...builder.up(queueWindow + queueWait + 20),
          [builder.series('hosting_exporter_api_queue_length', { account: 'shop' })]: sequence(
            hold(0, 1),
            hold(12, queueWindow + queueWait + 20),
          ),
          [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            queueWindow + queueWait + 21,
          ),
        },
        expected: [
          {
            alert: 'HostingApiBudgetExhausted',
            since: 1 + queueWindow,
            labels: { account: 'shop' },
            value: 12,
            queryResults: () => [30],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'every hour, the calls for 600 sites wait for twenty minutes: no alert',
        minutes: 240,
        series: {
          ...builder.up(240),
          [builder.series('hosting_exporter_api_queue_length', { account: 'shop' })]: sequence(
            ...Array.from({ length: 4 }, () => sequence(ramp(600, -30, 20), hold(0, 40))),
            hold(0, 1),
          ),
        },
        expected: [],
        mustNotFire: ['HostingApiBudgetExhausted'],
        defaultsOnly: ['HostingApiBudgetExhausted'],
      },
    ],
  };
}

/** Freshness, permissions and dropped series of collectors. */
export function collectors(builder: ScenarioBuilder): TestSuite {
  const staleWait = builder.forMinutes('HostingPollFailing', 'warning');
  const intervals = builder.threshold('HostingPollFailing', 'warning', 3);
  const droppedWait = builder.forMinutes('HostingSeriesDropped', 'warning');
  const permissionWait = builder.forMinutes('HostingPermissionMissing', 'info');
  const of = (name: string, account: string, collector: string, instance = 'a') =>
    builder.series(name, { account, collector }, instance);
  const minutes = Math.ceil(60 * intervals) + staleWait + 60;

  return {
    name: 'collectors',
    scenarios: [
      {
        name: 'collectors fail for hours: each alert fires by the interval of its collector, and a restart does not reset it',
        minutes: minutes,
        series: {
          ...builder.up(minutes),
          [of(interval, 'shop', 'account')]: hold(300, minutes + 1),
          [of(lastSuccess, 'shop', 'account')]: sequence(hold(0, 60), ended),
          [of(interval, 'shop', 'site_load')]: hold(3600, minutes + 1),
          [of(lastSuccess, 'shop', 'site_load')]: hold(0, minutes + 1),
          [builder.series(failures, { account: 'shop', method: 'user/getAccountInfo', reason: 'payload' })]: ramp(
            0,
            1,
            minutes + 1,
          ),
        },
        expected: [
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(5 * intervals),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => minute * 60,
            queryResults: () => [300, ['payload']],
          },
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(60 * intervals),
            labels: { account: 'shop', collector: 'site_load' },
            value: (minute) => minute * 60,
            queryResults: () => [3600, ['payload']],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'a collector has never succeeded in an exporter that restarts every 15 minutes',
        minutes: 120,
        series: {
          ...builder.up(120),
          [of(interval, 'shop', 'account')]: sequence(
            ...Array.from({ length: 8 }, () => sequence(hold(300, 12), missing(3))),
            hold(300, 1),
          ),
          [of(success, 'shop', 'account')]: hold(0, 121),
        },
        expected: [
          {
            alert: 'HostingPollFailing',
            since: 15,
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => minute * 60,
            queryResults: () => [300, undefined],
          },
        ],
        mustNotFire: [],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'accounts override the number of intervals for all their collectors: a higher number, and off',
        minutes: 120,
        series: {
          ...builder.up(120),
          ...Object.fromEntries(
            ['patient', 'never'].flatMap((account) =>
              ['account', 'databases'].flatMap((collector) => [
                [of(interval, account, collector), hold(300, 121)],
                [of(lastSuccess, account, collector), hold(0, 121)],
              ]),
            ),
          ),
          [builder.series('hosting_account_alert_threshold', {
            account: 'patient',
            alert: 'HostingPollFailing',
            severity: 'warning',
          })]: hold(12, 121),
          [builder.series('hosting_account_alert_threshold', {
            account: 'never',
            alert: 'HostingPollFailing',
            severity: 'warning',
          })]: infinite(121),
        },
        expected: ['account', 'databases'].map((collector) => ({
          alert: 'HostingPollFailing',
          since: 60,
          labels: { account: 'patient', collector },
          value: (minute: number) => minute * 60,
          queryResults: () => [300, undefined],
        })),
        mustNotFire: [],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'a collector has never succeeded',
        minutes: Math.ceil(5 * intervals) + staleWait + 30,
        series: {
          ...builder.up(Math.ceil(5 * intervals) + staleWait + 30),
          [of(interval, 'shop', 'account')]: sequence(
            missing(10),
            hold(300, Math.ceil(5 * intervals) + staleWait + 21),
          ),
          [of(success, 'shop', 'account')]: sequence(missing(10), hold(0, Math.ceil(5 * intervals) + staleWait + 21)),
        },
        expected: [
          {
            alert: 'HostingPollFailing',
            since: 10 + Math.ceil(5 * intervals),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => (minute - 10) * 60,
            queryResults: () => [300, undefined],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'two of three polls fail, a new exporter starts, one of an HA pair fails, an account is removed: no alert',
        minutes: 240,
        series: {
          ...builder.up(240),
          ...builder.up(240, 'b'),
          // Every third poll succeeds.
          [of(interval, 'shop', 'account')]: hold(300, 241),
          [of(lastSuccess, 'shop', 'account')]: sequence(
            ...Array.from({ length: 17 }, (_, index) => hold(index * 15 * 60 + 60, 15)),
          ),
          [of(interval, 'shop', 'site_load')]: hold(3600, 241),
          [of(lastSuccess, 'shop', 'site_load')]: hold(3600, 241),
          // Exporter a never reaches the provider, exporter b does.
          [of(interval, 'pair', 'account')]: hold(300, 241),
          [of(success, 'pair', 'account')]: hold(0, 241),
          [of(interval, 'pair', 'account', 'b')]: hold(300, 241),
          [of(success, 'pair', 'account', 'b')]: hold(1, 241),
          [of(lastSuccess, 'pair', 'account', 'b')]: sequence(
            ...Array.from({ length: 49 }, (_, index) => hold(index * 300, 5)),
          ),
          [of(interval, 'gone', 'account')]: sequence(hold(300, 30), ended),
          [of(lastSuccess, 'gone', 'account')]: sequence(hold(1200, 30), ended),
        },
        expected: [],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'an account loses the permission for databases: info only, no alert about stale data',
        minutes: permissionWait + 120,
        series: {
          ...builder.up(permissionWait + 120),
          [of(interval, 'shop', 'databases')]: hold(900, permissionWait + 121),
          [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, permissionWait + 90), hold(1, 21)),
          [of(lastSuccess, 'shop', 'databases')]: sequence(hold(0, permissionWait + 100), hold(atDay(1), 21)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            hold(0, 10),
            steps(1, 15, permissionWait + 111),
          ),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            since: 10,
            until: permissionWait + 100,
            labels: { account: 'shop', collector: 'databases' },
            value: (minute) => Math.floor((minute - 10) / 15) + 1,
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'an account never had the permission for databases: refused before the first scrape, then every 75 minutes',
        minutes: permissionWait + 240,
        series: {
          ...builder.up(permissionWait + 240),
          [of(interval, 'shop', 'databases')]: sequence(missing(10), hold(900, permissionWait + 231)),
          [of(success, 'shop', 'databases')]: sequence(missing(10), hold(0, permissionWait + 231)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            missing(10),
            steps(1, 75, permissionWait + 231),
          ),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            since: 10,
            labels: { account: 'shop', collector: 'databases' },
            value: 1,
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'a method is refused once, and the next poll succeeds: no alert',
        minutes: 120,
        series: {
          ...builder.up(120),
          [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, Math.max(1, permissionWait)), hold(1, 100)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            hold(0, 10),
            hold(1, 111),
          ),
        },
        expected: [],
        mustNotFire: ['HostingPermissionMissing'],
      },
      {
        name: 'a collector drops series permanently: one alert; another one drops series only briefly: no alert',
        minutes: droppedWait + 60,
        series: {
          ...builder.up(droppedWait + 60),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'site_load')]: sequence(
            hold(0, 10),
            hold(250, droppedWait + 30),
            hold(0, 21),
          ),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'sites')]: hold(0, droppedWait + 61),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'domains')]: sequence(
            hold(0, 10),
            hold(9, Math.max(1, droppedWait)),
            hold(0, 51),
          ),
        },
        expected: [
          {
            alert: 'HostingSeriesDropped',
            since: 10,
            until: 40 + droppedWait,
            labels: { account: 'shop', collector: 'site_load' },
            value: 250,
          },
        ],
        mustNotFire: ['HostingSeriesDropped'],
      },
    ],
  };
}

/** Timestamps of successful polls every five minutes, with a gap of `length` minutes from minute `gap` on. */
function lastSuccessfulPoll(gap: number, length: number, samples: number): string {
  return Array.from({ length: samples }, (_, minute) => {
    const polled = minute < gap || minute >= gap + length ? minute : gap - 1;
    return (minute >= gap + length ? minute : polled - (polled % 5)) * 60;
  }).join(' ');
}

/** A counter that starts at `first` and increases by one every `every` minutes. */
function steps(first: number, every: number, samples: number): string {
  const pieces: string[] = [];
  for (let done = 0; done < samples; done += every) {
    pieces.push(hold(first + done / every, Math.min(every, samples - done)));
  }
  return pieces.join(' ');
}
