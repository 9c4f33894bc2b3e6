import type { Slot } from './chunk.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import { type Expiry, earlier, expiryAfter, hasExpired, never } from './expiry.ts';
import type { Family } from './family.ts';
import type { KeptPayload } from './kept-payload.ts';
import type { PageIndex } from './page-index.ts';
import { RenderedResult } from './rendered-result.ts';

interface Entry {
  readonly slot: Slot;
  expiry: Expiry;
  payload: KeptPayload;
}

/** The newest results of one account, one for each item of each collector, until they expire. */
export class AccountStore {
  readonly #index: PageIndex;
  readonly #entries = new Map<string, Map<string, Entry>>();
  /** Whether new results are left to the next scrape to encode, because many follow in a row. */
  defersEncoding = false;
  #revision = 0;
  /** No result expires earlier, so most scrapes can skip the check of each result. */
  #nextExpiry = never;

  constructor(index: PageIndex) {
    this.#index = index;
  }

  /** Changes whenever the exporter's own metrics of the account may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Changes the revision. */
  touch(): void {
    this.#revision += 1;
  }

  /**
   * Shows a result for `maxAge` milliseconds, and keeps the payload that it was read from as long. `item` distinguishes the
   * results of one collector.
   */
  publish(
    collector: string,
    item: string,
    families: readonly Family[],
    maxAge: number,
    payload: KeptPayload,
  ): RenderedResult {
    const chunks = this.#index.of(collector);
    const entries = this.#entries.get(collector) ?? new Map<string, Entry>();
    this.#entries.set(collector, entries);
    const entry = entries.get(item);
    const result = new RenderedResult(families, entry?.slot.result);
    const expiry = expiryAfter(maxAge);
    if (entry === undefined) {
      entries.set(item, { slot: chunks.add(result), expiry, payload });
    } else {
      chunks.update(entry.slot, result);
      entry.expiry = expiry;
      entry.payload = payload;
    }
    this.#nextExpiry = earlier(this.#nextExpiry, expiry);
    if (!this.defersEncoding) chunks.refresh();
    this.touch();
    return result;
  }

  /** Removes the results of all other items. */
  retain(collector: string, items: ReadonlySet<string>): void {
    this.#removeWhere(collector, (item) => !items.has(item));
  }

  /** Removes expired results. */
  expire(): void {
    if (!hasExpired(this.#nextExpiry)) return;
    for (const collector of this.#entries.keys()) {
      this.#removeWhere(collector, (_item, { expiry }) => hasExpired(expiry));
    }
    const entries = [...this.#entries.values()].flatMap((byItem) => [...byItem.values()]);
    this.#nextExpiry = entries.reduce((next, { expiry }) => earlier(next, expiry), never);
  }

  /** Removes all results. */
  clear(): void {
    for (const collector of this.#entries.keys()) this.#removeWhere(collector, () => true);
  }

  /** Series of all results on the page now. */
  get series(): number {
    let series = 0;
    for (const entries of this.#entries.values()) {
      for (const { slot } of entries.values()) series += slot.result.series;
    }
    return series;
  }

  /** The payloads of the results of one collector that have not expired, by item. */
  payloads(collector: string): ReadonlyMap<string, KeptPayload> {
    this.expire();
    return new Map([...(this.#entries.get(collector) ?? [])].map(([item, { payload }]) => [item, payload]));
  }

  /** The payload of one result that has not expired. */
  payload(collector: string, item: string): KeptPayload | undefined {
    this.expire();
    return this.#entries.get(collector)?.get(item)?.payload;
  }

  /** The lines of one metric, encoded for this account alone. */
  encoded(collector: string, metric: string): readonly EncodedChunk[] {
    const entries = this.#entries.get(collector)?.values() ?? [];
    return [...entries].map(({ slot }) => slot.result.encode(metric)).filter((chunk) => chunk !== undefined);
  }

  /** The lines of one metric, one text per result. */
  lines(collector: string, metric: string): readonly string[] {
    const texts: string[] = [];
    for (const { slot } of this.#entries.get(collector)?.values() ?? []) {
      const text = slot.result.lines.get(metric);
      if (text !== undefined) texts.push(text);
    }
    return texts;
  }

  #removeWhere(collector: string, condition: (item: string, entry: Entry) => boolean): void {
    const chunks = this.#index.of(collector);
    const entries = this.#entries.get(collector);
    let removed = false;
    for (const [item, entry] of entries ?? []) {
      if (!condition(item, entry)) continue;
      entries?.delete(item);
      chunks.remove(entry.slot);
      removed = true;
    }
    if (!removed) return;
    chunks.refresh();
    this.touch();
  }
}
