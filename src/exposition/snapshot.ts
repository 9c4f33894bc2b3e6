import { type Block, makeBlock } from './block.ts';
import type { Family } from './family.ts';
import { renderSamples } from './render.ts';

/** One result of a poll, or of one item of it: text by metric, and until when it may be shown. */
interface Part {
  readonly lines: ReadonlyMap<string, string>;
  readonly series: number;
  /** Unix milliseconds. */
  readonly expires: number;
}

/**
 * What the newest polls of one collector of one account left: nothing but text that is ready to be sent. A part that
 * has expired is shown no more.
 */
export class Snapshot {
  readonly #parts = new Map<string, Part>();
  readonly #blocks = new Map<string, Block>();
  #nextExpiry = Number.POSITIVE_INFINITY;
  #retained: ReadonlySet<string> | undefined;

  /**
   * Puts one part's newest families in the place of its former ones. `expires` is in unix milliseconds. A part whose
   * item has gone meanwhile stays out. Gives the number of its series.
   */
  publish(key: string, families: readonly Family[], expires: number): number {
    const lines = new Map<string, string>();
    let series = 0;
    for (const family of families) {
      if (family.samples.length === 0) continue;
      const text = renderSamples(family);
      lines.set(family.name, text);
      series += text.split('\n').length - 1;
    }
    if (this.#retained?.has(key) !== false) this.#replace(key, { lines, series, expires });
    return series;
  }

  /** Lets go of the parts whose key is not among these: their items are gone. */
  retain(keys: ReadonlySet<string>): void {
    this.#retained = keys;
    const gone = [...this.#parts.keys()].filter((key) => !keys.has(key));
    this.#remove(gone);
  }

  /** Lets go of what must not be shown any more at `time` (unix milliseconds); true where there was something. */
  expire(time: number): boolean {
    if (time < this.#nextExpiry) return false;
    const expired = [...this.#parts].filter(([, part]) => part.expires <= time).map(([key]) => key);
    this.#remove(expired);
    return true;
  }

  /** The series that it holds, over all metrics. */
  get series(): number {
    let series = 0;
    for (const part of this.#parts.values()) series += part.series;
    return series;
  }

  /** The block of one metric; undefined where there is none of it. */
  block(metric: string): Block | undefined {
    return this.#blocks.get(metric);
  }

  #replace(key: string, part: Part): void {
    const metrics = new Set([...(this.#parts.get(key)?.lines.keys() ?? []), ...part.lines.keys()]);
    this.#parts.set(key, part);
    this.#rebuild(metrics);
  }

  #remove(keys: readonly string[]): void {
    const metrics = new Set<string>();
    for (const key of keys) {
      for (const metric of this.#parts.get(key)?.lines.keys() ?? []) metrics.add(metric);
      this.#parts.delete(key);
    }
    this.#rebuild(metrics);
  }

  #rebuild(metrics: ReadonlySet<string>): void {
    for (const metric of metrics) {
      let text = '';
      for (const part of this.#parts.values()) text += part.lines.get(metric) ?? '';
      if (text === '') this.#blocks.delete(metric);
      else this.#blocks.set(metric, makeBlock(text));
    }
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const { expires } of this.#parts.values()) this.#nextExpiry = Math.min(this.#nextExpiry, expires);
  }
}
