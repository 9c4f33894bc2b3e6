import { setImmediate } from 'node:timers/promises';
import { Shelf } from './shelf.ts';

/** Few enough to take a few milliseconds even if all of their metrics changed. */
const bundlesInOneStep = 10;

/** A shelf for each collector, and one for what is about the exporter, whose collector is undefined. */
export class Shelves {
  readonly #shelves = new Map<string | undefined, Shelf>();

  of(collector: string | undefined): Shelf {
    const shelf = this.#shelves.get(collector) ?? new Shelf();
    this.#shelves.set(collector, shelf);
    return shelf;
  }

  /** Joins and compresses what has changed, in steps between which other work goes on. */
  async refresh(): Promise<void> {
    for (const shelf of this.#shelves.values()) {
      while (shelf.refresh(bundlesInOneStep)) await setImmediate();
    }
  }
}
