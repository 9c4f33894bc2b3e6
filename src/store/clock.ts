/** Deviations of the wall clock below this number of milliseconds are ignored. */
const tolerance = 1000;

/**
 * The exporter's clock for ages and waits, in milliseconds. It never goes back. If the wall clock jumps ahead, because the machine was
 * suspended or the time was corrected, this clock jumps too. So a result expires if it is too old by the wall clock or the monotonic clock.
 */
export class Clock {
  #ahead = 0;
  /** The wall clock minus the monotonic clock, in milliseconds. */
  #offset = Date.now() - performance.now();

  get now(): number {
    const jump = Date.now() - performance.now() - this.#offset;
    if (jump >= tolerance) {
      this.#ahead += jump;
      this.#offset += jump;
    }
    return performance.now() + this.#ahead;
  }

  /** Converts a time of this clock to Unix milliseconds. */
  toWall(time: number): number {
    return Date.now() + time - this.now;
  }

  /** Whether the wall clock was set back since the last call. Times that were computed from cron patterns are then wrong. */
  wasSetBack(): boolean {
    const jump = Date.now() - performance.now() - this.#offset;
    if (jump > -tolerance) return false;
    this.#offset += jump;
    return true;
  }
}
