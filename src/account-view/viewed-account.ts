import type { AlertThreshold } from '../exposition/account-metrics.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { PollFailure } from '../polling/failure-tracker.ts';
import type { RecentPoll } from '../polling/poll-history.ts';
import type { CollectorStatus } from '../polling/poller.ts';

/** What a view reads of an account. Nothing is computed before someone asks. */
export interface ViewedAccount {
  readonly name: string;
  /** Whether the API answered the newest poll and accepted the credentials; undefined if only an earlier process knows. */
  readonly up: boolean | undefined;
  /** Whether at least one poll has ended, or there is none to wait for. */
  readonly polled: boolean;
  readonly store: AccountStore;
  /** Alert thresholds that the configuration overrides. */
  readonly thresholds: readonly AlertThreshold[];
  readonly pollers: readonly ViewedPoller[];
}

/** What a view reads of a poller. Times in Unix milliseconds. */
export interface ViewedPoller {
  readonly collector: { readonly name: string; readonly help: string };
  /** Undefined before the end of the first poll. */
  readonly newest: { readonly decisive: PollFailure | undefined; readonly lastSuccess: number | undefined } | undefined;
  /** Series that max_series leaves out. */
  readonly droppedSeries: number;
  /** Milliseconds between two runs. */
  readonly interval: number;
  status(): CollectorStatus;
  recentPolls(): readonly RecentPoll[];
}
