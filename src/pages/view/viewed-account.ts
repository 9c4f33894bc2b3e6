import type { Account } from '../../accounts/account.ts';
import type { Poller } from '../../polling/poller.ts';
import type { FigureAccount } from '../../results/figures.ts';

export interface ViewedAccount
  extends FigureAccount,
    Pick<Account, 'labels' | 'up' | 'polled' | 'thresholds' | 'nextAttempt' | 'memory'> {
  readonly store: Account['store'];
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
