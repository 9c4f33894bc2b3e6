import { describe, expect, it } from 'vitest';
import { accountFamilies, accountMetrics, type ObservedAccount } from '../../../src/exposition/account-metrics.ts';
import { CallCounters } from '../../../src/exposition/call-counters.ts';

const polled = {
  collector: { name: 'account' },
  newest: { succeeded: true, failures: [], lastSuccess: 1_780_488_000_000 },
  interval: 300_000,
  droppedSeries: 0,
  items: { refused: 0 },
} as const;

const failing = {
  collector: { name: 'sites' },
  newest: {
    succeeded: false,
    failures: [{ reason: 'permission', message: '', accepted: true }],
    lastSuccess: undefined,
  },
  interval: 1_800_000,
  droppedSeries: 12,
  items: { refused: 3 },
} as const;

function state(parts: Partial<ObservedAccount> = {}): ObservedAccount {
  return {
    name: 'shop',
    up: true,
    budget: { requestsPerMinute: 30, queueLength: 4 },
    store: { series: 121 },
    pollers: [polled, failing],
    calls: new CallCounters(),
    thresholds: [],
    labels: {},
    ...parts,
  };
}

/** The samples of a metric as the values of its labels without the account, and the value. */
function samplesOf(metric: string, parts: Partial<ObservedAccount> = {}) {
  const family = accountFamilies(state(parts)).find(({ name }) => name === metric);
  return family?.samples.map(({ labels: { account, ...labels }, value }) => {
    expect(account).toBe('shop');
    return [...Object.values(labels), value];
  });
}

describe("the exporter's own metrics of an account", () => {
  it.each([
    [
      'hosting_exporter_collector_success',
      [
        ['account', 1],
        ['sites', 0],
      ],
    ],
    ['hosting_exporter_collector_failing', [['sites', 'permission', 1]]],
    ['hosting_exporter_collector_last_success_timestamp_seconds', [['account', 1_780_488_000]]],
    [
      'hosting_exporter_collector_interval_seconds',
      [
        ['account', 300],
        ['sites', 1800],
      ],
    ],
    ['hosting_exporter_collector_series_dropped', [['sites', 12]]],
    ['hosting_exporter_collector_items_refused', [['sites', 3]]],
    ['hosting_exporter_series', [[121]]],
    ['hosting_exporter_api_requests_per_minute_limit', [[30]]],
    ['hosting_exporter_api_queue_length', [[4]]],
  ])('%s is %j', (metric, expected) => {
    expect(samplesOf(metric)).toEqual(expected);
  });

  it.each([
    [true, [[1]]],
    [false, [[0]]],
    [undefined, []],
  ])('hosting_up of an account whose last poll was accepted (%s) is %j', (up, expected) => {
    expect(samplesOf('hosting_up', { up })).toEqual(expected);
  });

  it('count calls, and failures by reason from zero on', () => {
    const calls = new CallCounters();
    calls.sent = 5;
    for (const reason of ['timeout', 'auth', 'timeout'] as const) calls.countFailure(reason);

    const failures = samplesOf('hosting_exporter_api_request_failures_total', { calls }) ?? [];

    expect(samplesOf('hosting_exporter_api_requests_total', { calls })).toEqual([[5]]);
    expect(failures.filter(([, value]) => value !== 0)).toEqual([
      ['timeout', 2],
      ['auth', 1],
    ]);
    expect(failures.map(([reason]) => reason)).toEqual([
      'network',
      'timeout',
      'http',
      'payload',
      'auth',
      'permission',
      'limit',
      'request',
      'method',
      'api',
      'local',
    ]);
  });

  it('have the thresholds that the configuration overrides', () => {
    const thresholds = [
      { alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.97 },
      { alert: 'HostingPlanLoadHigh', severity: 'warning', value: Number.POSITIVE_INFINITY },
    ];

    expect(samplesOf('hosting_account_alert_threshold', { thresholds })).toEqual([
      ['HostingDiskAlmostFull', 'warning', 0.97],
      ['HostingPlanLoadHigh', 'warning', Number.POSITIVE_INFINITY],
    ]);
  });

  it('have one series with the own labels, each with a prefix, and none without own labels', () => {
    const own = (labels: ObservedAccount['labels']) =>
      accountFamilies(state({ labels })).find(({ name }) => name === 'hosting_account_labels');

    expect(own({ customer: 'acme', city: 'Köln' })).toEqual({
      name: 'hosting_account_labels',
      labelNames: ['account', 'label_customer', 'label_city'],
      samples: [{ labels: { account: 'shop', label_customer: 'acme', label_city: 'Köln' }, value: 1 }],
    });
    expect(own({})?.samples).toEqual([]);
  });

  it('have the labels of their description', () => {
    const families = accountFamilies(state({ thresholds: [{ alert: 'A', severity: 'info', value: 1 }] }));

    expect(families.map(({ name }) => name)).toEqual(accountMetrics.map(({ name }) => name));
    for (const [index, { name, labelNames, samples }] of families.entries()) {
      if (name === 'hosting_account_labels') continue;
      expect(labelNames).toEqual(accountMetrics[index]?.labelNames);
      for (const { labels } of samples) expect(Object.keys(labels).toSorted()).toEqual([...labelNames].toSorted());
    }
  });
});
