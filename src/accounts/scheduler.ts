import type { Poller } from '../polling/poller.ts';
import { WallClockTimer } from '../runtime/wall-clock-timer.ts';
import type { Account } from './account.ts';

/** Milliseconds between the starts of two accounts, so that a fleet does not start in one burst. */
const startSpacing = 100;

/** Milliseconds between two heartbeats. */
const heartbeatInterval = 5000;

/** Milliseconds without a heartbeat after which the scheduler counts as dead. */
const deadAfter = 60_000;

/** Milliseconds by which the wall clock may deviate from the monotonic clock before it counts as changed. */
const clockTolerance = 1000;

/** Starts accounts, and the scheduled runs of their pollers. Reschedules the runs when the clock changes. */
export class Scheduler {
  readonly #starts = new Map<Account, NodeJS.Timeout>();
  readonly #timers = new Map<Poller, WallClockTimer>();
  /** Undefined before `start`: a command that never starts its accounts must be able to end. */
  #heartbeat: NodeJS.Timeout | undefined;
  /** Time of the last heartbeat, in milliseconds of the monotonic clock. */
  #lastHeartbeat = performance.now();
  /** Wall clock minus monotonic clock, in milliseconds. */
  #clockOffset = Date.now() - performance.now();

  /** Starts these accounts one after the other. From then on, runs their pollers by schedule. */
  start(accounts: readonly Account[]): void {
    this.#beat();
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatInterval);
    for (const [index, account] of accounts.entries()) {
      const start = () => {
        this.#starts.delete(account);
        for (const poller of account.pollers) this.#arm(poller);
        void account.start();
      };
      if (index === 0) start();
      else this.#starts.set(account, setTimeout(start, index * startSpacing));
    }
  }

  remove(account: Account): void {
    clearTimeout(this.#starts.get(account));
    this.#starts.delete(account);
    for (const poller of account.pollers) {
      this.#timers.get(poller)?.stop();
      this.#timers.delete(poller);
    }
  }

  /** False if the process hangs. Does not depend on the API. */
  get alive(): boolean {
    return performance.now() - this.#lastHeartbeat < deadAfter;
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    for (const start of this.#starts.values()) clearTimeout(start);
    for (const timer of this.#timers.values()) timer.stop();
  }

  #beat(): void {
    this.#lastHeartbeat = performance.now();
    this.#followClock();
  }

  #arm(poller: Poller): void {
    const next = poller.nextWakeUp;
    if (next === undefined) return;
    this.#timers.set(poller, new WallClockTimer(next, () => this.#run(poller)));
  }

  #run(poller: Poller): void {
    this.#arm(poller);
    void poller.scheduledRun();
  }

  /** After a clock change or a suspend, starts missed runs and reschedules the others. */
  #followClock(): void {
    const offset = Date.now() - performance.now();
    if (Math.abs(offset - this.#clockOffset) <= clockTolerance) return;
    this.#clockOffset = offset;
    for (const [poller, timer] of this.#timers) {
      timer.stop();
      if (timer.isDue) this.#run(poller);
      else this.#arm(poller);
    }
  }
}
