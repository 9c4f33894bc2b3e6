/** Where the time comes from: unix milliseconds. */
export interface Clock {
  now(): number;
}

/** One moment on both clocks, in unix milliseconds: dates are printed from `instant`, figures live by `lived`. */
export interface Moment {
  readonly instant: number;
  readonly lived: number;
}

/** The clock, and the time that figures have lived: `speed` times as fast since `start`, as fast as the clock before it. */
export interface Timeline {
  readonly start: number;
  now(): Moment;
  at(instant: number): Moment;
}

/** Throws a RangeError for a speed that is no number, or below zero. */
export function createTimeline(clock: Clock, speed: number): Timeline {
  if (!Number.isFinite(speed) || speed < 0) {
    throw new RangeError(`The speed of a sandbox is a number that is not negative; got ${speed}.`);
  }
  const start = clock.now();

  function at(instant: number): Moment {
    const elapsed = instant - start;
    return { instant, lived: elapsed > 0 ? start + elapsed * speed : instant };
  }

  return { start, at, now: () => at(clock.now()) };
}
