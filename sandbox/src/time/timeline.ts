/** Source of the current time in Unix milliseconds. */
export interface Clock {
  now(): number;
}

/** One moment in clock time and in simulated time, in Unix milliseconds. Dates follow `instant`. Figures follow `simulated`. */
export interface SandboxMoment {
  readonly instant: number;
  readonly simulated: number;
}

/** Relates simulated time to the clock. Before `start`, both times are equal. After `start`, simulated time runs `speed` times as fast. */
export interface Timeline {
  readonly start: number;
  now(): SandboxMoment;
  at(instant: number): SandboxMoment;
}

/** Throws a RangeError if the speed is negative or not a finite number. */
export function createTimeline(clock: Clock, speed: number): Timeline {
  if (!Number.isFinite(speed) || speed < 0) {
    throw new RangeError(`The speed of a sandbox must be a number of at least 0, got ${speed}.`);
  }
  const start = clock.now();

  function at(instant: number): SandboxMoment {
    const elapsed = instant - start;
    return { instant, simulated: elapsed > 0 ? start + elapsed * speed : instant };
  }

  return { start, at, now: () => at(clock.now()) };
}
