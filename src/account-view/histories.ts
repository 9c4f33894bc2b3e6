import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { HistoryRow } from '../payloads/load-history.ts';
import { itemPayloads } from '../polling/kept-payloads.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Values of consecutive hours or days, the oldest first. Undefined where the API has none, such as for hours without load. */
export interface History {
  /** Start of the first period in Unix milliseconds. */
  readonly from: number;
  /** End of the last period in Unix milliseconds. */
  readonly to: number;
  readonly values: readonly (number | undefined)[];
}

/** The newest 30 days and 24 hours of one site or database; undefined without values. */
export interface Histories {
  readonly days: History | undefined;
  readonly hours: History | undefined;
}

/** By site ID. */
export function siteHistories(store: AccountStore): ReadonlyMap<string, Histories> {
  return align(
    itemPayloads(store, siteLoadDetail).map(({ item, payload, answered }) => ({
      ...payload,
      answered,
      name: item['site_id'] ?? '',
    })),
  );
}

/** By database. */
export function databaseHistories(store: AccountStore): ReadonlyMap<string, Histories> {
  return align(
    itemPayloads(store, databaseLoadDetail).map(({ item, payload, answered }) => ({
      ...payload,
      answered,
      name: item['database'] ?? '',
    })),
  );
}

interface Received {
  readonly name: string;
  readonly days: readonly HistoryRow[];
  readonly hours: readonly HistoryRow[];
  readonly answered: number;
}

/** All histories end with the newest period that any of them has, so that they can be compared. */
function align(received: readonly Received[]): ReadonlyMap<string, Histories> {
  const days = received.map(({ days, answered }) => complete(days, answered));
  const hours = received.map(({ hours, answered }) => complete(hours, answered));
  const lastDay = lastEnd(days);
  const lastHour = lastEnd(hours);
  return new Map(
    received.map(({ name }, index) => [
      name,
      {
        days: historyOf(days[index] ?? [], lastDay, 30, day),
        hours: historyOf(hours[index] ?? [], lastHour, 24, hour),
      },
    ]),
  );
}

/** Without the periods that had not ended when the API answered. */
function complete(rows: readonly HistoryRow[], answered: number): readonly HistoryRow[] {
  return rows.filter(({ period, value }) => typeof value === 'number' && period.end <= answered);
}

function lastEnd(lists: readonly (readonly HistoryRow[])[]): number {
  return lists.flat().reduce((last, { period }) => Math.max(last, period.end), Number.NEGATIVE_INFINITY);
}

function historyOf(rows: readonly HistoryRow[], to: number, count: number, length: number): History | undefined {
  const values = new Array<number | undefined>(count).fill(undefined);
  for (const { period, value } of rows) {
    // Rounded, because a day may have 23 or 25 hours.
    const age = Math.round((to - period.end) / length);
    if (age < count) values[count - 1 - age] = value ?? undefined;
  }
  return values.every((value) => value === undefined) ? undefined : { from: to - count * length, to, values };
}
