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
  /** Resolves when the running reload has ended. */
  #running: Promise<void> | undefined;
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
    if (this.#running === undefined) return this.#start();
    this.#waiting = this.#running.then(() => this.#start());
    return this.#waiting;
  }

  /** Reloads when a file changes. `first`: the files of the configuration that was loaded at the start. */
  watch(first: ConfigInputs, delay = interval): void {
    this.#timer = setTimeout(async () => {
      const start = performance.now();
      const haveChanged = await (this.#inputs ?? first).haveChanged();
      // Checking tens of thousands of files must not keep the processor busy.
      const nextDelay = Math.max(interval, 30 * (performance.now() - start));
      if (haveChanged) await this.request();
      if (!this.#closing.signal.aborted) this.watch(first, nextDelay);
    }, delay).unref();
  }

  /** Interrupts the running reload and cancels the waiting reload. Resolves when no reload is running. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#running;
    await this.#waiting;
  }

  #start(): Promise<ReloadOutcome> {
    const reload = this.#reload(this.#closing.signal);
    const end = () => {
      this.#running = undefined;
    };
    this.#waiting = undefined;
    this.#running = reload.then(end, end);
    return reload;
  }

  async #reload(signal: AbortSignal): Promise<ReloadOutcome> {
    try {
      signal.throwIfAborted();
      const inputs = new ConfigInputs();
      const config = await this.#load(signal, inputs).finally(() => {
        this.#inputs = inputs;
      });
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
