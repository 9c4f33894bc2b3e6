import { type EncodedChunk, encodeChunk } from './encoded-chunk.ts';
import type { RenderedResult } from './rendered-result.ts';

/** The newest result of one item, and the chunk that contains it. */
export interface Slot {
  result: RenderedResult;
  chunk: Chunk;
}

/** A group of results whose lines are joined and compressed together, metric by metric. */
export class Chunk {
  readonly #slots: Slot[] = [];
  readonly #encoded = new Map<string, EncodedChunk>();
  readonly #stale = new Set<string>();
  #series = 0;

  get results(): number {
    return this.#slots.length;
  }

  get series(): number {
    return this.#series;
  }

  add(slot: Slot): void {
    this.#slots.push(slot);
    this.#series += slot.result.series;
    this.#markStale(slot.result);
  }

  update(slot: Slot, result: RenderedResult): void {
    const { lines } = slot.result;
    for (const [metric, text] of result.lines) if (lines.get(metric) !== text) this.#stale.add(metric);
    for (const metric of lines.keys()) if (!result.lines.has(metric)) this.#stale.add(metric);
    this.#series += result.series - slot.result.series;
    slot.result = result;
  }

  remove(slot: Slot): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    this.#series -= slot.result.series;
    this.#markStale(slot.result);
  }

  /** The lines of one metric; undefined if no result has any. */
  encoded(metric: string): EncodedChunk | undefined {
    if (this.#stale.has(metric)) this.#encode(metric);
    return this.#encoded.get(metric);
  }

  /** Encodes the changed metrics, so that no scrape has to. */
  refresh(): void {
    for (const metric of this.#stale) this.#encode(metric);
  }

  #markStale({ lines }: RenderedResult): void {
    for (const metric of lines.keys()) this.#stale.add(metric);
  }

  #encode(metric: string): void {
    const text = this.#slots.map(({ result }) => result.lines.get(metric) ?? '').join('');
    if (text === '') this.#encoded.delete(metric);
    else this.#encoded.set(metric, encodeChunk(text));
    this.#stale.delete(metric);
  }
}
