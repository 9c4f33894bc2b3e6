import { type Block, makeBlock } from './block.ts';
import type { Part } from './part.ts';

/** A few parts whose lines are joined and compressed together, metric by metric; in the order of their accounts. */
export class Bundle {
  readonly parts: Part[];
  readonly #blocks = new Map<string, Block>();
  readonly #stale = new Set<string>();

  constructor(parts: Part[]) {
    this.parts = parts;
    for (const part of parts) this.#markStale(part);
  }

  /** Behind the other parts of its account. */
  insert(part: Part): void {
    this.parts.splice(this.parts.findLastIndex(({ order }) => order <= part.order) + 1, 0, part);
    this.#markStale(part);
  }

  replace(former: Part, part: Part): void {
    this.parts[this.parts.indexOf(former)] = part;
    this.#markStale(former, part);
    this.#markStale(part, former);
  }

  remove(part: Part): void {
    this.parts.splice(this.parts.indexOf(part), 1);
    this.#markStale(part);
  }

  /** Lets go of the second half of its parts, and gives it as a bundle of its own. */
  split(): Bundle {
    const half = this.parts.splice(this.parts.length / 2);
    for (const part of half) this.#markStale(part);
    return new Bundle(half);
  }

  /** The block of one metric; undefined where there is none of it. */
  block(metric: string): Block | undefined {
    if (this.#stale.has(metric)) this.#join(metric);
    return this.#blocks.get(metric);
  }

  /** Joins and compresses what has changed, so that nobody has to wait for that. */
  refresh(): void {
    for (const metric of this.#stale) this.#join(metric);
  }

  /** All metrics of a part, but those that read the same in another one. */
  #markStale({ lines }: Part, other?: Part): void {
    for (const [metric, text] of lines) if (text !== other?.lines.get(metric)) this.#stale.add(metric);
  }

  #join(metric: string): void {
    const text = this.parts.map(({ lines }) => lines.get(metric) ?? '').join('');
    if (text === '') this.#blocks.delete(metric);
    else this.#blocks.set(metric, makeBlock(text));
    this.#stale.delete(metric);
  }
}
