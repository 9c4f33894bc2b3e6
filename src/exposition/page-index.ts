import { TimeSlice } from '../runtime/time-slice.ts';
import { CollectorChunks } from './collector-chunks.ts';

/** The chunks of all accounts, by collector. */
export class PageIndex {
  /** The exporter's own metrics for each account. */
  readonly own = new CollectorChunks();
  readonly #byCollector = new Map<string, CollectorChunks>();

  of(collector: string): CollectorChunks {
    const chunks = this.#byCollector.get(collector) ?? new CollectorChunks();
    this.#byCollector.set(collector, chunks);
    return chunks;
  }

  async refresh(slice = new TimeSlice()): Promise<void> {
    for (const chunks of [this.own, ...this.#byCollector.values()]) {
      while (chunks.refreshNext()) await slice.pause();
    }
  }
}
