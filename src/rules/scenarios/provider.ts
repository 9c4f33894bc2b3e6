import { ended, hold, missing, ramp, repeat, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const up = 'hosting_up';
const failures = 'hosting_exporter_api_request_failures_total';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const interval = 'hosting_exporter_collector_interval_seconds';
const success = 'hosting_exporter_collector_success';
const failing = 'hosting_exporter_collector_failing';

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

  return builder.suite('provider', [
    {
      name: 'the provider is down: one alert for all accounts, and none about stale data, during the outage and after it',
      minutes: 10 + outageWait + 30,
      series: {
        ...Object.fromEntries(
          accounts.flatMap((account) => [
            [builder.series(up, { account }), sequence(hold(1, 10), hold(0, outageWait + 20), hold(1, 11))],
            [failed(account, 'timeout'), sequence(hold(0, 10), ramp(1, 2, outageWait + 31))],
            [failed(account, 'network'), sequence(hold(0, 10), ramp(1, 1, outageWait + 31))],
            [
              builder.series(failing, { account, collector: 'account', reason: 'timeout' }),
              sequence(missing(10), hold(1, outageWait + 20), ended),
            ],
            [builder.series(interval, { account, collector: 'account' }), 300],
            [
              builder.series(lastSuccess, { account, collector: 'account' }),
              sequence(hold(0, 5), hold(300, outageWait + 25), ramp(60 * (outageWait + 30), 60, 11)),
            ],
          ]),
        ),
      },
      expected: [{ alert: 'HostingProviderUnreachable', since: 10, until: 30 + outageWait, labels: {}, value: 1 }],
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
        ...Object.fromEntries(
          accounts.map((account, index) => [
            builder.series(up, { account }),
            index < belowThreshold ? sequence(hold(1, 10), hold(0, 111)) : hold(1, 121),
          ]),
        ),
      },
      expected: accounts
        .slice(0, belowThreshold)
        .map((account) => ({ alert: 'HostingAccountUnreachable', since: 10, labels: { account } })),
      mustNotFire: ['HostingProviderUnreachable', 'HostingExporterCannotPoll'],
    },
    {
      name: 'the provider of the only account is down, and the exporter restarts: one alert, which names the reason and the age',
      minutes: 180,
      series: {
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
        [builder.series(interval, { account: 'shop', collector: 'account' })]: 300,
        [builder.series(lastSuccess, { account: 'shop', collector: 'account' })]: sequence(
          hold(300, 60),
          missing(61),
          hold(7260, 60),
        ),
      },
      expected: [{ alert: 'HostingAccountUnreachable', since: 10, until: 121, labels: { account: 'shop' } }],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingAccountUnreachable', 'HostingPollFailing'],
    },
    {
      name: 'the credentials of most accounts are rejected: one alert for all of them',
      minutes: 10 + rejectedWait + 60,
      series: {
        [builder.series(up, { account: 'last' })]: 1,
        ...rejectedAccounts(accounts, rejectedWait + 30, 31),
      },
      expected: [
        {
          alert: 'HostingMostLoginsRejected',
          since: 10,
          until: 40 + rejectedWait,
          labels: {},
          value: accounts.length / (accounts.length + 1),
        },
      ],
      mustNotFire: ['HostingProviderUnreachable', 'HostingCredentialsRejected', 'HostingAccountUnreachable'],
    },
    {
      name: 'the credentials of some accounts are rejected: one alert for each of them',
      minutes: 10 + rejectedWait + 60,
      series: {
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
      })),
      mustNotFire: ['HostingProviderUnreachable', 'HostingMostLoginsRejected'],
    },
    {
      name: 'a single rejection, and accounts that are down briefly after a start: no alert',
      minutes: 90,
      series: {
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
      name: 'only one exporter of an HA pair reaches the provider: a warning',
      minutes: 10 + outageWait + 30,
      series: {
        ...builder.up('b'),
        ...Object.fromEntries(
          accounts.flatMap((account) => [
            [builder.series(up, { account }), 0],
            [builder.series(up, { account }, 'b'), 1],
          ]),
        ),
      },
      expected: [
        { alert: 'HostingExporterCannotPoll', severities: ['warning'], since: 0, labels: builder.exporter('a') },
      ],
      mustNotFire: ['HostingProviderUnreachable', 'HostingCredentialsRejected'],
    },
    {
      name: 'one of two exporters with different accounts reaches nothing: critical',
      minutes: 10 + outageWait + 30,
      series: {
        ...builder.up('b'),
        ...Object.fromEntries(
          accounts.flatMap((account) => [
            [builder.series(up, { account: `${account}-a` }), sequence(hold(1, 10), hold(0, outageWait + 31))],
            [builder.series(up, { account: `${account}-b` }, 'b'), 1],
          ]),
        ),
      },
      expected: [
        { alert: 'HostingExporterCannotPoll', severities: ['critical'], since: 10, labels: builder.exporter('a') },
        ...accounts.map((account) => ({
          alert: 'HostingAccountUnreachable' as const,
          since: 10,
          labels: { account: `${account}-a` },
        })),
      ],
      mustNotFire: ['HostingProviderUnreachable', 'HostingExporterCannotPoll'],
    },
    {
      name: 'the provider refuses calls for longer than an hour',
      minutes: limitWindow + limitWait + 60,
      series: {
        [failed('shop', 'limit')]: sequence(hold(0, 30), ramp(1, 1, limitWindow + limitWait + 31)),
        [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: 30,
      },
      expected: [{ alert: 'HostingApiLimitHit', since: 30, labels: { account: 'shop' } }],
      mustNotFire: [],
    },
    {
      name: 'the provider refuses calls in one busy minute: no alert',
      minutes: 120,
      series: {
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
        [builder.series('hosting_exporter_api_queue_length', { account: 'shop' })]: sequence(
          hold(0, 1),
          hold(12, queueWindow + queueWait + 20),
        ),
        [builder.series('hosting_exporter_api_requests_per_minute_limit', { account: 'shop' })]: 30,
      },
      expected: [{ alert: 'HostingApiBudgetExhausted', since: 1 + queueWindow, labels: { account: 'shop' } }],
      mustNotFire: [],
    },
    {
      name: 'every hour, the calls for 600 sites wait for twenty minutes: no alert',
      minutes: 240,
      series: {
        [builder.series('hosting_exporter_api_queue_length', { account: 'shop' })]: sequence(
          repeat(4, () => sequence(ramp(600, -30, 20), hold(0, 40))),
          hold(0, 1),
        ),
      },
      expected: [],
      mustNotFire: ['HostingApiBudgetExhausted'],
      defaultsOnly: ['HostingApiBudgetExhausted'],
    },
  ]);
}
