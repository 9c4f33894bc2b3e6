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
  /** Milliseconds. */
  readonly maxAge: number;
  readonly maxSeries: number;
}

/** One poll under way. It is the one place where failures are caught. */
export class Poll {
  readonly api: Api;
  readonly failures: PollFailure[] = [];
  readonly #account: PolledAccount;
  readonly #collector: Collector;
  readonly #limits: PollLimits;
  readonly #abandon = new AbortController();
  #failuresInARow = 0;

  constructor(account: PolledAccount, collector: Collector, limits: PollLimits) {
    this.#account = account;
    this.#collector = collector;
    this.#limits = limits;
    this.api = account.client.forPoll({
      priority: collector.priority,
      signal: AbortSignal.any([account.signal, this.#abandon.signal]),
      onFlaw: (error) => this.#fail(error),
    });
  }

  /** Runs a part of the poll; false where it failed. */
  async attempt(part: () => Promise<void>): Promise<boolean> {
    try {
      await part();
      this.#failuresInARow = 0;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Shows one result from now on, and gives the number of series that the cap did not let through. */
  async publish(item: string, families: readonly Family[]): Promise<number> {
    const { store, log, name: account } = this.#account;
    const { name: collector } = this.#collector;
    const capped = capSeries(families, this.#limits.maxSeries);
    const series = await store.publish(collector, item, capped.families, Date.now() + this.#limits.maxAge);
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
    this.failures.push({ reason, message, accepted });
    this.#failuresInARow = isOfTheItem(reason) ? 0 : this.#failuresInARow + 1;
    if (isOfTheAccount(reason) || this.#failuresInARow === hopeless) this.#abandon.abort();
  }
}

/** Reasons that hold for every other item as well. */
function isOfTheAccount(reason: Reason): boolean {
  return reason === 'auth' || reason === 'permission';
}

/** Reasons that say nothing about the next item. */
function isOfTheItem(reason: Reason): boolean {
  return reason === 'payload' || reason === 'request' || reason === 'method' || reason === 'api';
}

function countSamples(families: readonly Family[]): number {
  return families.reduce((sum, { samples }) => sum + samples.length, 0);
}
