import { figures, merged, type Scope, selector, without } from '../../src/rules/figures.ts';
import { accountsWithoutDatabases } from '../../src/rules/inventory.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { type Levels, levelsOf, state } from './level.ts';
import { colours, fromOne, noBackup, notGrowing, words } from './look.ts';
import { count, firing, only, passed, type Query } from './query.ts';

/** One row per account, whatever the scrape target adds. */
export function perAccount(expression: string, operator: 'max' | 'min' | 'sum' = 'max'): string {
  return `${operator} by (account) (${expression})`;
}

/** The change of a figure within a time, where both ends are known; `name` is a raw metric. */
export function change(scope: Scope, name: string, time: string): string {
  return `(${merged(scope, name)} - max ${without(scope)} (${selector(scope, name)} offset ${time}))`;
}

/** The mean of a figure over a time that ended so long ago. */
export function mean(scope: Scope, name: string, time: string, ago?: string): string {
  const offset = ago === undefined ? '' : ` offset ${ago}`;
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[${time}]${offset}))`;
}

/**
 * Days until the quota is used up for every account whose growth is known: 0 where it is used up already,
 * `notGrowing` where it does not grow.
 */
export function daysToFull(scope: Scope): string {
  const growth = figures.diskGrowthPerDay.expression(scope);
  const free = figures.diskFree.expression(scope);
  return `(${figures.diskDaysToFull.expression(scope)} or (group without () (${free} <= 0) - 1) or (${notGrowing} * group without () (${growth} <= 0 and ${free})))`;
}

/** The forecast of the disk as its two alerts see it, weeks ahead and hours ahead; critical where it is full already. */
export function forecastLevels(scope: Scope): Levels {
  const ratio = figures.diskUsedRatio.expression(scope);
  const days = figures.diskDaysToFull.expression(scope);
  const hours = figures.diskHoursToFull.expression(scope);
  const usage = 'hosting_account_disk_usage_bytes';
  const { memory, long, floor } = thresholds.HostingDiskFillingUpFast.parameters;
  const before = `max ${without(scope)} (max_over_time(${selector(scope, usage)}[${memory.value}] offset ${long.value}))`;
  return {
    warning: `(${passed(scope, 'HostingDiskFillingUp', 'warning', days)} and ${ratio} >= ${thresholds.HostingDiskFillingUp.parameters.floor.value})`,
    critical: `(${figures.diskFree.expression(scope)} <= 0 or (${passed(scope, 'HostingDiskFillingUpFast', 'critical', hours)} and ${ratio} >= ${floor.value} and ${merged(scope, usage)} > ${before}))`,
  };
}

/** Days since the newest backup of all that there is to save; `noBackup` where its alert misses one. */
export function backupAge(scope: Scope): string {
  const listed = selector(scope, 'hosting_backups');
  const { memory } = thresholds.HostingBackupMissing.parameters;
  const most = `(max ${without(scope)} (max_over_time(${listed}[${memory.value}])) and ${merged(scope, 'hosting_backups')} and max ${without(scope)} (present_over_time(${listed}[1h] offset ${memory.value})))`;
  const missing = passed(scope, 'HostingBackupMissing', 'warning', most, 'kind');
  return `((${figures.backupAge.expression(scope)} or ${noBackup} * group without () (${missing})) unless ${accountsWithoutDatabases(scope)})`;
}

/** Collectors whose figures are too old, by the thresholds of their account; `which` narrows the collectors. */
export function staleCollectors(scope: Scope, ...which: string[]): string {
  const turns = figures.dataAgeIntervals.expression(which.length === 0 ? scope : only(scope, ...which));
  return passed(scope, 'HostingPollFailing', 'warning', turns, 'collector');
}

/** Days left of every domain that is not long dead: providers list those for years, and nobody wants them back. */
export function domainsAlive(scope: Scope): string {
  return `(${figures.domainDaysLeft.expression(scope)} > -${thresholds.HostingDomainExpired.parameters.forget.value})`;
}

/** Domains by what their owner must do. */
export function domainLevels(scope: Scope): Required<Levels> {
  const days = figures.domainDaysLeft.expression(scope);
  const renews = `${figures.domainAutoRenew.expression(scope)} == 1`;
  const expired = passed(scope, 'HostingDomainExpired', 'critical', domainsAlive(scope), 'domain');
  const byHand = `(${days} >= 0 unless ${renews})`;
  const byItself = `(${days} >= 0 and ${renews})`;
  return {
    critical: `(${expired} or ${passed(scope, 'HostingDomainExpiring', 'critical', byHand, 'domain')})`,
    warning: `(${passed(scope, 'HostingDomainExpiring', 'warning', byHand, 'domain')} or ${passed(scope, 'HostingDomainRenewalOverdue', 'warning', byItself, 'domain')})`,
  };
}

/** How much each account needs somebody, from the figures and from the alerts that fire. */
export function accountState(scope: Scope): string {
  const disk = levelsOf(scope, 'HostingDiskAlmostFull', figures.diskUsedRatio.expression(scope));
  const paid = levelsOf(scope, 'HostingAccountBlockedSoon', figures.paidDays.expression(scope));
  const load = levelsOf(scope, 'HostingPlanLoadHigh', figures.planLoadRatio.expression(scope));
  const severe = (...parts: readonly (string | undefined)[]): string[] => parts.filter((part) => part !== undefined);
  const silent = `${figures.accountUp.expression(scope)} == 0`;
  return state(['account'], {
    critical: severe(firing(scope, 'account!=""', 'severity="critical"'), disk.critical, paid.critical),
    warning: severe(
      firing(scope, 'account!=""', 'severity="warning"'),
      disk.warning,
      paid.warning,
      load.warning,
      staleCollectors(scope, 'collector="account"'),
    ),
    silent,
    all: figures.accountUp.expression(scope),
  });
}

/** What the numbers of a state mean. */
export const stateMappings = words({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  1: { text: 'no answer', color: colours.warningCell },
  0: { text: 'fine', color: 'transparent' },
  [-1]: { text: 'ended', color: 'transparent' },
});

/** The alerts that fire, each with the one thing that it is about, its loudest severity, and for how long. */
export function firingAlerts(scope: Scope): { readonly severity: string; readonly age: string } {
  const by = 'by (alertname, account, what)';
  const what = (expression: string): string =>
    `label_join(${expression}, "what", "", "collector", "kind", "domain", "site", "database", "instance")`;
  const rank = (severity: string, value: number): string =>
    `${value} * group ${by} (${what(firing(scope, `severity="${severity}"`))})`;
  const since = firing(scope).replace('ALERTS{', 'ALERTS_FOR_STATE{').replace('alertstate="firing",', '');
  return {
    severity: `${rank('critical', 3)} or ${rank('warning', 2)} or ${rank('info', 1)}`,
    age: `time() - max ${by} (${what(`(${since} and ignoring (alertstate) ${firing(scope)})`)})`,
  };
}

/** How many fire of each severity; a warning of what is critical is not told apart from it, as Alertmanager mutes it. */
export function alertCounts(scope: Scope): Query[] {
  const of = `${figures.accountUp.expression(scope)} or ${firing(scope)}`;
  const critical = firing(scope, 'severity="critical"');
  const warning = `${firing(scope, 'severity="warning"')} unless ignoring (severity) ${critical}`;
  return [
    { expr: count(critical, of), legend: 'critical', thresholds: fromOne(colours.critical) },
    { expr: count(warning, of), legend: 'warning', thresholds: fromOne(colours.warning) },
  ];
}

/** The newest poll of the account itself: how old what stands in the table can be. */
export function accountDataAge(scope: Scope): string {
  return perAccount(figures.dataAge.expression(only(scope, 'collector="account"')));
}
