import { Moment } from './moment.ts';

/** Maximum milliseconds between two checks of the time, because the wall clock may be set or the machine suspended. */
const longestWait = 30_000;

/** Fires once at a wall-clock time, tolerating suspend and clock changes; `stop` cancels the timer. */
export class WallClockTimer {
  readonly #time: Moment;
  readonly #onFire: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `time`: Unix milliseconds. If the time is in the past, the timer fires on the next turn of the event loop. */
  constructor(time: number, onFire: () => void) {
    this.#time = new Moment(time);
    this.#onFire = onFire;
    this.#arm();
  }

  /** Unix milliseconds. */
  get time(): number {
    return this.#time.time;
  }

  get isPending(): boolean {
    return this.#timer !== undefined;
  }

  get isDue(): boolean {
    return this.#time.isPast;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    const left = Math.min(Math.max(-this.#time.elapsed, 0), longestWait);
    this.#timer = setTimeout(() => {
      if (!this.isDue) return this.#arm();
      this.#timer = undefined;
      this.#onFire();
    }, left);
  }
}
