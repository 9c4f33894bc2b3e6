import { Chunk, type Slot } from './chunk.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { RenderedResult } from './rendered-result.ts';

/**
 * Measured: larger chunks make an update more expensive; smaller ones compress worse and make a page slower to assemble.
 */
const maxResults = 24;
const maxSeries = 8192;

/**
 * The results of one collector for all accounts, in chunks of limited size. An update costs as much as its chunk,
 * regardless of the number of accounts.
 */
export class CollectorChunks {
  readonly #chunks = new Set<Chunk>();
  /** Chunks that have fewer than `maxResults`. */
  readonly #open = new Set<Chunk>();
  readonly #changed = new Set<Chunk>();

  add(result: RenderedResult): Slot {
    const slot = { result, chunk: this.#findRoom(result) };
    this.#place(slot);
    return slot;
  }

  update(slot: Slot, result: RenderedResult): void {
    const { chunk } = slot;
    if (chunk.results === 1 || chunk.series - slot.result.series + result.series <= maxSeries) {
      chunk.update(slot, result);
      this.#changed.add(chunk);
    } else {
      this.remove(slot);
      slot.result = result;
      slot.chunk = this.#findRoom(result);
      this.#place(slot);
    }
  }

  remove(slot: Slot): void {
    const { chunk } = slot;
    chunk.remove(slot);
    if (chunk.results > 0) {
      this.#open.add(chunk);
      this.#changed.add(chunk);
    } else {
      for (const set of [this.#chunks, this.#open, this.#changed]) set.delete(chunk);
    }
  }

  /** Encodes up to `limit` changed chunks; true if some are left. */
  refresh(limit = Number.POSITIVE_INFINITY): boolean {
    let count = 0;
    for (const chunk of this.#changed) {
      if (count === limit) return true;
      chunk.refresh();
      this.#changed.delete(chunk);
      count += 1;
    }
    return false;
  }

  /** The lines of one metric. */
  encoded(metric: string): readonly EncodedChunk[] {
    return [...this.#chunks].map((chunk) => chunk.encoded(metric)).filter((chunk) => chunk !== undefined);
  }

  #findRoom({ series }: RenderedResult): Chunk {
    for (const chunk of this.#open) if (chunk.series + series <= maxSeries) return chunk;
    return new Chunk();
  }

  #place(slot: Slot): void {
    const { chunk } = slot;
    chunk.add(slot);
    this.#chunks.add(chunk);
    this.#changed.add(chunk);
    if (chunk.results < maxResults) this.#open.add(chunk);
    else this.#open.delete(chunk);
  }
}
