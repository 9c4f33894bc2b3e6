import type { Family } from '../collectors/family.ts';
import type { Clock } from './clock.ts';
import { countSeries } from './read-result.ts';
import { type RenderedFamilies, renderFamilies } from './render.ts';
import type { Result } from './result.ts';

interface Shown {
  readonly result: Result;
  readonly lines: RenderedFamilies;
}

/** The newest result for each item of each collector of one account, and their text on the page. Omits expired results. */
export class AccountStore {
  readonly clock: Clock;
  /** Changes with each result that is shown or removed. */
  revision = 0;
  /** Changes with each result and with each text of the exporter's own metrics. */
  textRevision = 0;
  readonly #shown = new Map<string, Map<string, Shown>>();
  #own: RenderedFamilies = new Map();
  /** No result expires before this time, so most scrapes need not check each result. */
  #nextExpiry = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Shows a result in place of the item's previous result. */
  set(collector: string, item: string, result: Result): void {
    const ofCollector = this.#shown.get(collector) ?? new Map<string, Shown>();
    this.#shown.set(collector, ofCollector.set(item, { result, lines: renderFamilies(result.families) }));
    this.#nextExpiry = Math.min(this.#nextExpiry, result.expires);
    this.#changed();
  }

  /** Replaces the exporter's own metrics about the account. */
  setOwn(families: readonly Family[]): void {
    this.#own = renderFamilies(families);
    this.textRevision += 1;
  }

  retain(collector: string, items: ReadonlySet<string>): void {
    this.#removeWhere(collector, (item) => !items.has(item));
  }

  expire(): void {
    const { now } = this.clock;
    if (now < this.#nextExpiry) return;
    for (const collector of this.#shown.keys()) this.#removeWhere(collector, (_, { expires }) => expires <= now);
    this.#nextExpiry = this.#all.reduce((next, { result }) => Math.min(next, result.expires), Number.POSITIVE_INFINITY);
  }

  /** The current results of a collector, by item. */
  results(collector: string): ReadonlyMap<string, Result> {
    this.expire();
    return new Map([...(this.#shown.get(collector) ?? [])].map(([item, { result }]) => [item, result]));
  }

  /** The current families of these collectors, or of all collectors. */
  families(collectors: Iterable<string> = this.#shown.keys()): readonly Family[] {
    this.expire();
    const shown = [...collectors].flatMap((collector) => [...(this.#shown.get(collector)?.values() ?? [])]);
    return shown.flatMap(({ result }) => result.families);
  }

  get series(): number {
    return this.#all.reduce((sum, { result }) => sum + countSeries(result.families), 0);
  }

  droppedSeries(collector: string): number {
    return [...this.results(collector).values()].reduce((sum, { dropped }) => sum + dropped, 0);
  }

  /** The text of each metric, without HELP and TYPE. `collectors`: undefined for all; the exporter's own metrics are always included. */
  *lines(collectors?: ReadonlySet<string>): Generator<RenderedFamilies> {
    for (const [collector, ofCollector] of this.#shown) {
      if (collectors?.has(collector) === false) continue;
      for (const { lines } of ofCollector.values()) yield lines;
    }
    yield this.#own;
  }

  get #all(): readonly Shown[] {
    return [...this.#shown.values()].flatMap((ofCollector) => [...ofCollector.values()]);
  }

  #removeWhere(collector: string, condition: (item: string, result: Result) => boolean): void {
    const shown = this.#shown.get(collector);
    for (const [item, { result }] of shown ?? []) {
      if (!condition(item, result)) continue;
      shown?.delete(item);
      this.#changed();
    }
  }

  #changed(): void {
    this.revision += 1;
    this.textRevision += 1;
  }
}
