import type { AccountWatch } from './account-watch.ts';
import { Alarm } from './alarm.ts';
import type { Poller } from './poller.ts';

/** Milliseconds between the starts of two accounts, so that a fleet does not start in one burst. */
const startSpacing = 100;

/** Milliseconds between two beats, and without one after which the scheduler counts as dead. */
const beatInterval = 5000;
const deadAfter = 60_000;

/** Starts the turns of all pollers, each by its own schedule. */
export class Scheduler {
  readonly #starts = new Map<AccountWatch, NodeJS.Timeout>();
  readonly #jobs = new Map<Poller, Alarm>();
  readonly #beat: NodeJS.Timeout;
  /** By the clock that nobody sets. */
  #lastBeat = performance.now();

  constructor() {
    this.#beat = setInterval(() => {
      this.#lastBeat = performance.now();
    }, beatInterval);
  }

  /** Polls everything of these accounts now, and then by schedule. */
  start(watches: readonly AccountWatch[]): void {
    for (const [index, watch] of watches.entries()) {
      const start = () => {
        this.#starts.delete(watch);
        void watch.start();
      };
      if (index === 0) start();
      else this.#starts.set(watch, setTimeout(start, index * startSpacing));
      for (const poller of watch.pollers) this.#arm(poller);
    }
  }

  /** Lets go of the turns of an account. */
  forget(watch: AccountWatch): void {
    clearTimeout(this.#starts.get(watch));
    this.#starts.delete(watch);
    for (const poller of watch.pollers) {
      this.#jobs.get(poller)?.stop();
      this.#jobs.delete(poller);
    }
  }

  /** Whether turns still come: false means that the program hangs, whatever the provider does. */
  get alive(): boolean {
    return performance.now() - this.#lastBeat < deadAfter;
  }

  stop(): void {
    clearInterval(this.#beat);
    for (const start of this.#starts.values()) clearTimeout(start);
    for (const job of this.#jobs.values()) job.stop();
  }

  #arm(poller: Poller): void {
    const next = poller.nextLook();
    if (next === undefined) return;
    const job = new Alarm(next, () => {
      this.#arm(poller);
      void poller.scheduledTurn();
    });
    this.#jobs.set(poller, job);
  }
}
