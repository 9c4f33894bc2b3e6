import { type Collector, type Item, keyOf } from '../collectors/collector.ts';
import { ListGuard } from './list-guard.ts';

export interface ReceivedList {
  readonly payload: unknown;
  /** Whether no element was dropped. Only a complete list may remove items. */
  readonly isComplete: boolean;
}

/** An item on the newest list. */
export interface ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Aborts when the item leaves the list. */
  readonly signal: AbortSignal;
  /** Whether the item has no result of the newest run yet. */
  due: boolean;
}

interface Entry extends ListedItem {
  readonly controller: AbortController;
  /** Sequence number of the newest attempt to poll the item, counted over all items; 0 before the first attempt. */
  attempt: number;
}

/** The items of a collector on the newest list, and which of them are due. */
export class ItemList {
  /** Checks the payloads of the collector, or the list of items if the collector's runs fetch it. */
  readonly guard = new ListGuard();
  /** Maximum number of series per item: `max_series` divided by the number of items. */
  seriesPerItem: number;
  /** Minimum number of series that are missing because `max_series` excludes items from polls. */
  excludedSeries = 0;
  readonly #collector: Collector;
  readonly #maxSeries: number;
  readonly #maxItems: number;
  #entries: ReadonlyMap<string, Entry> | undefined;
  readonly #fetchesList: boolean;
  #listed = 0;
  #listIsDue = false;
  #attempts = 0;

  /** Runs fetch the list of items themselves if none of the `enabled` collectors provides it. */
  constructor(collector: Collector, maxSeries: number, enabled: readonly Collector[]) {
    const { itemsFrom } = collector;
    this.#collector = collector;
    this.#fetchesList = itemsFrom !== undefined && !enabled.includes(itemsFrom);
    this.#maxSeries = maxSeries;
    this.seriesPerItem = maxSeries;
    this.#maxItems = Math.max(1, Math.floor(maxSeries / collector.metrics.length));
    if (itemsFrom === undefined) this.update({ payload: undefined, isComplete: true });
  }

  /** Whether the next poll has to fetch the list first. */
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

  /** Adds items of a snapshot. They are not due. The next list removes items that it does not contain. */
  addPolled(items: readonly Item[]): void {
    const entries = new Map(this.#entries);
    for (const item of items) {
      const key = keyOf(item);
      const entry = entries.get(key) ?? createEntry(key, item);
      entry.due = false;
      entries.set(key, entry);
    }
    this.#accept(entries);
  }

  /**
   * Applies a newer list. Aborts the signals of removed items; an incomplete list removes none. Returns the number of new items.
   */
  update({ payload, isComplete }: ReceivedList): number {
    const previous = this.#entries ?? new Map<string, Entry>();
    const listed = new Map(this.#collector.items(payload).map((item) => [keyOf(item), item]));
    if (!isComplete) for (const { key, item } of previous.values()) listed.set(key, item);
    const entries = this.#accept(
      new Map([...listed].map(([key, item]) => [key, previous.get(key) ?? createEntry(key, item)])),
    );
    for (const [key, { controller }] of previous) if (!entries.has(key)) controller.abort();
    return [...entries.keys()].filter((key) => !previous.has(key)).length;
  }

  #accept(listed: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
    const entries = new Map([...listed].slice(0, this.#maxItems));
    this.#entries = entries;
    this.#listed = listed.size;
    this.excludedSeries = (listed.size - entries.size) * this.#collector.metrics.length;
    this.seriesPerItem = Math.floor(this.#maxSeries / Math.max(1, entries.size));
    return entries;
  }

  /** Makes all items due, and also the list of items if runs fetch it. */
  startRun(): void {
    this.#listIsDue = this.#fetchesList;
    for (const entry of this.#entries?.values() ?? []) entry.due = true;
  }

  /** The due items, least recently attempted first: items that always fail must not block the others. */
  due(): readonly ListedItem[] {
    const due: Entry[] = [];
    for (const entry of this.#entries?.values() ?? []) if (entry.due) due.push(entry);
    return due.sort((a, b) => a.attempt - b.attempt);
  }

  markListDone(): void {
    this.#listIsDue = false;
  }

  markAttempted({ key }: ListedItem, succeeded: boolean): void {
    const entry = this.#entries?.get(key);
    if (entry === undefined) return;
    this.#attempts += 1;
    entry.attempt = this.#attempts;
    if (succeeded) entry.due = false;
  }
}

function createEntry(key: string, item: Item): Entry {
  const controller = new AbortController();
  return { key, item, controller, signal: controller.signal, due: true, attempt: 0 };
}
