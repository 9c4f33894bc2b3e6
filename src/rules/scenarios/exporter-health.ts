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

/** The exporter as Prometheus sees it. */
export function exporter(builder: ScenarioBuilder): TestSuite {
  const down = { labels: builder.exporter('a'), value: 0 } as const;
  const downLong = builder.forMinutes('HostingExporterDown', 'warning') + 20;
  const critical = builder.forMinutes('HostingExporterDown', 'critical');
  const absent = builder.forMinutes('HostingExporterAbsent', 'critical');
  const reload = builder.forMinutes('HostingConfigReloadFailed', 'warning');
  const gone = builder.forMinutes('HostingAccountMissing', 'warning');

  return {
    name: 'exporter',
    scenarios: [
      {
        name: 'the only exporter stops: critical, and its account is not called missing',
        minutes: 10 + downLong + gone,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downLong + gone + 1)),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
        },
        expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing', 'HostingExporterAbsent'],
      },
      {
        name: 'one exporter of an HA pair stops: no more than a warning',
        minutes: 10 + downLong,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downLong + 1)),
          ...builder.up(10 + downLong, 'b'),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
          [builder.series(up, { account: 'shop' }, 'b')]: hold(1, 11 + downLong),
        },
        expected: [{ alert: 'HostingExporterDown', severities: ['warning'], since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing'],
      },
      {
        name: 'one of two exporters with accounts of their own stops: critical, its accounts are watched by nobody',
        minutes: 10 + downLong,
        series: {
          [builder.series('up')]: sequence(hold(1, 10), hold(0, downLong + 1)),
          ...builder.up(10 + downLong, 'b'),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: hold(1, 11 + downLong),
        },
        expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        mustNotFire: ['HostingAccountMissing'],
      },
      {
        name: 'an exporter restarts again and again, each time back before it is reported',
        minutes: 100,
        series: {
          [builder.series('up')]: sequence(
            hold(1, 20),
            hold(0, Math.max(1, critical - 1)),
            hold(1, 20),
            hold(0, Math.max(1, critical - 1)),
            hold(1, 80),
          ),
        },
        expected: [],
        mustNotFire: ['HostingExporterDown', 'HostingExporterAbsent'],
      },
      {
        name: 'the target disappears and comes back',
        minutes: 20 + absent + 40,
        series: { [builder.series('up')]: sequence(hold(1, 20), missing(absent + 20), hold(1, 21)) },
        expected: [{ alert: 'HostingExporterAbsent', since: 20, until: 40 + absent, labels: {}, value: 1 }],
        mustNotFire: ['HostingExporterDown'],
      },
      {
        name: 'Prometheus itself restarts: the target is unknown for some minutes',
        minutes: 60,
        series: { [builder.series('up')]: sequence(missing(Math.max(1, absent - 1)), hold(1, 60)) },
        expected: [],
        mustNotFire: ['HostingExporterAbsent'],
      },
      {
        name: 'a changed configuration has an error, which is mended later',
        minutes: 10 + reload + 20,
        series: {
          ...builder.up(30 + reload),
          [builder.series('hosting_exporter_config_last_reload_successful')]: sequence(
            hold(1, 10),
            hold(0, reload + 10),
            hold(1, 11),
          ),
        },
        expected: [
          {
            alert: 'HostingConfigReloadFailed',
            since: 10,
            until: 20 + reload,
            labels: builder.exporter('a'),
            value: 0,
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'an error of the configuration is mended at once',
        minutes: 60,
        series: {
          ...builder.up(60),
          [builder.series('hosting_exporter_config_last_reload_successful')]: sequence(
            hold(1, 10),
            hold(0, Math.max(1, reload)),
            hold(1, 60),
          ),
        },
        expected: [],
        mustNotFire: ['HostingConfigReloadFailed'],
      },
      {
        name: 'an account disappears from the configuration of both exporters of a pair',
        minutes: 30 + gone + 30,
        series: {
          ...builder.up(60 + gone),
          ...builder.up(60 + gone, 'b'),
          [builder.series(up, { account: 'shop' })]: hold(1, 61 + gone),
          [builder.series(up, { account: 'shop' }, 'b')]: hold(1, 61 + gone),
          [builder.series(up, { account: 'blog' })]: sequence(hold(1, 25), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: sequence(hold(1, 30), ended),
        },
        expected: [{ alert: 'HostingAccountMissing', since: 30, labels: { account: 'blog' }, value: 1 }],
        mustNotFire: [],
      },
      {
        name: 'an account moves to another exporter, with a gap',
        minutes: 120,
        series: {
          ...builder.up(120),
          ...builder.up(120, 'b'),
          [builder.series(up, { account: 'blog' })]: sequence(hold(1, 30), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: sequence(missing(30 + Math.max(1, gone - 5)), hold(1, 100)),
        },
        expected: [],
        mustNotFire: ['HostingAccountMissing', 'HostingExporterDown'],
      },
    ],
  };
}

/** The way to the provider. */
export function provider(builder: ScenarioBuilder): TestSuite {
  const outage = builder.forMinutes('HostingProviderUnreachable', 'critical');
  const rejected = builder.forMinutes('HostingCredentialsRejected', 'warning');
  const limited = builder.forMinutes('HostingApiLimitHit', 'info');
  const limitWindow = builder.parameter('HostingApiLimitHit', 'window', 30);
  const crowded = builder.forMinutes('HostingApiBudgetExhausted', 'info');
  const queueWindow = builder.parameter('HostingApiBudgetExhausted', 'window', 30);
  const method = 'user/getAccountInfo';
  const failed = (account: string, reason: string) => builder.series(failures, { account, method, reason });
  const needed = builder.parameter('HostingProviderUnreachable', 'accounts', 2);
  const accounts = Array.from({ length: Math.max(10, needed) }, (_, index) => `shop${index}`);
  const share = builder.threshold('HostingProviderUnreachable', 'critical', 0.6);
  const few = Math.max(0, Math.ceil(share * accounts.length) - 1);

  return {
    name: 'provider',
    scenarios: [
      {
        name: 'the provider goes away: one alert for all accounts, and the stale figures come later',
        minutes: 10 + outage + 30,
        series: {
          ...builder.up(40 + outage),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [builder.series(up, { account }), sequence(hold(1, 10), hold(0, outage + 20), hold(1, 11))],
              [failed(account, 'timeout'), sequence(hold(0, 10), ramp(1, 2, outage + 31))],
              [failed(account, 'network'), sequence(hold(0, 10), ramp(1, 1, outage + 31))],
              [builder.series(interval, { account, collector: 'account' }), hold(300, 41 + outage)],
              [
                builder.series(lastSuccess, { account, collector: 'account' }),
                lastGoodPoll(10, outage + 20, 41 + outage),
              ],
            ]),
          ),
        },
        expected: [
          {
            alert: 'HostingProviderUnreachable',
            since: 10,
            until: 30 + outage,
            labels: {},
            value: 1,
            queryResults: () => [['timeout', 'network']],
          },
          ...accounts.map((account) => ({
            alert: 'HostingPollFailing' as const,
            // The last good poll was in minute 5.
            since: 5 + 5 * builder.threshold('HostingPollFailing', 'warning', 3),
            until: 30 + outage,
            labels: { account, collector: 'account' },
            value: (minute: number) => (minute - 5) * 60,
            queryResults: () => [300, ['timeout', 'network']],
          })),
        ],
        mustNotFire: ['HostingCredentialsRejected', 'HostingAccountMissing'],
      },
      {
        name: 'fewer accounts than most get no answer',
        minutes: 120,
        series: {
          ...builder.up(120),
          ...Object.fromEntries(
            accounts.map((account, index) => [
              builder.series(up, { account }),
              index < few ? sequence(hold(1, 10), hold(0, 111)) : hold(1, 121),
            ]),
          ),
        },
        expected: [],
        mustNotFire: ['HostingProviderUnreachable'],
      },
      {
        name: 'all credentials are rejected: the provider answers, so it is not called unreachable',
        minutes: 10 + rejected + 60,
        series: {
          ...builder.up(70 + rejected),
          ...Object.fromEntries(
            accounts.slice(0, 3).flatMap((account) => [
              [builder.series(up, { account }), sequence(hold(1, 10), hold(0, rejected + 30), hold(1, 31))],
              [failed(account, 'auth'), sequence(hold(0, 10), steps(1, 5, rejected + 30), hold(99, 31))],
            ]),
          ),
        },
        expected: accounts.slice(0, 3).map((account) => ({
          alert: 'HostingCredentialsRejected' as const,
          since: 10,
          until: 40 + rejected,
          labels: { account },
          value: 0,
        })),
        mustNotFire: ['HostingProviderUnreachable'],
      },
      {
        name: 'one stray rejection, and an exporter that restarts with unknown accounts',
        minutes: 90,
        series: {
          ...builder.up(90),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), hold(0, Math.max(1, rejected)), hold(1, 90)),
          [failed('shop', 'auth')]: sequence(hold(0, 10), hold(1, 90)),
          [builder.series(up, { account: 'blog' })]: sequence(hold(0, Math.max(1, outage)), hold(1, 90)),
          [builder.series(up, { account: 'wiki' })]: sequence(hold(0, Math.max(1, outage)), hold(1, 90)),
        },
        expected: [],
        mustNotFire: ['HostingCredentialsRejected', 'HostingProviderUnreachable'],
      },
      {
        name: 'one exporter of an HA pair cannot reach the provider, the other can',
        minutes: 10 + outage + 30,
        series: {
          ...builder.up(40 + outage),
          ...builder.up(40 + outage, 'b'),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [builder.series(up, { account }), hold(0, 41 + outage)],
              [builder.series(up, { account }, 'b'), hold(1, 41 + outage)],
            ]),
          ),
        },
        expected: [],
        mustNotFire: ['HostingProviderUnreachable', 'HostingCredentialsRejected'],
      },
      {
        name: 'the provider refuses calls for longer than an hour',
        minutes: limitWindow + limited + 60,
        series: {
          ...builder.up(limitWindow + limited + 60),
          [failed('shop', 'limit')]: sequence(hold(0, 30), ramp(1, 1, limitWindow + limited + 31)),
          [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            limitWindow + limited + 61,
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
        name: 'calls are refused in one busy minute',
        minutes: 120,
        series: {
          ...builder.up(120),
          [failed('shop', 'limit')]: sequence(hold(0, 30), hold(7, 91)),
        },
        expected: [],
        mustNotFire: limitWindow <= limited ? ['HostingApiLimitHit'] : [],
        defaultsOnly: ['HostingApiLimitHit'],
      },
      {
        name: 'the queue of calls never empties',
        minutes: queueWindow + crowded + 20,
        series: {
          ...builder.up(queueWindow + crowded + 20),
          [builder.series('hosting_exporter_api_queue_length', { account: 'shop' })]: sequence(
            hold(0, 1),
            hold(12, queueWindow + crowded + 20),
          ),
          [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            queueWindow + crowded + 21,
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
        name: 'every hour the details of 600 sites wait for some twenty minutes',
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

/** Freshness, permissions and the cap of every collector. */
export function collectors(builder: ScenarioBuilder): TestSuite {
  const stale = builder.forMinutes('HostingPollFailing', 'warning');
  const turns = builder.threshold('HostingPollFailing', 'warning', 3);
  const capped = builder.forMinutes('HostingSeriesDropped', 'warning');
  const forbidden = builder.forMinutes('HostingPermissionMissing', 'info');
  const of = (name: string, account: string, collector: string, instance = 'a') =>
    builder.series(name, { account, collector }, instance);
  const long = Math.ceil(60 * turns) + stale + 60;

  return {
    name: 'collectors',
    scenarios: [
      {
        name: 'a collector fails for hours: each by its own interval, and across a restart that forgets the last good poll',
        minutes: long,
        series: {
          ...builder.up(long),
          [of(interval, 'shop', 'account')]: hold(300, long + 1),
          [of(lastSuccess, 'shop', 'account')]: sequence(hold(0, 60), ended),
          [of(interval, 'shop', 'site_load')]: hold(3600, long + 1),
          [of(lastSuccess, 'shop', 'site_load')]: hold(0, long + 1),
          [builder.series(failures, { account: 'shop', method: 'user/getAccountInfo', reason: 'payload' })]: ramp(
            0,
            1,
            long + 1,
          ),
        },
        expected: [
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(5 * turns),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => minute * 60,
            queryResults: () => [300, ['payload']],
          },
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(60 * turns),
            labels: { account: 'shop', collector: 'site_load' },
            value: (minute) => minute * 60,
            queryResults: () => [3600, ['payload']],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'a collector has never succeeded, in an exporter that restarts every quarter of an hour',
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
        name: 'accounts override after how many turns stale figures are reported: later, never; for all their collectors',
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
        minutes: Math.ceil(5 * turns) + stale + 30,
        series: {
          ...builder.up(Math.ceil(5 * turns) + stale + 30),
          [of(interval, 'shop', 'account')]: sequence(missing(10), hold(300, Math.ceil(5 * turns) + stale + 21)),
          [of(success, 'shop', 'account')]: sequence(missing(10), hold(0, Math.ceil(5 * turns) + stale + 21)),
        },
        expected: [
          {
            alert: 'HostingPollFailing',
            since: 10 + Math.ceil(5 * turns),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => (minute - 10) * 60,
            queryResults: () => [300, undefined],
          },
        ],
        mustNotFire: [],
      },
      {
        name: 'polls miss two turns, a new exporter starts, one of a pair fails, an exporter goes for good',
        minutes: 240,
        series: {
          ...builder.up(240),
          ...builder.up(240, 'b'),
          // Every third turn succeeds.
          [of(interval, 'shop', 'account')]: hold(300, 241),
          [of(lastSuccess, 'shop', 'account')]: sequence(
            ...Array.from({ length: 17 }, (_, turn) => hold(turn * 15 * 60 + 60, 15)),
          ),
          [of(interval, 'shop', 'site_load')]: hold(3600, 241),
          [of(lastSuccess, 'shop', 'site_load')]: hold(3600, 241),
          // The exporter a never reaches this account, its copy b does.
          [of(interval, 'pair', 'account')]: hold(300, 241),
          [of(success, 'pair', 'account')]: hold(0, 241),
          [of(interval, 'pair', 'account', 'b')]: hold(300, 241),
          [of(success, 'pair', 'account', 'b')]: hold(1, 241),
          [of(lastSuccess, 'pair', 'account', 'b')]: sequence(
            ...Array.from({ length: 49 }, (_, turn) => hold(turn * 300, 5)),
          ),
          [of(interval, 'gone', 'account')]: sequence(hold(300, 30), ended),
          [of(lastSuccess, 'gone', 'account')]: sequence(hold(1200, 30), ended),
        },
        expected: [],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'the API user may not list databases: said as information, and stale figures are not reported besides',
        minutes: forbidden + 120,
        series: {
          ...builder.up(forbidden + 120),
          [of(interval, 'shop', 'databases')]: hold(900, forbidden + 121),
          [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, forbidden + 90), hold(1, 21)),
          [of(lastSuccess, 'shop', 'databases')]: sequence(hold(0, forbidden + 100), hold(atDay(1), 21)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            hold(0, 10),
            steps(1, 15, forbidden + 111),
          ),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            since: 10,
            until: forbidden + 100,
            labels: { account: 'shop', collector: 'databases' },
            value: (minute) => Math.floor((minute - 10) / 15) + 1,
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'the API user has never been allowed to list databases: refused before the first look, then every 75 minutes',
        minutes: forbidden + 240,
        series: {
          ...builder.up(forbidden + 240),
          [of(interval, 'shop', 'databases')]: sequence(missing(10), hold(900, forbidden + 231)),
          [of(success, 'shop', 'databases')]: sequence(missing(10), hold(0, forbidden + 231)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            missing(10),
            steps(1, 75, forbidden + 231),
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
        name: 'one method is refused once, and the next poll succeeds',
        minutes: 120,
        series: {
          ...builder.up(120),
          [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, Math.max(1, forbidden)), hold(1, 100)),
          [builder.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: sequence(
            hold(0, 10),
            hold(1, 111),
          ),
        },
        expected: [],
        mustNotFire: ['HostingPermissionMissing'],
      },
      {
        name: 'a collector drops series for want of room, another does not, a third only for a moment',
        minutes: capped + 60,
        series: {
          ...builder.up(capped + 60),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'site_load')]: sequence(
            hold(0, 10),
            hold(250, capped + 30),
            hold(0, 21),
          ),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'sites')]: hold(0, capped + 61),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'domains')]: sequence(
            hold(0, 10),
            hold(9, Math.max(1, capped)),
            hold(0, 51),
          ),
        },
        expected: [
          {
            alert: 'HostingSeriesDropped',
            since: 10,
            until: 40 + capped,
            labels: { account: 'shop', collector: 'site_load' },
            value: 250,
          },
        ],
        mustNotFire: ['HostingSeriesDropped'],
      },
    ],
  };
}

/** Good polls every five minutes, none from minute `gap` for `length` minutes, then again. */
function lastGoodPoll(gap: number, length: number, samples: number): string {
  return Array.from({ length: samples }, (_, minute) => {
    const polled = minute < gap || minute >= gap + length ? minute : gap - 1;
    return (minute >= gap + length ? minute : polled - (polled % 5)) * 60;
  }).join(' ');
}

/** Counts up by one every `every` minutes, from `first` on. */
function steps(first: number, every: number, samples: number): string {
  const pieces: string[] = [];
  for (let done = 0; done < samples; done += every) {
    pieces.push(hold(first + done / every, Math.min(every, samples - done)));
  }
  return pieces.join(' ');
}
