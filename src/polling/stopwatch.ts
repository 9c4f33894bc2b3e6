/** Measures the time since its start. */
export class Stopwatch {
  readonly #wall: number;
  readonly #monotonic: number;

  /** `elapsed`: milliseconds since a start before the construction. */
  constructor(elapsed = 0) {
    this.#wall = Date.now() - elapsed;
    this.#monotonic = performance.now() - elapsed;
  }

  /** Unix milliseconds. */
  get started(): number {
    return this.#wall;
  }

  /**
   * Milliseconds, by the clock that saw more of them: the wall clock may be set back, the monotonic clock may stop during
   * suspend.
   */
  get elapsed(): number {
    return Math.max(Date.now() - this.#wall, performance.now() - this.#monotonic);
  }
}
