import { ConfigInputs } from '../config/file/load.ts';
import type { Config } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import type { Log } from '../log.ts';
import { AutoReload } from './auto-reload.ts';
import { type ReloadOutcome, ReloadQueue } from './queue.ts';
import { type ReloadObserver, type ReloadResult, ReloadResults } from './reload-results.ts';

/** Loads the configuration, and adds its files to `inputs`. Rejects with a ConfigError, or with the signal's reason. */
export type LoadConfig = (signal: AbortSignal, inputs: ConfigInputs) => Promise<Config>;

/** Reloads the configuration, logs a failure and keeps the newest outcome for the pages. */
export class Reloader {
  readonly #apply: (config: Config) => void;
  readonly #results: ReloadResults;
  readonly #log: Log;
  readonly #queue: ReloadQueue;
  /** The files of the newest attempt to load the configuration. */
  #inputs: ConfigInputs | undefined;
  #auto: AutoReload | undefined;

  constructor(load: LoadConfig, apply: (config: Config) => void, observe: ReloadObserver, log: Log) {
    this.#apply = apply;
    this.#results = new ReloadResults(observe);
    this.#log = log;
    this.#queue = new ReloadQueue((signal) => this.#reload(load, signal));
  }

  /** The newest outcome; undefined before the first reload. */
  get last(): ReloadResult | undefined {
    return this.#results.last;
  }

  /** Requests a reload. Requests during a reload share the next reload. At the end, the log and the metrics contain the outcome. */
  request(): Promise<ReloadOutcome> {
    return this.#queue.request();
  }

  /** Reloads when the content of a file changes. `first`: the files of the configuration that was loaded at the start. */
  async watch(first: ConfigInputs): Promise<void> {
    this.#auto = new AutoReload(
      () => this.#inputs ?? first,
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
      const inputs = new ConfigInputs();
      this.#inputs = inputs;
      const config = await load(signal, inputs);
      signal.throwIfAborted();
      this.#apply(config);
      this.#results.add(undefined);
      return { kind: 'applied' };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const problems = error.message;
      this.#results.add(problems);
      this.#log.error({ problems }, 'reload failed, keeping the previous configuration');
      return { kind: 'failed', problems };
    }
  }
}
