/** A token bucket: full at first, and one more token per interval. */
export class RateLimiter {
  readonly #interval: number;
  readonly #burst: number;
  #tokens: number;
  /** Milliseconds of the monotonic clock. */
  #refilled = performance.now();

  constructor({ interval, burst }: { readonly interval: number; readonly burst: number }) {
    this.#interval = interval;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes a token. False if there is none. */
  allow(): boolean {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#refilled) / this.#interval);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
