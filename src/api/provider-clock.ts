/** Milliseconds by which the wall clock may deviate from the monotonic clock before it counts as set. */
const clockTolerance = 1000;

/** Responses whose dates count: enough to outvote a server with a wrong clock, or a cached response. */
const maxSamples = 9;

/**
 * The clock of the API, estimated as the median of the newest Date headers. It decides which hours and days have ended,
 * because the API dates them by it. Never ahead of the headers: a date is at most as late as its arrival.
 */
export class ProviderClock {
  /** Dates minus the monotonic clock at their arrival, in milliseconds, newest last. */
  #samples: readonly number[] = [];
  /** Wall clock minus monotonic clock at the newest date. */
  #localOffset = 0;

  /** Unix milliseconds. The local clock if no response had a date. */
  get now(): number {
    const middle = [...this.#samples].sort((a, b) => a - b)[Math.floor((this.#samples.length - 1) / 2)];
    return middle === undefined ? Date.now() : Math.floor(performance.now() + middle);
  }

  /** Milliseconds that it is ahead of the local clock; undefined if no response had a date. */
  get skew(): number | undefined {
    return this.#samples.length === 0 ? undefined : this.now - Date.now();
  }

  /** Notes the date of a response that just arrived, in Unix milliseconds. */
  observe(date: number): void {
    const localOffset = Date.now() - performance.now();
    // During a suspend the monotonic clock stops, which makes older samples wrong.
    const kept = Math.abs(localOffset - this.#localOffset) > clockTolerance ? [] : this.#samples;
    this.#localOffset = localOffset;
    this.#samples = [...kept, date - performance.now()].slice(-maxSamples);
  }
}
