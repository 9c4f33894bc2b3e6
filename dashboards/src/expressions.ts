import { collectors } from '../../src/collectors/list.ts';
import { figures, merged, type Scope, selector, without } from '../../src/rules/figures.ts';
import { accountsWithoutDatabases } from '../../src/rules/inventory.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { countOrZero, firing, pastThreshold, type Query, withMatchers } from './query.ts';
import { type SeverityConditions, severityConditions, stateExpression } from './severity.ts';
import { colourFrom, colours, noBackupDays, notGrowingDays, valueTexts } from './theme.ts';

/** Aggregates by account only, without the labels of the scrape target. */
export function perAccount(expression: string, operator: 'max' | 'min' | 'sum' = 'max'): string {
  return `${operator} by (account) (${expression})`;
}

/** The value of the own label `$label` of each account that has it, as the label `group`. */
export function accountGroups(scope: Scope): string {
  const labels = merged(scope, 'hosting_account_labels', 'label_$label!=""');
  // While two exporters disagree, the account is in one group only, so that queries can join it.
  return `max by (account, group) (topk by (account) (1, label_replace(${labels}, "group", "$1", "label_$label", "(.+)")))`;
}

/** The change of a raw metric within `time`; no result without history. */
export function change(scope: Scope, name: string, time: string): string {
  return `(${merged(scope, name)} - max ${without(scope)} (${selector(scope, name)} offset ${time}))`;
}

/** The mean of a raw metric over `time`, which ended `ago`. */
export function mean(scope: Scope, name: string, time: string, ago?: string): string {
  const offset = ago === undefined ? '' : ` offset ${ago}`;
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[${time}]${offset}))`;
}

/** Days until the disk quota is used up: 0 if it already is, `notGrowingDays` without growth. No result if unknown. */
export function daysToFull(scope: Scope): string {
  const growth = figures.diskGrowthPerDay.expression(scope);
  const free = figures.diskFree.expression(scope);
  return `(${figures.diskDaysToFull.expression(scope)} or (group without () (${free} <= 0) - 1) or (${notGrowingDays} * group without () (${growth} <= 0 and ${free})))`;
}

/** The conditions of the two disk forecast alerts, weeks and hours ahead; critical if the disk is already full. */
export function forecastConditions(scope: Scope): SeverityConditions {
  const ratio = figures.diskUsedRatio.expression(scope);
  const days = figures.diskDaysToFull.expression(scope);
  const hours = figures.diskHoursToFull.expression(scope);
  const usage = 'hosting_account_disk_usage_bytes';
  const { memory, long, floor } = thresholds.HostingDiskFillingUpFast.parameters;
  const before = `max ${without(scope)} (max_over_time(${selector(scope, usage)}[${memory.value}] offset ${long.value}))`;
  return {
    warning: `(${pastThreshold(scope, 'HostingDiskFillingUp', 'warning', days)} and ${ratio} >= ${thresholds.HostingDiskFillingUp.parameters.floor.value})`,
    critical: `(${figures.diskFree.expression(scope)} <= 0 or (${pastThreshold(scope, 'HostingDiskFillingUpFast', 'critical', hours)} and ${ratio} >= ${floor.value} and ${merged(scope, usage)} > ${before}))`,
  };
}

/** Days since the newest backup of everything to back up; `noBackupDays` if HostingBackupMissing applies. */
export function backupAge(scope: Scope): string {
  const listed = selector(scope, 'hosting_backups');
  const { memory } = thresholds.HostingBackupMissing.parameters;
  const mostListed = `(max ${without(scope)} (max_over_time(${listed}[${memory.value}])) and ${merged(scope, 'hosting_backups')} and max ${without(scope)} (present_over_time(${listed}[1h] offset ${memory.value})))`;
  const missing = pastThreshold(scope, 'HostingBackupMissing', 'warning', mostListed, 'kind');
  return `((${figures.backupAge.expression(scope)} or ${noBackupDays} * group without () (${missing})) unless ${accountsWithoutDatabases(scope)})`;
}

/** Collectors with stale data, by the thresholds of their account. `matchers` narrow the collectors. */
export function staleCollectors(scope: Scope, ...matchers: string[]): string {
  const ageInIntervals = figures.dataAgeIntervals.expression(
    matchers.length === 0 ? scope : withMatchers(scope, ...matchers),
  );
  return pastThreshold(scope, 'HostingPollFailing', 'warning', ageInIntervals, 'collector');
}

/** Days to expiry of every domain, without those that expired long ago, which providers list for years. */
export function currentDomains(scope: Scope): string {
  return `(${figures.domainDaysLeft.expression(scope)} > -${thresholds.HostingDomainExpired.parameters.forget.value})`;
}

/** The conditions of the domain alerts. */
export function domainConditions(scope: Scope): Required<SeverityConditions> {
  const days = figures.domainDaysLeft.expression(scope);
  const renews = `${figures.domainAutoRenew.expression(scope)} == 1`;
  const expired = pastThreshold(scope, 'HostingDomainExpired', 'critical', currentDomains(scope), 'domain');
  const manual = `(${days} >= 0 unless ${renews})`;
  const automatic = `(${days} >= 0 and ${renews})`;
  return {
    critical: `(${expired} or ${pastThreshold(scope, 'HostingDomainExpiring', 'critical', manual, 'domain')})`,
    warning: `(${pastThreshold(scope, 'HostingDomainExpiring', 'warning', manual, 'domain')} or ${pastThreshold(scope, 'HostingDomainRenewalOverdue', 'warning', automatic, 'domain')})`,
  };
}

/** The state of each account, from its figures and from firing alerts. */
export function accountState(scope: Scope): string {
  const disk = severityConditions(scope, 'HostingDiskAlmostFull', figures.diskUsedRatio.expression(scope));
  const paid = severityConditions(scope, 'HostingAccountBlockedSoon', figures.paidDays.expression(scope));
  const load = severityConditions(scope, 'HostingPlanLoadHigh', figures.planLoadRatio.expression(scope));
  const defined = (...parts: readonly (string | undefined)[]): string[] => parts.filter((part) => part !== undefined);
  const failing = `${figures.accountUp.expression(scope)} == 0`;
  return stateExpression(['account'], {
    critical: defined(firing(scope, 'account!=""', 'severity="critical"'), disk.critical, paid.critical),
    warning: defined(
      firing(scope, 'account!=""', 'severity="warning"'),
      disk.warning,
      paid.warning,
      load.warning,
      staleCollectors(scope, 'collector="account"'),
    ),
    failing,
    all: figures.accountUp.expression(scope),
  });
}

/** Names of the values of `stateExpression`. */
export const stateMappings = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  1: { text: 'failing', color: colours.warningCell },
  0: { text: 'OK', color: 'transparent' },
  [-1]: { text: 'expired', color: 'transparent' },
});

/** Firing alerts with their subject: the highest severity, and the time since the alert became active. */
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

/** Number of firing alerts by severity. A warning does not count next to its critical alert, as with Alertmanager's inhibition. */
export function alertCounts(scope: Scope): Query[] {
  const of = `${figures.accountUp.expression(scope)} or ${firing(scope)}`;
  const critical = firing(scope, 'severity="critical"');
  const warning = `${firing(scope, 'severity="warning"')} unless ignoring (severity) ${critical}`;
  return [
    { expr: countOrZero(critical, of), legend: 'critical', thresholds: colourFrom(1, colours.critical) },
    { expr: countOrZero(warning, of), legend: 'warning', thresholds: colourFrom(1, colours.warning) },
  ];
}

/** The age of the account data, from the `account` collector. */
export function accountDataAge(scope: Scope): string {
  return perAccount(figures.dataAge.expression(withMatchers(scope, 'collector="account"')));
}

/**
 * Number of series of each collector of each account. No metric exports it, because it would cost a series itself: the
 * series are counted by name.
 */
export function collectorSeries(scope: Scope): string {
  const each = ['job', 'account', ...scope.replicaLabels].join(', ');
  const counts = collectors.map(({ name, metrics }) => {
    const names = metrics.map((metric) => metric.name).join('|');
    return `label_replace(count by (${each}) (${selector(scope, '', `__name__=~"${names}"`)}), "collector", "${name}", "", "")`;
  });
  const none = `0 * group by (account, collector) (${figures.collectorSuccess.expression(scope)})`;
  return `(max by (account, collector) (${counts.join(' or ')}) or ${none})`;
}
