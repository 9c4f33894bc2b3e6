import { type Item, keyOf } from '../../collectors/collector.ts';
import { type HistoryRow, type LoadHistory, savedHistory } from '../../payloads/load-history.ts';
import type { Account } from '../../polling/account.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Values of consecutive hours or days. A value is undefined if the API reports none, for example for an hour without load. */
export interface History {
  /** Start of the first period in Unix milliseconds. */
  readonly from: number;
  /** End of the last period in Unix milliseconds. */
  readonly to: number;
  readonly values: readonly (number | undefined)[];
  readonly limit?: number | undefined;
  /** Number of days until the values reach the limit. Without a limit: until the values reach 0. */
  readonly days?: number | undefined;
}

/**
 * Returns one entry for each item: the histories of its daily load, of its hourly load and, for a database, of its daily size in bytes.
 * All histories of one kind end with the newest period for which any item has a value, so that readers can compare them.
 */
export function readHistories(account: Account, collector: string, items: readonly Item[]) {
  const results = account.store.results(collector);
  const shown = items.map((item) => {
    const result = results.get(keyOf(item));
    return result && { payload: historyIn(result.payload), settled: result.providerTime - account.settlingTime };
  });
  const align = (rowsOf: (payload: LoadHistory) => LoadHistory['sizeDays'], count: number, length: number) => {
    const rows = shown.map((result) => result && completeRows(rowsOf(result.payload), result.settled));
    const to = rows.flat().reduce((last, row) => Math.max(last, row?.period.end ?? last), Number.NEGATIVE_INFINITY);
    return rows.map((ofItem) => historyOf(ofItem ?? [], to, count, length));
  };
  const days = align((payload) => payload.days, 30, day);
  const hours = align((payload) => payload.hours, 24, hour);
  const sizes = align((payload) => payload.sizeDays, 30, day);
  return items.map((_item, index) => ({ days: days[index], hours: hours[index], sizes: sizes[index] }));
}

/** Adds up histories that end at the same time. */
export function sumOf(histories: readonly (History | undefined)[]): History | undefined {
  const known = histories.flatMap((history) => history ?? []);
  const [first] = known;
  const values = first?.values.map((_, index) => {
    const all = known.flatMap((history) => history.values[index] ?? []);
    return all.length === 0 ? undefined : all.reduce((sum, value) => sum + value, 0);
  });
  return first && values && { ...first, values };
}

export function historyIn(payload: string): LoadHistory {
  return savedHistory.safeParse(JSON.parse(payload)).data ?? { days: [], hours: [] };
}

/** The rows that have a value, and whose hour or day ended by `settled` (Unix milliseconds). */
export function completeRows(rows: readonly HistoryRow[] = [], settled: number) {
  return rows.flatMap(({ period, value }) =>
    // A damaged state file may contain an impossible period.
    typeof value === 'number' && period.start > 0 && period.end <= settled ? { period, value } : [],
  );
}

function historyOf(rows: readonly HistoryRow[], to: number, count: number, length: number): History | undefined {
  const values = new Array<number | undefined>(count).fill(undefined);
  for (const { period, value } of rows) {
    // Round the age, because a day may have 23 or 25 hours.
    const age = Math.round((to - period.end) / length);
    if (age < count) values[count - 1 - age] = value ?? undefined;
  }
  return values.every((value) => value === undefined) ? undefined : { from: to - count * length, to, values };
}
