import type { Reason } from '../../api/error.ts';
import { levelOf } from './severity.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

/** All states, from the most to the least urgent. */
export const states = ['critical', 'warning', 'failing', 'waiting', 'ok'] as const;

/** The state of an account. `failing`: polls fail. `waiting`: no poll has ended yet. The other states are levels of alerts. */
export type AccountState = (typeof states)[number];

/** A problem without its urgency. `ratio` is the usage divided by the limit. */
export type ProblemDetails =
  | { readonly kind: 'disk' | 'plan load'; readonly ratio: number }
  | { readonly kind: 'suspension'; readonly days: number }
  | { readonly kind: 'domain'; readonly domain: string; readonly days: number }
  | { readonly kind: 'old backup'; readonly backups: string; readonly days: number }
  | { readonly kind: 'no backup'; readonly backups: string }
  | { readonly kind: 'unreachable'; readonly reason: Reason | 'bug' }
  | { readonly kind: 'failing polls' | 'stale' | 'dropped series'; readonly collectors: readonly string[] };

export type AccountProblem = { readonly state: 'critical' | 'warning' | 'failing' } & ProblemDetails;

/** Finds problems of polls. Ignores missing permissions, which are often intended, for all collectors except `account`. */
export function pollProblems({ up, pollers, thresholds }: ViewedAccount, now: number): readonly AccountProblem[] {
  const problems: AccountProblem[] = [];
  const failing = pollers.filter(({ newest, collector }) => {
    const reason = newest?.failures[0]?.reason;
    return reason !== undefined && (reason !== 'permission' || collector.name === 'account');
  });
  const decisive = failing.find(({ collector }) => collector.name === 'account') ?? failing[0];
  const reason = decisive?.newest?.failures[0]?.reason;
  if (reason !== undefined && up === false) {
    problems.push({ kind: 'unreachable', state: 'failing', reason });
  } else if (reason !== undefined) {
    problems.push({ kind: 'failing polls', state: 'failing', collectors: namesOf(failing) });
  }
  const stale = failing.filter(({ newest, interval }) => {
    const { lastSuccess } = newest ?? {};
    return (
      lastSuccess !== undefined && levelOf('HostingPollFailing', (now - lastSuccess) / interval, thresholds) !== 'ok'
    );
  });
  if (stale.length > 0) problems.push({ kind: 'stale', state: 'warning', collectors: namesOf(stale) });
  const dropping = pollers.filter(({ droppedSeries }) => droppedSeries > 0);
  if (dropping.length > 0) problems.push({ kind: 'dropped series', state: 'warning', collectors: namesOf(dropping) });
  return problems;
}

function namesOf(pollers: readonly ViewedPoller[]): readonly string[] {
  return pollers.map(({ collector }) => collector.name);
}

export function stateOf(problems: readonly AccountProblem[], polled: boolean): AccountState {
  return states.find((state) => problems.some((problem) => problem.state === state)) ?? (polled ? 'ok' : 'waiting');
}
