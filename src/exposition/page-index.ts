import { setImmediate } from 'node:timers/promises';
import { CollectorChunks } from './collector-chunks.ts';

/** Chunks to encode before other work continues: a few milliseconds even if all of their metrics changed. */
const chunksPerStep = 10;

/** Everything that the page shows about accounts, by collector. */
export class PageIndex {
  /** The exporter's own metrics for each account. */
  readonly own = new CollectorChunks();
  readonly #byCollector = new Map<string, CollectorChunks>();

  of(collector: string): CollectorChunks {
    const chunks = this.#byCollector.get(collector) ?? new CollectorChunks();
    this.#byCollector.set(collector, chunks);
    return chunks;
  }

  /** Encodes the changed chunks in steps, so that other work continues in between. */
  async refresh(): Promise<void> {
    for (const chunks of [this.own, ...this.#byCollector.values()]) {
      while (chunks.refresh(chunksPerStep)) await setImmediate();
    }
  }
}
