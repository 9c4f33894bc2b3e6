import { type Collector, type Item, itemOf } from '../collectors/collector.ts';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountConfig, ApiConfig, Config } from '../config/values/config.ts';
import { endOfNext, type HistoryRow } from '../payloads/load-history.ts';
import type { KeptPayload } from '../results/kept-payload.ts';
import { readPlausible } from '../results/publishable.ts';
import type { AccountSnapshot } from '../results/snapshot.ts';

/** The collectors whose payloads contain dated values, including values from the time before the first poll. */
export const datedCollectors: readonly Collector[] = [siteLoadDetail, databaseLoadDetail];

export interface KeptItem {
  readonly account: string;
  readonly collector: Collector;
  readonly item: Item;
  readonly kept: KeptPayload;
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

export function keptItems({ name, api, collectors }: AccountConfig, snapshot?: AccountSnapshot): readonly KeptItem[] {
  return datedCollectors.flatMap((collector) => {
    if (!collectors[collector.name]?.enabled) return [];
    return [...(snapshot?.collectors.get(collector.name)?.payloads ?? [])].flatMap(([key, kept]) => {
      const item = itemOf(collector, key);
      return item === undefined ? [] : [{ account: name, collector, item, kept, settings: api }];
    });
  });
}

export interface HistorySeries {
  readonly metric: string;
  readonly labelNames: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** The values in chronological order, without overlaps. */
  readonly values: readonly ShownValue[];
}

/** A value with the period in which the metrics page would show it: `from` (inclusive), `to` (exclusive), in Unix milliseconds. */
export interface ShownValue {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/**
 * The series that continuous polling would have shown for one site or database. Shows the value of an hour or day during the next hour or
 * day, but delayed by `settlingTime`. A missing value leaves a gap. `issues`: one sentence for each impossible value, which `series` omits.
 * Throws a TypeError or RangeError if the payload is damaged.
 */
export function readHistory({ account, collector, item, kept, settings }: KeptItem) {
  // Hours and days, as `stat/getSiteLoad` and `stat/getDbLoad` return them.
  const lists = kept.decode() as Readonly<Record<string, readonly HistoryRow[]>>;
  const nothing = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  const { settlingTime, timeZone } = settings;
  const series = new Map<string, HistorySeries & { readonly values: ShownValue[] }>();
  const issues: string[] = [];
  for (const [name, rows] of Object.entries(lists)) {
    const periods = [...Map.groupBy(rows, ({ period }) => period.start).values()]
      .flatMap((samePeriod) => samePeriod.slice(0, 1).map(({ period }) => ({ rows: samePeriod, period })))
      .sort((one, other) => one.period.start - other.period.start);
    for (const [index, { rows: samePeriod, period }] of periods.entries()) {
      const next = periods[index + 1]?.period.end ?? Number.POSITIVE_INFINITY;
      const from = period.end + settlingTime;
      const to = Math.min(endOfNext(period, timeZone), next) + settlingTime;
      const payload = { ...nothing, [name]: samePeriod };
      const time = { now: kept.providerTime, settled: kept.providerTime - settlingTime };
      for (const family of collector.read(payload, account, item, time, kept.complete)) {
        const { name: metric, labelNames } = family;
        for (const { labels, value } of readPlausible(collector, family, issues)) {
          const known = series.get(metric) ?? { metric, labelNames, labels, values: [] };
          series.set(metric, known);
          known.values.push({ from, to, value });
        }
      }
    }
  }
  return { series: [...series.values()], issues };
}
