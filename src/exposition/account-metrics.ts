import { type Reason, reasons } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import type { FamilyHead } from './family.ts';
import { renderSeries, renderValues } from './render.ts';

interface SelfMetricDescription extends FamilyHead {
  readonly labelNames: readonly string[];
}

/** The metrics about the exporter that exist once for each account, in the order in which the page shows them. */
export const accountMetrics = {
  up: {
    name: 'hosting_up',
    help: 'Whether the API answered the newest poll of the account collector, or of any where that is off, and accepted the credentials; 0 until the first answer.',
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

/**
 * What the exporter says about itself for one account. It changes with every call of the API, but becomes text only
 * when it is asked for, and only where a figure changed.
 */
export class AccountMetrics {
  readonly #account: string;
  readonly #metrics = new Map<string, SelfMetric>();
  #lines: ReadonlyMap<string, string> | undefined;

  constructor(account: string, requestsPerMinute: number) {
    this.#account = account;
    for (const description of Object.values(accountMetrics)) {
      this.#metrics.set(description.name, new SelfMetric(description));
    }
    this.setUp(false);
    this.setQueueLength(0);
    this.#set(accountMetrics.limit, {}, requestsPerMinute);
  }

  /** The lines of each metric as it is now; the same map as before where nothing has changed. */
  get lines(): ReadonlyMap<string, string> {
    this.#lines ??= new Map(
      [...this.#metrics].filter(([, { size }]) => size > 0).map(([name, { text }]) => [name, text]),
    );
    return this.#lines;
  }

  get series(): number {
    return [...this.#metrics.values()].reduce((sum, { size }) => sum + size, 0);
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

  #set({ name }: FamilyHead, labels: Readonly<Record<string, string>>, value: number): void {
    if (this.#metrics.get(name)?.set({ account: this.#account, ...labels }, value)) this.#lines = undefined;
  }

  #increase({ name }: FamilyHead, labels: Readonly<Record<string, string>>, by: number): void {
    if (this.#metrics.get(name)?.increase({ account: this.#account, ...labels }, by)) this.#lines = undefined;
  }
}

/** The series of one metric with their figures, and their lines until a figure changes. */
class SelfMetric {
  readonly #description: SelfMetricDescription;
  readonly #values = new Map<string, number>();
  #text: string | undefined;

  constructor(description: SelfMetricDescription) {
    this.#description = description;
  }

  get size(): number {
    return this.#values.size;
  }

  get text(): string {
    this.#text ??= renderValues(this.#values);
    return this.#text;
  }

  /** False where the figure is the same as before. */
  set(labels: Readonly<Record<string, string>>, value: number): boolean {
    return this.#setSeries(this.#series(labels), value);
  }

  increase(labels: Readonly<Record<string, string>>, by: number): boolean {
    const series = this.#series(labels);
    return this.#setSeries(series, (this.#values.get(series) ?? 0) + by);
  }

  #series(labels: Readonly<Record<string, string>>): string {
    return renderSeries(this.#description.name, this.#description.labelNames, labels);
  }

  #setSeries(series: string, value: number): boolean {
    if (this.#values.get(series) === value) return false;
    this.#values.set(series, value);
    this.#text = undefined;
    return true;
  }
}
