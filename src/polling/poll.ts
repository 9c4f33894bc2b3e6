import type { Api } from '../api/api.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError, type Reason } from '../api/error.ts';
import type { Collector } from '../collectors/collector.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Family } from '../exposition/family.ts';
import type { Log } from '../log.ts';
import type { Scalars } from '../payloads/scalars.ts';
import { capSeries } from './cap.ts';

/** Failures in a row after which the API counts as gone, and the items that are left are not asked for. */
const hopeless = 3;

/** The account that polls are for. */
export interface PolledAccount {
  readonly name: string;
  readonly client: ApiClient;
  readonly scalars: Scalars;
  readonly store: AccountStore;
  readonly log: Log;
  /** Aborts when the account is watched no more. */
  readonly signal: AbortSignal;
}

/** Why a poll, or one item of it, failed. */
export interface PollFailure {
  /** `bug` where it was not the API that failed. */
  readonly reason: Reason | 'bug';
  readonly message: string;
  /** Whether the API answered all the same, and accepted the credentials. */
  readonly accepted: boolean;
}

/** How long and how much a poll may show. */
export interface PollLimits {
  /** Milliseconds; asked for with each result, since a longer list may have stretched the interval meanwhile. */
  readonly maxAge: () => number;
  readonly maxSeries: number;
}

/** One part of a poll: all of a list's, or one item of a fan-out. */
export interface Attempt {
  readonly api: Api;
  /** False once an answer held elements that could not be read: what is counted from the others would be too low. */
  readonly complete: boolean;
}

/** One poll under way. It is the one place where failures are caught. */
export class Poll {
  readonly failures: PollFailure[] = [];
  readonly #account: PolledAccount;
  readonly #collector: Collector;
  readonly #limits: PollLimits;
  readonly #abandon = new AbortController();
  readonly #signal: AbortSignal;
  #failuresInARow = 0;
  #decisive: PollFailure | undefined;

  constructor(account: PolledAccount, collector: Collector, limits: PollLimits) {
    this.#account = account;
    this.#collector = collector;
    this.#limits = limits;
    this.#signal = AbortSignal.any([account.signal, this.#abandon.signal]);
  }

  /** The failure that says what comes next; undefined where there is none. */
  get failure(): PollFailure | undefined {
    return this.#decisive ?? this.failures.find(({ reason }) => reason !== 'permission') ?? this.failures[0];
  }

  /**
   * Runs a part of the poll; false where it failed, or brought less than it should. It is given up, which is no failure,
   * once `unwanted` aborts.
   */
  async attempt(part: (attempt: Attempt) => Promise<void>, unwanted?: AbortSignal): Promise<boolean> {
    let hasIssues = false;
    let complete = true;
    const api = this.#account.client.forPoll({
      priority: this.#collector.priority,
      signal: unwanted === undefined ? this.#signal : AbortSignal.any([this.#signal, unwanted]),
      onIssue: (error, droppedElements) => {
        hasIssues = true;
        if (droppedElements > 0) complete = false;
        this.#fail(error);
      },
    });
    const attempt: Attempt = {
      api,
      get complete() {
        return complete;
      },
    };
    try {
      await part(attempt);
      if (!hasIssues) this.#failuresInARow = 0;
      return !hasIssues;
    } catch (error) {
      if (unwanted?.aborted !== true) this.#fail(error);
      return false;
    }
  }

  /** Shows one result from now on, and gives the number of series that the cap did not let through. */
  publish(item: string, families: readonly Family[]): number {
    const { store, log, name: account } = this.#account;
    const { name: collector } = this.#collector;
    const capped = capSeries(families, this.#limits.maxSeries);
    const series = store.publish(collector, item, capped.families, Date.now() + this.#limits.maxAge());
    const duplicates = countSamples(capped.families) - series;
    if (duplicates > 0) log.debug({ account, collector, duplicates }, 'named twice in one answer; the last one counts');
    return capped.dropped;
  }

  #fail(error: unknown): void {
    if (this.#account.signal.aborted || this.#abandon.signal.aborted) return;
    if (!(error instanceof ApiError)) {
      this.failures.push({ reason: 'bug', message: String(error), accepted: false });
      const { name: account, log } = this.#account;
      const stack = error instanceof Error ? error.stack : String(error);
      log.error({ account, collector: this.#collector.name, stack }, 'a defect of the exporter; please report it');
      return;
    }
    const { reason, message, accepted } = error;
    const failure: PollFailure = { reason, message, accepted };
    this.failures.push(failure);
    this.#failuresInARow = isOfTheItem(reason) ? 0 : this.#failuresInARow + 1;
    const ofAllItems = this.#isOfAllItems(reason);
    if (ofAllItems) this.#decisive = failure;
    if (ofAllItems || this.#failuresInARow === hopeless) this.#abandon.abort();
  }

  /** Whether every other item would fail for the same reason. A permission may be one of a single method. */
  #isOfAllItems(reason: Reason): boolean {
    return reason === 'auth' || (reason === 'permission' && this.#collector.methods.length === 1);
  }
}

/** Reasons that say nothing about the next item. */
function isOfTheItem(reason: Reason): boolean {
  return reason === 'payload' || reason === 'request' || reason === 'method' || reason === 'api';
}

function countSamples(families: readonly Family[]): number {
  return families.reduce((sum, { samples }) => sum + samples.length, 0);
}
