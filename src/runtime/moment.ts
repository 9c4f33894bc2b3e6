/** A point in time on two clocks, because the wall clock may be set, and the monotonic clock may stop during suspend. */
export class Moment {
  static readonly never = new Moment(Number.POSITIVE_INFINITY);

  /** Unix milliseconds. */
  readonly time: number;
  readonly #monotonic: number;

  constructor(time: number, monotonic = performance.now() + (time - Date.now())) {
    this.time = time;
    this.#monotonic = monotonic;
  }

  /** Milliseconds since this moment; negative if it is in the future. If the clocks disagree, returns the larger number. */
  get elapsed(): number {
    return Math.max(Date.now() - this.time, performance.now() - this.#monotonic);
  }

  /** Whether either clock has reached this moment. */
  get isPast(): boolean {
    return this.elapsed >= 0;
  }

  /** The earlier of two moments, compared separately for each clock. */
  earlier(other: Moment): Moment {
    return new Moment(Math.min(this.time, other.time), Math.min(this.#monotonic, other.#monotonic));
  }
}
