import type { Failure } from '../../api/error.ts';
import type { AlertThreshold } from '../../config/values/config.ts';
import type { Account } from '../../polling/account.ts';
import type { Poller } from '../../polling/poller.ts';
import { type ThresholdAlert, thresholds } from '../../rules/thresholds.ts';
import { dateOf } from '../../store/daily-memory.ts';
import { possibleTime } from '../format.ts';

/** All states, from the most to the least urgent. */
export const states = ['critical', 'warning', 'failing', 'partly', 'waiting', 'ok'] as const;

/** `failing`: the API does not answer, or the collector `account` fails. docs/pages.md describes the states. */
export type AccountState = (typeof states)[number];

/** The position in `states`: 0 for the most urgent state. */
export function rankOf(state: AccountState): number {
  return states.indexOf(state);
}

export function countStates(list: readonly { readonly state: AccountState }[]): Readonly<Record<AccountState, number>> {
  const counts = { critical: 0, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 0 };
  for (const { state } of list) counts[state] += 1;
  return counts;
}

export type AlertLevel = 'critical' | 'warning' | 'ok';

/** The most severe level that a value reaches. `effective`: the thresholds of the account. */
export function levelOf(alert: ThresholdAlert, value: number, effective: readonly AlertThreshold[]): AlertLevel {
  const isBelow = thresholds[alert].direction === 'below';
  const reached = (['critical', 'warning'] as const).find((severity) => {
    const threshold = effective.find((one) => one.alert === alert && one.severity === severity)?.value;
    return threshold !== undefined && (isBelow ? value < threshold : value >= threshold);
  });
  return reached ?? 'ok';
}

export type Cause = Pick<Failure, 'reason' | 'status'>;

/** The balance and the daily charge. */
type Money = Readonly<Record<'balance' | 'charge', number | undefined>>;

/** A problem without its state. `ratio` is the usage divided by the limit. `time` is in Unix milliseconds. */
export type ProblemDetails =
  | { readonly kind: 'disk' | 'plan load' | 'recent load'; readonly ratio: number }
  | ({ readonly kind: 'balance' } & Partial<Money>)
  | ({ readonly kind: 'suspension'; readonly time: number } & Partial<Money>)
  | { readonly kind: 'disk filling'; readonly time: number }
  | { readonly kind: 'domain'; readonly domain: string; readonly time: number; readonly alert?: AlertName | undefined }
  | { readonly kind: 'renewal'; readonly domain: string }
  | { readonly kind: 'old backup'; readonly backups: string; readonly days: number }
  | { readonly kind: 'no backup'; readonly backups: string }
  | { readonly kind: 'unreachable'; readonly cause: Cause }
  | {
      readonly kind: 'failing polls';
      readonly cause: Cause;
      readonly collectors: readonly string[];
      /** The earliest last success of the stale collectors, in Unix milliseconds; undefined if HostingPollFailing does not fire. */
      readonly since: number | undefined;
    }
  | {
      readonly kind: 'not permitted' | 'no figures' | 'not polled' | 'dropped series';
      readonly collectors: readonly string[];
    }
  | { readonly kind: 'unknown disk' };

export type AccountProblem = { readonly state: Exclude<AccountState, 'ok'> } & ProblemDetails;

const day = 86_400_000;

/**
 * The kinds of problems. `source`: the collector that provides the figure. Problems about polls have no source. `alert`: the alert
 * about the problem. `days`: for problems without a date, the number of days until they are due (default 30).
 */
export const problemKinds: Readonly<
  Record<AccountProblem['kind'], { readonly source?: string; readonly alert?: AlertName; readonly days?: number }>
> = {
  disk: { source: 'account', alert: 'HostingDiskAlmostFull', days: 7 },
  'disk filling': { source: 'account', alert: 'HostingDiskFillingUp' },
  'unknown disk': { source: 'account' },
  suspension: { source: 'account', alert: 'HostingAccountBlockedSoon' },
  balance: { source: 'account', alert: 'HostingBalanceLow', days: 7 },
  'recent load': { source: 'site_load_detail', alert: 'HostingPlanOverloaded', days: 7 },
  'plan load': { source: 'site_load', alert: 'HostingPlanLoadHigh' },
  domain: { source: 'domains' },
  renewal: { source: 'domains', alert: 'HostingDomainRenewalFailed' },
  'old backup': { source: 'backups', alert: 'HostingBackupTooOld', days: 7 },
  'no backup': { source: 'backups', alert: 'HostingBackupMissing', days: 7 },
  unreachable: { alert: 'HostingAccountUnreachable', days: 0 },
  'failing polls': { alert: 'HostingPollFailing' },
  'no figures': { alert: 'HostingPollFailing' },
  'not permitted': { alert: 'HostingPermissionMissing' },
  'not polled': {},
  'dropped series': { alert: 'HostingSeriesDropped' },
};

/** The time at which a problem is due: when its effect begins, in Unix milliseconds. Problems with equal states are sorted by this time. */
export function dueOf(problem: AccountProblem, now: number): number {
  if ('balance' in problem && isOverdue(problem)) return now - daysInDebt(problem) * day;
  if ('time' in problem) return problem.time;
  const isFull = problem.kind === 'disk' && problem.state === 'critical';
  return now + (isFull ? 0 : (problemKinds[problem.kind].days ?? 30)) * day;
}

/** Whether the balance is negative. The account may then already be suspended, even if the estimated day of the suspension is today. */
export function isOverdue(problem: AccountProblem): boolean {
  return 'balance' in problem && (problem.balance ?? 0) < 0;
}

/** For how many days the account has been in debt, at the current daily charge; 0 if this charge is unknown. */
export function daysInDebt({ balance = 0, charge = 0 }: Partial<Money>): number {
  return charge > 0 ? -balance / charge : 0;
}

/** For how many days a payment should last, unless the reader chooses another number. */
export const defaultDays = 30;

/** The payment after which the balance lasts for `days` days; undefined if an amount is unknown. */
export function paymentFor({ balance, charge }: Partial<Money>, days = defaultDays): number | undefined {
  const isKnown = balance !== undefined && charge !== undefined;
  return isKnown ? Math.max(0, Math.ceil(100 * (days * charge - balance)) / 100) : undefined;
}

/** The periods in which problems are due, the earliest first. */
export const periods = ['overdue', 'today', 'week', 'later'] as const;

/** A key that all problems with the same cause and deadline share. For a problem without a date, the state replaces the deadline. */
export function causeKeyOf(problem: AccountProblem, timeZone: string): string {
  if (isOverdue(problem)) return 'overdue';
  const shared = Object.entries(problem).filter(([name]) => /^(backups|alert|cause|collectors)$/.test(name));
  const details = shared.map(([, value]) =>
    typeof value === 'string' ? value : Object.values(value).join(' ').trim(),
  );
  const deadline = 'time' in problem ? dateOf(possibleTime(problem.time), timeZone) : problem.state;
  return [problem.kind, ...details, deadline].join(' ');
}

/** The alerts about an account that have a runbook. */
type AlertName =
  | ThresholdAlert
  | 'HostingAccountBlockedToday'
  | 'HostingAccountUnreachable'
  | 'HostingCredentialsRejected'
  | 'HostingPermissionMissing'
  | 'HostingSeriesDropped';

/** The alert whose runbook describes how to handle the problem. */
export function alertOf(problem: AccountProblem): AlertName | undefined {
  if (problem.kind === 'unreachable' && problem.cause.reason === 'auth') return 'HostingCredentialsRejected';
  if (isOverdue(problem)) return 'HostingAccountBlockedToday';
  return problem.kind === 'domain' ? problem.alert : problemKinds[problem.kind].alert;
}

/** `known`, or the reason why the figures of a collector are unknown. */
export function knowledgeOf({ newest, missingResults, isPolling }: Poller) {
  const reason = newest?.failures[0]?.reason;
  if (reason !== undefined) return reason === 'permission' ? 'not permitted' : 'failing';
  if (newest?.succeeded !== true) return 'waiting';
  if (missingResults === 0) return 'known';
  return isPolling ? 'waiting' : 'missing';
}

/** Returns the problems of polls, one for each cause. If the API does not answer or rejects the credentials, returns only this problem. */
export function pollProblems(account: Account, now: number): readonly AccountProblem[] {
  const { up, pollers } = account;
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
    ...[...byCause.values()].map((group) => failingPolls(group, account, now)),
    ...lists.flatMap(([kind, state, group = []]): readonly AccountProblem[] => {
      const urgency = state === 'partly' && group.some(isAccount) ? 'failing' : state;
      return group.length === 0 ? [] : [{ kind, state: urgency, collectors: namesOf(group) }];
    }),
  ];
}

function failingPolls(group: readonly Poller[], { thresholds }: Account, now: number): AccountProblem {
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

function causeOf(poller: Poller | undefined): Cause {
  const { reason = 'bug', status } = poller?.newest?.failures[0] ?? {};
  return { reason, status };
}

function isAccount({ collector }: Poller): boolean {
  return collector.name === 'account';
}

function namesOf(pollers: readonly Poller[]): readonly string[] {
  return pollers.map(({ collector }) => collector.name);
}
