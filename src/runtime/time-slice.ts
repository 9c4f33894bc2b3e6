import { setImmediate } from 'node:timers/promises';

/** Length of a slice in milliseconds. */
const maxSlice = 5;

/** Resolves when all waiting slices have had their turn of the event loop. */
let queue: Promise<void> = Promise.resolve();

/** Divides long work into slices of a few milliseconds. All instances together run at most one slice per turn of the event loop. */
export class TimeSlice {
  #start = performance.now();

  /** Lets other work run if the slice is used up; otherwise returns undefined. Await the result between two parts of the work. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#start < maxSlice ? undefined : this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    queue = queue.then(setImmediate);
    await queue;
    this.#start = performance.now();
  }
}

export async function mapInSlices<T, R>(items: Iterable<T>, step: (item: T) => R): Promise<R[]> {
  const slice = new TimeSlice();
  const results: R[] = [];
  for (const item of items) {
    results.push(step(item));
    await slice.pause();
  }
  return results;
}
