import type { AlertThreshold } from '../exposition/account-metrics.ts';
import { Figures } from './figures.ts';
import { type Problem, pollProblems, type State, stateOf, states } from './problems.ts';
import { type Level, levelOf, parameterOf } from './severity.ts';
import type { ViewedAccount } from './viewed-account.ts';

const day = 86_400_000;

/** A used amount of something limited. The ratio and the level are known only with a limit. */
export interface Usage {
  readonly used: number;
  readonly limit: number | undefined;
  readonly ratio: number | undefined;
  readonly level: Level;
}

/** A time in Unix milliseconds, in days from now. */
export interface Deadline {
  readonly time: number;
  readonly days: number;
  readonly level: Level;
}

export interface DomainDeadline extends Deadline {
  readonly domain: string;
}

/** Backups of files or of databases. The days are the age of the newest. */
export interface BackupAge extends Deadline {
  readonly kind: string;
}

/** An account in one line. Undefined figures are unknown. Times in Unix milliseconds. */
export interface AccountSummary {
  readonly name: string;
  readonly state: State;
  readonly problems: readonly Problem[];
  readonly disk: Usage | undefined;
  readonly suspension: Deadline | undefined;
  readonly planLoad: Usage | undefined;
  /** The domain that needs action most, else the one that expires next. */
  readonly nextDomain: DomainDeadline | undefined;
  /** Of the newest backups of files and of databases, the older one. */
  readonly backup: BackupAge | undefined;
  /** When the API answered with the figures of the account, or last answered at all. */
  readonly answered: number | undefined;
}

/** Reads the line of one account. */
export function summarize(account: ViewedAccount, now: number): AccountSummary {
  const figures = new Figures(account.store);
  const { thresholds } = account;
  const disk = diskUsage(figures, thresholds);
  const suspension = suspensionOf(figures, thresholds, now);
  const planLoad = planLoadOf(figures, thresholds);
  const domains = domainDeadlines(figures, thresholds, now);
  const backups = backupAges(figures, thresholds, now);
  const problems = [
    ...pollProblems(account, now),
    ...figureProblems({ disk, suspension, planLoad, domains, backups, missing: missingBackups(figures, thresholds) }),
  ];
  return {
    name: account.name,
    state: stateOf(problems, account.polled),
    problems: problems.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state)),
    disk,
    suspension,
    planLoad,
    nextDomain: domains[0],
    backup: backups[0],
    answered: answeredOf(account),
  };
}

function diskUsage(figures: Figures, overrides: readonly AlertThreshold[]): Usage | undefined {
  const used = figures.value('hosting_account_disk_usage_bytes');
  return usageOf(used, figures.value('hosting_account_disk_limit_bytes'), (ratio) =>
    levelOf('HostingDiskAlmostFull', ratio, overrides),
  );
}

function planLoadOf(figures: Figures, overrides: readonly AlertThreshold[]): Usage | undefined {
  const load = figures.sum('hosting_site_load_average');
  return usageOf(load, figures.value('hosting_account_load_limit'), (ratio) =>
    levelOf('HostingPlanLoadHigh', ratio, overrides),
  );
}

function usageOf(
  used: number | undefined,
  limit: number | undefined,
  level: (ratio: number) => Level,
): Usage | undefined {
  if (used === undefined) return undefined;
  const ratio = limit === undefined || limit <= 0 ? undefined : used / limit;
  return { used, limit, ratio, level: ratio === undefined ? 'ok' : level(ratio) };
}

function suspensionOf(figures: Figures, overrides: readonly AlertThreshold[], now: number): Deadline | undefined {
  const seconds = figures.value('hosting_account_block_timestamp_seconds');
  if (seconds === undefined) return undefined;
  const time = seconds * 1000;
  const days = Math.ceil(Math.max(time - now, 0) / day);
  return { time, days, level: levelOf('HostingAccountBlockedSoon', days, overrides) };
}

/** Deadlines of all domains, the most urgent first. Domains that expired long ago are left out, as by the alerts. */
function domainDeadlines(
  figures: Figures,
  overrides: readonly AlertThreshold[],
  now: number,
): readonly DomainDeadline[] {
  const renews = figures.by('domain', 'hosting_domain_auto_renew');
  const forgotten = -parameterOf('HostingDomainExpired', 'forget');
  const deadlines: DomainDeadline[] = [];
  for (const [domain, seconds] of figures.by('domain', 'hosting_domain_expiry_timestamp_seconds')) {
    const deadline = domainDeadline(seconds * 1000, renews.get(domain) === 1, overrides, now);
    if (deadline.days > forgotten) deadlines.push({ domain, ...deadline });
  }
  const rank = ({ level }: Deadline) => (level === 'critical' ? 0 : level === 'warning' ? 1 : 2);
  return deadlines.sort((a, b) => rank(a) - rank(b) || a.time - b.time);
}

/** The deadline of one domain, which expires at `time`. */
export function domainDeadline(
  time: number,
  renewsAutomatically: boolean,
  overrides: readonly AlertThreshold[],
  now: number,
): Deadline {
  const days = Math.floor((time - now) / day);
  const alert =
    days < 0 ? 'HostingDomainExpired' : renewsAutomatically ? 'HostingDomainRenewalOverdue' : 'HostingDomainExpiring';
  const isForgotten = days <= -parameterOf('HostingDomainExpired', 'forget');
  return { time, days, level: isForgotten ? 'ok' : levelOf(alert, days, overrides) };
}

/** The ages of the newest backups of each kind, the oldest first. */
export function backupAges(figures: Figures, overrides: readonly AlertThreshold[], now: number): readonly BackupAge[] {
  return [...figures.by('kind', 'hosting_backup_last_timestamp_seconds')]
    .map(([kind, value]) => {
      const time = value * 1000;
      const age = Math.max(now - time, 0) / day;
      const level = isExpected(kind, figures) ? levelOf('HostingBackupTooOld', age, overrides) : 'ok';
      return { kind, time, days: age, level };
    })
    .sort((a, b) => a.time - b.time);
}

/** The kinds of backups that the API lists none of, although there should be some. */
function missingBackups(
  figures: Figures,
  overrides: readonly AlertThreshold[],
): readonly { readonly kind: string; readonly level: Level }[] {
  return [...figures.by('kind', 'hosting_backups')].flatMap(([kind, value]) => {
    const level = levelOf('HostingBackupMissing', value, overrides);
    return level === 'ok' || !isExpected(kind, figures) ? [] : [{ kind, level }];
  });
}

/** An account without databases has no backups of databases. */
function isExpected(kind: string, figures: Figures): boolean {
  return kind !== 'databases' || figures.value('hosting_databases') !== 0;
}

function figureProblems(rated: {
  readonly disk: Usage | undefined;
  readonly suspension: Deadline | undefined;
  readonly planLoad: Usage | undefined;
  readonly domains: readonly DomainDeadline[];
  readonly backups: readonly BackupAge[];
  readonly missing: readonly { readonly kind: string; readonly level: Level }[];
}): readonly Problem[] {
  const { disk, suspension, planLoad, domains, backups, missing } = rated;
  const problems: Problem[] = [];
  if (disk?.ratio !== undefined && disk.level !== 'ok') {
    problems.push({ kind: 'disk', state: disk.level, ratio: disk.ratio });
  }
  if (suspension !== undefined && suspension.level !== 'ok') {
    problems.push({ kind: 'suspension', state: suspension.level, days: suspension.days });
  }
  if (planLoad?.ratio !== undefined && planLoad.level !== 'ok') {
    problems.push({ kind: 'plan load', state: planLoad.level, ratio: planLoad.ratio });
  }
  for (const { domain, days, level } of domains) {
    if (level !== 'ok') problems.push({ kind: 'domain', state: level, domain, days });
  }
  for (const { kind, days, level } of backups) {
    if (level !== 'ok') problems.push({ kind: 'old backup', state: level, backups: kind, days });
  }
  for (const { kind, level } of missing) {
    if (level !== 'ok') problems.push({ kind: 'no backup', state: level, backups: kind });
  }
  return problems;
}

function answeredOf({ pollers, store }: ViewedAccount): number | undefined {
  const account = store.payloads('account').get('');
  if (account !== undefined) return account.answered;
  const successes = pollers.flatMap(({ newest }) => newest?.lastSuccess ?? []);
  return successes.length === 0 ? undefined : Math.max(...successes);
}
