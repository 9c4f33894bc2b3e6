import type { Account } from './account.ts';
import type { Poller } from './poller.ts';
import { WallClockTimer } from './wall-clock-timer.ts';

/** Milliseconds between the starts of two accounts, so that a fleet does not start in one burst. */
const startSpacing = 100;

/** Milliseconds between two heartbeats, and without a heartbeat until the scheduler counts as stopped. */
const heartbeatInterval = 5000;
const deadAfter = 60_000;

/** Starts the runs of all pollers by their schedules. */
export class Scheduler {
  readonly #starts = new Map<Account, NodeJS.Timeout>();
  readonly #timers = new Map<Poller, WallClockTimer>();
  readonly #heartbeat: NodeJS.Timeout;
  /** Monotonic clock. */
  #lastHeartbeat = performance.now();

  constructor() {
    this.#heartbeat = setInterval(() => {
      this.#lastHeartbeat = performance.now();
    }, heartbeatInterval);
  }

  /** Polls everything of these accounts now, and from then on by schedule. */
  start(accounts: readonly Account[]): void {
    for (const [index, account] of accounts.entries()) {
      const start = () => {
        this.#starts.delete(account);
        void account.start();
      };
      if (index === 0) start();
      else this.#starts.set(account, setTimeout(start, index * startSpacing));
      for (const poller of account.pollers) this.#arm(poller);
    }
  }

  /** Cancels the runs of an account. */
  remove(account: Account): void {
    clearTimeout(this.#starts.get(account));
    this.#starts.delete(account);
    for (const poller of account.pollers) {
      this.#timers.get(poller)?.stop();
      this.#timers.delete(poller);
    }
  }

  /** Whether runs are still started. False means that the process hangs; it does not depend on the API. */
  get alive(): boolean {
    return performance.now() - this.#lastHeartbeat < deadAfter;
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    for (const start of this.#starts.values()) clearTimeout(start);
    for (const timer of this.#timers.values()) timer.stop();
  }

  #arm(poller: Poller): void {
    const next = poller.nextWakeUp();
    if (next === undefined) return;
    const timer = new WallClockTimer(next, () => {
      this.#arm(poller);
      void poller.scheduledRun();
    });
    this.#timers.set(poller, timer);
  }
}
