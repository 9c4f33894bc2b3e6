/** The wall clock counts as changed if it deviates from the monotonic clock by more than this number of milliseconds. */
const clockTolerance = 1000;

/** Maximum difference of the two clocks in milliseconds. Above it, the local time is used, because one clock was probably never set. */
const maxDeviation = 86_400_000;

/** Number of dates. The median ignores a few wrong dates, such as dates of a cached response. */
const maxSamples = 9;

/** The clock of the API, estimated as the lower median of the newest Date headers. */
export class ProviderClock {
  /** Each date minus the monotonic clock at the arrival of the date, in milliseconds. The newest sample is last. */
  #samples: readonly number[] = [];
  #median: number | undefined;
  /** Wall clock minus monotonic clock when the newest date arrived, in milliseconds. */
  #localOffset = 0;

  /** Unix milliseconds; the local time if no response had a date, or if the clocks differ by more than a day. */
  get now(): number {
    const local = Date.now();
    const estimated = this.#median === undefined ? local : Math.floor(performance.now() + this.#median);
    return Math.abs(estimated - local) > maxDeviation ? local : estimated;
  }

  /** Milliseconds by which the API's clock is ahead of the local clock; undefined if no response had a date. */
  get skew(): number | undefined {
    return this.#median === undefined ? undefined : Math.floor(performance.now() + this.#median) - Date.now();
  }

  /** Records the date of a response that just arrived, in Unix milliseconds; NaN if the response has no date. */
  observe(date: number): void {
    if (Number.isNaN(date)) return;
    const localOffset = Date.now() - performance.now();
    // A suspend stops the monotonic clock. Afterwards, the offset differs, and older samples are wrong.
    const kept = Math.abs(localOffset - this.#localOffset) > clockTolerance ? [] : this.#samples;
    this.#localOffset = localOffset;
    this.#samples = [...kept, date - performance.now()].slice(-maxSamples);
    this.#median = new Float64Array(this.#samples).sort()[Math.floor((this.#samples.length - 1) / 2)];
  }
}
