import { type Collector, type Item, keyOf } from '../collectors/collector.ts';
import { ListGuard } from './list-guard.ts';

export interface ReceivedList {
  readonly payload: unknown;
  /** False if elements were dropped. Only a complete list may remove items. */
  readonly isComplete: boolean;
}

export interface ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Aborts when the item leaves the list. */
  readonly signal: AbortSignal;
  /** Checks the payloads of the item; undefined if the collector needs no guard. */
  readonly guard: ListGuard | undefined;
  /** Whether the newest run still has to poll the item. */
  due: boolean;
  /** Number of refusals in a row. */
  readonly refusals: number;
}

/** How an attempt to poll an item ended. `refused`: the API answered with an error that may concern only this item. */
export type ItemOutcome = 'succeeded' | 'failed' | 'refused';

/** Number of refusals in a row after which an item is left out. The first refusal may have had a temporary reason. */
export const minRefusals = 2;

interface Entry extends ListedItem {
  readonly controller: AbortController;
  /** Sequence number of the newest attempt to poll the item, counted over all items; 0 before the first attempt. */
  attempt: number;
  refusals: number;
}

/** The items of a collector on the newest list, and which of them are due. */
export class ItemList {
  /** Checks the payloads of a list collector, or the list that a fan-out fetches itself. */
  readonly guard = new ListGuard();
  /** Maximum number of series per item: `max_series` divided by the number of items. */
  seriesPerItem: number;
  /** At least this number of series is missing, because `max_series` excludes items from polls. */
  excludedSeries = 0;
  readonly #collector: Collector;
  readonly #maxSeries: number;
  readonly #maxItems: number;
  #entries: ReadonlyMap<string, Entry> | undefined;
  readonly #fetchesList: boolean;
  #listed = 0;
  #listIsDue = false;
  #attempts = 0;

  /** Runs fetch the list of items if no `enabled` collector provides the list. */
  constructor(collector: Collector, maxSeries: number, enabled: readonly Collector[]) {
    const { itemsFrom } = collector;
    this.#collector = collector;
    this.#fetchesList = itemsFrom !== undefined && !enabled.includes(itemsFrom);
    this.#maxSeries = maxSeries;
    this.seriesPerItem = maxSeries;
    this.#maxItems = Math.max(1, Math.floor(maxSeries / collector.metrics.length));
    if (itemsFrom === undefined) this.update({ payload: undefined, isComplete: true });
  }

  get needsList(): boolean {
    return this.#entries === undefined || this.#listIsDue;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#entries?.keys());
  }

  get(key: string): ListedItem | undefined {
    return this.#entries?.get(key);
  }

  /** Number of calls of one run; 1 before the first list. */
  get calls(): number {
    return this.#entries?.size ?? 1;
  }

  /** Items on the newest list, including items that `max_series` excludes from polls; undefined before the first list. */
  get listed(): number | undefined {
    return this.#entries && this.#listed;
  }

  /** Adds the items of a snapshot. These items are not due. The next list removes items that it does not contain. */
  addPolled(items: readonly Item[]): void {
    const entries = new Map(this.#entries);
    for (const item of items) {
      const key = keyOf(item);
      const entry = entries.get(key) ?? this.#createEntry(key, item);
      entry.due = false;
      entries.set(key, entry);
    }
    this.#accept(entries);
  }

  /** Applies a list, and aborts the signals of removed items. An incomplete list removes no items. Returns the number of new items. */
  update({ payload, isComplete }: ReceivedList): number {
    const previous = this.#entries ?? new Map<string, Entry>();
    const items = this.#collector.items(payload);
    // Compute keys only for items that are polled, because computing a hundred thousand keys would block the event loop.
    const listed = new Map(items.slice(0, this.#maxItems).map((item) => [keyOf(item), item]));
    if (!isComplete) for (const { key, item } of previous.values()) listed.set(key, item);
    const current = new Map([...listed].map(([key, item]) => [key, previous.get(key) ?? this.#createEntry(key, item)]));
    const entries = this.#accept(current, Math.max(items.length, listed.size));
    for (const [key, { controller }] of previous) if (!entries.has(key)) controller.abort();
    return [...entries.keys()].filter((key) => !previous.has(key)).length;
  }

  #accept(listed: ReadonlyMap<string, Entry>, count = listed.size): ReadonlyMap<string, Entry> {
    const entries = new Map([...listed].slice(0, this.#maxItems));
    this.#entries = entries;
    this.#listed = count;
    this.excludedSeries = (count - entries.size) * this.#collector.metrics.length;
    this.seriesPerItem = Math.floor(this.#maxSeries / Math.max(1, entries.size));
    return entries;
  }

  /** Makes all items due. If runs fetch the list of items, the list is due, too. */
  startRun(): void {
    this.#listIsDue = this.#fetchesList;
    for (const entry of this.#entries?.values() ?? []) entry.due = true;
  }

  /** The due items, least recently attempted first. In a fixed order, items that always fail would block the others. */
  due(): readonly ListedItem[] {
    const due: Entry[] = [];
    for (const entry of this.#entries?.values() ?? []) if (entry.due) due.push(entry);
    return due.sort((a, b) => a.attempt - b.attempt);
  }

  markListDone(): void {
    this.#listIsDue = false;
  }

  markAttempted({ key }: ListedItem, outcome: ItemOutcome): void {
    const entry = this.#entries?.get(key);
    if (entry === undefined) return;
    this.#attempts += 1;
    entry.attempt = this.#attempts;
    if (outcome !== 'failed') entry.refusals = outcome === 'refused' ? entry.refusals + 1 : 0;
    if (outcome === 'succeeded') entry.due = false;
  }

  /** Whether the API refused a due item. */
  get hasRefusals(): boolean {
    return this.due().some(({ refusals }) => refusals > 0);
  }

  get refused(): number {
    return [...(this.#entries?.values() ?? [])].filter(isRefused).length;
  }

  /** Leaves out refused items until the next run. If no item succeeded, the method fails, so all items stay. Returns the keys that stay. */
  leaveOutRefused(): ReadonlySet<string> {
    const entries = [...(this.#entries?.values() ?? [])];
    if (entries.every(({ due }) => due)) return this.keys;
    for (const entry of entries) if (isRefused(entry)) entry.due = false;
    return new Set(entries.flatMap((entry) => (isRefused(entry) ? [] : [entry.key])));
  }

  #createEntry(key: string, item: Item): Entry {
    const controller = new AbortController();
    const { isGuarded, stretches } = this.#collector;
    const ownGuard = stretches ? new ListGuard() : this.guard;
    const guard = isGuarded ? ownGuard : undefined;
    return { key, item, controller, signal: controller.signal, guard, due: true, attempt: 0, refusals: 0 };
  }
}

function isRefused({ refusals }: Entry): boolean {
  return refusals >= minRefusals;
}
