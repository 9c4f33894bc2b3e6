import type { MetricDescription } from '../collectors/collector.ts';
import { openMetricsEnd, renderHead, renderSeries, renderValue } from '../exposition/render.ts';
import { datedCollectors } from './dated-collectors.ts';
import { type HistorySeries, type KeptItem, readHistory, type ShownValue } from './history-series.ts';

/** Which samples to write. Times in Unix milliseconds. */
export interface HistoryOptions {
  /** Of the first sample at the earliest. */
  readonly from: number;
  /** Of the last sample at the latest. */
  readonly until: number;
  /** Milliseconds between two samples of a series. Samples are at its multiples, so that each run writes the same ones. */
  readonly step: number;
  /** The labels that Prometheus adds to a scraped series: `job`, `instance` and those of the target. */
  readonly targetLabels: Readonly<Record<string, string>>;
}

/** What a history contains. Times in Unix milliseconds; undefined without samples. */
export interface HistorySummary {
  readonly series: number;
  readonly samples: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** One sentence for each impossible value that is left out. */
  readonly issues: readonly string[];
}

/** Characters of one piece of text. */
const pieceSize = 64 * 1024;

/** Counts what `formatHistory` writes. */
export function summarizeHistory(items: readonly KeptItem[], options: HistoryOptions): HistorySummary {
  let series = 0;
  let samples = 0;
  let first: number | undefined;
  let last: number | undefined;
  const issues: string[] = [];
  for (const item of items) {
    const history = readHistory(item);
    issues.push(...history.issues);
    for (const { values } of history.series) {
      const runs = values.map((value) => runOf(value, options)).filter(({ count }) => count > 0);
      if (runs.length === 0) continue;
      series += 1;
      for (const { start, count } of runs) {
        samples += count;
        first = Math.min(first ?? start, start);
        last = Math.max(last ?? 0, start + (count - 1) * options.step);
      }
    }
  }
  return { series, samples, first, last, issues };
}

/**
 * The samples that scrapes of the metrics page would have stored, in OpenMetrics 1.0 with timestamps: sorted by metric, labels
 * and time. Yields pieces of text, and keeps one series at a time in memory.
 */
export function* formatHistory(items: readonly KeptItem[], options: HistoryOptions): Generator<string, void> {
  const sorted = [...items].sort(byLabels);
  let piece = '';
  for (const collector of datedCollectors) {
    const ofCollector = sorted.filter((item) => item.collector === collector);
    for (const metric of collector.metrics) {
      let head = renderHead('openmetrics', { ...metric, type: 'gauge' });
      for (const item of ofCollector) {
        for (const line of formatSeries(findSeries(item, metric), options)) {
          piece += head + line;
          head = '';
          if (piece.length < pieceSize) continue;
          yield piece;
          piece = '';
        }
      }
    }
  }
  yield piece + openMetricsEnd;
}

function findSeries(item: KeptItem, { name }: MetricDescription): HistorySeries | undefined {
  return readHistory(item).series.find(({ metric }) => metric === name);
}

function* formatSeries(series: HistorySeries | undefined, options: HistoryOptions): Generator<string, void> {
  if (series === undefined) return;
  const { metric, labelNames, labels, values } = series;
  const { step, targetLabels } = options;
  const start = renderSeries(metric, [...labelNames, ...Object.keys(targetLabels)], { ...labels, ...targetLabels });
  for (const shown of values) {
    const run = runOf(shown, options);
    const sample = `${start} ${renderValue(shown.value)}`;
    for (let index = 0; index < run.count; index += 1) yield `${sample} ${(run.start + index * step) / 1000}\n`;
  }
}

/** The samples of one value: the first one, and their number. */
function runOf({ from, to }: ShownValue, options: HistoryOptions): { readonly start: number; readonly count: number } {
  const { step } = options;
  const start = Math.ceil(Math.max(from, options.from) / step) * step;
  // `to` is exclusive, `until` is not.
  const end = Math.min(to, options.until + 1);
  return { start, count: Math.max(0, Math.ceil((end - start) / step)) };
}

/** The order of the accounts, and of the names of sites and databases, is the same on every machine. No two are equal. */
function byLabels(one: KeptItem, other: KeptItem): number {
  return labelsOf(one) < labelsOf(other) ? -1 : 1;
}

function labelsOf({ account, item }: KeptItem): string {
  return JSON.stringify([account, item]);
}
