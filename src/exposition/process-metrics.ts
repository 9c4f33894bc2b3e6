import { collectDefaultMetrics, Gauge, Histogram, type MetricValue, Registry } from 'prom-client';
import type { Method } from '../api/method.ts';
import type { FamilyHead } from './family.ts';
import { renderSeries, renderValues } from './render.ts';

/** Gauges of prom-client that are named like counters, which promtool rejects. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The exporter's own metrics that exist once for the process. */
export const processMetrics = {
  requestDuration: {
    name: 'hosting_exporter_api_request_duration_seconds',
    help: 'How long calls of the API took, from the start to the last byte; waiting for the budget is not counted.',
    type: 'histogram',
    labelNames: ['method'],
  },
  buildInfo: {
    name: 'hosting_exporter_build_info',
    help: 'Always 1; the labels name the version and the revision of the exporter, and the version of Node.js.',
    type: 'gauge',
    labelNames: ['version', 'revision', 'nodeversion'],
  },
  reloadSuccessful: {
    name: 'hosting_exporter_config_last_reload_successful',
    help: 'Whether the configuration was right when it was read last.',
    type: 'gauge',
    labelNames: [],
  },
  reloadTime: {
    name: 'hosting_exporter_config_last_reload_success_timestamp_seconds',
    help: 'When a right configuration was read last, in unix seconds.',
    type: 'gauge',
    labelNames: [],
  },
} as const satisfies Readonly<Record<string, FamilyHead & { readonly labelNames: readonly string[] }>>;

/** What the build says of itself. */
export interface Build {
  readonly version: string;
  readonly revision: string;
  readonly nodeVersion: string;
}

/** What the exporter says about itself as a whole: one set for the process, always fresh. */
export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #requestDuration: Histogram<'method'>;
  readonly #reloadSuccessful: Gauge;
  readonly #reloadTime: Gauge;

  constructor({ version, revision, nodeVersion }: Build) {
    const registers = [this.#registry];
    const { requestDuration, buildInfo, reloadSuccessful, reloadTime } = processMetrics;
    this.#requestDuration = new Histogram({
      ...requestDuration,
      buckets: [0.05, 0.1, 0.25, 0.5, 1.5, 2.5, 5.5, 10.5, 30.5],
      registers,
    });
    const build = { version, revision, nodeversion: nodeVersion };
    new Gauge({ ...buildInfo, registers }).set(build, 1);
    this.#reloadSuccessful = new Gauge({ ...reloadSuccessful, registers });
    this.#reloadTime = new Gauge({ ...reloadTime, registers });
    collectDefaultMetrics({ register: this.#registry, gcDurationBuckets: [0.001, 0.01, 0.1, 0.5] });
    for (const name of misnamed) this.#registry.removeSingleMetric(name);
  }

  /** `time`: unix milliseconds. */
  setReload(successful: boolean, time: number): void {
    this.#reloadSuccessful.set(successful ? 1 : 0);
    if (successful) this.#reloadTime.set(time / 1000);
  }

  observeRequest(method: Method, seconds: number): void {
    this.#requestDuration.observe({ method }, seconds);
  }

  /**
   * All families that have samples, with their lines as they are now. What is not a number is missing: the event loop
   * has no lag to tell of between two scrapes in quick succession.
   */
  async families(): Promise<readonly { readonly head: FamilyHead; readonly text: string }[]> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return metrics
      .map(({ name, help, type, values }) => ({
        head: { name, help, type: String(type) as FamilyHead['type'] },
        text: renderCollected(
          name,
          values.filter(({ value }) => !Number.isNaN(value)),
        ),
      }))
      .filter(({ text }) => text !== '');
  }
}

/** What prom-client's type leaves out: a histogram's samples have names of their own. */
type CollectedValue = MetricValue<string> & { readonly metricName?: string };

function renderCollected(metric: string, collected: readonly CollectedValue[]): string {
  const values = new Map<string, number>();
  for (const { metricName = metric, labels, value } of collected) {
    values.set(renderSeries(metricName, Object.keys(labels), labels), value);
  }
  return renderValues(values);
}
