/** Milliseconds of difference between the local clocks after which the wall clock counts as set. */
const clockTolerance = 1000;

/** Nine dates outvote a server with a wrong clock, or a cached response. */
const maxSamples = 9;

/** The clock by which the API dates hours and days: the median of the newest Date headers, and never ahead of them. */
export class ProviderClock {
  /** Dates minus the monotonic clock at their arrival, in milliseconds, newest last. */
  #samples: readonly number[] = [];
  /** Wall clock minus monotonic clock at the newest date. */
  #localOffset = 0;

  /** Unix milliseconds; the local time if no response had a date. */
  get now(): number {
    // Unlike an array, a typed array sorts by number.
    const middle = new Float64Array(this.#samples).sort()[Math.floor((this.#samples.length - 1) / 2)];
    return middle === undefined ? Date.now() : Math.floor(performance.now() + middle);
  }

  /** Milliseconds ahead of the local clock; undefined if no response had a date. */
  get skew(): number | undefined {
    return this.#samples.length === 0 ? undefined : this.now - Date.now();
  }

  /** Records the date of a response that just arrived, in Unix milliseconds; NaN if it has none. */
  observe(date: number): void {
    if (Number.isNaN(date)) return;
    const localOffset = Date.now() - performance.now();
    // During a suspend the monotonic clock stops, which makes older samples wrong.
    const kept = Math.abs(localOffset - this.#localOffset) > clockTolerance ? [] : this.#samples;
    this.#localOffset = localOffset;
    this.#samples = [...kept, date - performance.now()].slice(-maxSamples);
  }
}
