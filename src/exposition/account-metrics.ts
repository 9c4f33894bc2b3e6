import { Counter, Gauge, Registry } from 'prom-client';
import { type Reason, reasons } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import { type Block, makeBlock } from './block.ts';
import type { FamilyHead } from './family.ts';
import { samplesOf } from './render.ts';

interface SelfMetricDescription extends FamilyHead {
  readonly labelNames: readonly string[];
}

/** The metrics about the exporter that exist once for each account, in the order in which the page shows them. */
export const accountMetrics = {
  up: {
    name: 'hosting_up',
    help: 'Whether the API answered the newest poll of the account collector and accepted the credentials; 0 until the first answer.',
    type: 'gauge',
    labelNames: ['account'],
  },
  success: {
    name: 'hosting_exporter_collector_success',
    help: 'Whether the newest poll of the collector succeeded as a whole; 0 until the first has ended.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  duration: {
    name: 'hosting_exporter_collector_duration_seconds',
    help: 'How long the newest poll of the collector took, waiting for the budget included.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  lastSuccess: {
    name: 'hosting_exporter_collector_last_success_timestamp_seconds',
    help: 'When the newest successful poll of the collector ended, in unix seconds; missing until there is one.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  interval: {
    name: 'hosting_exporter_collector_interval_seconds',
    help: 'Time between two turns of the schedule of the collector.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  series: {
    name: 'hosting_exporter_collector_series',
    help: 'Series that the collector shows now.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  dropped: {
    name: 'hosting_exporter_collector_series_dropped',
    help: 'Series of the newest results that max_series left out.',
    type: 'gauge',
    labelNames: ['account', 'collector'],
  },
  requests: {
    name: 'hosting_exporter_api_requests_total',
    help: 'Calls of the API that were sent.',
    type: 'counter',
    labelNames: ['account', 'method'],
  },
  failures: {
    name: 'hosting_exporter_api_request_failures_total',
    help: 'Calls of the API that failed, by reason.',
    type: 'counter',
    labelNames: ['account', 'method', 'reason'],
  },
  limit: {
    name: 'hosting_exporter_api_requests_per_minute_limit',
    help: 'Calls per minute that the configuration allows for the account.',
    type: 'gauge',
    labelNames: ['account'],
  },
  queue: {
    name: 'hosting_exporter_api_queue_length',
    help: 'Calls of the API that wait for the budget of the account.',
    type: 'gauge',
    labelNames: ['account'],
  },
  alertThreshold: {
    name: 'hosting_account_alert_threshold',
    help: 'The threshold that the configuration gives the account in place of the one of the alert; infinite where it switches the alert off.',
    type: 'gauge',
    labelNames: ['account', 'alert', 'severity'],
  },
} as const satisfies Readonly<Record<string, SelfMetricDescription>>;

/** How the newest poll of a collector went. */
export interface PollOutcome {
  readonly success: boolean;
  readonly seconds: number;
  /** Unix milliseconds. */
  readonly ended: number;
}

/** What the exporter says about itself for one account. A metric's text is made anew only after a figure changed. */
export class AccountMetrics {
  readonly #account: string;
  readonly #metrics = new Map<string, TrackedMetric>();

  constructor(account: string, requestsPerMinute: number) {
    this.#account = account;
    for (const description of Object.values(accountMetrics)) {
      this.#metrics.set(description.name, new TrackedMetric(description));
    }
    this.setUp(false);
    this.setQueueLength(0);
    this.#set(accountMetrics.limit, {}, requestsPerMinute);
  }

  /** The lines of one of `accountMetrics`; undefined where it has no series yet. */
  block(name: string): Promise<Block | undefined> | undefined {
    return this.#metrics.get(name)?.block();
  }

  /** Shows a collector before its first poll, and its methods with every reason, so that the first failure is seen. */
  declare(collector: string, methods: readonly Method[], intervalSeconds: number): void {
    this.#set(accountMetrics.success, { collector }, 0);
    this.setInterval(collector, intervalSeconds);
    this.setSeries(collector, 0);
    this.setDropped(collector, 0);
    for (const method of methods) {
      this.#increase(accountMetrics.requests, { method }, 0);
      for (const reason of reasons) this.#increase(accountMetrics.failures, { method, reason }, 0);
    }
  }

  countRequest(method: Method): void {
    this.#increase(accountMetrics.requests, { method }, 1);
  }

  countFailure(method: Method, reason: Reason): void {
    this.#increase(accountMetrics.failures, { method, reason }, 1);
  }

  setUp(up: boolean): void {
    this.#set(accountMetrics.up, {}, up ? 1 : 0);
  }

  setQueueLength(waiting: number): void {
    this.#set(accountMetrics.queue, {}, waiting);
  }

  setSeries(collector: string, series: number): void {
    this.#set(accountMetrics.series, { collector }, series);
  }

  setInterval(collector: string, seconds: number): void {
    this.#set(accountMetrics.interval, { collector }, seconds);
  }

  setDropped(collector: string, series: number): void {
    this.#set(accountMetrics.dropped, { collector }, series);
  }

  setAlertThreshold(alert: string, severity: string, value: number): void {
    this.#set(accountMetrics.alertThreshold, { alert, severity }, value);
  }

  setOutcome(collector: string, { success, seconds, ended }: PollOutcome): void {
    this.#set(accountMetrics.success, { collector }, success ? 1 : 0);
    this.#set(accountMetrics.duration, { collector }, seconds);
    if (success) this.#set(accountMetrics.lastSuccess, { collector }, ended / 1000);
  }

  #set(metric: SelfMetricDescription, labels: Readonly<Record<string, string>>, value: number): void {
    this.#metrics.get(metric.name)?.set({ account: this.#account, ...labels }, value);
  }

  #increase(metric: SelfMetricDescription, labels: Readonly<Record<string, string>>, by: number): void {
    this.#metrics.get(metric.name)?.increase({ account: this.#account, ...labels }, by);
  }
}

/** One of prom-client's metrics, and its text until a figure changes. */
class TrackedMetric {
  readonly #name: string;
  readonly #registry = new Registry();
  readonly #metric: Gauge | Counter;
  #block: Promise<Block | undefined> | undefined;

  constructor({ name, help, type, labelNames }: SelfMetricDescription) {
    const options = { name, help, labelNames: [...labelNames], registers: [this.#registry] };
    this.#name = name;
    this.#metric = type === 'counter' ? new Counter(options) : new Gauge(options);
  }

  set(labels: Readonly<Record<string, string>>, value: number): void {
    if (this.#metric instanceof Gauge) this.#metric.set(labels, value);
    this.#block = undefined;
  }

  increase(labels: Readonly<Record<string, string>>, by: number): void {
    this.#metric.inc(labels, by);
    this.#block = undefined;
  }

  block(): Promise<Block | undefined> {
    this.#block ??= this.#registry.getSingleMetricAsString(this.#name).then((text) => {
      const lines = samplesOf(text);
      return lines === '' ? undefined : makeBlock(lines);
    });
    return this.#block;
  }
}
