import { TimeSlice } from '../runtime/time-slice.ts';
import { Chunk, type Slot } from './chunk.ts';
import { type EncodedChunk, joinChunks } from './encoded-chunk.ts';
import type { RenderedResult } from './render.ts';

/** Number of series at which a chunk is full. Measured: updates of larger chunks cost more, and smaller chunks compress worse. */
const fullSeries = 768;
/** Number of series up to which a full chunk may grow. Above this number, an updated result moves to another chunk. */
const maxSeries = 2 * fullSeries;

/** The results of one collector for all accounts. The cost of an update depends on the size of a chunk, not of the page. */
export class CollectorChunks {
  readonly #chunks = new Set<Chunk>();
  readonly #changed = new Set<Chunk>();
  /** Cache of the lines of each metric in all chunks. Any change of a chunk clears this cache. */
  readonly #joined = new Map<string, EncodedChunk | undefined>();

  add(result: RenderedResult): Slot {
    const slot = { chunk: noChunk, series: 0 };
    this.#place(slot, result);
    return slot;
  }

  update(slot: Slot, result: RenderedResult): void {
    const { chunk } = slot;
    this.#joined.clear();
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
    this.#joined.clear();
    if (chunk.results > 0) {
      this.#changed.add(chunk);
    } else {
      for (const set of [this.#chunks, this.#changed]) set.delete(chunk);
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

  encoded(metric: string): EncodedChunk | undefined {
    if (!this.#joined.has(metric)) {
      const chunks = [...this.#chunks].map((chunk) => chunk.encoded(metric)).filter((lines) => lines !== undefined);
      this.#joined.set(metric, joinChunks(chunks));
    }
    return this.#joined.get(metric);
  }

  #place(slot: Slot, result: RenderedResult): void {
    const chunk = this.#findRoom(result);
    chunk.add(slot, result);
    this.#chunks.add(chunk);
    this.#changed.add(chunk);
    this.#joined.clear();
  }

  #findRoom({ series }: RenderedResult): Chunk {
    for (const chunk of this.#chunks) if (chunk.series + series <= fullSeries) return chunk;
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
