import { TimeSlice } from '../runtime/time-slice.ts';
import { Chunk, type Slot } from './chunk.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import type { RenderedResult } from './render.ts';

/** Limits of a chunk. Measured: updates of larger chunks cost more; smaller chunks compress worse and make pages slower. */
const maxResults = 24;
const maxSeries = 8192;

/** The results of one collector for all accounts. The cost of an update depends on the size of a chunk, not of the page. */
export class CollectorChunks {
  readonly #chunks = new Set<Chunk>();
  /** Chunks with fewer results than `maxResults`. */
  readonly #open = new Set<Chunk>();
  readonly #changed = new Set<Chunk>();

  add(result: RenderedResult): Slot {
    const slot = { chunk: noChunk, series: 0 };
    this.#place(slot, result);
    return slot;
  }

  update(slot: Slot, result: RenderedResult): void {
    const { chunk } = slot;
    if (chunk.results === 1 || chunk.series - slot.series + result.series <= maxSeries) {
      chunk.update(slot, result);
      this.#changed.add(chunk);
    } else {
      this.remove(slot);
      this.#place(slot, result);
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

  /** Encodes one changed chunk. Returns false if no chunk has changed. */
  refreshNext(): boolean {
    for (const chunk of this.#changed) {
      chunk.refresh();
      return this.#changed.delete(chunk);
    }
    return false;
  }

  encoded(metric: string): readonly EncodedChunk[] {
    return [...this.#chunks].map((chunk) => chunk.encoded(metric)).filter((lines) => lines !== undefined);
  }

  #place(slot: Slot, result: RenderedResult): void {
    const chunk = this.#findRoom(result);
    chunk.add(slot, result);
    this.#chunks.add(chunk);
    this.#changed.add(chunk);
    if (chunk.results < maxResults) this.#open.add(chunk);
    else this.#open.delete(chunk);
  }

  #findRoom({ series }: RenderedResult): Chunk {
    for (const chunk of this.#open) if (chunk.series + series <= maxSeries) return chunk;
    return new Chunk();
  }
}

const noChunk = new Chunk();

export class PageIndex {
  readonly #byCollector = new Map<string, CollectorChunks>();

  of(collector: string): CollectorChunks {
    const chunks = this.#byCollector.get(collector) ?? new CollectorChunks();
    this.#byCollector.set(collector, chunks);
    return chunks;
  }

  async refresh(slice = new TimeSlice()): Promise<void> {
    for (const chunks of this.#byCollector.values()) {
      while (chunks.refreshNext()) await slice.pause();
    }
  }
}
