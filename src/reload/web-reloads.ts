import type { Log } from '../log.ts';
import type { ReloadObserver, ReloadResult } from './reloader.ts';

/** Logs the outcome of each reload of the web configuration, and keeps the newest outcome for the pages. */
export class WebReloads {
  last: ReloadResult | undefined;
  readonly #observe: ReloadObserver;
  readonly #log: Log;

  constructor(observe: ReloadObserver, log: Log) {
    this.#observe = observe;
    this.#log = log;
  }

  onReload(): void {
    this.#finish(undefined);
    this.#log.info({}, 'web configuration reloaded');
  }

  onFailure(problems: string): void {
    this.#finish(problems);
    this.#log.error({ problems }, 'reload of the web configuration failed');
  }

  #finish(problems: string | undefined): void {
    this.last = { time: Date.now(), problems };
    this.#observe(problems === undefined, this.last.time);
  }
}
