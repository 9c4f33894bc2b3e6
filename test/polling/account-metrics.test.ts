import { describe, expect, it } from 'vitest';
import { accountFamilies, accountMetrics } from '../../src/polling/account-metrics.ts';
import { accountConfig } from '../fixtures/config.ts';
import { finishedPoll } from '../fixtures/finished-poll.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { familiesOf, resultOf } from '../fixtures/viewed-account.ts';

/** An account whose poll of `account` succeeded and whose poll of `sites` failed. */
function createAccount(settings: Parameters<typeof accountConfig>[0] = {}) {
  const { account, poller } = polledAccount(
    accountConfig({
      collectors: {
        account: { schedule: { kind: 'every', interval: 300_000 } },
        sites: { schedule: { kind: 'every', interval: 1_800_000 } },
      },
      api: { requestsPerMinute: 30 },
      ...settings,
    }),
  );
  if (account.pollers.length > 0) {
    poller('account').newest = finishedPoll({ ended: 1_780_488_000_000 });
    const failures = [{ reason: 'permission', message: '', accepted: true } as const];
    poller('sites').newest = finishedPoll({ failures });
  }
  const families = familiesOf([
    ['hosting_sites', 1],
    ['hosting_site_info', 1],
  ]);
  account.store.set('sites', '', resultOf(account.store, { families, dropped: 12 }));
  /** The samples of a metric as the values of its labels without the account, and the value. */
  const samplesOf = (metric: string) => {
    const samples = accountFamilies(account).flatMap((family) => (family.name === metric ? family.samples : []));
    return samples.map(({ labels: { account: name, ...labels }, value }) => {
      expect(name).toBe('shop');
      return [...Object.values(labels), value];
    });
  };
  return { account, samplesOf };
}

describe("the exporter's own metrics of an account", () => {
  it('describe its collectors and its budget', () => {
    const { samplesOf } = createAccount();

    expect(samplesOf('hosting_up')).toEqual([[1]]);
    expect(samplesOf('hosting_exporter_collector_success')).toEqual([
      ['account', 1],
      ['sites', 0],
    ]);
    expect(samplesOf('hosting_exporter_collector_failing')).toEqual([['sites', 'permission', 1]]);
    expect(samplesOf('hosting_exporter_collector_last_success_timestamp_seconds')).toEqual([
      ['account', 1_780_488_000],
    ]);
    expect(samplesOf('hosting_exporter_collector_interval_seconds')).toEqual([
      ['account', 300],
      ['sites', 1800],
    ]);
    expect(samplesOf('hosting_exporter_collector_series_dropped')).toEqual([['sites', 12]]);
    expect(samplesOf('hosting_exporter_collector_items_refused')).toEqual([]);
    expect(samplesOf('hosting_exporter_series')).toEqual([[2]]);
    expect(samplesOf('hosting_exporter_api_requests_per_minute_limit')).toEqual([[30]]);
    expect(samplesOf('hosting_exporter_api_queue_length')).toEqual([[0]]);
  });

  it('omit hosting_up until this process has polled an account that was accepted before', () => {
    const { account, samplesOf } = createAccount();
    const [poller] = account.pollers;
    const upAfter = (accepted: boolean) => {
      if (poller !== undefined) poller.newest = finishedPoll({ accepted, isFromEarlierProcess: true });
      return samplesOf('hosting_up');
    };

    expect([upAfter(true), upAfter(false)]).toEqual([[], [[0]]]);
  });

  it('count calls, and failures by reason from zero on', () => {
    const { account, samplesOf } = createAccount();
    account.calls.sent = 5;
    for (const reason of ['timeout', 'auth', 'timeout'] as const) account.countFailure(reason);

    const failures = Object.fromEntries(samplesOf('hosting_exporter_api_request_failures_total'));

    expect(samplesOf('hosting_exporter_api_requests_total')).toEqual([[5]]);
    expect(failures).toEqual({
      ...{ network: 0, timeout: 2, http: 0, payload: 0, auth: 1, permission: 0 },
      ...{ limit: 0, request: 0, method: 0, api: 0, local: 0 },
    });
  });

  it('have the labels of their description', () => {
    const { account } = createAccount({
      alerts: [{ alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.97 }],
    });

    const families = accountFamilies(account).filter(({ samples }) => samples.length > 0);

    const described = new Map(accountMetrics.map(({ name, labelNames }) => [name, labelNames]));
    for (const { name, labelNames } of families) expect(labelNames, name).toEqual(described.get(name));
    expect(families.length).toBeGreaterThan(10);
  });
});
