import type { Account } from '../../accounts/account.ts';
import type { Poller } from '../../polling/poller.ts';

export interface ViewedAccount
  extends Pick<
    Account,
    | 'name'
    | 'labels'
    | 'up'
    | 'polled'
    | 'store'
    | 'thresholds'
    | 'settlingTime'
    | 'timeZone'
    | 'nextAttempt'
    | 'memory'
  > {
  readonly pollers: readonly ViewedPoller[];
}

export type ViewedPoller = Pick<
  Poller,
  | 'collector'
  | 'newest'
  | 'maxSeries'
  | 'droppedSeries'
  | 'missingResults'
  | 'interval'
  | 'isPolling'
  | 'nextRun'
  | 'forbiddenMethods'
  | 'recentPolls'
>;
