import { type Collector, type Item, keyOf } from '../collectors/collector.ts';
import { ListGuard } from './list-guard.ts';

export interface ReceivedList {
  readonly payload: unknown;
  /** False if elements were dropped. Only a complete list may remove items. */
  readonly isComplete: boolean;
}

/** How an attempt to poll an item ended. `refused`: the API answered with an error that may concern only this item. */
export type ItemOutcome = 'succeeded' | 'failed' | 'refused';

/** Number of refusals in a row after which an item is left out. The first refusal may have had a temporary reason. */
export const minRefusals = 2;

/** One item of a collector's list. */
export class ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Checks the payloads of the item; undefined if the collector needs no guard. */
  readonly guard: ListGuard | undefined;
  /** Whether the newest run still has to poll the item. */
  due: boolean;
  /** Number of refusals in a row. */
  refusals = 0;
  /** Sequence number of the newest attempt to poll the item, counted over all items; 0 before the first attempt. */
  attempt = 0;
  readonly #removed = new AbortController();

  constructor(item: Item, guard: ListGuard | undefined, due: boolean) {
    this.key = keyOf(item);
    this.item = item;
    this.guard = guard;
    this.due = due;
  }

  /** Aborts when the item leaves the list. */
  get signal(): AbortSignal {
    return this.#removed.signal;
  }

  get isRefused(): boolean {
    return this.refusals >= minRefusals;
  }

  remove(): void {
    this.#removed.abort();
  }
}

/** The items of a collector on the newest list, and which of them are due. */
export class ItemList {
  /** Checks the payloads of a list collector, or the list that a fan-out fetches itself. */
  readonly guard = new ListGuard();
  readonly #collector: Collector;
  readonly #maxSeries: number;
  /** Maximum number of items, so that each can have all its series. */
  readonly #maxItems: number;
  readonly #fetchesList: boolean;
  /** Checks the first list after a restore, because the list that the restored items are from may not have been saved. */
  #restored: ListGuard | undefined;
  #items: ReadonlyMap<string, ListedItem> | undefined;
  #listed = 0;
  #listIsDue = false;
  #attempts = 0;

  /** `fetchesList`: whether runs fetch the list of items, because no enabled collector provides it. */
  constructor(collector: Collector, maxSeries: number, fetchesList: boolean) {
    this.#collector = collector;
    this.#maxSeries = maxSeries;
    this.#maxItems = Math.max(1, Math.floor(maxSeries / collector.metrics.length));
    this.#fetchesList = fetchesList;
    if (collector.itemsFrom === undefined) this.update({ payload: undefined, isComplete: true });
  }

  get needsList(): boolean {
    return this.#items === undefined || this.#listIsDue;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#items?.keys());
  }

  get(key: string): ListedItem | undefined {
    return this.#items?.get(key);
  }

  /** Number of calls of one run; 1 before the first list. */
  get calls(): number {
    return this.#items?.size ?? 1;
  }

  /** Items on the newest list, including items that `max_series` excludes from polls; undefined before the first list. */
  get listed(): number | undefined {
    return this.#items && this.#listed;
  }

  /** Maximum number of series per item: `max_series` divided by the number of items. */
  get seriesPerItem(): number {
    return Math.floor(this.#maxSeries / Math.max(1, this.#items?.size ?? 1));
  }

  /** At least this number of series is missing, because `max_series` excludes items from polls. */
  get excludedSeries(): number {
    return Math.max(0, this.#listed - this.#maxItems) * this.#collector.metrics.length;
  }

  /** Adds the items of saved results. They are not due. The next list removes items that it does not contain. */
  addPolled(items: readonly Item[]): void {
    this.#accept([...(this.#items?.values() ?? []), ...items.map((item) => this.#create(item, false))]);
    this.#restored = new ListGuard();
    this.#restored.accept(items);
  }

  /** Applies a list, and aborts the signals of removed items. An incomplete list removes no items. Returns the number of new items. */
  update({ payload, isComplete }: ReceivedList): number {
    const previous = this.#items ?? new Map<string, ListedItem>();
    const listed = this.#collector.items(payload).map((item) => previous.get(keyOf(item)) ?? this.#create(item, true));
    this.#restored?.check(listed);
    this.#restored = undefined;
    this.#accept(isComplete ? listed : [...listed, ...previous.values()]);
    const { keys } = this;
    for (const [key, item] of previous) if (!keys.has(key)) item.remove();
    return [...keys].filter((key) => !previous.has(key)).length;
  }

  #accept(items: readonly ListedItem[]): void {
    const byKey = new Map(items.map((item) => [item.key, item]));
    this.#listed = byKey.size;
    this.#items = new Map([...byKey].slice(0, this.#maxItems));
  }

  /** Makes all items due. If runs fetch the list of items, the list is due, too. */
  startRun(): void {
    this.#listIsDue = this.#fetchesList;
    for (const item of this.#items?.values() ?? []) item.due = true;
  }

  /** The due items, least recently attempted first. In a fixed order, items that always fail would block the others. */
  due(): readonly ListedItem[] {
    return [...(this.#items?.values() ?? [])].filter(({ due }) => due).sort((a, b) => a.attempt - b.attempt);
  }

  markListDone(): void {
    this.#listIsDue = false;
  }

  markAttempted(item: ListedItem, outcome: ItemOutcome): void {
    this.#attempts += 1;
    item.attempt = this.#attempts;
    if (outcome !== 'failed') item.refusals = outcome === 'refused' ? item.refusals + 1 : 0;
    if (outcome === 'succeeded') item.due = false;
  }

  get refused(): number {
    return [...(this.#items?.values() ?? [])].filter(({ isRefused }) => isRefused).length;
  }

  /** Leaves out refused items until the next run. If no item succeeded, the API method itself fails, so all items stay. Returns the keys that stay. */
  leaveOutRefused(): ReadonlySet<string> {
    const items = [...(this.#items?.values() ?? [])];
    if (items.every(({ due }) => due)) return this.keys;
    for (const item of items) if (item.isRefused) item.due = false;
    return new Set(items.flatMap(({ isRefused, key }) => (isRefused ? [] : [key])));
  }

  #create(item: Item, due: boolean): ListedItem {
    const { isGuarded, stretches } = this.#collector;
    const guard = stretches ? new ListGuard() : this.guard;
    return new ListedItem(item, isGuarded ? guard : undefined, due);
  }
}
