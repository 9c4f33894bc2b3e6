import PQueue from 'p-queue';

const priorities = { account: 2, list: 1, 'fan-out': 0 } as const;

export type Priority = keyof typeof priorities;

/** Calls under way at once, so that a slow API is not met with ever more of them. */
const concurrency = 4;

/** Calls waiting or under way, told whenever it changes. */
type QueueListener = (waiting: number) => void;

/**
 * One account's allowance of calls: evenly spaced, the more important first. The provider counts the calls of all
 * tools of a user together, so what we leave unused is theirs.
 */
export class Budget {
  readonly requestsPerMinute: number;
  readonly #queue = new PQueue({ concurrency });
  readonly #spacing: number;
  #resume: NodeJS.Timeout | undefined;
  /** By a clock that nobody sets. */
  #pausedUntil = 0;

  constructor(requestsPerMinute: number, onQueueChange: QueueListener = () => {}) {
    this.requestsPerMinute = requestsPerMinute;
    this.#spacing = Math.ceil(60_000 / requestsPerMinute);
    for (const event of ['add', 'active', 'next'] as const) {
      this.#queue.addEventListener(event, () => onQueueChange(this.#queue.size));
    }
  }

  /** Calls that wait. */
  get queueLength(): number {
    return this.#queue.size;
  }

  /** Runs a call when its turn comes. Rejects with the signal's reason where that aborts first. */
  run<T>(priority: Priority, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const start = () => {
      this.pause(this.#spacing);
      return call();
    };
    return this.#queue.add(start, { priority: priorities[priority], signal });
  }

  /** Lets no call start for so many milliseconds; the longest of several pauses counts. */
  pause(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#queue.pause();
    clearTimeout(this.#resume);
    this.#startInTime();
  }

  /** A timer may ring up to a millisecond early, which would make one call too many of sixty. */
  #startInTime(): void {
    const left = this.#pausedUntil - performance.now();
    if (left > 0) this.#resume = setTimeout(() => this.#startInTime(), left);
    else this.#queue.start();
  }

  /** Drops the calls that wait; those under way end by their own signal, and pause nothing any more. */
  close(): void {
    clearTimeout(this.#resume);
    this.#pausedUntil = Number.POSITIVE_INFINITY;
    this.#queue.clear();
  }
}
