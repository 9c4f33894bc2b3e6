import type { Log } from '../log.ts';
import { type ReloadObserver, ReloadResults } from './reload-results.ts';

/** Logs the outcome of each reload of the web configuration, and keeps the newest outcome for the pages. */
export class WebReloads extends ReloadResults {
  readonly #log: Log;

  constructor(observe: ReloadObserver, log: Log) {
    super(observe);
    this.#log = log;
  }

  onReload(): void {
    this.add(undefined);
    this.#log.info({}, 'web configuration reloaded');
  }

  onFailure(problems: string): void {
    this.add(problems);
    this.#log.error({ problems }, 'reload of the web configuration failed');
  }
}
