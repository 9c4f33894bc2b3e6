import { ConfigInputs } from '../config/file/load.ts';
import type { Config } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import type { Log } from '../log.ts';
import { AutoReload } from './auto-reload.ts';
import { type ReloadOutcome, ReloadQueue } from './queue.ts';

/** Loads the configuration, and adds its files to `inputs`. Rejects with a ConfigError, or with the signal's reason. */
export type LoadConfig = (signal: AbortSignal, inputs: ConfigInputs) => Promise<Config>;

/** `time`: Unix milliseconds. */
export type ReloadObserver = (successful: boolean, time: number) => void;

/** The outcome of the newest reload, as the pages show it. */
export interface ReloadResult {
  /** Unix milliseconds. */
  readonly time: number;
  /** Why the reload failed; undefined if it succeeded. */
  readonly problems: string | undefined;
}

/** Reloads the configuration, logs a failure and keeps the newest outcome for the pages. */
export class Reloader {
  /** Undefined before the first reload. */
  last: ReloadResult | undefined;
  readonly #apply: (config: Config) => void;
  readonly #observe: ReloadObserver;
  readonly #log: Log;
  readonly #queue: ReloadQueue;
  /** The files of the newest attempt to load the configuration. */
  #inputs = new ConfigInputs();
  #auto: AutoReload | undefined;

  constructor(load: LoadConfig, apply: (config: Config) => void, observe: ReloadObserver, log: Log) {
    this.#apply = apply;
    this.#observe = observe;
    this.#log = log;
    this.#queue = new ReloadQueue((signal) => this.#reload(load, signal));
  }

  /** Requests a reload. Requests during a reload share the next one. At its end, the log and the metrics contain the outcome. */
  request(): Promise<ReloadOutcome> {
    return this.#queue.request();
  }

  /** Reloads when the content of a file changes. `inputs`: the files of the configuration in use. */
  async watch(inputs: ConfigInputs): Promise<void> {
    this.#inputs = inputs;
    this.#auto = new AutoReload(
      () => this.#inputs,
      () => this.request(),
    );
    await this.#auto.start();
  }

  async close(): Promise<void> {
    this.#auto?.stop();
    await this.#queue.close();
  }

  async #reload(load: LoadConfig, signal: AbortSignal): Promise<ReloadOutcome> {
    try {
      this.#inputs = new ConfigInputs();
      const config = await load(signal, this.#inputs);
      signal.throwIfAborted();
      this.#apply(config);
      this.#finish(undefined);
      return { kind: 'applied' };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const problems = error.message;
      this.#finish(problems);
      this.#log.error({ problems }, 'reload failed, keeping the previous configuration');
      return { kind: 'failed', problems };
    }
  }

  #finish(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(problems === undefined, this.last.time);
  }
}
