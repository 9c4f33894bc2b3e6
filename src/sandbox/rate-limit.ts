const window = 60_000;

/** Limits the calls of each account in any 60 seconds of the system clock. A limit of 0 means no limit. Refused calls do not count. */
export class CallLimit {
  readonly #perMinute: number;
  readonly #calls = new Map<string, number[]>();

  constructor(perMinute: number) {
    if (!Number.isSafeInteger(perMinute) || perMinute < 0) {
      throw new RangeError(`requestsPerMinute must be a whole number of at least 0, got ${perMinute}.`);
    }
    this.#perMinute = perMinute;
  }

  /** Counts the call and returns true if the limit allows it. */
  tryAcquire(login: string): boolean {
    if (this.#perMinute === 0) {
      return true;
    }
    const now = Date.now();
    const recent = (this.#calls.get(login) ?? []).filter((time) => time > now - window);
    this.#calls.set(login, recent);
    if (recent.length >= this.#perMinute) {
      return false;
    }
    recent.push(now);
    return true;
  }
}
