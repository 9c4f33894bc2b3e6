export type ReloadOutcome =
  | { readonly kind: 'applied' }
  /** The previous configuration stays in use. `problems` has one line per problem. */
  | { readonly kind: 'failed'; readonly problems: string }
  /** The program stopped before the reload had ended. */
  | { readonly kind: 'cancelled' };

/** Runs one reload at a time. Requests during a reload share the next reload: the running reload may have read old files. */
export class ReloadQueue {
  readonly #reload: (signal: AbortSignal) => Promise<ReloadOutcome>;
  readonly #closing = new AbortController();
  #running: Promise<ReloadOutcome> | undefined;
  #pending: Promise<ReloadOutcome> | undefined;

  /** `reload` rejects with the reason of the signal if the signal aborts; any other rejection is a bug. */
  constructor(reload: (signal: AbortSignal) => Promise<ReloadOutcome>) {
    this.#reload = reload;
  }

  /** Resolves at the end of the first reload that starts after this request. */
  request(): Promise<ReloadOutcome> {
    if (this.#running === undefined) return this.#start();
    this.#pending ??= this.#startAfter(this.#running);
    return this.#pending;
  }

  /** Interrupts the running reload and cancels the waiting reload. Resolves when no reload is running. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => {});
  }

  async #startAfter(running: Promise<ReloadOutcome>): Promise<ReloadOutcome> {
    await running.catch(() => {});
    this.#pending = undefined;
    return this.#start();
  }

  #start(): Promise<ReloadOutcome> {
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #run(): Promise<ReloadOutcome> {
    const { signal } = this.#closing;
    if (signal.aborted) return { kind: 'cancelled' };
    try {
      return await this.#reload(signal);
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' };
      throw error;
    }
  }
}
