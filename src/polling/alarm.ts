/** Milliseconds after which the clock is looked at again, since it may be set, or the machine may sleep, meanwhile. */
const longestWait = 30_000;

/** Rings once, at a moment of the clock or as soon as that has passed. */
export class Alarm {
  #timer: NodeJS.Timeout | undefined;

  /** `moment` in unix milliseconds; it never rings before the constructor has returned. */
  constructor(moment: number, ring: () => void) {
    this.#wait(moment, ring);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(moment: number, ring: () => void): void {
    const left = Math.min(Math.max(moment - Date.now(), 0), longestWait);
    this.#timer = setTimeout(() => {
      if (Date.now() >= moment) ring();
      else this.#wait(moment, ring);
    }, left);
  }
}
