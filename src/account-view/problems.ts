import type { Reason } from '../api/error.ts';
import { levelOf } from './severity.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

/** From the most to the least urgent. */
export const states = ['critical', 'warning', 'failing', 'waiting', 'ok'] as const;

/** `failing`: polls fail. `waiting`: no poll has ended yet. */
export type State = (typeof states)[number];

/** Something about an account that needs attention. Ratios are shares of a limit. */
export type Problem = { readonly state: 'critical' | 'warning' | 'failing' } & (
  | { readonly kind: 'disk' | 'plan load'; readonly ratio: number }
  | { readonly kind: 'suspension'; readonly days: number }
  | { readonly kind: 'domain'; readonly domain: string; readonly days: number }
  | { readonly kind: 'old backup'; readonly backups: string; readonly days: number }
  | { readonly kind: 'no backup'; readonly backups: string }
  | { readonly kind: 'unreachable'; readonly reason: Reason | 'bug' }
  | { readonly kind: 'failing polls' | 'stale' | 'dropped series'; readonly collectors: readonly string[] }
);

/** What is wrong with the polls of an account. Missing permissions are often intended, except that for `account`. */
export function pollProblems(account: ViewedAccount, now: number): readonly Problem[] {
  const dropping = account.pollers.filter(({ droppedSeries }) => droppedSeries > 0);
  const collectors = dropping.map(({ collector }) => collector.name);
  const dropped: readonly Problem[] =
    collectors.length === 0 ? [] : [{ kind: 'dropped series', state: 'warning', collectors }];
  return [...failureProblems(account, now), ...dropped];
}

function failureProblems({ up, pollers, thresholds }: ViewedAccount, now: number): readonly Problem[] {
  const failing = pollers.flatMap((poller) => {
    const { newest, collector } = poller;
    const reason = newest?.decisive?.reason;
    if (newest === undefined || reason === undefined) return [];
    if (reason === 'permission' && collector.name !== 'account') return [];
    return [{ poller, reason, name: collector.name, lastSuccess: newest.lastSuccess }];
  });
  const [first] = failing;
  if (first === undefined) return [];
  const stale = failing
    .filter(({ poller, lastSuccess }) => isStale(poller, lastSuccess, now, thresholds))
    .map(({ name }) => name);
  const decisive = failing.find(({ name }) => name === 'account') ?? first;
  return [
    up === false
      ? { kind: 'unreachable', state: 'failing', reason: decisive.reason }
      : { kind: 'failing polls', state: 'failing', collectors: failing.map(({ name }) => name) },
    ...(stale.length === 0 ? [] : [{ kind: 'stale', state: 'warning', collectors: stale } as const]),
  ];
}

function isStale(
  { interval }: ViewedPoller,
  lastSuccess: number | undefined,
  now: number,
  thresholds: ViewedAccount['thresholds'],
): boolean {
  return (
    lastSuccess !== undefined && levelOf('HostingPollFailing', (now - lastSuccess) / interval, thresholds) !== 'ok'
  );
}

/** The state of an account with these problems. */
export function stateOf(problems: readonly Problem[], polled: boolean): State {
  return states.find((state) => problems.some((problem) => problem.state === state)) ?? (polled ? 'ok' : 'waiting');
}
