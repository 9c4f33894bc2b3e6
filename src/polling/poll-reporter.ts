import type { FinishedPoll } from '../store/result.ts';
import type { Account } from './account.ts';
import type { FailureLog } from './failure-log.ts';
import type { Poller } from './poller.ts';
import { timeZoneDoubt } from './time-zone-doubt.ts';

/** Writes to the log what people should know about the finished polls of an account. */
export class PollReporter {
  readonly #account: Account;
  readonly #failureLog: FailureLog;
  #stretchIsReported = false;
  #timeZoneIsReported = false;

  constructor(account: Account, failureLog: FailureLog) {
    this.#account = account;
    this.#failureLog = failureLog;
  }

  pollEnded(poller: Poller, newest: FinishedPoll, previous: FinishedPoll | undefined): void {
    const { name: account, log, trial } = this.#account;
    const { droppedSeries, failures } = newest;
    const fields = { account, collector: poller.collector.name, seconds: Number(newest.seconds.toFixed(3)) };
    if (droppedSeries > 0 && (previous?.droppedSeries ?? 0) === 0) {
      const limit = { dropped: droppedSeries, max_series: poller.seriesLimit };
      log.warn({ ...fields, ...limit }, 'series limit reached, dropping the least important series');
    }
    const [decisive] = failures;
    // The poll is logged at level debug if the failure log writes no line for it.
    if (decisive === undefined) {
      if (!this.#failureLog.succeeded(poller)) log.debug(fields, 'poll succeeded');
    } else if (!this.#failureLog.failed(poller, decisive)) {
      const { reason, message: error } = decisive;
      log.debug({ ...fields, reason, failures: failures.length, error }, 'poll failed again');
    }
    if (trial !== undefined) return;
    if (poller.collector.stretches) this.#reportTimeZone();
    this.#reportStretch();
  }

  #reportStretch(): void {
    const { stretch, name: account, load, log } = this.#account;
    const { callsPerMinute, budget } = load;
    const isTooMuch = stretch > 1 || callsPerMinute > budget;
    if (isTooMuch && !this.#stretchIsReported) {
      const fields = { account, calls_per_minute: callsPerMinute, budget, factor: Number(stretch.toFixed(2)) };
      const message = 'the schedules require more calls than the budget allows';
      log.warn(fields, stretch > 1 ? `${message}, stretching intervals` : message);
    }
    this.#stretchIsReported = isTooMuch;
  }

  #reportTimeZone(): void {
    const { name: account, timeZone, store, log } = this.#account;
    const doubt = this.#timeZoneIsReported ? undefined : timeZoneDoubt(store, timeZone);
    if (doubt === undefined) return;
    this.#timeZoneIsReported = true;
    const fields = { account, time_zone: timeZone, ...doubt };
    log.warn(fields, "the newest load and the provider's clock differ by hours, check time_zone");
  }
}
