import type { Log } from '../log.ts';
import { ConfigInputs } from './file/load.ts';
import type { Config } from './values/config.ts';
import { ConfigError } from './values/config-error.ts';

/** Loads the configuration, and adds its files to `inputs`. Rejects with ConfigError if the configuration is invalid. */
export type LoadConfig = (inputs: ConfigInputs) => Promise<Config>;

/** ConfigError: the reload failed, so the previous configuration applies. `cancelled`: the program stopped before the reload ended. */
export type ReloadOutcome = 'applied' | 'cancelled' | ConfigError;

/** `problems`: why the reload failed, one problem per line; undefined if it succeeded. */
export interface ReloadResult {
  /** End of the reload in Unix milliseconds. */
  readonly time: number;
  readonly problems: string | undefined;
}

const interval = 3000;

/** Reloads the configuration, one reload at a time. Logs each failed reload. Keeps the result of the newest reload in `last`. */
export class Reloader {
  last: ReloadResult | undefined;
  readonly #loadAndApply: (inputs: ConfigInputs) => Promise<void>;
  readonly #observe: (result: ReloadResult) => void;
  readonly #log: Log;
  #isClosing = false;
  #ended: Promise<unknown> = Promise.resolve();
  #waiting: Promise<ReloadOutcome> | undefined;
  /** The files of the newest attempt to load the configuration. */
  #inputs: ConfigInputs | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    loadAndApply: (inputs: ConfigInputs) => Promise<void>,
    observe: (result: ReloadResult) => void,
    log: Log,
  ) {
    this.#loadAndApply = loadAndApply;
    this.#observe = observe;
    this.#log = log;
  }

  /** Requests a reload. While a reload runs, all callers share the next reload, because the running one may have read old files. */
  request(): Promise<ReloadOutcome> {
    if (this.#waiting !== undefined) return this.#waiting;
    const reload = this.#ended.then(() => {
      this.#waiting = undefined;
      return this.#reload();
    });
    this.#waiting = reload;
    this.#ended = reload.catch(() => {});
    return reload;
  }

  /** Reloads when a file changes. `first`: the files of the configuration that was loaded at the start. */
  watch(first: ConfigInputs): void {
    this.#timer = setTimeout(async () => {
      if ((this.#inputs ?? first).haveChanged()) await this.request();
      if (!this.#isClosing) this.watch(first);
    }, interval).unref();
  }

  /** Cancels the running and the waiting reload. Resolves when no reload is running. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosing = true;
    await this.#ended;
  }

  async #reload(): Promise<ReloadOutcome> {
    if (this.#isClosing) return 'cancelled';
    try {
      this.#inputs = new ConfigInputs();
      await this.#loadAndApply(this.#inputs);
      if (this.#isClosing) return 'cancelled';
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      this.#end(error.message);
      this.#log.error({ problems: error.message }, 'reload failed, keeping the previous configuration');
      return error;
    }
    this.#end(undefined);
    return 'applied';
  }

  #end(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(this.last);
  }
}
