import { Stopwatch } from './stopwatch.ts';

/** Milliseconds after which the clock is looked at again, since it may be set, or the machine may sleep, meanwhile. */
const longestWait = 30_000;

/**
 * Rings once, at a moment of the clock or as soon as that has passed; and no later than that moment was away, where the
 * clock is set back.
 */
export class Alarm {
  readonly #sinceSet = new Stopwatch();
  readonly #wait: number;
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `moment` in unix milliseconds; it never rings before the constructor has returned. */
  constructor(moment: number, ring: () => void) {
    this.#wait = moment - Date.now();
    this.#ring = ring;
    this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    const left = Math.min(Math.max(this.#wait - this.#sinceSet.elapsed, 0), longestWait);
    this.#timer = setTimeout(() => {
      if (this.#sinceSet.elapsed >= this.#wait) this.#ring();
      else this.#start();
    }, left);
  }
}
