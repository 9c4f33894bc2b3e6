import { Cron } from 'croner';
import type { Clock } from '../store/clock.ts';
import type { Account } from './account.ts';

/** Milliseconds without a tick after which the scheduler counts as dead. */
const deadAfter = 60_000;

/** Minimum number of accounts that one tick starts. A large fleet starts within 25 seconds. */
const minStarts = 10;
const maxStartSeconds = 25;

/** The exporter's only clock: each second, starts the polls that are due, and does what else is due. */
export class Ticker {
  readonly #clock: Clock;
  readonly #accounts: () => readonly Account[];
  readonly #onTick: () => void;
  #job: Cron | undefined;
  /** In milliseconds of the monotonic clock. */
  #lastTick = performance.now();

  constructor(clock: Clock, accounts: () => readonly Account[], onTick: () => void = () => {}) {
    this.#clock = clock;
    this.#accounts = accounts;
    this.#onTick = onTick;
  }

  start(): void {
    this.#job ??= new Cron('* * * * * *', () => this.tick());
    this.tick();
  }

  stop(): void {
    this.#job?.stop();
  }

  /** False if the process hangs. Does not depend on the API. */
  get alive(): boolean {
    return performance.now() - this.#lastTick < deadAfter;
  }

  /** Starts the accounts that have been due for the longest time. Spacing avoids bursts after a start, a suspend and an outage. */
  tick(): void {
    this.#lastTick = performance.now();
    const accounts = this.#accounts();
    if (this.#clock.wasSetBack()) for (const account of accounts) account.clockWasSetBack();
    const { now } = this.#clock;
    const due = accounts.map((account) => ({ account, dueAt: account.dueAt })).filter(({ dueAt }) => dueAt <= now);
    const starts = Math.max(minStarts, Math.ceil(accounts.length / maxStartSeconds));
    for (const { account } of due.sort((a, b) => a.dueAt - b.dueAt).slice(0, starts)) account.pollDue();
    this.#onTick();
  }
}
