import type { Poller } from '../polling/poller.ts';
import { WallClockTimer } from '../runtime/wall-clock-timer.ts';
import type { Account } from './account.ts';

/** Milliseconds between the starts of two accounts, so that a fleet does not start in one burst. */
const startSpacing = 100;

/** Maximum milliseconds between the starts of the first and the last account. In a large fleet, the spacing is therefore shorter. */
const maxStartTime = 25_000;

/** Minimum milliseconds between two starts: fewer than 150 starts a second. */
const minStartSpacing = 7;

/** Milliseconds between two heartbeats. */
const heartbeatInterval = 5000;

/** Milliseconds without a heartbeat after which the scheduler counts as dead. */
const deadAfter = 60_000;

/** The wall clock counts as changed if it deviates from the monotonic clock by more than this number of milliseconds. */
const clockTolerance = 1000;

/** Starts accounts, and the scheduled runs of their pollers. Reschedules the runs when the clock changes. */
export class Scheduler {
  /** The accounts to start or retry, by name. A replacement takes the place of the replaced account, so that no account waits forever. */
  readonly #starts = new Map<string, { readonly account: Account; readonly isRetry: boolean }>();
  #startTimer: NodeJS.Timeout | undefined;
  #spacing = startSpacing;
  /** Earliest time of the next start, in milliseconds of the monotonic clock. */
  #nextStart = Number.NEGATIVE_INFINITY;
  readonly #timers = new Map<Poller, WallClockTimer>();
  /** Undefined before `start`, because a running timer would keep a command from exiting. */
  #heartbeat: NodeJS.Timeout | undefined;
  /** Time of the last heartbeat, in milliseconds of the monotonic clock. */
  #lastHeartbeat = performance.now();
  /** Wall clock minus monotonic clock, in milliseconds. */
  #clockOffset = Date.now() - performance.now();

  /** Starts these accounts one by one, after the accounts in the queue. Then runs their pollers by schedule. */
  start(accounts: readonly Account[]): void {
    this.#beat();
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatInterval);
    for (const account of accounts) this.#starts.set(account.name, { account, isRetry: false });
    this.#spacing = Math.max(Math.min(startSpacing, maxStartTime / this.#starts.size), minStartSpacing);
    if (this.#startTimer === undefined) this.#startNext();
  }

  /** Queues a retry of an account. The queue spaces the retries, because a changed ca_file may affect many accounts. */
  retry(account: Account): void {
    if (!this.#starts.has(account.name)) this.#starts.set(account.name, { account, isRetry: true });
    if (this.#startTimer === undefined) this.#startNext();
  }

  remove(account: Account): void {
    if (this.#starts.get(account.name)?.account === account) this.#starts.delete(account.name);
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
    clearTimeout(this.#startTimer);
    this.#starts.clear();
    for (const timer of this.#timers.values()) timer.stop();
  }

  #beat(): void {
    this.#lastHeartbeat = performance.now();
    this.#followClock();
  }

  #startNext(): void {
    const [next] = this.#starts.values();
    const wait = this.#nextStart - performance.now();
    this.#startTimer = undefined;
    if (next === undefined) return;
    if (wait <= 0) {
      const { account, isRetry } = next;
      this.#starts.delete(account.name);
      this.#nextStart = performance.now() + this.#spacing;
      if (!isRetry) for (const poller of account.pollers) this.#arm(poller);
      void (isRetry ? account.retryUnaccepted() : account.start());
    }
    this.#startTimer = setTimeout(() => this.#startNext(), Math.max(wait, 0));
  }

  #arm(poller: Poller): void {
    const next = poller.nextWakeUp;
    this.#timers.get(poller)?.stop();
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
