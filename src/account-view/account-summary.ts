import type { AlertThreshold } from '../exposition/account-metrics.ts';
import type { Steps } from '../in-turns.ts';
import { Figures } from './figures.ts';
import { type Problem, pollProblems, type State, stateOf, states } from './problems.ts';
import { type Level, levelOf, parameterOf } from './severity.ts';
import type { ViewedAccount } from './viewed-account.ts';

const day = 86_400_000;

/** Days until a domain expires: fewer mean that it was given up long ago. */
const forgottenAfter = -parameterOf('HostingDomainExpired', 'forget');

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

/** Backups of files or of databases. */
export interface Backups {
  readonly kind: string;
  readonly count: number | undefined;
  /** Time of the newest, and its age. */
  readonly newest: Deadline | undefined;
  /** How urgent it is that there are so few. */
  readonly missing: Level;
}

/** The newest backup of files or of databases. The days are its age. */
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

/** Work of an account whose metrics have few series, in series. */
const accountWork = 60;

/** Reads the line of one account in steps. */
export function* summarize(account: ViewedAccount, now: number): Steps<AccountSummary> {
  const figures = new Figures(account.store);
  const { thresholds } = account;
  const disk = diskUsage(figures, thresholds);
  const suspension = suspensionOf(figures, thresholds, now);
  const planLoad = yield* planLoadOf(figures, thresholds);
  const domains = yield* domainDeadlines(figures, thresholds, now);
  const backups = yield* readBackups(figures, thresholds, now);
  const problems = [
    ...pollProblems(account, now),
    ...figureProblems({ disk, suspension, planLoad, domains: domains.urgent, backups }),
  ];
  yield accountWork;
  return {
    name: account.name,
    state: stateOf(problems, account.polled),
    problems: problems.sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state)),
    disk,
    suspension,
    planLoad,
    nextDomain: domains.urgent[0] ?? domains.next,
    backup: oldest(backups),
    answered: answeredOf(account),
  };
}

function diskUsage(figures: Figures, overrides: readonly AlertThreshold[]): Usage | undefined {
  const used = figures.value('hosting_account_disk_usage_bytes');
  return usageOf(used, figures.value('hosting_account_disk_limit_bytes'), (ratio) =>
    levelOf('HostingDiskAlmostFull', ratio, overrides),
  );
}

function* planLoadOf(figures: Figures, overrides: readonly AlertThreshold[]): Steps<Usage | undefined> {
  const load = yield* figures.sum('hosting_site_load_average');
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

/** The deadlines that need action, the most urgent first, and the next of the others. */
interface DomainDeadlines {
  readonly urgent: readonly DomainDeadline[];
  readonly next: DomainDeadline | undefined;
}

/** Deadlines of domains. Those that expired long ago are left out, as by the alerts. */
function* domainDeadlines(figures: Figures, overrides: readonly AlertThreshold[], now: number): Steps<DomainDeadlines> {
  const expiry = yield* figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
  const renews = yield* figures.by('domain', 'hosting_domain_auto_renew');
  const urgent: DomainDeadline[] = [];
  let next: DomainDeadline | undefined;
  for (const [domain, seconds] of expiry) {
    const deadline = domainDeadline(seconds * 1000, renews.get(domain) === 1, overrides, now);
    if (deadline.days <= forgottenAfter) continue;
    if (deadline.level !== 'ok') urgent.push({ domain, ...deadline });
    else if (next === undefined || deadline.time < next.time) next = { domain, ...deadline };
  }
  const rank = ({ level }: Deadline) => (level === 'critical' ? 0 : 1);
  return { urgent: urgent.sort((a, b) => rank(a) - rank(b) || a.time - b.time), next };
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
  return { time, days, level: days <= forgottenAfter ? 'ok' : levelOf(alert, days, overrides) };
}

/** Backups of each kind that the API names. */
export function* readBackups(
  figures: Figures,
  overrides: readonly AlertThreshold[],
  now: number,
): Steps<readonly Backups[]> {
  const counts = yield* figures.by('kind', 'hosting_backups');
  const times = yield* figures.by('kind', 'hosting_backup_last_timestamp_seconds');
  // An account without databases has no backups of databases.
  const hasDatabases = figures.value('hosting_databases') !== 0;
  return [...new Set([...counts.keys(), ...times.keys()])].map((kind) => {
    const isExpected = kind !== 'databases' || hasDatabases;
    const count = counts.get(kind);
    const isMissing = isExpected && count !== undefined;
    return {
      kind,
      count,
      newest: backupAge(times.get(kind), isExpected, overrides, now),
      missing: isMissing ? levelOf('HostingBackupMissing', count, overrides) : 'ok',
    };
  });
}

function backupAge(
  seconds: number | undefined,
  isExpected: boolean,
  overrides: readonly AlertThreshold[],
  now: number,
): Deadline | undefined {
  if (seconds === undefined) return undefined;
  const time = seconds * 1000;
  const days = Math.max(now - time, 0) / day;
  return { time, days, level: isExpected ? levelOf('HostingBackupTooOld', days, overrides) : 'ok' };
}

/** Of the newest backups of each kind, the oldest. */
function oldest(backups: readonly Backups[]): BackupAge | undefined {
  return backups
    .flatMap(({ kind, newest }) => (newest === undefined ? [] : [{ kind, ...newest }]))
    .sort((a, b) => a.time - b.time)[0];
}

function figureProblems(rated: {
  readonly disk: Usage | undefined;
  readonly suspension: Deadline | undefined;
  readonly planLoad: Usage | undefined;
  /** Only those that need action. */
  readonly domains: readonly DomainDeadline[];
  readonly backups: readonly Backups[];
}): readonly Problem[] {
  const { disk, suspension, planLoad, domains, backups } = rated;
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
  for (const { kind, newest, missing } of backups) {
    if (newest !== undefined && newest.level !== 'ok') {
      problems.push({ kind: 'old backup', state: newest.level, backups: kind, days: newest.days });
    }
    if (missing !== 'ok') problems.push({ kind: 'no backup', state: missing, backups: kind });
  }
  return problems;
}

function answeredOf({ pollers, store }: ViewedAccount): number | undefined {
  const account = store.payload('account', '');
  if (account !== undefined) return account.answered;
  const successes = pollers.flatMap(({ newest }) => newest?.lastSuccess ?? []);
  return successes.length === 0 ? undefined : Math.max(...successes);
}
