import { createRequire } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type * as whole from 'prom-client';

// Load only parts of prom-client: the whole package, with clusters and the Pushgateway, takes 5 MB more memory (measured).
const require = createRequire(import.meta.url);

export const Registry: typeof whole.Registry = require('prom-client/lib/registry.js');
export const Gauge: typeof whole.Gauge = require('prom-client/lib/gauge.js');
export const Histogram: typeof whole.Histogram = require('prom-client/lib/histogram.js');

const { metricsList }: typeof whole.collectDefaultMetrics = require('prom-client/lib/defaultMetrics.js');

/** Adds prom-client's metrics of the process. Omits some of the event loop: for a standard deviation, Node.js needs 0.2 ms per scrape. */
export function addDefaultMetrics(registry: whole.Registry): void {
  for (const file of metricsList.filter((name) => name !== 'eventLoopLag'))
    require(`prom-client/lib/metrics/${file}.js`)(registry, { gcDurationBuckets: [0.001, 0.01, 0.1, 0.5] });
  // promtool rejects gauges whose names end in `_total`.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  for (const key of ['min', 'max', 'mean', '50', '90', '99'] as const) {
    new Gauge({
      name: `nodejs_eventloop_lag_${key.replace(/^\d/, 'p$&')}_seconds`,
      help: `Delay of the event loop since the previous scrape: ${key.replace(/^\d+/, '$&th percentile')}.`,
      registers: [registry],
      collect() {
        const value = key === 'min' || key === 'max' || key === 'mean' ? delay[key] : delay.percentile(Number(key));
        // If there was no delay since the previous scrape, there is no metric.
        this.set(delay.count === 0 ? Number.NaN : value / 1e9);
        if (key === '99') delay.reset();
      },
    });
  }
}

export type Gauge = whole.Gauge;
export type Histogram<Label extends string> = whole.Histogram<Label>;
export type MetricValue = whole.MetricValue<string>;
