/** Measures the time since its construction. */
export class Stopwatch {
  readonly #wall = Date.now();
  readonly #monotonic = performance.now();

  /**
   * Milliseconds, by the clock that saw more of them: the wall clock may be set back, the monotonic clock may stop during
   * suspend.
   */
  get elapsed(): number {
    return Math.max(Date.now() - this.#wall, performance.now() - this.#monotonic);
  }
}
