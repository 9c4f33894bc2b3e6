import type { Family } from '../collectors/family.ts';
import type { Clock } from './clock.ts';
import { countSeries } from './read-result.ts';
import { type RenderedFamilies, renderFamilies } from './render.ts';
import type { Result } from './result.ts';

interface ShownResult extends Result {
  readonly lines: RenderedFamilies;
}

/** Used in place of a collector's name for the exporter's own metrics about an account. */
export const ownMetrics = 'exporter';

/** The newest results of one account, by collector and item, and their text on the page. Omits expired results. */
export class AccountStore {
  readonly clock: Clock;
  /** Increases with each change. */
  revision = 0;
  /** Names of the metrics whose lines have changed since the last call of `takeChanged`. */
  #changed = new Set<string>();
  readonly #shown = new Map<string, Map<string, ShownResult>>();
  #own: RenderedFamilies = new Map();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Shows a result in place of the item's previous result. */
  set(collector: string, item: string, result: Result): void {
    const shown = this.#shown.get(collector) ?? new Map<string, ShownResult>();
    this.#shown.set(collector, shown);
    const lines = renderFamilies(result.families);
    this.#countChange(shown.get(item)?.lines, lines);
    shown.set(item, { ...result, lines });
  }

  /** Replaces the exporter's own metrics about the account. */
  setOwn(families: readonly Family[]): void {
    const lines = renderFamilies(families);
    this.#countChange(this.#own, lines);
    this.#own = lines;
  }

  remove(collector: string, item: string): void {
    this.#countChange(this.#shown.get(collector)?.get(item)?.lines);
    this.#shown.get(collector)?.delete(item);
  }

  /** Removes the results of all items that are not in `items`. */
  retain(collector: string, items: Pick<ReadonlySet<string>, 'has'>): void {
    for (const item of this.#shown.get(collector)?.keys() ?? []) if (!items.has(item)) this.remove(collector, item);
  }

  expire(): void {
    const { now } = this.clock;
    for (const [collector, shown] of this.#shown) {
      for (const [item, { expires }] of shown) if (expires <= now) this.remove(collector, item);
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

  /** Returns the names of the metrics whose lines have changed since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** The text of a metric from each item of the collector, without HELP and TYPE. */
  lines(collector: string, metric: string): readonly Uint8Array[] {
    const shown = [...(this.#shown.get(collector)?.values() ?? [])].map(({ lines }) => lines);
    return (collector === ownMetrics ? [this.#own] : shown).flatMap((lines) => lines.get(metric) ?? []);
  }

  #countChange(before: RenderedFamilies | undefined, after?: RenderedFamilies): void {
    this.revision += 1;
    for (const metric of [...(before?.keys() ?? []), ...(after?.keys() ?? [])]) {
      const [text, newText] = [before?.get(metric), after?.get(metric)];
      if (!text || !newText || Buffer.compare(text, newText) !== 0) this.#changed.add(metric);
    }
  }
}
