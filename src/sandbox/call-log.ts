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
