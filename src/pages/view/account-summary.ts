import type { Account } from '../../polling/account.ts';
import type { ThresholdAlert } from '../../rules/thresholds.ts';
import { dateOf, diskUsage } from '../../store/daily-memory.ts';
import { type DomainFigures, readSummary, type SummaryFigures } from '../../store/summary-figures.ts';
import { formatOf } from '../format.ts';
import {
  type AccountProblem,
  type AlertLevel,
  dueOf,
  knowledgeOf,
  levelOf,
  type ProblemDetails,
  pollProblems,
  rankOf,
  states,
} from './problems.ts';
import { chartedDays, daysUntilFull } from './trends.ts';

const day = 86_400_000;

/** Domains that expired at least 30 days ago are ignored, as in HostingDomainExpired, because their owners have given them up. */
const forgottenAfter = -30;

/** A time in Unix milliseconds, and the number of days until this time. */
export interface Deadline {
  readonly time: number;
  readonly days: number;
  readonly level: AlertLevel;
  /** The alert whose threshold determines the level. Set only if several alerts rate this kind of deadline. */
  readonly alert?: ThresholdAlert;
}

type Thresholds = Account['thresholds'];

/** One account in the overview. An undefined figure means that the value is unknown. */
export type AccountSummary = ReturnType<typeof summarize>;

/** Rates the figures of one account by the account's thresholds. `now` is in Unix milliseconds. */
export function summarize(account: Account, now: number) {
  const { name, thresholds, polled } = account;
  // Counts the midnights until a time as its days, as all pages do.
  const { daysUntil: countDays } = formatOf('en', account.timeZone);
  const daysUntil = (time: number) => countDays(time, now);
  const figures = readSummary(account.store);
  const accountAnswer = account.store.results('account').get('')?.answered;
  const plain = usageOf(figures.diskUsed, figures.diskLimit, 'HostingDiskAlmostFull', thresholds);
  // The disk usage is the most important figure, so report a problem if the API's answer lacks it.
  const isDiskUnknown = plain === undefined && accountAnswer !== undefined;
  const usage = plain && diskUsage(account.memory, dateOf(now, account.timeZone));
  const rememberedDays = usage?.filter((one) => one !== null).length ?? 0;
  const daysLeft = usage && daysUntilFull(usage, plain.used, plain.limit ?? 0);
  const disk = plain && { ...plain, level: diskLevel(plain, thresholds, daysLeft, rememberedDays < 4) };
  // Uses the method and the thresholds of HostingDiskFillingUp.
  const filling = (disk?.ratio ?? 0) < 0.6 ? 'ok' : levelOf('HostingDiskFillingUp', daysLeft ?? 0, thresholds);
  const full = now + (daysLeft ?? 0) * day;
  const diskFull = daysLeft === undefined ? undefined : { time: full, days: daysUntil(full), level: filling };
  const planLoad = usageOf(figures.load, figures.loadLimit, 'HostingPlanLoadHigh', thresholds);
  const recentLoad = usageOf(figures.recentLoad, figures.loadLimit, 'HostingPlanOverloaded', thresholds);
  const suspension = figures.suspension === undefined ? undefined : suspensionOf(figures.suspension, thresholds, now);
  const { balance: amount, dailyCharge } = figures;
  const balance =
    amount === undefined ? undefined : ({ amount, level: levelOf('HostingBalanceLow', amount, thresholds) } as const);
  const domains = figures.domains.map((domain) => ({
    domain: domain.name,
    renews: domain.isRenewed && !domain.hasFailed,
    ...domainDeadline(domain, thresholds, now),
  }));
  // Omit domains that expired long ago, as the alerts do.
  const currentDomains = domains
    .filter(({ days }) => days > forgottenAfter)
    .sort((a, b) => rankOf(a.level) - rankOf(b.level) || a.time - b.time);
  const failedRenewal = { level: levelOf('HostingDomainRenewalFailed', 0, thresholds) };
  const backups = rateBackups(figures, thresholds, now);
  // Do not report a low balance if the estimated suspension is already a problem, because only the estimate names a day.
  const decisiveBalance = (suspension?.level ?? 'ok') === 'ok' ? balance : undefined;
  const problems: readonly AccountProblem[] = [
    ...pollProblems(account, now),
    ...(isDiskUnknown ? [{ kind: 'unknown disk', state: 'partly' } as const] : []),
    // Without a ratio, the level is `ok`, so there is no problem.
    ...problemOf(disk, ({ ratio = 0 }) => ({ kind: 'disk', ratio })),
    ...problemOf(diskFull, ({ time }) => ({ kind: 'disk filling', time })),
    ...problemOf(suspension, ({ time }) => ({ kind: 'suspension', time, balance: amount, charge: dailyCharge })),
    ...problemOf(decisiveBalance, ({ amount }) => ({ kind: 'balance', balance: amount, charge: dailyCharge })),
    ...problemOf(recentLoad, ({ ratio = 0 }) => ({ kind: 'recent load', ratio })),
    ...problemOf(planLoad, ({ ratio = 0 }) => ({ kind: 'plan load', ratio })),
    ...currentDomains.flatMap((expiry) =>
      problemOf(expiry, ({ domain, time, alert }) => ({ kind: 'domain', domain, time, alert })),
    ),
    ...figures.failedWithoutDate.flatMap((domain) => problemOf(failedRenewal, () => ({ kind: 'renewal', domain }))),
    ...backups.flatMap(({ kind, newest, missing }) => [
      ...problemOf(newest, ({ days }) => ({ kind: 'old backup', backups: kind, days })),
      ...problemOf({ level: missing }, () => ({ kind: 'no backup', backups: kind })),
    ]),
  ];
  const failing = account.pollers.filter((poller) => knowledgeOf(poller) === 'failing');
  const stale = failing.flatMap(({ newest }) => newest?.lastSuccess ?? []).sort((a, b) => a - b);
  return {
    name,
    labels: account.labels,
    state: states.find((state) => problems.some((problem) => problem.state === state)) ?? (polled ? 'ok' : 'waiting'),
    /** The most urgent problem first: by state, then by due time. */
    problems: problems.toSorted((a, b) => rankOf(a.state) - rankOf(b.state) || dueOf(a, now) - dueOf(b, now)),
    pollers: account.pollers,
    timeZone: account.timeZone,
    nextAttempt: account.nextAttempt,
    disk,
    diskFull,
    diskDays: usage && chartedDays(usage, now),
    /** The time at which the daily memory will suffice for a forecast of the disk usage; undefined if it already suffices. */
    forecastFrom: disk?.limit === undefined || rememberedDays > 3 ? undefined : now + (4 - rememberedDays) * day,
    suspension,
    balance,
    dailyCharge,
    planLoad,
    /** Load of the last three complete days. */
    recentLoad,
    backups,
    domains,
    /** For each domain of a site: the labels of its series hosting_site_domain_info, such as `php_version`. */
    siteDomains: figures.siteDomains,
    /** The most urgent domain; among equally urgent domains, the one that expires next. */
    nextDomain: currentDomains[0],
    /** Of the newest backups of all kinds: the oldest, with its kind. */
    backup: backups
      .flatMap(({ kind, newest }) => (newest === undefined ? [] : [{ kind, ...newest }]))
      .sort((a, b) => a.time - b.time)[0],
    /**
     * The time of the figures, in Unix milliseconds. If collectors fail: the earliest of their last successes. Otherwise: the newest answer
     * to the collector `account`. If there is no such answer: the newest successful poll of any collector.
     */
    answered:
      stale[0] ??
      accountAnswer ??
      account.pollers.flatMap(({ newest }) => newest?.lastSuccess ?? []).sort((a, b) => b - a)[0],
  };
}

/** Usage of a resource with a limit. If the limit is unknown, the level is `ok`. */
function usageOf(used: number | undefined, limit: number | undefined, alert: ThresholdAlert, thresholds: Thresholds) {
  if (used === undefined) return undefined;
  const ratio = limit === undefined || limit <= 0 ? undefined : used / limit;
  return { used, limit, ratio, level: ratio === undefined ? 'ok' : levelOf(alert, ratio, thresholds) } as const;
}

/** As in HostingDiskAlmostFull, an almost full disk is only a warning while there is space for some days. */
function diskLevel(
  { ratio = 0, used, limit = 0, level }: NonNullable<ReturnType<typeof usageOf>>,
  thresholds: Thresholds,
  daysLeft: number | undefined,
  isNew: boolean,
): AlertLevel {
  const isFull = level === 'critical' && (ratio >= 1 || limit - used < 100e6 || (isNew && ratio >= 0.98));
  const isNear = levelOf('HostingDiskAlmostFull', ratio + 0.1, thresholds) === 'critical';
  if (isFull || (isNear && daysLeft !== undefined && daysLeft < 3)) return 'critical';
  return level === 'critical' ? 'warning' : level;
}

function suspensionOf(seconds: number, thresholds: Thresholds, now: number): Deadline {
  const days = Math.ceil(Math.max(seconds * 1000 - now, 0) / day);
  return { time: seconds * 1000, days, level: levelOf('HostingAccountBlockedSoon', days, thresholds) };
}

/** The deadline of a domain. `expiry` is the start of the domain's last day, in Unix seconds. On this day, 0 days are left. */
export function domainDeadline(domain: Omit<DomainFigures, 'name'>, thresholds: Thresholds, now: number): Deadline {
  const { expiry, isRenewed, hasFailed } = domain;
  const time = expiry * 1000;
  const days = Math.trunc((time - now) / day) + 0;
  const alert = days < 0 ? 'HostingDomainExpired' : isRenewed ? 'HostingDomainRenewalOverdue' : 'HostingDomainExpiring';
  const level = days <= forgottenAfter ? 'ok' : levelOf(alert, days, thresholds);
  const needsOrder = level === 'ok' && hasFailed && days >= 0;
  const decisive = needsOrder ? 'HostingDomainRenewalFailed' : alert;
  return { time, days, level: needsOrder ? levelOf(decisive, days, thresholds) : level, alert: decisive };
}

/** Rates each kind of backups. `newest`: time, age in days and level of the newest backup. `missing`: the level of HostingBackupMissing. */
function rateBackups({ backups, databases }: SummaryFigures, thresholds: Thresholds, now: number) {
  return backups.map(({ kind, count, newest }) => {
    // An account without databases needs no backups of databases.
    const isExpected = kind !== 'databases' || databases !== 0;
    const level = (alert: ThresholdAlert, value: number) => (isExpected ? levelOf(alert, value, thresholds) : 'ok');
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
