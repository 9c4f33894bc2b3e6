/** `time`: Unix milliseconds. */
export type ReloadObserver = (successful: boolean, time: number) => void;

/** The outcome of a reload, as the pages show it. */
export interface ReloadResult {
  /** Unix milliseconds. */
  readonly time: number;
  /** Why it failed; undefined if it succeeded. */
  readonly problems: string | undefined;
}

/** Keeps the newest result of one kind of reloads, and reports each to the metrics. */
export class ReloadResults {
  /** Undefined before the first reload. */
  last: ReloadResult | undefined;
  readonly #observe: ReloadObserver;

  constructor(observe: ReloadObserver) {
    this.#observe = observe;
  }

  /** `problems`: why the reload failed; undefined if it succeeded. */
  add(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(problems === undefined, this.last.time);
  }
}
