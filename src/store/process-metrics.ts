import { collectDefaultMetrics, Gauge, Histogram, type MetricValue, Registry } from 'prom-client';
import type { FamilyHead } from '../collectors/family.ts';
import type { ReloadResult } from '../config/reload.ts';

const gauges = {
  hosting_exporter_build_info:
    'Version and revision of the exporter and version of Node.js, as labels; the value is always 1.',
  hosting_exporter_clock_timestamp_seconds:
    'Time of the scrape by the clock of the exporter, in Unix seconds. Alert rules compare it with the clock of Prometheus.',
  hosting_exporter_config_last_reload_successful: 'Whether the last reload of the configuration succeeded: 1 or 0.',
  hosting_exporter_config_last_reload_success_timestamp_seconds:
    'Time of the last successful reload of the configuration, in Unix seconds.',
  hosting_exporter_configured_accounts:
    'Number of accounts in the configuration, including the accounts of other shards.',
  hosting_exporter_shard_index: 'Number of the shard of this exporter, counted from 1. Only with --shard.',
  hosting_exporter_shards: 'Number of shards among which the accounts are distributed. Only with --shard.',
  hosting_exporter_web_config_last_reload_successful:
    'Whether the web configuration file and its certificates were valid when they were last read: 1 or 0. Only with --web.config.file.',
  hosting_exporter_web_config_last_reload_success_timestamp_seconds:
    'Time at which the web configuration file or its certificates were last applied, in Unix seconds. Only with --web.config.file.',
  hosting_exporter_state_restored_series:
    'Series that were restored from the state directory at the start. Only with state.directory.',
  hosting_exporter_state_dropped:
    'Number of saved files and answers that were not restored at the start, by reason: expired, future, foreign, unknown or damaged. Missing if all were restored. Only with state.directory.',
  hosting_exporter_state_save_success:
    'Whether the newest attempt to write to the state directory succeeded: 1 or 0. Only with state.directory.',
  hosting_exporter_state_last_save_timestamp_seconds:
    'Time at which the state of an account was last saved, in Unix seconds; missing before the first save. Only with state.directory.',
} as const;

// promtool rejects gauges named `…_total`. The last two are redundant, but must stay registered, because one also collects the percentiles.
const omittedDefaults: readonly string[] = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
];

export interface Build {
  readonly version: string;
  readonly revision: string;
  readonly nodeVersion: string;
}

/** A metric as prom-client returns it. `metricName`: the name of the series if it differs from the metric's name, as in a histogram. */
export interface ProcessMetric extends FamilyHead {
  readonly values: readonly (MetricValue<string> & { readonly metricName?: string })[];
}

/** The exporter's own metrics that exist once per process. */
export class ProcessMetrics {
  /** All metrics except the durations of calls and polls. */
  readonly #registry = new Registry();
  readonly #durations = new Registry();
  readonly requestDuration = new Histogram({
    name: 'hosting_exporter_api_request_duration_seconds',
    help: 'Duration of API calls, from the start of a call to the last byte of its response. Excludes the time that the call waited for the budget or for a connection.',
    labelNames: ['method'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1.5, 2.5, 5.5, 10.5, 30.5],
    registers: [this.#durations],
  });
  readonly pollDuration = new Histogram({
    name: 'hosting_exporter_poll_duration_seconds',
    help: 'Duration of polls, including the time that calls waited for the budget.',
    labelNames: ['collector'],
    // Buckets go up to an hour, because calls of a fan-out may wait long for the budget.
    buckets: [0.5, 2.5, 10.5, 60.5, 300.5, 1200.5, 3600.5],
    registers: [this.#durations],
  });

  /** `hasRuntime`: whether to add the `process_*` and `nodejs_*` metrics. */
  constructor({ version, revision, nodeVersion }: Build, { hasRuntime }: { readonly hasRuntime: boolean }) {
    this.#set('hosting_exporter_build_info', 1, { version, revision, nodeversion: nodeVersion });
    this.#set('hosting_exporter_clock_timestamp_seconds', Date.now() / 1000);
    // The process has just read its configuration.
    this.setReload('config', { time: Date.now(), problems: undefined });
    if (hasRuntime) collectDefaultMetrics({ register: this.#registry, gcDurationBuckets: [0.001, 0.01, 0.1, 0.5] });
  }

  setReload(file: 'config' | 'web_config', { time, problems }: ReloadResult): void {
    const isSuccessful = problems === undefined;
    this.#set(`hosting_exporter_${file}_last_reload_successful`, Number(isSuccessful));
    if (isSuccessful) this.#set(`hosting_exporter_${file}_last_reload_success_timestamp_seconds`, time / 1000);
  }

  /** `accounts`: number of accounts of all shards. */
  setAccounts(accounts: number, shard?: { readonly index: number; readonly count: number }): void {
    this.#set('hosting_exporter_configured_accounts', accounts);
    if (shard === undefined) return;
    this.#set('hosting_exporter_shard_index', shard.index);
    this.#set('hosting_exporter_shards', shard.count);
  }

  /** `dropped`: number of saved files and payloads that were not restored, by reason. */
  setRestored(series: number, dropped: Readonly<Record<string, number>>): void {
    this.#set('hosting_exporter_state_restored_series', series);
    for (const [reason, count] of Object.entries(dropped))
      this.#set('hosting_exporter_state_dropped', count, { reason });
    this.#set('hosting_exporter_state_save_success', 1);
  }

  /** `saved`: time of the save in Unix milliseconds; undefined if the save failed. */
  setSaved(saved: number | undefined): void {
    this.#set('hosting_exporter_state_save_success', Number(saved !== undefined));
    if (saved !== undefined) this.#set('hosting_exporter_state_last_save_timestamp_seconds', saved / 1000);
  }

  /** `durations`: the durations of calls and polls. `current`: the current values of all other metrics. */
  async metrics(kind: 'durations' | 'current'): Promise<readonly ProcessMetric[]> {
    this.#set('hosting_exporter_clock_timestamp_seconds', Date.now() / 1000);
    const registry = kind === 'current' ? this.#registry : this.#durations;
    const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => !omittedDefaults.includes(name));
    return metrics.map(({ name, help, type, values }) => {
      // Omit impossible values: if Node.js measured no delay since the previous scrape, the mean is NaN and the minimum 292 years.
      const limit = name === 'nodejs_eventloop_lag_min_seconds' ? 3600 : Number.POSITIVE_INFINITY;
      const possible = values.filter(({ value }) => value <= limit);
      return { name, help, type: String(type) as FamilyHead['type'], values: possible };
    });
  }

  /** Registers a gauge only with its first value, because prom-client shows 0 for a gauge without a value. */
  #set(name: keyof typeof gauges, value: number, labels: Readonly<Record<string, string>> = {}): void {
    const settings = { name, help: gauges[name], labelNames: Object.keys(labels), registers: [this.#registry] };
    const known = this.#registry.getSingleMetric(name) as Gauge | undefined;
    (known ?? new Gauge(settings)).set(labels, value);
  }
}
