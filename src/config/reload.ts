import type { Log } from '../log.ts';
import { ConfigInputs } from './file/load.ts';
import type { Config } from './values/config.ts';
import { ConfigError } from './values/config-error.ts';

/** Loads the configuration, and adds its files to `inputs`. Rejects with a ConfigError, or with the signal's reason. */
export type LoadConfig = (signal: AbortSignal, inputs: ConfigInputs) => Promise<Config>;

export type ReloadOutcome =
  | { readonly kind: 'applied' }
  /** The previous configuration stays in use. `problems` has one line per problem. */
  | { readonly kind: 'failed'; readonly problems: string }
  /** The program stopped before the reload had ended. */
  | { readonly kind: 'cancelled' };

/** Receives the outcome of each reload. `time`: end of the reload in Unix milliseconds. */
type ReloadObserver = (successful: boolean, time: number) => void;

/** `time`: end of the reload in Unix milliseconds. `problems`: why it failed; undefined if it succeeded. */
export type ReloadResult = Readonly<NonNullable<ReloadResults['last']>>;

/** Keeps the newest outcome of one kind of reload, and reports each outcome to the metrics. */
export class ReloadResults {
  last: { readonly time: number; readonly problems: string | undefined } | undefined;
  readonly #observe: ReloadObserver;

  constructor(observe: ReloadObserver) {
    this.#observe = observe;
  }

  add(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(problems === undefined, this.last.time);
  }
}

/** Milliseconds between two checks of the files. */
const interval = 3000;

/** Reloads the configuration, logs a failure and keeps the newest outcome for the pages. Runs one reload at a time. */
export class Reloader extends ReloadResults {
  readonly #load: LoadConfig;
  readonly #apply: (config: Config) => Promise<void>;
  readonly #log: Log;
  readonly #closing = new AbortController();
  /** Resolves when all requested reloads have ended. */
  #ended: Promise<unknown> = Promise.resolve();
  /** The requested reload that has not started. */
  #waiting: Promise<ReloadOutcome> | undefined;
  /** The files of the newest attempt to load the configuration. */
  #inputs: ConfigInputs | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(load: LoadConfig, apply: (config: Config) => Promise<void>, observe: ReloadObserver, log: Log) {
    super(observe);
    this.#load = load;
    this.#apply = apply;
    this.#log = log;
  }

  /** Requests a reload. Requests during a reload share the next reload, because the running reload may have read old files. */
  request(): Promise<ReloadOutcome> {
    if (this.#waiting !== undefined) return this.#waiting;
    const reload = this.#ended.then(() => {
      this.#waiting = undefined;
      return this.#reload(this.#closing.signal);
    });
    this.#waiting = reload;
    this.#ended = reload.catch(() => {});
    return reload;
  }

  /** Reloads when a file changes. `first`: the files of the configuration that was loaded at the start. */
  watch(first: ConfigInputs): void {
    this.#timer = setTimeout(async () => {
      if (await (this.#inputs ?? first).haveChanged()) await this.request();
      if (!this.#closing.signal.aborted) this.watch(first);
    }, interval).unref();
  }

  /** Interrupts the running reload and cancels the waiting reload. Resolves when no reload is running. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#ended;
  }

  async #reload(signal: AbortSignal): Promise<ReloadOutcome> {
    try {
      signal.throwIfAborted();
      this.#inputs = new ConfigInputs();
      const config = await this.#load(signal, this.#inputs);
      signal.throwIfAborted();
      await this.#apply(config);
      this.add(undefined);
      return { kind: 'applied' };
    } catch (error) {
      if (!(error instanceof ConfigError)) {
        if (signal.aborted) return { kind: 'cancelled' };
        throw error;
      }
      const problems = error.message;
      this.add(problems);
      this.#log.error({ problems }, 'reload failed, keeping the previous configuration');
      return { kind: 'failed', problems };
    }
  }
}
