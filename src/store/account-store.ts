import type { Family } from '../collectors/family.ts';
import type { Clock } from './clock.ts';
import { countSeries } from './read-result.ts';
import { type RenderedFamilies, renderFamilies } from './render.ts';
import type { Result } from './result.ts';

interface ShownResult extends Result {
  readonly lines: RenderedFamilies;
}

/** Number of changes to all stores so far. A store's revision is the value of this counter after its newest change. */
let changes = 0;

/** Used in place of a collector's name for the exporter's own metrics about an account. */
export const ownMetrics = 'exporter';

/** The newest results of one account, by collector and item, and their text on the page. Omits expired results. */
export class AccountStore {
  readonly clock: Clock;
  /** Changes whenever the text on the page changes. No two stores ever have the same revision. */
  revision = ++changes;
  readonly #revisions = new Map<string, number>();
  readonly #shown = new Map<string, Map<string, ShownResult>>();
  #own: RenderedFamilies = new Map();
  /** No result expires before this time, so most scrapes need not check each result. */
  #nextExpiry = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Shows a result in place of the item's previous result. */
  set(collector: string, item: string, result: Result): void {
    const shown = this.#shown.get(collector) ?? new Map<string, ShownResult>();
    this.#shown.set(collector, shown);
    shown.set(item, { ...result, lines: renderFamilies(result.families) });
    this.#nextExpiry = Math.min(this.#nextExpiry, result.expires);
    this.#countChange(collector);
  }

  /** Replaces the exporter's own metrics about the account. */
  setOwn(families: readonly Family[]): void {
    this.#own = renderFamilies(families);
    this.#countChange(ownMetrics);
  }

  remove(collector: string, item: string): void {
    if (this.#shown.get(collector)?.delete(item) === true) this.#countChange(collector);
  }

  /** Removes the results of all items that are not in `items`. */
  retain(collector: string, items: Pick<ReadonlySet<string>, 'has'>): void {
    for (const item of this.#shown.get(collector)?.keys() ?? []) if (!items.has(item)) this.remove(collector, item);
  }

  expire(): void {
    const { now } = this.clock;
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const [collector, shown] of this.#shown) {
      for (const [item, { expires }] of shown) {
        if (expires <= now) this.remove(collector, item);
        else this.#nextExpiry = Math.min(this.#nextExpiry, expires);
      }
    }
  }

  /** The current results of a collector, by item. */
  results(collector: string): ReadonlyMap<string, Result> {
    this.expire();
    return this.#shown.get(collector) ?? new Map();
  }

  /** The current families of these collectors, or of all collectors. */
  families(collectors: Iterable<string> = this.#shown.keys()): readonly Family[] {
    const shown = [...collectors].flatMap((collector) => [...this.results(collector).values()]);
    return shown.flatMap(({ families }) => families);
  }

  get series(): number {
    return countSeries(this.families());
  }

  droppedSeries(collector: string): number {
    return [...this.results(collector).values()].reduce((sum, { dropped }) => sum + dropped, 0);
  }

  /** Changes whenever the text of the collector changes; undefined before the first text. */
  revisionOf(collector: string): number | undefined {
    return this.#revisions.get(collector);
  }

  /** The text of each metric without HELP and TYPE. One map for each item of the collector. */
  lines(collector: string): readonly RenderedFamilies[] {
    if (collector === ownMetrics) return [this.#own];
    return [...(this.#shown.get(collector)?.values() ?? [])].map(({ lines }) => lines);
  }

  #countChange(collector: string): void {
    this.revision = ++changes;
    this.#revisions.set(collector, this.revision);
  }
}
