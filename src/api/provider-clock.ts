/** Maximum difference of the two clocks in milliseconds. Above it, the local time is used, because one clock was probably never set. */
const maxSkew = 86_400_000;

/** The clock of the API, by the newest Date header. */
export class ProviderClock {
  /** The newest date minus the monotonic clock at its arrival, in milliseconds. */
  #offset: number | undefined;

  /** Unix milliseconds; the local time if no response had a date, or if the clocks differ by more than a day. */
  get now(): number {
    const skew = this.skew ?? 0;
    return Date.now() + (Math.abs(skew) > maxSkew ? 0 : skew);
  }

  /** Milliseconds by which the API's clock is ahead of the local clock; undefined if no response had a date. */
  get skew(): number | undefined {
    return this.#offset === undefined ? undefined : Math.floor(performance.now() + this.#offset) - Date.now();
  }

  /** Records the date of a response that just arrived, in Unix milliseconds; NaN if the response has no date. */
  observe(date: number): void {
    if (!Number.isNaN(date)) this.#offset = date - performance.now();
  }
}
