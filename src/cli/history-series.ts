import { type Collector, type Item, itemOf } from '../collectors/collector.ts';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountConfig, ApiConfig, Config } from '../config/values/config.ts';
import { endOfNext, savedHistory } from '../payloads/load-history.ts';
import type { SavedAccount } from '../state/state-file.ts';
import { readPlausible } from '../store/read-result.ts';
import { openMetricsEnd, renderHead, renderSeries, renderValue } from '../store/render.ts';
import type { Answer } from '../store/result.ts';

/** The collectors whose payloads contain dated values, including values from the time before the first poll. */
export const datedCollectors: readonly Collector[] = [siteLoadDetail, databaseLoadDetail];

export interface KeptItem {
  readonly account: string;
  readonly collector: Collector;
  readonly item: Item;
  readonly answer: Answer;
  readonly settings: Pick<ApiConfig, 'settlingTime' | 'timeZone'>;
}

/** Milliseconds for which payloads are kept. The first payload must not expire before the last payload arrives. */
const keptTime = 30 * 86_400_000;

/** Disables all collectors whose payloads contain no dates. */
export function forHistory(config: Config): Config {
  const accounts = config.accounts.map((account) => {
    const collectors = Object.entries(account.collectors).map(([name, collector]) => {
      const enabled = collector.enabled && datedCollectors.some((dated) => dated.name === name);
      return [name, { ...collector, enabled, maxAge: keptTime }];
    });
    return { ...account, collectors: Object.fromEntries(collectors) };
  });
  return { ...config, accounts };
}

export function keptItems(
  { name, api, collectors }: AccountConfig,
  saved?: Pick<SavedAccount, 'collectors'>,
): readonly KeptItem[] {
  return datedCollectors.flatMap((collector) => {
    if (!collectors[collector.name]?.enabled) return [];
    return Object.entries(saved?.collectors[collector.name]?.results ?? {}).flatMap(([key, answer]) => {
      const item = itemOf(collector, key);
      return item === undefined ? [] : [{ account: name, collector, item, answer, settings: api }];
    });
  });
}

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

export interface HistorySeries {
  readonly metric: string;
  readonly labelNames: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** In chronological order: `count` samples from `start` on, in Unix milliseconds. */
  readonly runs: readonly { readonly start: number; readonly count: number; readonly value: number }[];
}

/**
 * The samples that continuous polling would have stored for one site or database. Shows the value of an hour or day during the next hour
 * or day, but delayed by `settlingTime`. A missing value leaves a gap. `issues`: one sentence for each impossible value, which `series`
 * omits, and for a payload of a damaged state file.
 */
export function readHistory({ account, collector, item, answer, settings }: KeptItem, options: HistoryOptions) {
  const lists = savedHistory.safeParse(answer.payload).data;
  if (lists === undefined)
    return { series: [], issues: [`${account}: ${Object.values(item).join(' ')}: the saved load cannot be read`] };
  const nothing = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  const { settlingTime, timeZone } = settings;
  const time = { now: answer.providerTime, settled: answer.providerTime - settlingTime };
  const series = new Map<string, HistorySeries & { readonly runs: HistorySeries['runs'][number][] }>();
  const issues: string[] = [];
  for (const [name, rows = []] of Object.entries(lists)) {
    const known = rows.filter(({ value }) => value !== undefined && value !== null);
    // Clocks that are set back pass an hour twice. The last row applies.
    const unique = [...new Map(known.map((row) => [row.period.start, row])).values()];
    unique.sort((one, other) => one.period.start - other.period.start);
    for (const [index, row] of unique.entries()) {
      const { period } = row;
      const next = unique[index + 1]?.period.end ?? Number.POSITIVE_INFINITY;
      const from = Math.max(period.end + settlingTime, options.from);
      // The next value replaces this one at `to`. `until` is inclusive.
      const to = Math.min(endOfNext(period, timeZone) + settlingTime, next + settlingTime, options.until + 1);
      const start = Math.ceil(from / options.step) * options.step;
      const count = Math.ceil((to - start) / options.step);
      if (count <= 0) continue;
      const payload = { ...nothing, [name]: [row] };
      for (const family of collector.read(payload, account, item, time, answer.complete)) {
        const { name: metric, labelNames } = family;
        for (const { labels, value } of readPlausible(collector, family, issues)) {
          const one = series.get(metric) ?? { metric, labelNames, labels, runs: [] };
          one.runs.push({ start, count, value });
          series.set(metric, one);
        }
      }
    }
  }
  return { series: [...series.values()], issues };
}

/** Counts the samples. `first` and `last`: Unix milliseconds of the first and last sample; undefined without samples. */
export function summarizeHistory(history: readonly HistorySeries[], { step }: Pick<HistoryOptions, 'step'>) {
  let samples = 0;
  let first: number | undefined;
  let last: number | undefined;
  for (const { start, count } of history.flatMap(({ runs }) => runs)) {
    samples += count;
    first = Math.min(first ?? start, start);
    last = Math.max(last ?? 0, start + (count - 1) * step);
  }
  return { series: history.length, samples, first, last };
}

/** The text of a history, in one piece for each series, because the whole text may not fit into memory. */
export function* formatHistory(
  history: readonly HistorySeries[],
  options: Pick<HistoryOptions, 'step' | 'targetLabels'>,
) {
  const { step, targetLabels } = options;
  for (const metric of datedCollectors.flatMap((collector) => collector.metrics)) {
    const ofMetric = history.filter((series) => series.metric === metric.name);
    // The order is the same on every machine. No two series of a metric have equal labels.
    ofMetric.sort((one, other) => (JSON.stringify(one.labels) < JSON.stringify(other.labels) ? -1 : 1));
    if (ofMetric.length > 0) yield renderHead('openmetrics', { ...metric, type: 'gauge' });
    for (const { labelNames, labels, runs } of ofMetric) {
      const names = [...labelNames, ...Object.keys(targetLabels)];
      const name = renderSeries(metric.name, names, { ...labels, ...targetLabels });
      const linesOf = ({ start, count, value }: HistorySeries['runs'][number]) =>
        Array.from({ length: count }, (_, index) => `${name} ${renderValue(value)} ${(start + index * step) / 1000}\n`);
      yield runs.flatMap(linesOf).join('');
    }
  }
  yield openMetricsEnd;
}
