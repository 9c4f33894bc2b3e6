import { Stopwatch } from './stopwatch.ts';

/** Milliseconds after which the clocks are compared again: the clock may be set, or the machine suspended, meanwhile. */
const longestWait = 30_000;

/** Fires once at a wall-clock time, tolerating suspend and clock changes; `stop` cancels it. */
export class WallClockTimer {
  readonly #sinceStart = new Stopwatch();
  readonly #wait: number;
  readonly #onFire: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `time`: Unix milliseconds; a time in the past fires on the next turn of the event loop. */
  constructor(time: number, onFire: () => void) {
    this.#wait = time - Date.now();
    this.#onFire = onFire;
    this.#arm();
  }

  /** False once it has fired or was stopped. */
  get isPending(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether either clock has reached its time. */
  get isDue(): boolean {
    return this.#sinceStart.elapsed >= this.#wait;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    const left = Math.min(Math.max(this.#wait - this.#sinceStart.elapsed, 0), longestWait);
    this.#timer = setTimeout(() => {
      if (!this.isDue) return this.#arm();
      this.#timer = undefined;
      this.#onFire();
    }, left);
  }
}
