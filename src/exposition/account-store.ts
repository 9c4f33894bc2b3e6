import type { Family } from '../collectors/family.ts';
import type { KeptPayload } from '../results/kept-payload.ts';
import { type SummaryFigures, summaryParts } from '../results/summary-figures.ts';
import { Moment } from '../runtime/moment.ts';
import type { Slot } from './chunk.ts';
import type { PageIndex } from './collector-chunks.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import { renderResult } from './render.ts';

interface StoredResult {
  readonly slot: Slot;
  readonly expiry: Moment;
  readonly payload: KeptPayload;
  readonly dropped: number;
  readonly figures: SummaryFigures | undefined;
}

/** The newest result for each item of each collector of one account. Omits expired results. */
export class AccountStore {
  readonly index: PageIndex;
  readonly #entries = new Map<string, Map<string, StoredResult>>();
  /** Changes with each result that is shown or removed. */
  revision = 0;
  /** No result expires before this time, so most scrapes need not check each result. */
  #nextExpiry = Moment.never;

  constructor(index: PageIndex) {
    this.index = index;
  }

  /**
   * Shows a result for `maxAge` milliseconds. The next refresh of the index encodes the result; each scrape refreshes the index.
   * `dropped`: number of series that `max_series` removed from the result. Returns the number of shown series.
   */
  publish(
    collector: string,
    item: string,
    families: readonly Family[],
    maxAge: number,
    payload: KeptPayload,
    dropped = 0,
  ): number {
    const chunks = this.index.of(collector);
    const entries = this.#entries.get(collector) ?? new Map<string, StoredResult>();
    this.#entries.set(collector, entries);
    const result = renderResult(families);
    const expiry = new Moment(Date.now() + maxAge);
    const known = entries.get(item)?.slot;
    if (known !== undefined) chunks.update(known, result);
    // Read the figures now, because decoding the payloads of all accounts for a list of accounts takes seconds.
    const figures = summaryParts.get(collector)?.(families);
    entries.set(item, { slot: known ?? chunks.add(result), expiry, payload, dropped, figures });
    this.#nextExpiry = this.#nextExpiry.earlier(expiry);
    this.revision += 1;
    return result.series;
  }

  retain(collector: string, items: ReadonlySet<string>): void {
    this.#removeWhere(collector, (item) => !items.has(item));
  }

  expire(): void {
    if (!this.#nextExpiry.isPast) return;
    for (const collector of this.#entries.keys()) this.#removeWhere(collector, (_item, { expiry }) => expiry.isPast);
    const entries = [...this.#entries.values()].flatMap((byItem) => [...byItem.values()]);
    this.#nextExpiry = entries.reduce((next, { expiry }) => next.earlier(expiry), Moment.never);
  }

  clear(): void {
    for (const collector of this.#entries.keys()) this.#removeWhere(collector, () => true);
  }

  get series(): number {
    let series = 0;
    for (const entries of this.#entries.values()) {
      for (const { slot } of entries.values()) series += slot.series;
    }
    return series;
  }

  droppedSeries(collector: string): number {
    let series = 0;
    for (const { dropped } of this.#entries.get(collector)?.values() ?? []) series += dropped;
    return series;
  }

  /** The figures of the account in a list of accounts. Omits expired results. */
  get summary(): SummaryFigures {
    this.expire();
    const summary: SummaryFigures = {};
    for (const collector of summaryParts.keys()) {
      for (const { figures } of this.#entries.get(collector)?.values() ?? []) {
        // Only backups have several results: one for each kind of backups.
        const backups = figures?.backups && [...(summary.backups ?? []), ...figures.backups];
        Object.assign(summary, figures, backups && { backups });
      }
    }
    return summary;
  }

  /** The payloads of one collector, by item. Omits expired results. */
  payloads(collector: string): ReadonlyMap<string, KeptPayload> {
    this.expire();
    return new Map([...(this.#entries.get(collector) ?? [])].map(([item, { payload }]) => [item, payload]));
  }

  encoded(collector: string, metric: string): readonly EncodedChunk[] {
    const entries = this.#entries.get(collector)?.values() ?? [];
    return [...entries].map(({ slot }) => slot.chunk.encodedOf(slot, metric)).filter((chunk) => chunk !== undefined);
  }

  #removeWhere(collector: string, condition: (item: string, entry: StoredResult) => boolean): void {
    const chunks = this.index.of(collector);
    const entries = this.#entries.get(collector);
    for (const [item, entry] of entries ?? []) {
      if (!condition(item, entry)) continue;
      entries?.delete(item);
      chunks.remove(entry.slot);
      this.revision += 1;
    }
  }
}
