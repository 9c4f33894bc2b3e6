/** One API call and its outcome. */
export interface LoggedCall {
  /** Unix milliseconds of the system clock. */
  readonly time: number;
  /** Undefined if the call names no existing account. */
  readonly login: string | undefined;
  /** section/method */
  readonly method: string;
  /** 'success', an error code, 'http_500', or the kind of the injected fault. */
  readonly outcome: string;
}

const maxCalls = 10_000;

/** The newest calls, oldest first. */
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
