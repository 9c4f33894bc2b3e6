export interface LoggedCall {
  /** The time of the call in Unix milliseconds of the system clock. */
  readonly time: number;
  /** The login of the account that the call names; undefined if no such account exists. */
  readonly login: string | undefined;
  /** The path of the method: section/method. */
  readonly method: string;
  /** The result of the call: 'success', an error code, 'http_500', or the kind of the injected fault. */
  readonly outcome: string;
}

const maxCalls = 10_000;

/** The newest 10 000 calls, oldest first. */
export class CallLog {
  readonly #calls: LoggedCall[] = [];

  get all(): readonly LoggedCall[] {
    return this.#calls;
  }

  add(call: LoggedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > maxCalls) {
      this.#calls.shift();
    }
  }
}

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

  /** If the limit allows the call, counts it and returns true. */
  tryAcquire(login: string): boolean {
    if (this.#perMinute === 0) return true;
    const now = Date.now();
    const recent = (this.#calls.get(login) ?? []).filter((time) => time > now - window);
    this.#calls.set(login, recent);
    if (recent.length >= this.#perMinute) return false;
    recent.push(now);
    return true;
  }
}
