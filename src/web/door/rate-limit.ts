import type { RateLimit } from '../config/load.ts';

/** A token bucket that starts full and gains one token per interval. */
export class RateLimiter {
  readonly limit: RateLimit;
  #tokens: number;
  #refilled = performance.now();

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#tokens = limit.burst;
  }

  allow(): boolean {
    const { interval, burst } = this.limit;
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#refilled) / interval);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
