import type { Account } from '../../polling/account.ts';
import type { Poller } from '../../polling/poller.ts';

/** What the pages read of an account. */
export interface ViewedAccount
  extends Pick<
    Account,
    | 'name'
    | 'labels'
    | 'up'
    | 'polled'
    | 'thresholds'
    | 'nextAttempt'
    | 'memory'
    | 'store'
    | 'settlingTime'
    | 'timeZone'
  > {
  readonly pollers: readonly ViewedPoller[];
}

export type ViewedPoller = Pick<
  Poller,
  | 'collector'
  | 'newest'
  | 'droppedSeries'
  | 'missingResults'
  | 'interval'
  | 'isPolling'
  | 'nextRun'
  | 'forbiddenMethods'
  | 'recentPolls'
>;
