import type { PollFailure } from '../../results/finished-poll.ts';
import type { AlertName } from '../../rules/thresholds.ts';
import { levelOf } from './severity.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

/** All states, from the most to the least urgent. */
export const states = ['critical', 'warning', 'failing', 'partly', 'waiting', 'ok'] as const;

/** `failing`: the API does not answer, or the collector `account` fails. docs/pages.md describes the states. */
export type AccountState = (typeof states)[number];

export type Cause = Pick<PollFailure, 'reason' | 'status'>;

/** A problem without its urgency. `ratio` is the usage divided by the limit. `time` is in Unix milliseconds. */
export type ProblemDetails =
  | { readonly kind: 'disk' | 'plan load'; readonly ratio: number }
  | { readonly kind: 'suspension' | 'disk filling'; readonly time: number }
  | { readonly kind: 'domain'; readonly domain: string; readonly time: number; readonly alert?: AlertName | undefined }
  | { readonly kind: 'old backup'; readonly backups: string; readonly days: number }
  | { readonly kind: 'no backup'; readonly backups: string }
  | { readonly kind: 'unreachable'; readonly cause: Cause }
  | {
      readonly kind: 'failing polls';
      readonly cause: Cause;
      readonly collectors: readonly string[];
      /** The oldest of the newest successes, in Unix milliseconds, if it is too long ago. */
      readonly since: number | undefined;
    }
  | {
      readonly kind: 'not permitted' | 'no figures' | 'not polled' | 'dropped series';
      readonly collectors: readonly string[];
    }
  | { readonly kind: 'unknown disk' };

export type AccountProblem = { readonly state: Exclude<AccountState, 'ok'> } & ProblemDetails;

const day = 86_400_000;

/** For problems without a date, the number of days that orders them among the others; 30 if it is not here. */
const daysUntil: Partial<Record<AccountProblem['kind'], number>> = {
  disk: 7,
  'old backup': 7,
  'no backup': 7,
  unreachable: 0,
};

/** When a problem hurts, in Unix milliseconds. */
export function dueOf(problem: AccountProblem, now: number): number {
  if ('time' in problem) return problem.time;
  const isFull = problem.kind === 'disk' && problem.state === 'critical';
  return now + (isFull ? 0 : (daysUntil[problem.kind] ?? 30)) * day;
}

/** For each kind of problem, the alert about it. */
const alerts: Partial<Record<AccountProblem['kind'], AlertName>> = {
  disk: 'HostingDiskAlmostFull',
  'disk filling': 'HostingDiskFillingUp',
  'plan load': 'HostingPlanLoadHigh',
  suspension: 'HostingAccountBlockedSoon',
  'old backup': 'HostingBackupTooOld',
  'no backup': 'HostingBackupMissing',
  unreachable: 'HostingAccountUnreachable',
  'failing polls': 'HostingPollFailing',
  'no figures': 'HostingPollFailing',
  'not permitted': 'HostingPermissionMissing',
  'dropped series': 'HostingSeriesDropped',
};

/** The alert whose runbook says what to do. */
export function alertOf(problem: AccountProblem): AlertName | undefined {
  if (problem.kind === 'unreachable' && problem.cause.reason === 'auth') return 'HostingCredentialsRejected';
  return problem.kind === 'domain' ? problem.alert : alerts[problem.kind];
}

/** What is known of the figures of one collector. */
export type Knowledge = 'known' | 'waiting' | 'missing' | 'not permitted' | 'failing';

export function knowledgeOf({ newest, missingResults, isPolling }: ViewedPoller): Knowledge {
  const reason = newest?.failures[0]?.reason;
  if (reason !== undefined) return reason === 'permission' ? 'not permitted' : 'failing';
  if (newest?.succeeded !== true) return 'waiting';
  if (missingResults === 0) return 'known';
  return isPolling ? 'waiting' : 'missing';
}

/** Finds what polls do not provide, and why: one problem per cause. If the API does not answer at all, everything else follows from it. */
export function pollProblems({ up, pollers, thresholds }: ViewedAccount, now: number): readonly AccountProblem[] {
  const byKnowledge = Map.groupBy(pollers, knowledgeOf);
  const failing = byKnowledge.get('failing') ?? [];
  const rejected = failing.filter(({ newest }) => newest?.accepted === false);
  const decisive = rejected.find(isAccount) ?? rejected[0];
  if (up === false && decisive !== undefined) {
    return [{ kind: 'unreachable', state: 'failing', cause: causeOf(decisive) }];
  }
  const lists = [
    ['not permitted', 'partly', byKnowledge.get('not permitted')],
    ['no figures', 'partly', byKnowledge.get('missing')],
    ['not polled', 'waiting', byKnowledge.get('waiting')],
    ['dropped series', 'warning', pollers.filter(({ droppedSeries }) => droppedSeries > 0)],
  ] as const;
  const byCause = Map.groupBy(failing, (poller) => JSON.stringify(causeOf(poller)));
  return [
    ...[...byCause.values()].map((group) => failingPolls(group, thresholds, now)),
    ...lists.flatMap(([kind, state, group = []]): readonly AccountProblem[] => {
      if (group.length === 0) return [];
      return [
        { kind, state: group.some(isAccount) && state === 'partly' ? 'failing' : state, collectors: namesOf(group) },
      ];
    }),
  ];
}

function failingPolls(
  group: readonly ViewedPoller[],
  thresholds: ViewedAccount['thresholds'],
  now: number,
): AccountProblem {
  const [first] = group;
  const stale = group.flatMap(({ newest, interval }) => {
    const { lastSuccess } = newest ?? {};
    if (lastSuccess === undefined) return [];
    return levelOf('HostingPollFailing', (now - lastSuccess) / interval, thresholds) === 'ok' ? [] : [lastSuccess];
  });
  return {
    kind: 'failing polls',
    state: stale.length > 0 ? 'warning' : group.some(isAccount) ? 'failing' : 'partly',
    cause: causeOf(first),
    collectors: namesOf(group),
    since: stale.length > 0 ? Math.min(...stale) : undefined,
  };
}

function causeOf(poller: ViewedPoller | undefined): Cause {
  const { reason = 'bug', status } = poller?.newest?.failures[0] ?? {};
  return { reason, status };
}

function isAccount({ collector }: ViewedPoller): boolean {
  return collector.name === 'account';
}

function namesOf(pollers: readonly ViewedPoller[]): readonly string[] {
  return pollers.map(({ collector }) => collector.name);
}

export function stateOf(problems: readonly AccountProblem[], polled: boolean): AccountState {
  return states.find((state) => problems.some((problem) => problem.state === state)) ?? (polled ? 'ok' : 'waiting');
}
