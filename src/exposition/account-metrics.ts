import { type Reason, reasons } from '../api/error.ts';
import type { Family, FamilyHead, Sample } from './family.ts';

/** A metric of the exporter itself, as the documentation shows it. */
export interface OwnMetric extends FamilyHead {
  readonly labelNames: readonly string[];
}

/** The values of the exporter's own metrics about one account. */
export interface AccountState {
  readonly name: string;
  /** Whether the API answered the newest poll and accepted the credentials; undefined if only an earlier process knows. */
  readonly up: boolean | undefined;
  readonly requestsPerMinute: number;
  readonly queueLength: number;
  /** Series of the account on the page, without the exporter's own metrics. */
  readonly series: number;
  readonly collectors: readonly CollectorState[];
  readonly calls: Calls;
  readonly thresholds: readonly AlertThreshold[];
  /** Own labels of the configuration by name. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface CollectorState {
  readonly name: string;
  /** Whether the newest poll succeeded completely; false before the first. */
  readonly success: boolean;
  /** The decisive reason why the newest poll failed; `bug` if the exporter failed and not the API. */
  readonly failing: Reason | 'bug' | undefined;
  readonly lastSuccessSeconds: number | undefined;
  readonly intervalSeconds: number;
  readonly droppedSeries: number;
}

/** Calls of one account since the start. */
export interface Calls {
  readonly sent: number;
  readonly failed: ReadonlyMap<Reason, number>;
}

/** A threshold that the configuration overrides for one account. */
export interface AlertThreshold {
  readonly alert: string;
  readonly severity: string;
  readonly value: number;
}

interface Definition extends OwnMetric {
  /** The configuration adds labels to `labelNames`. */
  readonly hasOwnLabels?: true;
  readonly read: (state: AccountState) => readonly Sample[];
}

const definitions: readonly Definition[] = [
  {
    name: 'hosting_up',
    help: 'Whether the API answered the newest poll of the collector account and accepted the credentials: 1 or 0; 0 before the first answer. If that collector is disabled, the newest poll of any collector counts.',
    type: 'gauge',
    labelNames: ['account'],
    read: ({ up }) => (up === undefined ? [] : [{ labels: {}, value: Number(up) }]),
  },
  {
    name: 'hosting_exporter_collector_success',
    help: 'Whether the newest poll of the collector succeeded completely: 1 or 0; 0 before the first.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
    read: ofCollectors(({ success }) => Number(success)),
  },
  {
    name: 'hosting_exporter_collector_failing',
    help: 'Exists while the newest poll of the collector has failed; the label reason says why, and the value is always 1.',
    type: 'gauge',
    labelNames: ['account', 'collector', 'reason'],
    read: ({ collectors }) =>
      collectors.flatMap(({ name: collector, failing: reason }) =>
        reason === undefined ? [] : [{ labels: { collector, reason }, value: 1 }],
      ),
  },
  {
    name: 'hosting_exporter_collector_last_success_timestamp_seconds',
    help: 'End of the newest successful poll of the collector, in Unix seconds; missing before the first.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
    read: ofCollectors(({ lastSuccessSeconds }) => lastSuccessSeconds),
  },
  {
    name: 'hosting_exporter_collector_interval_seconds',
    help: 'Time between two runs of the collector, including the stretching that fits them into the budget.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
    read: ofCollectors(({ intervalSeconds }) => intervalSeconds),
  },
  {
    name: 'hosting_exporter_collector_series_dropped',
    help: 'Series that max_series removed from the newest results; missing while there are none.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
    read: ofCollectors(({ droppedSeries }) => (droppedSeries === 0 ? undefined : droppedSeries)),
  },
  {
    name: 'hosting_exporter_series',
    help: 'Series of the account on the page now, without those about the exporter.',
    type: 'gauge',
    labelNames: ['account'],
    read: ({ series }) => [{ labels: {}, value: series }],
  },
  {
    name: 'hosting_exporter_api_requests_total',
    help: 'API calls, including failed ones.',
    type: 'counter',
    labelNames: ['account'],
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
    type: 'gauge',
    labelNames: ['account'],
    read: ({ requestsPerMinute }) => [{ labels: {}, value: requestsPerMinute }],
  },
  {
    name: 'hosting_exporter_api_queue_length',
    help: 'API calls that wait for the budget of the account.',
    type: 'gauge',
    labelNames: ['account'],
    read: ({ queueLength }) => [{ labels: {}, value: queueLength }],
  },
  {
    name: 'hosting_account_alert_threshold',
    help: 'Threshold of an alert that the configuration overrides for the account; +Inf or -Inf disables the alert.',
    type: 'gauge',
    labelNames: ['account', 'alert', 'severity'],
    read: ({ thresholds }) => thresholds.map(({ value, ...labels }) => ({ labels, value })),
  },
  {
    name: 'hosting_account_labels',
    help: 'Own labels of the account in the configuration, each with the prefix label_, to join other metrics with; always 1. Missing without labels.',
    type: 'gauge',
    labelNames: ['account'],
    hasOwnLabels: true,
    read: ({ labels }) => {
      const own = Object.entries(labels).map(([label, text]) => [`label_${label}`, text]);
      return own.length === 0 ? [] : [{ labels: Object.fromEntries(own), value: 1 }];
    },
  },
];

/** The exporter's own metrics that exist once per account, in the order of the page. */
export const accountMetrics: readonly OwnMetric[] = definitions;

/** The exporter's own metrics of one account. */
export function accountFamilies(state: AccountState): readonly Family[] {
  const { name: account } = state;
  return definitions.map(({ name, labelNames, hasOwnLabels, read }) => {
    const samples = read(state).map(({ labels, value }) => ({ labels: { account, ...labels }, value }));
    return { name, labelNames: hasOwnLabels === true ? Object.keys(samples[0]?.labels ?? {}) : labelNames, samples };
  });
}

function ofCollectors(read: (collector: CollectorState) => number | undefined): Definition['read'] {
  return ({ collectors }) =>
    collectors.flatMap((collector) => {
      const value = read(collector);
      return value === undefined ? [] : [{ labels: { collector: collector.name }, value }];
    });
}
