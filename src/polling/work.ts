import type { FanOutCollector, Item, ListCollector } from '../collectors/collector.ts';
import type { Attempt, Poll, PolledAccount } from './poll.ts';

/** All items for a turn; only what the polls before did not bring for a retry. */
export type Scope = 'all' | 'missing';

/** What a poll of one collector does. */
export interface Work {
  /** Calls of one turn; of a fan-out as far as its list is known. */
  readonly calls: number;
  /** Series that a cap left out of the newest results. */
  readonly dropped: number;
  run(poll: Poll, scope: Scope, attempt: Attempt): Promise<void>;
}

/** One call, one result. */
export class ListWork implements Work {
  readonly calls = 1;
  dropped = 0;
  readonly #account: PolledAccount;
  readonly #collector: ListCollector;
  readonly #onPayload: (payload: unknown) => void;

  /** `onPayload` is told of each result, for the collectors that follow this one. */
  constructor(account: PolledAccount, collector: ListCollector, onPayload: (payload: unknown) => void) {
    this.#account = account;
    this.#collector = collector;
    this.#onPayload = onPayload;
  }

  async run(poll: Poll, _scope: Scope, attempt: Attempt): Promise<void> {
    const { name, scalars } = this.#account;
    const payload = await this.#collector.fetch(attempt.api, scalars);
    this.dropped = poll.publish('', this.#collector.read(payload, name, Date.now(), attempt.complete));
    this.#onPayload(payload);
  }
}

/** One call for each item of the newest list. A failing item loses only its own series; the results show as they come. */
export class DetailWork implements Work {
  readonly #account: PolledAccount;
  readonly #collector: FanOutCollector;
  readonly #maxItems: number;
  dropped = 0;
  #items: ReadonlyMap<string, Item> | undefined;
  /** What the newest poll has asked for, by item: aborts where the item is gone. */
  readonly #asked = new Map<string, AbortController>();
  readonly #missing = new Set<string>();
  readonly #listsItself: boolean;
  /** Whether the list that it asked for itself must be asked for again. */
  #listIsDue = false;
  readonly #onItems: () => void;

  /**
   * `listsItself`: nobody else polls the collector that it follows, so that each turn asks for the list, too. `onItems`
   * is told when there is a newer list.
   */
  constructor(
    account: PolledAccount,
    collector: FanOutCollector,
    maxSeries: number,
    listsItself: boolean,
    onItems: () => void,
  ) {
    this.#account = account;
    this.#collector = collector;
    this.#listsItself = listsItself;
    this.#onItems = onItems;
    this.#maxItems = Math.floor(maxSeries / collector.metrics.length);
  }

  get calls(): number {
    return this.#items?.size ?? 1;
  }

  /**
   * Takes the newest list: items that are gone end at once. Gives what there is to ask for now: everything at first,
   * then what has been added.
   */
  follow(list: unknown): Scope | undefined {
    const former = this.#items;
    const listed = this.#collector.items(list);
    const items = new Map(listed.slice(0, this.#maxItems).map((item) => [JSON.stringify(item), item]));
    this.#items = items;
    this.dropped = Math.max(0, listed.length - this.#maxItems) * this.#collector.metrics.length;
    this.#onItems();
    this.#account.store.retain(this.#collector.name, new Set(items.keys()));
    for (const key of this.#missing) if (!items.has(key)) this.#missing.delete(key);
    for (const [key, call] of this.#asked) {
      if (items.has(key)) continue;
      call.abort();
      this.#asked.delete(key);
    }
    const added = [...items.keys()].filter((key) => former?.has(key) !== true);
    for (const key of added) this.#missing.add(key);
    if (former === undefined) return 'all';
    return added.length > 0 ? 'missing' : undefined;
  }

  async run(poll: Poll, scope: Scope): Promise<void> {
    const { name, scalars } = this.#account;
    if (scope === 'all') {
      for (const key of this.#items?.keys() ?? []) this.#missing.add(key);
      this.#listIsDue = this.#listsItself;
    }
    if (this.#items === undefined || this.#listIsDue) await this.#askForList(poll);
    if (scope === 'all') for (const key of this.#items?.keys() ?? []) this.#missing.add(key);
    this.#asked.clear();
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      await Promise.all(
        next.map(async ([key, item]) => {
          const call = new AbortController();
          this.#asked.set(key, call);
          const done = await poll.attempt(async (attempt) => {
            const payload = await this.#collector.fetch(attempt.api, scalars, item);
            poll.publish(key, this.#collector.read(payload, name, item, Date.now(), attempt.complete));
          }, call.signal);
          if (done) this.#missing.delete(key);
        }),
      );
    }
  }

  /** Items that are known already are asked for even where the list of them fails. */
  async #askForList(poll: Poll): Promise<void> {
    const { itemsFrom } = this.#collector;
    const done = await poll.attempt(async ({ api }) => {
      this.follow(await itemsFrom?.fetch(api, this.#account.scalars));
    });
    this.#listIsDue = this.#listsItself && !done;
  }

  /** The missing items that the poll has not asked for yet: a newer list may have come meanwhile. */
  #next(): readonly (readonly [string, Item])[] {
    return [...(this.#items ?? [])].filter(([key]) => this.#missing.has(key) && !this.#asked.has(key));
  }
}
