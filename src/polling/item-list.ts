import type { FanOutCollector, Item } from '../collectors/collector.ts';
import { ListGuard } from './list-guard.ts';

/** The payload of a list collector. */
export interface ReceivedList {
  readonly payload: unknown;
  /** Whether no element was dropped. Only a complete list may remove items. */
  readonly isComplete: boolean;
}

/** An item that is on the newest list. */
export interface ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Aborts when the item leaves the list. */
  readonly signal: AbortSignal;
}

interface Entry extends ListedItem {
  readonly controller: AbortController;
  /** Whether it has no result of the newest run yet. */
  due: boolean;
  /** Sequence number of its newest attempt, among the attempts at all items; 0 before the first. */
  attempt: number;
}

/** The items of a fan-out collector as of the newest list, and which of them still have to be polled. */
export class ItemList {
  /** Guards the list if the runs of this collector fetch it. */
  readonly guard = new ListGuard();
  readonly #collector: FanOutCollector;
  readonly #maxItems: number;
  #entries: ReadonlyMap<string, Entry> | undefined;
  readonly #fetchesList: boolean;
  #listed = 0;
  #listIsDue = false;
  #attempts = 0;

  /** `fetchesList`: no collector provides the list, so that every run fetches it. */
  constructor(collector: FanOutCollector, maxSeries: number, fetchesList: boolean) {
    this.#collector = collector;
    this.#fetchesList = fetchesList;
    this.#maxItems = Math.floor(maxSeries / collector.metrics.length);
    if (collector.itemsFrom === undefined) this.update({ payload: undefined, isComplete: true });
  }

  /** Whether the next poll has to fetch the list first. */
  get needsList(): boolean {
    return this.#entries === undefined || this.#listIsDue;
  }

  get keys(): ReadonlySet<string> {
    return new Set(this.#entries?.keys());
  }

  /** Calls of one run; one before the first list. */
  get calls(): number {
    return this.#entries?.size ?? 1;
  }

  /** Series of the items beyond `max_series`, which are not polled. */
  get droppedSeries(): number {
    return Math.max(0, this.#listed - this.#maxItems) * this.#collector.metrics.length;
  }

  /** Lists items of an earlier process or configuration, which are not due. A newer list removes those that it lacks. */
  restore(items: readonly Item[]): void {
    const entries = new Map(this.#entries);
    for (const item of items) {
      const key = JSON.stringify(item);
      const entry = entries.get(key) ?? createEntry(key, item);
      entry.due = false;
      entries.set(key, entry);
    }
    this.#entries = new Map([...entries].slice(0, this.#maxItems));
    this.#listed = entries.size;
  }

  /** Makes an item due. */
  markDue(key: string): void {
    const entry = this.#entries?.get(key);
    if (entry !== undefined) entry.due = true;
  }

  /**
   * Applies a newer list. New items are due, and the signals of removed ones abort; an incomplete list removes none.
   * Returns the number of new items.
   */
  update({ payload, isComplete }: ReceivedList): number {
    const previous = this.#entries ?? new Map<string, Entry>();
    const listed = new Map(this.#collector.items(payload).map((item) => [JSON.stringify(item), item]));
    if (!isComplete) for (const { key, item } of previous.values()) listed.set(key, item);
    const entries = new Map(
      [...listed].slice(0, this.#maxItems).map(([key, item]) => [key, previous.get(key) ?? createEntry(key, item)]),
    );
    this.#entries = entries;
    this.#listed = listed.size;
    for (const [key, { controller }] of previous) if (!entries.has(key)) controller.abort();
    return [...entries.keys()].filter((key) => !previous.has(key)).length;
  }

  /** Makes all items due, and the list if runs fetch it. */
  startRun(): void {
    this.#listIsDue = this.#fetchesList;
    for (const entry of this.#entries?.values() ?? []) entry.due = true;
  }

  /** The due items, least recently attempted first: items that always fail must not block the others. */
  due(): readonly ListedItem[] {
    const due = [...(this.#entries?.values() ?? [])].filter((entry) => entry.due);
    return due.sort((a, b) => a.attempt - b.attempt);
  }

  markListDone(): void {
    this.#listIsDue = false;
  }

  /** Notes that an item was polled, and whether that succeeded. */
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
