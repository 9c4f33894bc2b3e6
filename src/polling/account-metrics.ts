import { reasons } from '../api/error.ts';
import type { Family, FamilyHead, Sample } from '../collectors/family.ts';
import type { Account } from './account.ts';
import type { Poller } from './poller.ts';

export interface OwnMetric extends FamilyHead {
  readonly labelNames: readonly string[];
}

interface AccountMetric extends OwnMetric {
  /** All returned samples have the same label names. */
  readonly read: (account: Account) => readonly Sample[];
}

/** By default, a metric is a gauge with the label `account`. */
type Definition = Partial<AccountMetric> & Pick<AccountMetric, 'name' | 'help' | 'read'>;

const definitions: readonly Definition[] = [
  {
    name: 'hosting_up',
    help: 'Whether the API answered the newest poll of the collector named account, and accepted the credentials: 1 or 0. Before the first answer, the value is 0. If this collector is disabled, the newest poll of any collector counts.',
    read: ({ up }) => (up === undefined ? [] : [{ labels: {}, value: Number(up) }]),
  },
  {
    name: 'hosting_exporter_collector_success',
    help: 'Whether the newest poll of the collector succeeded completely: 1 or 0; 0 before the end of the first poll.',
    labelNames: ['account', 'collector'],
    read: ofPollers(({ newest }) => Number(newest?.succeeded === true)),
  },
  {
    name: 'hosting_exporter_collector_failing',
    help: 'Always 1. Exists while the newest poll of the collector is a failed poll. The label reason contains the reason.',
    labelNames: ['account', 'collector', 'reason'],
    read: ({ pollers }) =>
      pollers.flatMap(({ collector: { name: collector }, newest }) =>
        (newest?.failures ?? []).slice(0, 1).map(({ reason }) => ({ labels: { collector, reason }, value: 1 })),
      ),
  },
  {
    name: 'hosting_exporter_collector_last_success_timestamp_seconds',
    help: 'End of the newest successful poll of the collector, in Unix seconds; missing before the first successful poll.',
    labelNames: ['account', 'collector'],
    read: ofPollers(({ newest }) => newest?.lastSuccess && newest.lastSuccess / 1000),
  },
  {
    name: 'hosting_exporter_collector_interval_seconds',
    help: 'Time between two runs of the collector. Includes the stretching that the budget requires.',
    labelNames: ['account', 'collector'],
    read: ofPollers(({ interval }) => interval / 1000),
  },
  {
    name: 'hosting_exporter_collector_series_dropped',
    help: 'Series that max_series removed from the newest results; missing while no series are removed.',
    labelNames: ['account', 'collector'],
    read: ofPollers(({ droppedSeries }) => (droppedSeries === 0 ? undefined : droppedSeries)),
  },
  {
    name: 'hosting_exporter_collector_items_refused',
    help: 'Domains, sites or databases without figures. The API answered the two newest calls for each of these items with an error, but answered calls for other items. Missing while all items have figures.',
    labelNames: ['account', 'collector'],
    read: ofPollers(({ items: { refused } }) => (refused === 0 ? undefined : refused)),
  },
  {
    name: 'hosting_exporter_series',
    help: 'Current series of the account on the page, without the series about the exporter.',
    read: ({ store }) => [{ labels: {}, value: store.series }],
  },
  {
    name: 'hosting_exporter_api_requests_total',
    help: 'API calls, including failed ones.',
    type: 'counter',
    read: ({ calls }) => [{ labels: {}, value: calls.sent }],
  },
  {
    name: 'hosting_exporter_api_request_failures_total',
    help: 'API calls that failed, by reason.',
    type: 'counter',
    labelNames: ['account', 'reason'],
    read: ({ calls }) => reasons.map((reason) => ({ labels: { reason }, value: calls.failed.get(reason) ?? 0 })),
  },
  {
    name: 'hosting_exporter_api_requests_per_minute_limit',
    help: 'API calls per minute that the configuration allows for the account.',
    read: ({ budget }) => [{ labels: {}, value: budget.requestsPerMinute }],
  },
  {
    name: 'hosting_exporter_api_queue_length',
    help: 'API calls that wait for the budget of the account.',
    read: ({ budget }) => [{ labels: {}, value: budget.queueLength }],
  },
  {
    name: 'hosting_account_alert_threshold',
    help: 'Threshold at which an alert about the account fires: the default, or what the configuration says. Missing if the alert is off. Alert rules need this metric.',
    labelNames: ['account', 'alert', 'severity'],
    read: ({ thresholds }) => thresholds.map(({ value, ...labels }) => ({ labels, value })),
  },
  {
    name: 'hosting_account_labels',
    help: 'Always 1. The labels of the account in the configuration, each with the prefix label_, for joins with other metrics. Missing if the account has no such labels.',
    read: ({ labels }) => {
      const own = Object.entries(labels).map(([label, text]) => [`label_${label}`, text]);
      return own.length === 0 ? [] : [{ labels: Object.fromEntries(own), value: 1 }];
    },
  },
];

/** The exporter's own metrics that exist once per account, in the order of the page. */
export const accountMetrics = definitions.map(
  (definition): AccountMetric => ({ type: 'gauge', labelNames: ['account'], ...definition }),
);

export function accountFamilies(account: Account): readonly Family[] {
  return accountMetrics.map(({ name, read }) => {
    const samples = read(account).map(({ labels, value }) => ({ labels: { account: account.name, ...labels }, value }));
    return { name, labelNames: Object.keys(samples[0]?.labels ?? {}), samples };
  });
}

function ofPollers(read: (poller: Poller) => number | undefined): AccountMetric['read'] {
  return ({ pollers }) =>
    pollers.flatMap((poller) => {
      const value = read(poller);
      return value === undefined ? [] : [{ labels: { collector: poller.collector.name }, value }];
    });
}
