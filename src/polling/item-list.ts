import type { Failure } from '../api/error.ts';
import { type Collector, type Item, keyOf } from '../collectors/collector.ts';
import { ListGuard } from './list-guard.ts';

/** One item of a collector, and what its polls have shown. A list collector has one item. */
export interface ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Checks the payloads of the item; undefined if the collector needs no guard. */
  readonly guard: ListGuard | undefined;
  /** Whether the newest run still has to poll the item. */
  isDue: boolean;
  /** Whether the newest list contains the item. */
  isListed: boolean;
  /** Number of refusals in a row. */
  refusals: number;
  /** Sequence number of the newest attempt to poll the item, counted over all items; 0 before the first attempt. */
  attempt: number;
}

/** Number of refusals in a row after which an item is left out. The first refusal may have had a temporary reason. */
export const minRefusals = 2;

/** If a poll of an item fails for one of these reasons, the API refuses the item, for example a domain without a zone. */
const refusalReasons: ReadonlySet<Failure['reason']> = new Set(['request', 'method', 'api']);

export function isRefusal({ reason }: Failure): boolean {
  return refusalReasons.has(reason);
}

/** The items of a collector on the newest list, and which of them are due. */
export class ItemList {
  /** Number of items on the newest list, including those beyond the limit of series; undefined before the first list. */
  listed: number | undefined;
  /** At least this number of series is missing, because `max_series` excludes items from polls. */
  excludedSeries = 0;
  /** The items that are polled, by key: as many as can each have a series of each metric. */
  all: ReadonlyMap<string, ListedItem> = new Map();
  /** Number of attempts to poll an item. */
  attempts = 0;
  /** Whether the newest run still has to fetch the list of items. */
  isListDue = false;
  readonly #collector: Collector;
  readonly #maxItems: number;
  readonly #fetchesList: boolean;
  /** Checks the list of items that runs fetch, and the first list after a restore: the list of the restored items may not have been saved. */
  #guard: ListGuard | undefined;

  /** `fetchesList`: whether runs fetch the list of items, because no enabled collector provides it. */
  constructor(collector: Collector, maxSeries: number, fetchesList: boolean) {
    this.#collector = collector;
    this.#maxItems = Math.max(1, Math.floor(maxSeries / collector.metrics.length));
    this.#fetchesList = fetchesList;
    if (fetchesList) this.#guard = new ListGuard();
    if (collector.itemsFrom === undefined) this.#accept(collector.items(undefined));
  }

  /** Number of calls of one run; 1 before the first list. */
  get calls(): number {
    return this.listed === undefined ? 1 : this.all.size;
  }

  /** Number of items that the API keeps refusing. */
  get refused(): number {
    let refused = 0;
    for (const { refusals } of this.all.values()) if (refusals >= minRefusals) refused += 1;
    return refused;
  }

  /** Whether the newest run has a result of an item. */
  get hasResult(): boolean {
    return this.due().length < this.all.size;
  }

  /** Adds the items of saved results, unless a restored list has named the items. They are due until their results are shown. */
  restore(items: readonly Item[]): void {
    if (this.listed !== undefined || items.length === 0) return;
    this.#accept(items);
    this.#guard = new ListGuard();
    this.#guard.check(items);
  }

  /** Applies a list. An incomplete list, of which elements were dropped, removes no items. Returns whether there are new items. */
  update(list: unknown, isComplete: boolean): boolean {
    const items = this.#collector.items(list);
    this.#guard?.check(items);
    if (!this.#fetchesList) this.#guard = undefined;
    const previous = this.all;
    this.#accept(isComplete ? items : [...items, ...[...previous.values()].map(({ item }) => item)]);
    for (const [key, item] of previous) item.isListed = this.all.has(key);
    return [...this.all.keys()].some((key) => !previous.has(key));
  }

  /** Makes all items due. If runs fetch the list of items, the list is due, too. */
  startRun(): void {
    this.isListDue = this.#fetchesList;
    for (const item of this.all.values()) item.isDue = true;
  }

  /**
   * The due items, least recently attempted first. In a fixed order, items that always fail would block the others. `attempts`: omits items
   * with a later attempt.
   */
  due(attempts = this.attempts): readonly ListedItem[] {
    const due: ListedItem[] = [];
    for (const item of this.all.values()) if (item.isDue && item.attempt <= attempts) due.push(item);
    return due.sort((a, b) => a.attempt - b.attempt);
  }

  /** Records the end of an attempt to poll an item. `failure`: the newest failure of the item. */
  markAttempted(item: ListedItem, failure: Failure | undefined): void {
    this.attempts += 1;
    item.attempt = this.attempts;
    item.isDue = failure !== undefined;
    if (failure === undefined) item.refusals = 0;
    else if (this.#collector.itemsFrom !== undefined && isRefusal(failure)) item.refusals += 1;
  }

  /** Keeps what is known of the items. */
  #accept(items: readonly Item[]): void {
    const accepted = new Map<string, ListedItem>();
    for (const item of items) {
      const key = keyOf(item);
      accepted.set(key, this.all.get(key) ?? this.#create(key, item));
    }
    this.listed = accepted.size;
    this.all = new Map([...accepted].slice(0, this.#maxItems));
    this.excludedSeries = (accepted.size - this.all.size) * this.#collector.metrics.length;
  }

  #create(key: string, item: Item): ListedItem {
    const guard = this.#collector.isGuarded ? new ListGuard() : undefined;
    return { key, item, guard, isDue: true, isListed: true, refusals: 0, attempt: 0 };
  }
}
