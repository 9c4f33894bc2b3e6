const window = 60_000;

/** So many calls an account in any 60 seconds of the machine's clock; 0 is no limit. Calls that are refused do not count. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #calls = new Map<string, number[]>();

  constructor(perMinute: number) {
    if (!Number.isSafeInteger(perMinute) || perMinute < 0) {
      throw new RangeError(`The limit of calls a minute is a whole number, 0 for none; got ${perMinute}.`);
    }
    this.#perMinute = perMinute;
  }

  admits(login: string): boolean {
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
