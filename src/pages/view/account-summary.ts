import type { AlertName } from '../../rules/thresholds.ts';
import { type AccountProblem, type ProblemDetails, pollProblems, stateOf, states } from './problems.ts';
import { type AlertLevel, levelOf, parameterOf } from './severity.ts';
import type { SummaryFigures } from './summary-figures.ts';
import type { ViewedAccount } from './viewed-account.ts';

const day = 86_400_000;

/** Negative number of days: domains that expired longer ago are ignored, because their owners have probably given them up. */
const forgottenAfter = -parameterOf('HostingDomainExpired', 'forget');

/** Usage of a resource with a limit. If the limit is unknown, the level is `ok`. */
export interface Usage {
  readonly used: number;
  readonly limit: number | undefined;
  readonly ratio: number | undefined;
  readonly level: AlertLevel;
}

/** A time in Unix milliseconds, and the number of days until this time. */
export interface Deadline {
  readonly time: number;
  readonly days: number;
  readonly level: AlertLevel;
}

type Overrides = ViewedAccount['thresholds'];

/** One account in the overview. An undefined figure means that the value is unknown. */
export type AccountSummary = ReturnType<typeof summarize>;

/** Rates the figures of one account by the account's thresholds. `now` is in Unix milliseconds. */
export function summarize(account: ViewedAccount, figures: SummaryFigures, now: number) {
  const { name, thresholds, polled } = account;
  const disk = usageOf(figures.diskUsed, figures.diskLimit, 'HostingDiskAlmostFull', thresholds);
  const planLoad = usageOf(figures.load, figures.loadLimit, 'HostingPlanLoadHigh', thresholds);
  const suspension = suspensionOf(figures, thresholds, now);
  const domains = domainDeadlines(figures, thresholds, now);
  const backups = rateBackups(figures, thresholds, now);
  const problems = [
    ...pollProblems(account, now),
    // Without a ratio, the level is `ok`, so there is no problem.
    ...problemOf(disk, ({ ratio = 0 }) => ({ kind: 'disk', ratio })),
    ...problemOf(suspension, ({ days }) => ({ kind: 'suspension', days })),
    ...problemOf(planLoad, ({ ratio = 0 }) => ({ kind: 'plan load', ratio })),
    ...domains.flatMap((expiry) => problemOf(expiry, ({ domain, days }) => ({ kind: 'domain', domain, days }))),
    ...backups.flatMap(({ kind, newest, missing }) => [
      ...problemOf(newest, ({ days }) => ({ kind: 'old backup', backups: kind, days })),
      ...problemOf({ level: missing }, () => ({ kind: 'no backup', backups: kind })),
    ]),
  ];
  return {
    name,
    state: stateOf(problems, polled),
    problems: problems.sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state)),
    disk,
    suspension,
    planLoad,
    /** The most urgent domain; among equally urgent domains, the one that expires next. */
    nextDomain: domains[0],
    /** Of the kinds of backups, the one whose newest backup is the oldest. */
    backup: backups
      .flatMap(({ kind, newest }) => (newest === undefined ? [] : [{ kind, ...newest }]))
      .sort((a, b) => a.time - b.time)[0],
    /** Time of the newest answer for the collector `account`; if there is none, the time of the newest successful poll. */
    answered: answeredOf(account),
  };
}

function usageOf(
  used: number | undefined,
  limit: number | undefined,
  alert: AlertName,
  thresholds: Overrides,
): Usage | undefined {
  if (used === undefined) return undefined;
  const ratio = limit === undefined || limit <= 0 ? undefined : used / limit;
  return { used, limit, ratio, level: ratio === undefined ? 'ok' : levelOf(alert, ratio, thresholds) };
}

function suspensionOf(figures: SummaryFigures, thresholds: Overrides, now: number): Deadline | undefined {
  if (figures.suspension === undefined) return undefined;
  const time = figures.suspension * 1000;
  const days = Math.ceil(Math.max(time - now, 0) / day);
  return { time, days, level: levelOf('HostingAccountBlockedSoon', days, thresholds) };
}

/** The deadlines of domains, the most urgent first. Like the alerts, omits domains that expired long ago. */
function domainDeadlines({ domains = [] }: SummaryFigures, thresholds: Overrides, now: number) {
  const rank = ({ level }: Deadline) => states.indexOf(level);
  return domains
    .map(({ name, expiry, isRenewed }) => ({ domain: name, ...domainDeadline(expiry, isRenewed, thresholds, now) }))
    .filter(({ days }) => days > forgottenAfter)
    .sort((a, b) => rank(a) - rank(b) || a.time - b.time);
}

/** The deadline of a domain that expires at `expiry`, in Unix seconds. */
export function domainDeadline(expiry: number, isRenewed: boolean, thresholds: Overrides, now: number): Deadline {
  const time = expiry * 1000;
  const days = Math.floor((time - now) / day);
  const alert = days < 0 ? 'HostingDomainExpired' : isRenewed ? 'HostingDomainRenewalOverdue' : 'HostingDomainExpiring';
  return { time, days, level: days <= forgottenAfter ? 'ok' : levelOf(alert, days, thresholds) };
}

/** Backups of one kind. `newest` contains the age of the newest backup in days. `missing`: level of the alert about no backups. */
export type RatedBackups = ReturnType<typeof rateBackups>[number];

export function rateBackups({ backups = [], databases }: SummaryFigures, thresholds: Overrides, now: number) {
  return backups.map(({ kind, count, newest }) => {
    // Without databases, an account has no backups of databases.
    const isExpected = kind !== 'databases' || databases !== 0;
    const level = (alert: AlertName, value: number) => (isExpected ? levelOf(alert, value, thresholds) : 'ok');
    const time = (newest ?? 0) * 1000;
    const days = Math.max(now - time, 0) / day;
    return {
      kind,
      count,
      newest: newest === undefined ? undefined : { time, days, level: level('HostingBackupTooOld', days) },
      missing: count === undefined ? 'ok' : level('HostingBackupMissing', count),
    };
  });
}

function problemOf<Rated extends { readonly level: AlertLevel }>(
  rated: Rated | undefined,
  describe: (rated: Rated) => ProblemDetails,
): readonly AccountProblem[] {
  return rated === undefined || rated.level === 'ok' ? [] : [{ state: rated.level, ...describe(rated) }];
}

function answeredOf({ pollers, store }: ViewedAccount): number | undefined {
  const successes = pollers.flatMap(({ newest }) => newest?.lastSuccess ?? []);
  return store.payload('account', '')?.answered ?? successes.toSorted((a, b) => a - b).at(-1);
}
