import { openMetricsEnd, renderHead, renderSeries, renderValue } from '../exposition/render.ts';
import { datedCollectors, type HistorySeries, type KeptItem, readHistory, type ShownValue } from './history-series.ts';

/** Which samples to write. Times are in Unix milliseconds. */
export interface HistoryOptions {
  readonly from: number;
  /** Latest possible time of a sample (inclusive). */
  readonly until: number;
  /** Milliseconds between two samples of a series. Sample times are multiples of `step`, so a second export has the same times. */
  readonly step: number;
  /** The labels that Prometheus adds to a scraped series: `job`, `instance` and other labels of the target. */
  readonly targetLabels: Readonly<Record<string, string>>;
}

/** Minimum number of characters of each piece of text except the last. */
const pieceSize = 64 * 1024;

/** Counts series and samples. `first` and `last`: Unix milliseconds of the first and last sample; undefined without samples. */
export function summarizeHistory(items: readonly KeptItem[], options: HistoryOptions) {
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

/** The samples that scrapes would have stored, sorted by metric, labels and time. Keeps one series at a time in memory. */
export function* formatHistory(items: readonly KeptItem[], options: HistoryOptions): Generator<string, void> {
  const labelsOf = ({ account, item }: KeptItem) => JSON.stringify([account, item]);
  // The order is the same on every machine. No two items are equal.
  const sorted = items.toSorted((one, other) => (labelsOf(one) < labelsOf(other) ? -1 : 1));
  let piece = '';
  for (const collector of datedCollectors) {
    const ofCollector = sorted.filter((item) => item.collector === collector);
    for (const metric of collector.metrics) {
      let head = renderHead('openmetrics', { ...metric, type: 'gauge' });
      for (const item of ofCollector) {
        const found = readHistory(item).series.find((series) => series.metric === metric.name);
        if (found === undefined) continue;
        for (const line of formatSeries(found, options)) {
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

function* formatSeries({ metric, labelNames, labels, values }: HistorySeries, options: HistoryOptions) {
  const { step, targetLabels } = options;
  const start = renderSeries(metric, [...labelNames, ...Object.keys(targetLabels)], { ...labels, ...targetLabels });
  for (const shown of values) {
    const run = runOf(shown, options);
    const sample = `${start} ${renderValue(shown.value)}`;
    for (let index = 0; index < run.count; index += 1) yield `${sample} ${(run.start + index * step) / 1000}\n`;
  }
}

function runOf({ from, to }: ShownValue, options: HistoryOptions) {
  const { step } = options;
  const start = Math.ceil(Math.max(from, options.from) / step) * step;
  // `to` is exclusive, `until` is inclusive.
  const end = Math.min(to, options.until + 1);
  return { start, count: Math.max(0, Math.ceil((end - start) / step)) };
}
