import type { FanOutCollector, Item } from '../collectors/collector.ts';
import type { KeptPayload } from '../exposition/kept-payload.ts';
import { endOfNext, type HistoryRow } from '../payloads/load-history.ts';
import type { Period } from '../payloads/scalars.ts';
import { rejectImplausible } from '../polling/plausibility.ts';
import { limitSeries } from '../polling/series-limit.ts';

/** The kept payload of one site or database. */
export interface KeptItem {
  readonly account: string;
  readonly collector: FanOutCollector;
  readonly item: Item;
  readonly kept: KeptPayload;
  readonly settings: ReadSettings;
}

/** Settings of an account that decide when the metrics page shows a value. */
export interface ReadSettings {
  /** Milliseconds after its end until an hour or day is complete. */
  readonly settlingTime: number;
  /** IANA time zone of the API's dates. */
  readonly timeZone: string;
  readonly maxSeries: number;
}

/** One series, with all values that the API has. */
export interface HistorySeries {
  readonly metric: string;
  readonly labelNames: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** In the order of time; they do not overlap. */
  readonly values: readonly ShownValue[];
}

/** A value, and when the metrics page would have shown it in Unix milliseconds; `to` is exclusive. */
export interface ShownValue {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** All series of one site or database, and one sentence for each impossible value that was left out. */
interface ItemHistory {
  readonly series: readonly HistorySeries[];
  readonly issues: readonly string[];
}

/** Lists of hours and days, as `stat/getSiteLoad` and `stat/getDbLoad` return them. */
type DatedLists = Readonly<Record<string, readonly HistoryRow[]>>;

/**
 * What the metrics page would have shown of one site or database, had it been polled all the time: the collector reads each hour
 * and each day alone. A value is shown from the end of its period, and `settlingTime`, until the end of the next period:
 * where the API has no value, there is a gap. Throws a TypeError or RangeError for a payload that no collector has
 * written.
 */
export function readHistory({ account, collector, item, kept, settings }: KeptItem): ItemHistory {
  const lists = kept.decode() as DatedLists;
  const nothing = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  const { settlingTime, timeZone, maxSeries } = settings;
  const time = { now: kept.providerTime, settled: kept.providerTime - settlingTime };
  const series = new Map<string, GrowingSeries>();
  const issues: string[] = [];
  for (const [name, rows] of Object.entries(lists)) {
    const periods = [...Map.groupBy(rows, ({ period }) => period.start).values()]
      .map((samePeriod) => ({ rows: samePeriod, period: periodOf(samePeriod) }))
      .sort((one, other) => one.period.start - other.period.start);
    for (const [index, { rows: samePeriod, period }] of periods.entries()) {
      const next = periods[index + 1]?.period.end ?? Number.POSITIVE_INFINITY;
      const from = period.end + settlingTime;
      const to = Math.min(endOfNext(period, timeZone), next) + settlingTime;
      const read = collector.read({ ...nothing, [name]: samePeriod }, account, item, time, kept.complete);
      const plausible = rejectImplausible(read, collector.metrics);
      issues.push(...plausible.issues);
      for (const { name: metric, labelNames, samples } of limitSeries(plausible.families, maxSeries).families) {
        for (const { labels, value } of samples) {
          const known = series.get(metric) ?? { metric, labelNames, labels, values: [] };
          series.set(metric, known);
          known.values.push({ from, to, value });
        }
      }
    }
  }
  return { series: [...series.values()], issues };
}

interface GrowingSeries extends HistorySeries {
  readonly values: ShownValue[];
}

function periodOf([row]: readonly HistoryRow[]): Period {
  if (row === undefined) throw new RangeError('a group of rows is not empty');
  return row.period;
}
