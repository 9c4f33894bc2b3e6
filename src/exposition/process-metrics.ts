import type { Method } from '../api/method.ts';
import type { Family, FamilyHead, Sample } from '../collectors/family.ts';
import { collectDefaultMetrics, Gauge, Histogram, type MetricValue, Registry } from './prom-client.ts';

/** Gauges of prom-client whose names end in `_total`. They are removed, because promtool rejects such names for gauges. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

interface ProcessMetric extends Pick<FamilyHead, 'name' | 'help'> {
  readonly labelNames?: readonly string[];
}

const definitions = {
  requestDuration: {
    name: 'hosting_exporter_api_request_duration_seconds',
    help: 'Duration of API calls, from the start to the last byte, without the time that they waited for the budget or for a connection.',
    labelNames: ['method'],
  },
  pollDuration: {
    name: 'hosting_exporter_poll_duration_seconds',
    help: 'Duration of polls, including the time that calls waited for the budget.',
    labelNames: ['collector'],
  },
  buildInfo: {
    name: 'hosting_exporter_build_info',
    help: 'Version and revision of the exporter and version of Node.js, as labels; the value is always 1.',
    labelNames: ['version', 'revision', 'nodeversion'],
  },
  reloadSuccessful: {
    name: 'hosting_exporter_config_last_reload_successful',
    help: 'Whether the last reload of the configuration succeeded: 1 or 0.',
  },
  reloadTime: {
    name: 'hosting_exporter_config_last_reload_success_timestamp_seconds',
    help: 'Time of the last successful reload of the configuration, in Unix seconds.',
  },
  webReloadSuccessful: {
    name: 'hosting_exporter_web_config_last_reload_successful',
    help: 'Whether the web configuration file and its certificates were valid when they were last read: 1 or 0. Only with --web.config.file.',
  },
  webReloadTime: {
    name: 'hosting_exporter_web_config_last_reload_success_timestamp_seconds',
    help: 'Time at which the web configuration file or its certificates were last applied, in Unix seconds. Only with --web.config.file.',
  },
  stateRestored: {
    name: 'hosting_exporter_state_restored_series',
    help: 'Series that were shown again at the start, from the state directory. Only with state.directory.',
  },
  stateDropped: {
    name: 'hosting_exporter_state_dropped',
    help: 'Files and answers in the state directory that were not used at the start, by reason: expired, future, foreign, unknown or damaged. Missing while there are none. Only with state.directory.',
    labelNames: ['reason'],
  },
  stateSaveSuccess: {
    name: 'hosting_exporter_state_save_success',
    help: 'Whether the newest attempt to write to the state directory succeeded: 1 or 0. Only with state.directory.',
  },
  stateSaveTime: {
    name: 'hosting_exporter_state_last_save_timestamp_seconds',
    help: 'Time at which the state of an account was last saved, in Unix seconds; missing before the first. Only with state.directory.',
  },
} as const satisfies Readonly<Record<string, ProcessMetric>>;

export interface Build {
  readonly version: string;
  readonly revision: string;
  readonly nodeVersion: string;
}

export interface MethodDuration {
  readonly method: string;
  readonly calls: number;
  readonly seconds: number;
}

/** The exporter's own metrics of the process, together with the metrics of Node.js. */
export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #requestDuration: Histogram<'method'>;
  readonly #pollDuration: Histogram<'collector'>;
  readonly #gauges = new Map<string, Gauge>();

  constructor({ version, revision, nodeVersion }: Build) {
    const registers = [this.#registry];
    this.#requestDuration = new Histogram({
      ...definitions.requestDuration,
      buckets: [0.05, 0.1, 0.25, 0.5, 1.5, 2.5, 5.5, 10.5, 30.5],
      registers,
    });
    this.#pollDuration = new Histogram({
      ...definitions.pollDuration,
      // The buckets are wide, because a fan-out takes as long as the budget requires.
      buckets: [0.5, 2.5, 10.5, 60.5, 300.5, 1200.5, 3600.5],
      registers,
    });
    this.#set(definitions.buildInfo, 1, { version, revision, nodeversion: nodeVersion });
    // The process has just read its configuration.
    this.setReload(true, Date.now());
    collectDefaultMetrics({ register: this.#registry, gcDurationBuckets: [0.001, 0.01, 0.1, 0.5] });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  /** `time`: end of the reload in Unix milliseconds. */
  setReload(successful: boolean, time: number): void {
    this.#set(definitions.reloadSuccessful, Number(successful));
    if (successful) this.#set(definitions.reloadTime, time / 1000);
  }

  /** `time`: end of the reload in Unix milliseconds. */
  setWebReload(successful: boolean, time: number): void {
    this.#set(definitions.webReloadSuccessful, Number(successful));
    if (successful) this.#set(definitions.webReloadTime, time / 1000);
  }

  /** `dropped`: number of saved files and payloads that were not restored, by reason. */
  setRestored(series: number, dropped: Readonly<Record<string, number>>): void {
    this.#set(definitions.stateRestored, series);
    for (const [reason, count] of Object.entries(dropped)) this.#set(definitions.stateDropped, count, { reason });
    this.#set(definitions.stateSaveSuccess, 1);
  }

  /** `saved`: time of the save in Unix milliseconds; undefined if the save failed. */
  setSaved(saved: number | undefined): void {
    this.#set(definitions.stateSaveSuccess, Number(saved !== undefined));
    if (saved !== undefined) this.#set(definitions.stateSaveTime, saved / 1000);
  }

  observeRequest(method: Method, seconds: number): void {
    this.#requestDuration.observe({ method }, seconds);
  }

  observePoll(collector: string, seconds: number): void {
    this.#pollDuration.observe({ collector }, seconds);
  }

  async methodDurations(): Promise<readonly MethodDuration[]> {
    const { values } = await this.#requestDuration.get();
    const samples = values.map(toSample);
    const byMethod = (suffix: string) =>
      new Map(
        samples
          .filter(({ name }) => name?.endsWith(suffix))
          .map(({ labels, value }) => [labels['method'] ?? '', value] as const),
      );
    const sums = byMethod('_sum');
    return [...byMethod('_count')].map(([method, calls]) => ({
      method,
      calls,
      seconds: (sums.get(method) ?? 0) / calls,
    }));
  }

  async families(): Promise<readonly (FamilyHead & Family)[]> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return metrics.map(({ name, help, type, values }) => {
      const samples = values.filter(({ value }) => !Number.isNaN(value)).map(toSample);
      const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
      return { name, help, type: String(type) as FamilyHead['type'], labelNames, samples };
    });
  }

  /** Registers a gauge with its first value and not earlier, because prom-client would show 0 for a gauge without a value. */
  #set(definition: ProcessMetric, value: number, labels: Readonly<Record<string, string>> = {}): void {
    const { name, help, labelNames = [] } = definition;
    const gauge = this.#gauges.get(name) ?? new Gauge({ name, help, labelNames, registers: [this.#registry] });
    this.#gauges.set(name, gauge);
    gauge.set(labels, value);
  }
}

/** Keeps the name of a histogram's sample, which differs from the name of its metric. prom-client's type omits `metricName`. */
function toSample({ metricName, labels, value }: MetricValue & { readonly metricName?: string }): Sample {
  const texts = Object.entries(labels).map(([name, text]) => [name, String(text)] as const);
  return { labels: Object.fromEntries(texts), value, ...(metricName === undefined ? {} : { name: metricName }) };
}
