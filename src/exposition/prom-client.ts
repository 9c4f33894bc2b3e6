import { createRequire } from 'node:module';
import type * as whole from 'prom-client';

// Load only parts of prom-client: the whole package, with clusters and the Pushgateway, takes 5 MB more memory (measured).
const require = createRequire(import.meta.url);

export const Registry: typeof whole.Registry = require('prom-client/lib/registry.js');
export const Gauge: typeof whole.Gauge = require('prom-client/lib/gauge.js');
export const Histogram: typeof whole.Histogram = require('prom-client/lib/histogram.js');
export const collectDefaultMetrics: typeof whole.collectDefaultMetrics = require('prom-client/lib/defaultMetrics.js');

export type Gauge = whole.Gauge;
export type Histogram<Label extends string> = whole.Histogram<Label>;
export type MetricValue = whole.MetricValue<string>;
