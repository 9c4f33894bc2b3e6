import {
  atDay,
  ended,
  gap,
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
const failing = 'hosting_exporter_collector_failing';
const reloadSuccessful = 'hosting_exporter_config_last_reload_successful';

/** Availability and configuration of the exporter. */
export function exporter(builder: ScenarioBuilder): TestSuite {
  const down = { labels: builder.exporter('a'), value: 0 } as const;
  const downMinutes = builder.forMinutes('HostingExporterDown', 'warning') + 20;
  const downWait = builder.forMinutes('HostingExporterDown', 'critical');
  const absentWait = builder.forMinutes('HostingExporterAbsent', 'critical');
  const reloadWait = builder.forMinutes('HostingConfigReloadFailed', 'warning');
  const missingWait = builder.forMinutes('HostingAccountMissing', 'warning');
  const failsAndSucceeds = sequence(hold(1, 10), hold(0, reloadWait + 10), hold(1, 11));
  const failedReload = {
    minutes: 10 + reloadWait + 20,
    series: builder.up(30 + reloadWait),
    expected: [{ alert: 'HostingConfigReloadFailed', since: 10, until: 20 + reloadWait, ...down }],
    mustNotFire: [],
  } as const;

  const saveWait = builder.forMinutes('HostingStateNotSaved', 'warning');

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
        ...failedReload,
        series: { ...failedReload.series, [builder.series(reloadSuccessful)]: failsAndSucceeds },
      },
      {
        name: 'a reload of the web configuration fails, and a later one succeeds',
        ...failedReload,
        series: {
          ...failedReload.series,
          [builder.series(reloadSuccessful)]: hold(1, 31 + reloadWait),
          [builder.series('hosting_exporter_web_config_last_reload_successful')]: failsAndSucceeds,
        },
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
        name: 'the disk with the state directory is full, then has space again',
        minutes: 30 + saveWait,
        series: {
          ...builder.up(30 + saveWait),
          [builder.series('hosting_exporter_state_save_success')]: sequence(
            hold(1, 10),
            hold(0, saveWait + 10),
            hold(1, 11),
          ),
        },
        expected: [{ alert: 'HostingStateNotSaved', since: 10, until: 20 + saveWait, ...down }],
        mustNotFire: [],
      },
      {
        name: 'one save fails, and the next one succeeds: no alert',
        minutes: 40,
        series: {
          ...builder.up(40),
          [builder.series('hosting_exporter_state_save_success')]: sequence(hold(1, 10), hold(0, 1), hold(1, 30)),
        },
        expected: [],
        mustNotFire: ['HostingStateNotSaved'],
      },
      {
        name: 'an account disappears from both exporters of an HA pair',
        minutes: 70 + missingWait,
        sampleSeconds: 30,
        series: {
          ...builder.up(70 + missingWait),
          ...builder.up(70 + missingWait, 'b'),
          [builder.series(up, { account: 'shop' })]: hold(1, 71 + missingWait),
          [builder.series(up, { account: 'shop' }, 'b')]: hold(1, 71 + missingWait),
          [builder.series(up, { account: 'blog' })]: sequence(hold(1, 25), ended),
          [builder.series(up, { account: 'blog' }, 'b')]: sequence(hold(1, 30), ended),
        },
        expected: [{ alert: 'HostingAccountMissing', since: 35, labels: { account: 'blog' }, value: 1 }],
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
  const failed = (account: string, reason: string) => builder.series(failures, { account, reason });
  const refused = (account: string, reason: string) =>
    builder.series(failing, { account, collector: 'account', reason });
  const rejectedAccounts = (names: readonly string[], minutes: number, rest: number) =>
    Object.fromEntries(
      names.flatMap((account) => [
        [builder.series(up, { account }), sequence(hold(1, 10), hold(0, minutes), hold(1, rest))],
        [refused(account, 'auth'), sequence(missing(10), hold(1, minutes), ended)],
      ]),
    );
  const minimumAccounts = builder.parameter('HostingProviderUnreachable', 'accounts', 2);
  const accounts = Array.from({ length: Math.max(10, minimumAccounts) }, (_, index) => `shop${index}`);
  const share = builder.threshold('HostingProviderUnreachable', 'critical', 0.6);
  const belowThreshold = Math.max(0, Math.ceil(share * accounts.length) - 1);

  return {
    name: 'provider',
    scenarios: [
      {
        name: 'the provider is down: one alert for all accounts, and none about stale data, during the outage and after it',
        minutes: 10 + outageWait + 30,
        series: {
          ...builder.up(40 + outageWait),
          ...Object.fromEntries(
            accounts.flatMap((account) => [
              [builder.series(up, { account }), sequence(hold(1, 10), hold(0, outageWait + 20), hold(1, 11))],
              [failed(account, 'timeout'), sequence(hold(0, 10), ramp(1, 2, outageWait + 31))],
              [failed(account, 'network'), sequence(hold(0, 10), ramp(1, 1, outageWait + 31))],
              [
                builder.series(failing, { account, collector: 'account', reason: 'timeout' }),
                sequence(missing(10), hold(1, outageWait + 20), ended),
              ],
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
            queryResults: () => ({ failureReasons: ['timeout'] }),
          },
        ],
        mustNotFire: [
          'HostingCredentialsRejected',
          'HostingAccountMissing',
          'HostingAccountUnreachable',
          'HostingPollFailing',
        ],
      },
      {
        name: 'the share of accounts without an answer is below the threshold: one alert for each of them',
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
        expected: accounts.slice(0, belowThreshold).map((account) => ({
          alert: 'HostingAccountUnreachable',
          since: 10,
          labels: { account },
          value: 0,
        })),
        mustNotFire: ['HostingProviderUnreachable'],
      },
      {
        name: 'the provider of the only account is down, and the exporter restarts: one alert, which names the reason and the age',
        minutes: 180,
        series: {
          ...builder.up(180),
          [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), hold(0, 111), hold(1, 60)),
          [builder.series(success, { account: 'shop', collector: 'account' })]: sequence(
            hold(1, 10),
            hold(0, 111),
            hold(1, 60),
          ),
          [builder.series(failing, { account: 'shop', collector: 'account', reason: 'network' })]: sequence(
            missing(10),
            hold(1, 111),
            ended,
          ),
          [builder.series(interval, { account: 'shop', collector: 'account' })]: hold(300, 181),
          [builder.series(lastSuccess, { account: 'shop', collector: 'account' })]: sequence(
            hold(300, 60),
            missing(61),
            hold(7260, 60),
          ),
        },
        expected: [
          {
            alert: 'HostingAccountUnreachable',
            since: 10,
            until: 121,
            labels: { account: 'shop' },
            value: 0,
            queryResults: (minute) => ({
              failureReasons: ['network'],
              accountAge: minute > 35 ? (minute - 5) * 60 : undefined,
            }),
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingAccountUnreachable', 'HostingPollFailing'],
      },
      {
        name: 'the credentials of most accounts are rejected: one alert for all of them',
        minutes: 10 + rejectedWait + 60,
        series: {
          ...builder.up(70 + rejectedWait),
          [builder.series(up, { account: 'last' })]: hold(1, 71 + rejectedWait),
          ...rejectedAccounts(accounts, rejectedWait + 30, 31),
        },
        expected: [
          {
            alert: 'HostingMostLoginsRejected',
            since: 10,
            until: 40 + rejectedWait,
            labels: {},
            value: accounts.length / (accounts.length + 1),
            queryResults: () => ({ rejectedAccounts: accounts.length, allAccounts: accounts.length + 1 }),
          },
        ],
        mustNotFire: ['HostingProviderUnreachable', 'HostingCredentialsRejected', 'HostingAccountUnreachable'],
      },
      {
        name: 'the credentials of some accounts are rejected: one alert for each of them',
        minutes: 10 + rejectedWait + 60,
        series: {
          ...builder.up(70 + rejectedWait),
          ...Object.fromEntries(
            ['one', 'two', 'three', 'four', 'five'].map((account) => [
              builder.series(up, { account }),
              hold(1, 71 + rejectedWait),
            ]),
          ),
          ...rejectedAccounts(accounts.slice(0, 3), rejectedWait + 30, 31),
        },
        expected: accounts.slice(0, 3).map((account) => ({
          alert: 'HostingCredentialsRejected' as const,
          since: 10,
          until: 40 + rejectedWait,
          labels: { account },
          value: 1,
        })),
        mustNotFire: ['HostingProviderUnreachable', 'HostingMostLoginsRejected'],
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
          [refused('shop', 'auth')]: sequence(missing(10), hold(1, Math.max(1, rejectedWait)), ended),
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
            queryResults: () => ({ requestBudget: 30 }),
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
        sampleSeconds: 30,
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
            queryResults: () => ({ requestBudget: 30 }),
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
  const thirtyHours = 30 * 60;
  const permissionWait = builder.forMinutes('HostingPermissionMissing', 'info');
  const of = (name: string, account: string, collector: string, instance = 'a') =>
    builder.series(name, { account, collector }, instance);
  const refused = (account: string, collector: string) =>
    builder.series(failing, { account, collector, reason: 'permission' });
  const minutes = Math.ceil(60 * intervals) + staleWait + 60;

  return {
    name: 'collectors',
    scenarios: [
      {
        name: 'collectors fail for hours: each alert fires by the interval of its collector, and a restart does not reset it',
        minutes: minutes,
        series: {
          ...builder.up(minutes),
          [builder.series(up, { account: 'shop' })]: hold(1, minutes + 1),
          [of(interval, 'shop', 'account')]: hold(300, minutes + 1),
          [of(lastSuccess, 'shop', 'account')]: sequence(hold(0, 60), ended),
          [of(interval, 'shop', 'site_load')]: hold(3600, minutes + 1),
          [of(lastSuccess, 'shop', 'site_load')]: hold(0, minutes + 1),
          [builder.series(failing, { account: 'shop', collector: 'account', reason: 'payload' })]: hold(1, minutes + 1),
          [builder.series(failing, { account: 'shop', collector: 'site_load', reason: 'method' })]: hold(
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
            queryResults: () => ({ collectorInterval: 300, failureReasons: ['payload'] }),
          },
          {
            alert: 'HostingPollFailing',
            since: Math.ceil(60 * intervals),
            labels: { account: 'shop', collector: 'site_load' },
            value: (minute) => minute * 60,
            queryResults: () => ({ collectorInterval: 3600, failureReasons: ['method'] }),
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
            queryResults: () => ({ collectorInterval: 300 }),
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
          queryResults: () => ({ collectorInterval: 300 }),
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
            queryResults: () => ({ collectorInterval: 300 }),
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
          [refused('shop', 'databases')]: sequence(missing(10), hold(1, permissionWait + 90), ended),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            severities: ['info'],
            since: 10,
            until: permissionWait + 100,
            labels: { account: 'shop', collector: 'databases' },
            value: 1,
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'an account never had the permission for databases',
        minutes: permissionWait + 240,
        series: {
          ...builder.up(permissionWait + 240),
          [of(interval, 'shop', 'databases')]: sequence(missing(10), hold(900, permissionWait + 231)),
          [of(success, 'shop', 'databases')]: sequence(missing(10), hold(0, permissionWait + 231)),
          [refused('shop', 'databases')]: sequence(missing(10), hold(1, permissionWait + 231)),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            severities: ['info'],
            since: 10,
            labels: { account: 'shop', collector: 'databases' },
            value: 1,
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
      },
      {
        name: 'an account loses the permission for the section account: a warning, and the alert about its disk stays for a day',
        minutes: thirtyHours,
        overDays: true,
        series: {
          ...builder.up(thirtyHours),
          [builder.series(up, { account: 'shop' })]: hold(1, thirtyHours + 1),
          [of(interval, 'shop', 'account')]: hold(300, thirtyHours + 1),
          [of(success, 'shop', 'account')]: sequence(hold(1, 120), hold(0, thirtyHours - 119)),
          [of(lastSuccess, 'shop', 'account')]: sequence(
            ...Array.from({ length: 24 }, (_, index) => hold(index * 300, 5)),
            hold(6900, thirtyHours - 119),
          ),
          [refused('shop', 'account')]: sequence(missing(120), hold(1, thirtyHours - 119)),
          // Expires ten minutes after three intervals.
          [builder.series('hosting_account_disk_usage_bytes', { account: 'shop' })]: sequence(hold(90e9, 140), ended),
          [builder.series('hosting_account_disk_limit_bytes', { account: 'shop' })]: sequence(hold(100e9, 140), ended),
        },
        expected: [
          {
            alert: 'HostingPermissionMissing',
            severities: ['warning'],
            since: 120,
            labels: { account: 'shop', collector: 'account' },
            value: 1,
          },
          {
            alert: 'HostingDiskAlmostFull',
            severities: ['warning'],
            since: 0,
            // A day after the last successful poll in minute 115.
            until: 115 + 1440,
            labels: { account: 'shop' },
            value: 0.9,
            queryResults: (minute) => ({
              diskFree: 10e9,
              diskGrowthUnknown: 1,
              accountAge: minute > 145 ? minute * 60 - 6900 : undefined,
            }),
          },
        ],
        mustNotFire: ['HostingPollFailing'],
        defaultsOnly: ['HostingPermissionMissing', 'HostingDiskAlmostFull'],
      },
      {
        name: 'a method is refused once, and the next poll succeeds: no alert',
        minutes: 120,
        series: {
          ...builder.up(120),
          [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, Math.max(1, permissionWait)), hold(1, 100)),
          [refused('shop', 'databases')]: sequence(missing(10), hold(1, Math.max(1, permissionWait)), ended),
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
            missing(10),
            hold(250, droppedWait + 30),
            ended,
          ),
          [of('hosting_exporter_collector_series_dropped', 'shop', 'domains')]: sequence(
            missing(10),
            hold(9, Math.max(1, droppedWait - gap)),
            ended,
          ),
        },
        expected: [
          {
            alert: 'HostingSeriesDropped',
            since: 10,
            until: 40 + droppedWait + gap,
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
