/** One call of the API, as it arrived and as it was answered. */
export interface LoggedCall {
  /** Unix milliseconds of the machine's clock. */
  readonly time: number;
  /** Of the account that the call spoke of; undefined where it named none that exists. */
  readonly login: string | undefined;
  /** section/method */
  readonly method: string;
  /** 'success', an error code, 'http_500', or the kind of the fault that spoiled it. */
  readonly outcome: string;
}

const mostCalls = 10_000;

/** The newest calls, oldest first. */
export class CallLog {
  readonly #calls: LoggedCall[] = [];

  get all(): readonly LoggedCall[] {
    return this.#calls;
  }

  add(call: LoggedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > mostCalls) {
      this.#calls.shift();
    }
  }
}
