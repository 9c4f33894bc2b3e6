import PQueue from 'p-queue';
import { ConfigInputs } from '../config/file/load.ts';
import type { Config } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import type { Log } from '../log.ts';
import { reloadOnChange } from './auto-reload.ts';

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

/** Reloads the configuration, logs a failure and keeps the newest outcome for the pages. Runs one reload at a time. */
export class Reloader extends ReloadResults {
  readonly #load: LoadConfig;
  readonly #apply: (config: Config) => Promise<void>;
  readonly #log: Log;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #closing = new AbortController();
  #newest: Promise<ReloadOutcome> | undefined;
  /** The files of the newest attempt to load the configuration. */
  #inputs: ConfigInputs | undefined;
  #stopWatching = () => {};

  constructor(load: LoadConfig, apply: (config: Config) => Promise<void>, observe: ReloadObserver, log: Log) {
    super(observe);
    this.#load = load;
    this.#apply = apply;
    this.#log = log;
  }

  /** Requests a reload. Requests during a reload share the next reload, because the running reload may have read old files. */
  request(): Promise<ReloadOutcome> {
    const pending = this.#queue.size > 0 ? this.#newest : undefined;
    this.#newest = pending ?? this.#queue.add(() => this.#reload(this.#closing.signal));
    return this.#newest;
  }

  /** Reloads when the content of a file changes. `first`: the files of the configuration that was loaded at the start. */
  async watch(first: ConfigInputs): Promise<void> {
    const inputs = () => this.#inputs ?? first;
    this.#stopWatching = await reloadOnChange(inputs, () => this.request());
  }

  /** Interrupts the running reload and cancels the waiting reload. Resolves when no reload is running. */
  async close(): Promise<void> {
    this.#stopWatching();
    this.#closing.abort();
    await this.#queue.onIdle();
  }

  async #reload(signal: AbortSignal): Promise<ReloadOutcome> {
    try {
      signal.throwIfAborted();
      const inputs = new ConfigInputs();
      this.#inputs = inputs;
      const config = await this.#load(signal, inputs);
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
