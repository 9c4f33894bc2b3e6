/** Receives the outcome of each reload. `time`: end of the reload in Unix milliseconds. */
export type ReloadObserver = (successful: boolean, time: number) => void;

export interface ReloadResult {
  /** The end of the reload in Unix milliseconds. */
  readonly time: number;
  /** Why the reload failed; undefined if it succeeded. */
  readonly problems: string | undefined;
}

/** Keeps the newest outcome of one kind of reloads, and reports each outcome to the metrics. */
export class ReloadResults {
  last: ReloadResult | undefined;
  readonly #observe: ReloadObserver;

  constructor(observe: ReloadObserver) {
    this.#observe = observe;
  }

  add(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(problems === undefined, this.last.time);
  }
}
