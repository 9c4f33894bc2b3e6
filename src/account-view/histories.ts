import type { Item } from '../collectors/collector.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Steps } from '../in-turns.ts';
import type { HistoryRow } from '../payloads/load-history.ts';

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
  /** The size of a database in bytes, on the newest 30 days. */
  readonly sizes: History | undefined;
}

/** Work of decoding one payload, in series. */
const payloadWork = 200;

/** The histories of these items, in their order. Decodes only their payloads, in steps. */
export function* readHistories(
  store: AccountStore,
  { name }: { readonly name: string },
  items: readonly Item[],
): Steps<readonly (Histories | undefined)[]> {
  const received: (Received | undefined)[] = [];
  for (const item of items) {
    const kept = store.payload(name, JSON.stringify(item));
    received.push(kept === undefined ? undefined : { ...(kept.decode() as LoadHistory), answered: kept.answered });
    yield payloadWork;
  }
  return align(received);
}

/** What the payloads of sites and of databases have in common. */
interface LoadHistory {
  readonly days: readonly HistoryRow[];
  readonly hours: readonly HistoryRow[];
  /** Of a database. */
  readonly sizeDays?: readonly HistoryRow[];
}

interface Received extends LoadHistory {
  readonly answered: number;
}

/** All histories end with the newest period that any of them has, so that they can be compared. */
function align(received: readonly (Received | undefined)[]): readonly (Histories | undefined)[] {
  const days = received.map((one) => (one === undefined ? [] : complete(one.days, one.answered)));
  const hours = received.map((one) => (one === undefined ? [] : complete(one.hours, one.answered)));
  const sizes = received.map((one) => (one === undefined ? [] : complete(one.sizeDays ?? [], one.answered)));
  const lastDay = lastEnd(days);
  const lastSize = lastEnd(sizes);
  const lastHour = lastEnd(hours);
  return received.map((one, index) =>
    one === undefined
      ? undefined
      : {
          days: historyOf(days[index] ?? [], lastDay, 30, day),
          hours: historyOf(hours[index] ?? [], lastHour, 24, hour),
          sizes: historyOf(sizes[index] ?? [], lastSize, 30, day),
        },
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
