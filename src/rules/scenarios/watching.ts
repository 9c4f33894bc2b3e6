import { at, ended, hold, inTurn, missing, never, ramp, type Stage, type Theme } from './scenario.ts';

const up = 'hosting_up';
const failures = 'hosting_exporter_api_request_failures_total';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const interval = 'hosting_exporter_collector_interval_seconds';
const success = 'hosting_exporter_collector_success';

/** The exporter as Prometheus sees it. */
export function exporter(stage: Stage): Theme {
  const down = { labels: stage.exporter('a'), value: 0 } as const;
  const downLong = stage.wait('HostingExporterDown', 'warning') + 20;
  const critical = stage.wait('HostingExporterDown', 'critical');
  const absent = stage.wait('HostingExporterAbsent', 'critical');
  const reload = stage.wait('HostingConfigReloadFailed', 'warning');
  const gone = stage.wait('HostingAccountMissing', 'warning');

  return {
    name: 'exporter',
    scenarios: [
      {
        name: 'the only exporter stops: critical, and its account is not called missing',
        minutes: 10 + downLong + gone,
        series: {
          [stage.series('up')]: inTurn(hold(1, 10), hold(0, downLong + gone + 1)),
          [stage.series(up, { account: 'shop' })]: inTurn(hold(1, 10), ended),
        },
        truths: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        tempted: ['HostingAccountMissing', 'HostingExporterAbsent'],
      },
      {
        name: 'one exporter of an HA pair stops: no more than a warning',
        minutes: 10 + downLong,
        series: {
          [stage.series('up')]: inTurn(hold(1, 10), hold(0, downLong + 1)),
          ...stage.up(10 + downLong, 'b'),
          [stage.series(up, { account: 'shop' })]: inTurn(hold(1, 10), ended),
          [stage.series(up, { account: 'shop' }, 'b')]: hold(1, 11 + downLong),
        },
        truths: [{ alert: 'HostingExporterDown', severities: ['warning'], since: 10, ...down }],
        tempted: ['HostingAccountMissing'],
      },
      {
        name: 'one of two exporters with accounts of their own stops: critical, its accounts are watched by nobody',
        minutes: 10 + downLong,
        series: {
          [stage.series('up')]: inTurn(hold(1, 10), hold(0, downLong + 1)),
          ...stage.up(10 + downLong, 'b'),
          [stage.series(up, { account: 'shop' })]: inTurn(hold(1, 10), ended),
          [stage.series(up, { account: 'blog' }, 'b')]: hold(1, 11 + downLong),
        },
        truths: [{ alert: 'HostingExporterDown', since: 10, ...down }],
        tempted: ['HostingAccountMissing'],
      },
      {
        name: 'an exporter restarts again and again, each time back before it is reported',
        minutes: 100,
        series: {
          [stage.series('up')]: inTurn(
            hold(1, 20),
            hold(0, Math.max(1, critical - 1)),
            hold(1, 20),
            hold(0, Math.max(1, critical - 1)),
            hold(1, 80),
          ),
        },
        truths: [],
        tempted: ['HostingExporterDown', 'HostingExporterAbsent'],
      },
      {
        name: 'the target disappears and comes back',
        minutes: 20 + absent + 40,
        series: { [stage.series('up')]: inTurn(hold(1, 20), missing(absent + 20), hold(1, 21)) },
        truths: [{ alert: 'HostingExporterAbsent', since: 20, until: 40 + absent, labels: {}, value: 1 }],
        tempted: ['HostingExporterDown'],
      },
      {
        name: 'Prometheus itself restarts: the target is unknown for some minutes',
        minutes: 60,
        series: { [stage.series('up')]: inTurn(missing(Math.max(1, absent - 1)), hold(1, 60)) },
        truths: [],
        tempted: ['HostingExporterAbsent'],
      },
      {
        name: 'a changed configuration has an error, which is mended later',
        minutes: 10 + reload + 20,
        series: {
          ...stage.up(30 + reload),
          [stage.series('hosting_exporter_config_last_reload_successful')]: inTurn(
            hold(1, 10),
            hold(0, reload + 10),
            hold(1, 11),
          ),
        },
        truths: [
          {
            alert: 'HostingConfigReloadFailed',
            since: 10,
            until: 20 + reload,
            labels: stage.exporter('a'),
            value: 0,
          },
        ],
        tempted: [],
      },
      {
        name: 'an error of the configuration is mended at once',
        minutes: 60,
        series: {
          ...stage.up(60),
          [stage.series('hosting_exporter_config_last_reload_successful')]: inTurn(
            hold(1, 10),
            hold(0, Math.max(1, reload)),
            hold(1, 60),
          ),
        },
        truths: [],
        tempted: ['HostingConfigReloadFailed'],
      },
      {
        name: 'an account disappears from the configuration of both exporters of a pair',
        minutes: 30 + gone + 30,
        series: {
          ...stage.up(60 + gone),
          ...stage.up(60 + gone, 'b'),
          [stage.series(up, { account: 'shop' })]: hold(1, 61 + gone),
          [stage.series(up, { account: 'shop' }, 'b')]: hold(1, 61 + gone),
          [stage.series(up, { account: 'blog' })]: inTurn(hold(1, 25), ended),
          [stage.series(up, { account: 'blog' }, 'b')]: inTurn(hold(1, 30), ended),
        },
        truths: [{ alert: 'HostingAccountMissing', since: 30, labels: { account: 'blog' }, value: 1 }],
        tempted: [],
      },
      {
        name: 'an account moves to another exporter, with a gap',
        minutes: 120,
        series: {
          ...stage.up(120),
          ...stage.up(120, 'b'),
          [stage.series(up, { account: 'blog' })]: inTurn(hold(1, 30), ended),
          [stage.series(up, { account: 'blog' }, 'b')]: inTurn(missing(30 + Math.max(1, gone - 5)), hold(1, 100)),
        },
        truths: [],
        tempted: ['HostingAccountMissing', 'HostingExporterDown'],
      },
    ],
  };
}

/** The way to the provider. */
export function provider(stage: Stage): Theme {
  const outage = stage.wait('HostingProviderUnreachable', 'critical');
  const rejected = stage.wait('HostingCredentialsRejected', 'warning');
  const limited = stage.wait('HostingApiLimitHit', 'info');
  const limitWindow = stage.knob('HostingApiLimitHit', 'window', 30);
  const crowded = stage.wait('HostingApiBudgetExhausted', 'info');
  const queueWindow = stage.knob('HostingApiBudgetExhausted', 'window', 30);
  const method = 'user/getAccountInfo';
  const failed = (account: string, reason: string) => stage.series(failures, { account, method, reason });
  const needed = stage.knob('HostingProviderUnreachable', 'accounts', 2);
  const accounts = Array.from({ length: Math.max(10, needed) }, (_, index) => `shop${index}`);
  const share = stage.threshold('HostingProviderUnreachable', 'critical', 0.6);
  const few = Math.max(0, Math.ceil(share * accounts.length) - 1);

  return {
    name: 'provider',
    scenarios: [
      {
        name: 'the provider goes away: one alert for all accounts, and the stale figures come later',
        minutes: 10 + outage + 30,
        series: {
          ...stage.up(40 + outage),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [stage.series(up, { account }), inTurn(hold(1, 10), hold(0, outage + 20), hold(1, 11))],
              [failed(account, 'timeout'), inTurn(hold(0, 10), ramp(1, 2, outage + 31))],
              [failed(account, 'network'), inTurn(hold(0, 10), ramp(1, 1, outage + 31))],
              [stage.series(interval, { account, collector: 'account' }), hold(300, 41 + outage)],
              [
                stage.series(lastSuccess, { account, collector: 'account' }),
                lastGoodPoll(10, outage + 20, 41 + outage),
              ],
            ]),
          ),
        },
        truths: [
          {
            alert: 'HostingProviderUnreachable',
            since: 10,
            until: 30 + outage,
            labels: {},
            value: 1,
            answers: () => [['timeout', 'network']],
          },
          ...accounts.map((account) => ({
            alert: 'HostingPollFailing' as const,
            // The last good poll was in minute 5.
            since: 5 + 5 * stage.threshold('HostingPollFailing', 'warning', 3),
            until: 30 + outage,
            labels: { account, collector: 'account' },
            value: (minute: number) => (minute - 5) * 60,
            answers: () => [300, ['timeout', 'network']],
          })),
        ],
        tempted: ['HostingCredentialsRejected', 'HostingAccountMissing'],
      },
      {
        name: 'fewer accounts than most get no answer',
        minutes: 120,
        series: {
          ...stage.up(120),
          ...Object.fromEntries(
            accounts.map((account, index) => [
              stage.series(up, { account }),
              index < few ? inTurn(hold(1, 10), hold(0, 111)) : hold(1, 121),
            ]),
          ),
        },
        truths: [],
        tempted: ['HostingProviderUnreachable'],
      },
      {
        name: 'all credentials are rejected: the provider answers, so it is not called unreachable',
        minutes: 10 + rejected + 60,
        series: {
          ...stage.up(70 + rejected),
          ...Object.fromEntries(
            accounts.slice(0, 3).flatMap((account) => [
              [stage.series(up, { account }), inTurn(hold(1, 10), hold(0, rejected + 30), hold(1, 31))],
              [failed(account, 'auth'), inTurn(hold(0, 10), steps(1, 5, rejected + 30), hold(99, 31))],
            ]),
          ),
        },
        truths: accounts.slice(0, 3).map((account) => ({
          alert: 'HostingCredentialsRejected' as const,
          since: 10,
          until: 40 + rejected,
          labels: { account },
          value: 0,
        })),
        tempted: ['HostingProviderUnreachable'],
      },
      {
        name: 'one stray rejection, and an exporter that restarts with unknown accounts',
        minutes: 90,
        series: {
          ...stage.up(90),
          [stage.series(up, { account: 'shop' })]: inTurn(hold(1, 10), hold(0, Math.max(1, rejected)), hold(1, 90)),
          [failed('shop', 'auth')]: inTurn(hold(0, 10), hold(1, 90)),
          [stage.series(up, { account: 'blog' })]: inTurn(hold(0, Math.max(1, outage)), hold(1, 90)),
          [stage.series(up, { account: 'wiki' })]: inTurn(hold(0, Math.max(1, outage)), hold(1, 90)),
        },
        truths: [],
        tempted: ['HostingCredentialsRejected', 'HostingProviderUnreachable'],
      },
      {
        name: 'one exporter of an HA pair cannot reach the provider, the other can',
        minutes: 10 + outage + 30,
        series: {
          ...stage.up(40 + outage),
          ...stage.up(40 + outage, 'b'),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [stage.series(up, { account }), hold(0, 41 + outage)],
              [stage.series(up, { account }, 'b'), hold(1, 41 + outage)],
            ]),
          ),
        },
        truths: [],
        tempted: ['HostingProviderUnreachable', 'HostingCredentialsRejected'],
      },
      {
        name: 'the provider refuses calls for longer than an hour',
        minutes: limitWindow + limited + 60,
        series: {
          ...stage.up(limitWindow + limited + 60),
          [failed('shop', 'limit')]: inTurn(hold(0, 30), ramp(1, 1, limitWindow + limited + 31)),
          [stage.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            limitWindow + limited + 61,
          ),
        },
        truths: [
          {
            alert: 'HostingApiLimitHit',
            since: 30,
            labels: { account: 'shop' },
            value: (minute) => Math.min(limitWindow, minute - 29),
            answers: () => [30],
          },
        ],
        tempted: [],
      },
      {
        name: 'calls are refused in one busy minute',
        minutes: 120,
        series: {
          ...stage.up(120),
          [failed('shop', 'limit')]: inTurn(hold(0, 30), hold(7, 91)),
        },
        truths: [],
        tempted: limitWindow <= limited ? ['HostingApiLimitHit'] : [],
        defaultsOnly: ['HostingApiLimitHit'],
      },
      {
        name: 'the queue of calls never empties',
        minutes: queueWindow + crowded + 20,
        series: {
          ...stage.up(queueWindow + crowded + 20),
          [stage.series('hosting_exporter_api_queue_length', { account: 'shop' })]: inTurn(
            hold(0, 1),
            hold(12, queueWindow + crowded + 20),
          ),
          [stage.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: hold(
            30,
            queueWindow + crowded + 21,
          ),
        },
        truths: [
          {
            alert: 'HostingApiBudgetExhausted',
            since: 1 + queueWindow,
            labels: { account: 'shop' },
            value: 12,
            answers: () => [30],
          },
        ],
        tempted: [],
      },
      {
        name: 'every hour the details of 600 sites wait for some twenty minutes',
        minutes: 240,
        series: {
          ...stage.up(240),
          [stage.series('hosting_exporter_api_queue_length', { account: 'shop' })]: inTurn(
            ...Array.from({ length: 4 }, () => inTurn(ramp(600, -30, 20), hold(0, 40))),
            hold(0, 1),
          ),
        },
        truths: [],
        tempted: ['HostingApiBudgetExhausted'],
        defaultsOnly: ['HostingApiBudgetExhausted'],
      },
    ],
  };
}

/** Freshness, permissions and the cap of every collector. */
export function collectors(stage: Stage): Theme {
  const stale = stage.wait('HostingPollFailing', 'warning');
  const turns = stage.threshold('HostingPollFailing', 'warning', 3);
  const capped = stage.wait('HostingSeriesDropped', 'warning');
  const forbidden = stage.wait('HostingPermissionMissing', 'info');
  const of = (name: string, account: string, collector: string, instance = 'a') =>
    stage.series(name, { account, collector }, instance);
  const long = Math.ceil(60 * turns) + stale + 60;

  return {
    name: 'collectors',
    scenarios: [
      {
        name: 'a collector fails for hours: each by its own interval, and across a restart that forgets the last good poll',
        minutes: long,
        series: {
          ...stage.up(long),
          [of(interval, 'shop', 'account')]: hold(300, long + 1),
          [of(lastSuccess, 'shop', 'account')]: inTurn(hold(0, 60), ended),
          [of(interval, 'shop', 'site_load')]: hold(3600, long + 1),
          [of(lastSuccess, 'shop', 'site_load')]: hold(0, long + 1),
          [stage.series(failures, { account: 'shop', method: 'user/getAccountInfo', reason: 'payload' })]: ramp(
            0,
            1,
            long + 1,
          ),
        },
        truths: [
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(5 * turns),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => minute * 60,
            answers: () => [300, ['payload']],
          },
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(60 * turns),
            labels: { account: 'shop', collector: 'site_load' },
            value: (minute) => minute * 60,
            answers: () => [3600, ['payload']],
          },
        ],
        tempted: [],
      },
      {
        name: 'a collector has never succeeded, in an exporter that restarts every quarter of an hour',
        minutes: 120,
        series: {
          ...stage.up(120),
          [of(interval, 'shop', 'account')]: inTurn(
            ...Array.from({ length: 8 }, () => inTurn(hold(300, 12), missing(3))),
            hold(300, 1),
          ),
          [of(success, 'shop', 'account')]: hold(0, 121),
        },
        truths: [
          {
            alert: 'HostingPollFailing',
            since: 15,
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => minute * 60,
            answers: () => [300, undefined],
          },
        ],
        tempted: [],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'accounts override after how many turns stale figures are reported: later, never; for all their collectors',
        minutes: 120,
        series: {
          ...stage.up(120),
          ...Object.fromEntries(
            ['patient', 'never'].flatMap((account) =>
              ['account', 'databases'].flatMap((collector) => [
                [of(interval, account, collector), hold(300, 121)],
                [of(lastSuccess, account, collector), hold(0, 121)],
              ]),
            ),
          ),
          [stage.series('hosting_account_alert_threshold', {
            account: 'patient',
            alert: 'HostingPollFailing',
            severity: 'warning',
          })]: hold(12, 121),
          [stage.series('hosting_account_alert_threshold', {
            account: 'never',
            alert: 'HostingPollFailing',
            severity: 'warning',
          })]: never(121),
        },
        truths: ['account', 'databases'].map((collector) => ({
          alert: 'HostingPollFailing',
          since: 60,
          labels: { account: 'patient', collector },
          value: (minute: number) => minute * 60,
          answers: () => [300, undefined],
        })),
        tempted: [],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'a collector has never succeeded',
        minutes: Math.ceil(5 * turns) + stale + 30,
        series: {
          ...stage.up(Math.ceil(5 * turns) + stale + 30),
          [of(interval, 'shop', 'account')]: inTurn(missing(10), hold(300, Math.ceil(5 * turns) + stale + 21)),
          [of(success, 'shop', 'account')]: inTurn(missing(10), hold(0, Math.ceil(5 * turns) + stale + 21)),
        },
        truths: [
          {
            alert: 'HostingPollFailing',
            since: 10 + Math.ceil(5 * turns),
            labels: { account: 'shop', collector: 'account' },
            value: (minute) => (minute - 10) * 60,
            answers: () => [300, undefined],
          },
        ],
        tempted: [],
      },
      {
        name: 'polls miss two turns, a new exporter starts, one of a pair fails, an exporter goes for good',
        minutes: 240,
        series: {
          ...stage.up(240),
          ...stage.up(240, 'b'),
          // Every third turn succeeds.
          [of(interval, 'shop', 'account')]: hold(300, 241),
          [of(lastSuccess, 'shop', 'account')]: inTurn(
            ...Array.from({ length: 17 }, (_, turn) => hold(turn * 15 * 60 + 60, 15)),
          ),
          [of(interval, 'shop', 'site_load')]: hold(3600, 241),
          [of(lastSuccess, 'shop', 'site_load')]: hold(3600, 241),
          // The exporter a never reaches this account, its copy b does.
          [of(interval, 'pair', 'account')]: hold(300, 241),
          [of(success, 'pair', 'account')]: hold(0, 241),
          [of(interval, 'pair', 'account', 'b')]: hold(300, 241),
          [of(success, 'pair', 'account', 'b')]: hold(1, 241),
          [of(lastSuccess, 'pair', 'account', 'b')]: inTurn(
            ...Array.from({ length: 49 }, (_, turn) => hold(turn * 300, 5)),
          ),
          [of(interval, 'gone', 'account')]: inTurn(hold(300, 30), ended),
          [of(lastSuccess, 'gone', 'account')]: inTurn(hold(1200, 30), ended),
        },
        truths: [],
        tempted: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing'],
      },
      {
        name: 'the API user may not list databases: said as information, and stale figures are not reported besides',
        minutes: forbidden + 120,
        series: {
          ...stage.up(forbidden + 120),
          [of(interval, 'shop', 'databases')]: hold(900, forbidden + 121),
          [of(success, 'shop', 'databases')]: inTurn(hold(1, 10), hold(0, forbidden + 90), hold(1, 21)),
          [of(lastSuccess, 'shop', 'databases')]: inTurn(hold(0, forbidden + 100), hold(at(1), 21)),
          [stage.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: inTurn(
            hold(0, 10),
            steps(1, 15, forbidden + 111),
          ),
        },
        truths: [
          {
            alert: 'HostingPermissionMissing',
            since: 10,
            until: forbidden + 100,
            labels: { account: 'shop', collector: 'databases' },
            value: (minute) => Math.floor((minute - 10) / 15) + 1,
          },
        ],
        tempted: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'the API user has never been allowed to list databases: refused before the first look, then every 75 minutes',
        minutes: forbidden + 240,
        series: {
          ...stage.up(forbidden + 240),
          [of(interval, 'shop', 'databases')]: inTurn(missing(10), hold(900, forbidden + 231)),
          [of(success, 'shop', 'databases')]: inTurn(missing(10), hold(0, forbidden + 231)),
          [stage.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: inTurn(
            missing(10),
            steps(1, 75, forbidden + 231),
          ),
        },
        truths: [
          {
            alert: 'HostingPermissionMissing',
            since: 10,
            labels: { account: 'shop', collector: 'databases' },
            value: 1,
          },
        ],
        tempted: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'one method is refused once, and the next poll succeeds',
        minutes: 120,
        series: {
          ...stage.up(120),
          [of(success, 'shop', 'databases')]: inTurn(hold(1, 10), hold(0, Math.max(1, forbidden)), hold(1, 100)),
          [stage.series(failures, { account: 'shop', method: 'mysql/getList', reason: 'permission' })]: inTurn(
            hold(0, 10),
            hold(1, 111),
          ),
        },
        truths: [],
        tempted: ['HostingPermissionMissing'],
      },
      {
        name: 'a collector drops series for want of room, another does not, a third only for a moment',
        minutes: capped + 60,
        series: {
          ...stage.up(capped + 60),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'site_load')]: inTurn(
            hold(0, 10),
            hold(250, capped + 30),
            hold(0, 21),
          ),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'sites')]: hold(0, capped + 61),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'domains')]: inTurn(
            hold(0, 10),
            hold(9, Math.max(1, capped)),
            hold(0, 51),
          ),
        },
        truths: [
          {
            alert: 'HostingSeriesDropped',
            since: 10,
            until: 40 + capped,
            labels: { account: 'shop', collector: 'site_load' },
            value: 250,
          },
        ],
        tempted: ['HostingSeriesDropped'],
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
