import { itemOf } from '../../collectors/collector.ts';
import { databaseLoadDetail } from '../../collectors/database-load-detail.ts';
import type { Account } from '../../polling/account.ts';
import { dateOf, type ListKind, lastDates, listKinds, readLists } from '../../store/daily-memory.ts';
import { Figures } from '../../store/figures.ts';
import { completeRows, type History, historyIn } from './histories.ts';

/** A difference between two days. `before` is undefined for new things, `after` for removed things, and both if lists are incomparable. */
export interface Change {
  readonly kind: ListKind;
  readonly name: string;
  readonly before?: number | string | undefined;
  readonly after?: number | string | undefined;
}

/**
 * `isRemembered`: whether the daily memory contains the earlier day. If not, only sizes of databases are compared. `grown`: the databases
 * that grew, the fastest first; undefined if no earlier sizes are known.
 */
export interface Changes {
  readonly isRemembered: boolean;
  readonly list: readonly Change[];
  readonly grown?: readonly Change[] | undefined;
}

/** The changes since yesterday and since the same day of last week. */
export function readChanges(account: Account, now: number) {
  const { memory, pollers, store, timeZone, exclusion } = account;
  const { lists } = memory;
  const after = readLists(new Figures(store.families()));
  const dateBefore = (age: number) => lastDates(dateOf(now, timeZone), age + 1)[0] ?? '';
  const sizes = [1, 7].every((age) => lists[dateBefore(age)] !== undefined) ? [] : readSizes(account);
  const since = (age: number): Changes => {
    const date = dateBefore(age);
    const isRemembered = lists[date] !== undefined;
    const reported = sizes.filter((size) => size.date === date).map(({ database, value }) => [database, value]);
    const before: typeof after =
      lists[date] ?? (reported.length === 0 ? {} : { databases: Object.fromEntries(reported) });
    const compare = (kind: ListKind): readonly Change[] | undefined => {
      if (before[kind] === undefined || after[kind] === undefined) return undefined;
      const [old, current] = [new Map(Object.entries(before[kind])), new Map(Object.entries(after[kind]))];
      const all = new Map([...old, ...current].map(([id, value]) => [id, kind === 'sites' ? String(value) || id : id]));
      const titles = titlesOf(all);
      return (
        [...all]
          .filter((names) => !exclusion.has(kind === 'sites' || kind === 'databases' ? kind : 'domains', ...names))
          // Without the earlier list, the API may not report the earlier size of an old database, so only entries of both days count.
          .filter(([id]) => isRemembered || (old.has(id) && current.has(id)))
          .map(([id, name]) => ({ kind, name: titles.get(id) ?? name, before: old.get(id), after: current.get(id) }))
      );
    };
    const list = listKinds.flatMap((kind) => {
      // A missing list is a change only if the collector with the name of the list is enabled. Some lists have no such collector.
      const isExpected = isRemembered && pollers.some(({ collector }) => collector.name === kind);
      return compare(kind)?.filter(isNotable) ?? (isExpected ? [{ kind, name: '' }] : []);
    });
    const grown = compare('databases')?.filter((one) => growthOf(one) > 0);
    return { isRemembered, list, grown: grown?.toSorted((a, b) => growthOf(b) - growthOf(a)) };
  };
  return { yesterday: since(1), lastWeek: since(7) };
}

export function growthOf({ before = 0, after = 0 }: Change): number {
  return Number(after) - Number(before);
}

/** The names by ID. If several sites have the same name, the site's ID follows the name. */
export function titlesOf(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const equal = Map.groupBy(names.values(), (name) => name);
  return new Map([...names].map(([id, name]) => [id, equal.get(name)?.length === 1 ? name : `${name} (${id})`]));
}

/** The size in bytes of each database on each day that the API reports. Omits incomplete days. */
function readSizes({ store, settlingTime, timeZone }: Account) {
  return [...store.results(databaseLoadDetail.name)].flatMap(([key, { payload, providerTime }]) => {
    const database = itemOf(databaseLoadDetail, key)?.['database'] ?? '';
    const rows = completeRows(historyIn(payload).sizeDays, providerTime - settlingTime);
    return rows.map(({ period, value }) => ({ date: dateOf(period.start, timeZone), database, value }));
  });
}

function isNotable({ kind, before, after }: Change): boolean {
  if (before === undefined || after === undefined) return ['sites', 'databases', 'domains'].includes(kind);
  const [from, to] = [Number(before), Number(after)];
  if (kind === 'disk') return Math.abs(to - from) > from / 100;
  if (kind === 'databases') return to - from >= Math.max(from / 10, 10_000_000);
  return kind === 'php' ? before !== after && before !== '' && after !== '' : to > from;
}

/** The histories of the last 30 days. A history is undefined if fewer than two of its values are known. */
export function readDays({ memory: { days }, timeZone }: Account, now: number) {
  const dates = lastDates(dateOf(now, timeZone), 30);
  const all = [0, 1, 2, 3].map((index) => dates.map((date) => days[date]?.[index] ?? null));
  const [diskDays, , balanceDays, loadDays] = all.map((values) => chartedDays(values, now));
  return { diskDays, balanceDays, loadDays };
}

/** The values of consecutive days until today; undefined if fewer than two values are known. */
export function chartedDays(values: readonly (number | null)[], now: number): History | undefined {
  if (values.filter((value) => value !== null).length < 2) return undefined;
  return { from: now - (values.length - 1) * 86_400_000, to: now, values: values.map((value) => value ?? undefined) };
}

/**
 * Days until the disk is full; undefined without steady growth, or if the disk is not full within a year. Like HostingDiskFillingUp, uses
 * the smaller of two rates: the median growth of three days, and the mean growth of a week. `usage`: the first known usage of each of the
 * last 15 days. `used` and `limit`: current values. All sizes are in bytes.
 */
export function daysUntilFull(usage: readonly (number | null)[], used: number, limit: number): number | undefined {
  const rates = usage.flatMap((disk, index) => {
    const before = usage[index - 1];
    return disk === null || before == null ? [] : [disk - before];
  });
  const median = rates.slice(-3).sort((a, b) => a - b)[1] ?? 0;
  const week = rates.slice(-7);
  const growth = Math.min(median, week.reduce((sum, rate) => sum + rate, 0) / week.length);
  const rises = rates.filter((rate) => rate > 0).length * 2 > rates.length && used > (usage.at(-2) ?? used);
  const days = (limit - used) / growth;
  return rates.length >= 3 && rises && growth > 0 && days >= 0 && days <= 365 ? days : undefined;
}
