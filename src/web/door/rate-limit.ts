import type { RateLimit } from '../config/load.ts';

/** A token bucket that gains one token per interval. It is full at the start and after a change of the limit. */
export class RateLimiter {
  #limit: RateLimit | undefined;
  #tokens = 0;
  #refilled = 0;

  allow(limit: RateLimit | undefined): boolean {
    const isSame = limit?.interval === this.#limit?.interval && limit?.burst === this.#limit?.burst;
    this.#limit = limit;
    if (limit === undefined) return true;
    const now = performance.now();
    const gained = isSame ? (now - this.#refilled) / limit.interval : limit.burst;
    this.#tokens = Math.min(limit.burst, this.#tokens + gained);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
