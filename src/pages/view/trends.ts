import {
  type DailyLists,
  dateOf,
  type ListKind,
  lastDates,
  listKinds,
  readLists,
} from '../../results/account-memory.ts';
import { Figures, type Result } from '../../results/figures.ts';
import type { History } from './histories.ts';
import type { ViewedAccount } from './viewed-account.ts';

/** A difference between two days. For a new or removed element, one value is undefined. For incomparable lists, both are. */
export interface Change {
  readonly kind: ListKind;
  readonly name: string;
  readonly before?: number | string | undefined;
  readonly after?: number | string | undefined;
}

/** The changes in the last `age` days; undefined if no data exists for the first day. `results`: all current results. */
export function readChanges(account: ViewedAccount, results: readonly Result[], now: number, age: number) {
  const { memory, pollers, timeZone } = account;
  const { days, lists } = memory.content;
  const date = lastDates(dateOf(now, timeZone), age + 1)[0] ?? '';
  if (days[date] === undefined) return undefined;
  const before: DailyLists = lists[date] ?? {};
  const after = readLists(new Figures(results.flatMap(({ families }) => families)));
  return listKinds.flatMap((kind): readonly Change[] => {
    // Report a missing list if its collector is enabled. Lists that are never missing do not have the name of a collector.
    const isExpected = pollers.some(({ collector }) => collector.name === kind);
    if (before[kind] === undefined || after[kind] === undefined) return isExpected ? [{ kind, name: '' }] : [];
    const [old, current] = [new Map(Object.entries(before[kind])), new Map(Object.entries(after[kind]))];
    const names = new Set([...old.keys(), ...current.keys()]);
    return [...names]
      .map((name) => ({ kind, name, before: old.get(name), after: current.get(name) }))
      .filter(isNotable);
  });
}

function isNotable({ kind, before, after }: Change): boolean {
  if (before === undefined || after === undefined) return ['sites', 'databases', 'domains'].includes(kind);
  const [from, to] = [Number(before), Number(after)];
  if (kind === 'disk') return Math.abs(to - from) > from / 100;
  if (kind === 'databases') return to - from >= Math.max(from / 10, 10_000_000);
  return kind === 'php' ? before !== after && before !== '' && after !== '' : to > from;
}

/** The disk usage or the balance of each of the last 30 days; undefined if fewer than two days are known. */
export function readDays({ memory, timeZone }: ViewedAccount, now: number, figure: 'disk' | 'balance') {
  const { days } = memory.content;
  const dates = lastDates(dateOf(now, timeZone), 30);
  const values = dates.map((date) => days[date]?.[figure === 'disk' ? 0 : 2] ?? undefined);
  const history: History = { from: now - 29 * 86_400_000, to: now, values };
  return values.filter((value) => value !== undefined).length < 2 ? undefined : history;
}

/**
 * Days until the disk is full; undefined without steady growth. Like HostingDiskFillingUp, uses the smaller of the median growth of
 * three days and the mean growth of a week. `usage`: first usage of each of the last 15 days. All sizes are in bytes.
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
  return rates.length >= 3 && rises && growth > 0 && days >= 0 && days < 3650 ? days : undefined;
}
