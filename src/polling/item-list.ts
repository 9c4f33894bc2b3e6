import { ApiError, type Failure } from '../api/error.ts';
import { type Collector, type Item, keyOf } from '../collectors/collector.ts';

/** One item of a collector, with the state of its polls. A list collector has one item. */
export interface ListedItem {
  readonly key: string;
  readonly item: Item;
  /** Checks the payloads of the item; undefined if the collector needs no guard. */
  readonly guard: ListGuard | undefined;
  /** Whether the newest run still has to poll the item. */
  isDue: boolean;
  /** Number of times in a row that the API has refused the item. */
  refusals: number;
}

/** Number of refusals in a row after which an item is left out. The first refusal may have had a temporary reason. */
export const minRefusals = 2;

/** If a poll of an item fails for one of these reasons, the API has refused the item, such as a domain without a zone. */
const refusalReasons: ReadonlySet<Failure['reason']> = new Set(['request', 'method', 'api']);

export function isRefusal({ reason }: Failure): boolean {
  return refusalReasons.has(reason);
}

/** The items of a collector according to its newest list, and which of them are due. */
export class ItemList {
  /** Number of items on the newest list, including items that `max_series` leaves out; undefined before the first list. */
  listed: number | undefined;
  /**
   * The items that are polled, by key. Their number is limited so that `max_series` suffices for one series per item and metric. The least
   * recently attempted item comes first, because items that always fail would otherwise block the others.
   */
  readonly all = new Map<string, ListedItem>();
  /** Whether the next poll has to fetch the list of items. */
  isListDue: boolean;
  readonly #collector: Collector;
  readonly #maxItems: number;
  readonly #fetchesList: boolean;
  /** Checks the lists that runs fetch. Of the lists that another poller provides, checks only the first one after `restore`. */
  #guard: ListGuard | undefined;

  /** `fetchesList`: whether runs fetch the list of items, because no enabled collector provides it. */
  constructor(collector: Collector, maxSeries: number, fetchesList: boolean) {
    this.#collector = collector;
    this.#maxItems = Math.max(1, Math.floor(maxSeries / collector.metrics.length));
    this.#fetchesList = fetchesList;
    this.isListDue = collector.itemsFrom !== undefined;
    if (fetchesList) this.#guard = new ListGuard();
    if (!this.isListDue) this.#accept(collector.items(undefined));
  }

  /** Number of calls of one run; 1 before the first list. */
  get calls(): number {
    return this.listed === undefined ? 1 : this.all.size;
  }

  /** Number of items that the API keeps refusing. */
  get refused(): number {
    return [...this.all.values()].filter(({ refusals }) => refusals >= minRefusals).length;
  }

  /** The items that the newest run still has to poll. */
  get due(): readonly ListedItem[] {
    return [...this.all.values()].filter(({ isDue }) => isDue);
  }

  /** Whether the newest run has a result of at least one item. */
  get hasResult(): boolean {
    return this.due.length < this.all.size;
  }

  /** Adds the items of saved results, unless there is already a list. Each item is due until its saved result is shown. */
  restore(items: readonly Item[]): void {
    if (this.listed !== undefined || items.length === 0) return;
    this.#accept(items);
    this.#guard = new ListGuard();
    this.#guard.check(items);
  }

  /** Applies a list. Removes no items if the list is incomplete, as it may lack existing items. Returns whether there are new items. */
  update(list: unknown, isComplete: boolean): boolean {
    const items = this.#collector.items(list);
    this.#guard?.check(items);
    if (!this.#fetchesList) this.#guard = undefined;
    return this.#accept(isComplete ? items : [...items, ...[...this.all.values()].map(({ item }) => item)]);
  }

  /** Makes all items due, and also the list of items if runs fetch it. */
  startRun(): void {
    this.isListDue ||= this.#fetchesList;
    for (const item of this.all.values()) item.isDue = true;
  }

  /** Records the end of an attempt to poll an item. `failure`: why the attempt failed; undefined if it succeeded. */
  markAttempted(item: ListedItem, failure: Failure | undefined): void {
    this.all.delete(item.key);
    this.all.set(item.key, item);
    item.isDue = failure !== undefined;
    if (failure === undefined) item.refusals = 0;
    else if (this.#collector.itemsFrom !== undefined && isRefusal(failure)) item.refusals += 1;
  }

  /** Replaces the items, but keeps the state of items that remain. Returns whether there are new items. */
  #accept(items: readonly Item[]): boolean {
    const listed = new Map(items.map((item) => [keyOf(item), item]));
    const polled = new Map([...listed].slice(0, this.#maxItems));
    const known = [...this.all.values()].filter(({ key }) => polled.delete(key));
    this.all.clear();
    for (const [key, item] of polled) {
      const guard = this.#collector.isGuarded ? new ListGuard() : undefined;
      this.all.set(key, { key, item, guard, isDue: true, refusals: 0 });
    }
    for (const item of known) this.all.set(item.key, item);
    this.listed = listed.size;
    this.isListDue = false;
    return polled.size > 0;
  }
}

/** Withholds a payload if a list lost over half of its elements, because failing APIs omit elements. Always accepts the next payload. */
export class ListGuard {
  /** The length of each list in the newest accepted payload, by the name of the list. */
  #accepted: ReadonlyMap<string, number> = new Map();
  /** Whether the newest payload was withheld. */
  #isWithheld = false;

  /** Checks the lists in a payload. Adds up the lengths of equally named lists in its elements. Throws ApiError to withhold the payload. */
  check(payload: unknown): void {
    const listsOf = (one: unknown) => Object.entries<unknown[]>(Object(one)).filter(([, list]) => Array.isArray(list));
    // If the payload is a list, the name of the list is empty.
    const lists = listsOf(Array.isArray(payload) ? { '': payload } : payload);
    const lengths = new Map<string, number>();
    for (const [name, list] of [...lists, ...lists.flatMap(([, list]) => list.flatMap(listsOf))])
      lengths.set(name, (lengths.get(name) ?? 0) + list.length);
    // A missing list counts as empty, because it would end the series of all its elements, as an empty list would.
    const isShort = ([name, before]: readonly [string, number]) => (lengths.get(name) ?? 0) < before / 2;
    const [name = '', before = 0] = [...this.#accepted].find(isShort) ?? [];
    this.#isWithheld = before > 0 && !this.#isWithheld;
    if (this.#isWithheld) {
      const shrank = `the list${name && ` of ${name}`} shrank from ${before} to ${lengths.get(name) ?? 0} elements`;
      const message = `${shrank}; the previous result stays until a second answer confirms the new list`;
      throw new ApiError(message, { reason: 'payload', accepted: true });
    }
    this.#accepted = lengths;
  }
}
