import PQueue from 'p-queue';

/** Waiting calls with a higher number start first. */
export const priorities = { account: 2, list: 1, 'fan-out': 0 } as const;

export type Priority = keyof typeof priorities;

export interface CallOrder {
  readonly priority: Priority;
  /** Position of the item in its poll, counted from 0. Among calls of equal priority, a lower position starts first. */
  readonly position?: number;
  readonly signal: AbortSignal;
}

/** Greater than any position, because no list has this many items. */
const maxPosition = 2 ** 32;

/** Maximum number of concurrent calls with one login. The limit protects a slow API. */
const maxConcurrentCalls = 4;

/** Longest pause in milliseconds. An hour is enough, because the API limits the calls per minute, not per day. */
const maxPause = 3_600_000;

/** Starts the calls with one login at equal intervals, by priority. A budget below the provider's limit leaves calls for other tools. */
export class Budget {
  /** A new value applies from the next call on. */
  requestsPerMinute: number;
  /** Called when a pause begins, with its length in milliseconds. */
  onPause: (milliseconds: number) => void = () => {};
  readonly #queue = new PQueue();
  #resumeTimer: NodeJS.Timeout | undefined;
  /** No call starts before this time, in milliseconds of the monotonic clock. */
  #pausedUntil = 0;
  #requestedPauseUntil = 0;

  constructor(requestsPerMinute: number) {
    this.requestsPerMinute = requestsPerMinute;
  }

  get queueLength(): number {
    return this.#queue.size;
  }

  /**
   * Runs a call as soon as the budget allows. Waiting calls start by priority, then by `position`. If the signal aborts, rejects with its
   * reason. `admit` runs immediately before the call. If it returns false, no other call starts until this call has ended.
   */
  async run<T>(order: CallOrder, admit: () => boolean, call: () => Promise<T>): Promise<T> {
    const { priority, position = 0, signal } = order;
    const start = () => {
      const concurrency = admit() ? maxConcurrentCalls : 1;
      this.#hold(Math.ceil(60_000 / this.requestsPerMinute));
      this.#queue.concurrency = concurrency;
      return call();
    };
    return this.#queue.add(start, { priority: priorities[priority] - position / maxPosition, signal });
  }

  /** Starts no calls for this number of milliseconds, at most for an hour. If pauses overlap, the latest end applies. */
  pause(requested: number): void {
    const milliseconds = Math.min(requested, maxPause);
    if (this.pauseRemaining === 0) this.onPause(milliseconds);
    this.#requestedPauseUntil = Math.max(this.#requestedPauseUntil, performance.now() + milliseconds);
    this.#hold(milliseconds);
  }

  /** Milliseconds until the end of the pause; 0 without a pause. The usual interval between two calls is not a pause. */
  get pauseRemaining(): number {
    return Math.max(0, this.#requestedPauseUntil - performance.now());
  }

  #hold(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (milliseconds === 0 || until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#queue.pause();
    clearTimeout(this.#resumeTimer);
    this.#resumeTimer = setTimeout(() => this.#queue.start(), milliseconds);
  }

  /** Drops the waiting calls. Calls in progress continue, but no longer start timers. */
  close(): void {
    clearTimeout(this.#resumeTimer);
    this.#pausedUntil = Number.POSITIVE_INFINITY;
    this.#queue.clear();
  }
}
