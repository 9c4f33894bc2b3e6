/** Measures the time since it was made. */
export class Stopwatch {
  readonly #clock = Date.now();
  readonly #steady = performance.now();

  /**
   * Milliseconds, by the clock, which may be set back, or by the one that is never set, which may stand still while the
   * machine sleeps: whichever saw more of them.
   */
  get elapsed(): number {
    return Math.max(Date.now() - this.#clock, performance.now() - this.#steady);
  }
}
