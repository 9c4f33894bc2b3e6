/** Milliseconds by which the wall clock may deviate from the monotonic clock before it counts as changed. */
const clockTolerance = 1000;

/** Number of dates. Their median ignores a few wrong dates, from a server with a wrong clock or from a cached response. */
const maxSamples = 9;

/** The clock by which the API dates hours and days, estimated as the lower median of the newest Date headers. */
export class ProviderClock {
  /** Dates minus the monotonic clock at their arrival, in milliseconds. The newest is last. */
  #samples: readonly number[] = [];
  /** Wall clock minus monotonic clock when the newest date arrived, in milliseconds. */
  #localOffset = 0;

  /** Unix milliseconds; the local time if no response had a date. */
  get now(): number {
    // A typed array, because its `sort` compares numbers.
    const middle = new Float64Array(this.#samples).sort()[Math.floor((this.#samples.length - 1) / 2)];
    return middle === undefined ? Date.now() : Math.floor(performance.now() + middle);
  }

  /** Milliseconds by which the API's clock is ahead of the local clock; undefined if no response had a date. */
  get skew(): number | undefined {
    return this.#samples.length === 0 ? undefined : this.now - Date.now();
  }

  /** Records the date of a response that just arrived, in Unix milliseconds; NaN if it has none. */
  observe(date: number): void {
    if (Number.isNaN(date)) return;
    const localOffset = Date.now() - performance.now();
    // The monotonic clock stops during a suspend, which makes older samples wrong.
    const kept = Math.abs(localOffset - this.#localOffset) > clockTolerance ? [] : this.#samples;
    this.#localOffset = localOffset;
    this.#samples = [...kept, date - performance.now()].slice(-maxSamples);
  }
}
