import PQueue from 'p-queue';

const priorities = { account: 2, list: 1, 'fan-out': 0 } as const;

export type Priority = keyof typeof priorities;

/** Concurrent calls of one account. Keeps calls from piling up if the API is slow. */
const maxConcurrentCalls = 4;

/**
 * The calls per minute that one account may make, evenly spaced and ordered by priority. The provider's limit applies to
 * all tools of the account together, so a budget below that limit leaves calls for the other tools.
 */
export class Budget {
  /** A new value applies from the next call on. */
  requestsPerMinute: number;
  readonly #queue = new PQueue({ concurrency: maxConcurrentCalls });
  #resumeTimer: NodeJS.Timeout | undefined;
  /** Monotonic clock, in milliseconds. */
  #pausedUntil = 0;
  #requestedPauseUntil = 0;

  constructor(requestsPerMinute: number) {
    this.requestsPerMinute = requestsPerMinute;
  }

  /** Number of waiting calls. */
  get queueLength(): number {
    return this.#queue.size;
  }

  /** Runs a call as soon as the budget allows. Rejects with the signal's reason if the signal aborts before that. */
  run<T>(priority: Priority, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const start = () => {
      this.#hold(this.#spacing);
      return call();
    };
    return this.#queue.add(start, { priority: priorities[priority], signal });
  }

  /** Starts no call for this many milliseconds. Of overlapping pauses, the one that ends last counts. */
  pause(milliseconds: number): void {
    this.#requestedPauseUntil = Math.max(this.#requestedPauseUntil, performance.now() + milliseconds);
    this.#hold(milliseconds);
  }

  /** When the next call may start, by the monotonic clock in milliseconds; 0 before the first. */
  get nextCall(): number {
    return this.#pausedUntil;
  }

  /** Starts no call for this many milliseconds, at most the distance of two calls: an earlier process made the last one. */
  delay(milliseconds: number): void {
    this.#hold(Math.min(milliseconds, this.#spacing));
  }

  /** Milliseconds that a pause lasts from now on; 0 without one. The spacing of calls is not a pause. */
  get pauseRemaining(): number {
    return Math.max(0, this.#requestedPauseUntil - performance.now());
  }

  /** Milliseconds between two calls. */
  get #spacing(): number {
    return Math.ceil(60_000 / this.requestsPerMinute);
  }

  #hold(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#queue.pause();
    clearTimeout(this.#resumeTimer);
    this.#resumeWhenDue();
  }

  /** Checks the clock again because a timer may fire up to a millisecond early, which would exceed the budget. */
  #resumeWhenDue(): void {
    const remaining = this.#pausedUntil - performance.now();
    if (remaining > 0) this.#resumeTimer = setTimeout(() => this.#resumeWhenDue(), remaining);
    else this.#queue.start();
  }

  /** Drops the waiting calls. Calls in progress end by their own signal and can no longer pause the budget. */
  close(): void {
    clearTimeout(this.#resumeTimer);
    this.#pausedUntil = Number.POSITIVE_INFINITY;
    this.#queue.clear();
  }
}
