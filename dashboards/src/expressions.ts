import { collectors } from '../../src/collectors/list.ts';
import { accountsWithoutDatabases } from '../../src/rules/account-figures.ts';
import { earlyPage } from '../../src/rules/disk.ts';
import { figures, merged, type Scope, selector, without } from '../../src/rules/figures.ts';
import { decimal } from '../../src/rules/rule-settings.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { type Comparison, countOrZero, firing, pastThreshold, type Query, withMatchers } from './query.ts';
import { type SeverityConditions, stateQuery } from './severity.ts';
import { colourFrom, colours, noBackupDays, valueTexts } from './theme.ts';

/** Aggregates by account only, without the labels of the scrape target. */
export function perAccount(expression: string, operator: 'max' | 'min' | 'sum' = 'max'): string {
  return `${operator} by (account) (${expression})`;
}

/** The label `group` of each account: the value of its configured label `$label`. No result for accounts without this label. */
export function accountGroups(scope: Scope): string {
  const labels = merged(scope, 'hosting_account_labels', 'label_$label!=""');
  // If two exporters report different groups of an account, topk keeps only one group, so that queries can join by account.
  return `max by (account, group) (topk by (account) (1, label_replace(${labels}, "group", "$1", "label_$label", "(.+)")))`;
}

/** The change of a raw metric within `time`. No result if the metric is younger than `time`. */
export function change(scope: Scope, name: string, time: string): string {
  return `(${merged(scope, name)} - max ${without(scope)} (${selector(scope, name)} offset ${time}))`;
}

/** The mean of a raw metric over a window of length `time`. The window ends now, or ended at the time `ago` before now. */
export function mean(scope: Scope, name: string, time: string, ago?: string): string {
  const offset = ago === undefined ? '' : ` offset ${ago}`;
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[${time}]${offset}))`;
}

/** The conditions of the disk alerts, by the figure that causes the alert. */
export interface DiskConditions {
  /** HostingDiskAlmostFull, whatever figure causes it. */
  readonly any: Required<SeverityConditions>;
  /** HostingDiskAlmostFull because of the used or the free space, not because of the forecast. */
  readonly usage: Required<SeverityConditions>;
  /** HostingDiskAlmostFull because of the free space. */
  readonly free: SeverityConditions;
  /** HostingDiskAlmostFull because of its forecast, HostingDiskFillingUp or HostingDiskFillingUpFast. */
  readonly forecast: Required<SeverityConditions>;
}

/** The conditions of all disk alerts. */
export function diskConditions(scope: Scope): DiskConditions {
  const used = figures.diskUsedRatio.expression(scope);
  const usage = figures.diskUsage.expression(scope);
  const daysToFull = figures.diskDaysToFull.expression(scope);
  const { days, free, unknown } = thresholds.HostingDiskAlmostFull.parameters;
  const { memory, long, floor } = thresholds.HostingDiskFillingUpFast.parameters;
  const past = (severity: 'warning' | 'critical', comparison?: Comparison): string =>
    pastThreshold(scope, 'HostingDiskAlmostFull', severity, used, comparison);
  const causes = {
    full: `${used} >= 1`,
    free: `${figures.diskFree.expression(scope)} < ${decimal(free.value)}`,
    unknown: `${used} >= ${decimal(unknown.value)} unless ${figures.diskHistory.expression(scope)}`,
    forecast: `${daysToFull} < ${decimal(days.value)}`,
  };
  const soon = `(${past('critical', { early: earlyPage })} and ${causes.forecast})`;
  const weeks = pastThreshold(scope, 'HostingDiskFillingUp', 'warning', daysToFull, { accounts: usage });
  const hours = pastThreshold(
    scope,
    'HostingDiskFillingUpFast',
    'critical',
    figures.diskHoursToFull.expression(scope),
    {
      accounts: usage,
    },
  );
  const before = `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_account_disk_usage_bytes')}[${memory.value}] offset ${long.value}))`;
  const fast = `(${hours} and ${used} >= ${floor.value} and ${usage} > ${before})`;
  const usageCritical = `(${past('critical')} and (${causes.full} or ${causes.free} or ${causes.unknown}))`;
  return {
    any: { critical: `(${usageCritical} or ${soon})`, warning: past('warning') },
    usage: { critical: usageCritical, warning: past('warning') },
    free: { critical: `(${past('critical')} and ${causes.free})` },
    forecast: {
      critical: `(${soon} or ${fast})`,
      warning: `(${weeks} and ${used} >= ${thresholds.HostingDiskFillingUp.parameters.floor.value})`,
    },
  };
}

/** Days since the newest backup of files, and of databases if there are any; `noBackupDays` if HostingBackupMissing applies. */
export function backupAge(scope: Scope): string {
  const listed = selector(scope, 'hosting_backups');
  const { memory } = thresholds.HostingBackupMissing.parameters;
  // One sample per hour, because backups are polled hourly: all scrapes of two days would be expensive.
  const mostListed = `(max ${without(scope)} (max_over_time(${listed}[${memory.value}:1h])) and ${merged(scope, 'hosting_backups')} and max ${without(scope)} (present_over_time(${listed}[1h] offset ${memory.value})))`;
  const missing = pastThreshold(scope, 'HostingBackupMissing', 'warning', mostListed, {
    detail: ['kind'],
    accounts: figures.accountUp.expression(scope),
  });
  return `((${figures.backupAge.expression(scope)} or ${noBackupDays} * group without () (${missing})) unless ${accountsWithoutDatabases(scope)})`;
}

/** Collectors whose data is stale by the thresholds of their account. `matchers` select the collectors. */
export function staleCollectors(scope: Scope, ...matchers: string[]): string {
  const ageInIntervals = figures.dataAgeIntervals.expression(
    matchers.length === 0 ? scope : withMatchers(scope, ...matchers),
  );
  const accounts = figures.accountUp.expression(scope);
  return pastThreshold(scope, 'HostingPollFailing', 'warning', ageInIntervals, { detail: ['collector'], accounts });
}

/** Days to expiry of every domain, without domains that expired long ago. Providers list expired domains for years. */
export function currentDomains(scope: Scope): string {
  return `(${figures.domainDaysLeft.expression(scope)} > -${thresholds.HostingDomainExpired.parameters.forget.value})`;
}

/** Days to expiry of the domains that someone must renew. */
export function manualDomains(scope: Scope): string {
  return `(${currentDomains(scope)} unless ${figures.domainAutoRenew.expression(scope)} == 1)`;
}

/** The conditions of the domain alerts. */
export function domainConditions(scope: Scope): Required<SeverityConditions> {
  const days = figures.domainDaysLeft.expression(scope);
  const detail = { detail: ['domain'], accounts: figures.accountUp.expression(scope) };
  const renews = `${figures.domainAutoRenew.expression(scope)} == 1`;
  const expired = pastThreshold(scope, 'HostingDomainExpired', 'critical', currentDomains(scope), detail);
  const manual = `(${days} >= 0 unless ${renews})`;
  const automatic = `(${days} >= 0 and ${renews})`;
  return {
    critical: `(${expired} or ${pastThreshold(scope, 'HostingDomainExpiring', 'critical', manual, detail)})`,
    warning: `(${pastThreshold(scope, 'HostingDomainExpiring', 'warning', manual, detail)} or ${pastThreshold(scope, 'HostingDomainRenewalOverdue', 'warning', automatic, detail)})`,
  };
}

/** The highest severity of each firing alert, and the days since the alert became active. Both have the label `what`, its subject. */
export function firingAlerts(scope: Scope): { readonly severity: string; readonly age: string } {
  const since = firing(scope).replace('ALERTS{', 'ALERTS_FOR_STATE{').replace('alertstate="firing",', '');
  return {
    severity: alertSeverities(scope, ['critical', 'warning', 'info']),
    age: `(time() - max ${alertLabels} (${withSubject(`(${since} and ignoring (alertstate) ${firing(scope)})`)})) / ${secondsPerDay}`,
  };
}

const secondsPerDay = 86_400;

const alertLabels = 'by (alertname, account, what)';

/** Adds the label `what`: the site, database or other thing that an alert is about. */
function withSubject(expression: string): string {
  return `label_join(${expression}, "what", "", "collector", "kind", "domain", "site", "database", "instance")`;
}

const severityRanks = { critical: 3, warning: 2, info: 1 } as const;

/** The highest severity of each firing alert among `severities`, as a number: see `severityMappings`. */
function alertSeverities(scope: Scope, severities: readonly (keyof typeof severityRanks)[]): string {
  return severities
    .map(
      (severity) =>
        `${severityRanks[severity]} * group ${alertLabels} (${withSubject(firing(scope, `severity="${severity}"`))})`,
    )
    .join(' or ');
}

/**
 * Alerts and accounts that came or went within a day. The value is the severity of a new or more severe alert, minus the
 * severity of an alert that ended, 1 for a new account and -1 for a removed account. No result without data of yesterday.
 */
export function changesSinceYesterday(scope: Scope): string {
  const yesterday = (expression: string): string => expression.replaceAll(/ALERTS\{[^}]*\}/g, '$& offset 1d');
  const now = alertSeverities(scope, ['critical', 'warning']);
  const up = figures.accountUp.expression(scope);
  const upYesterday = up.replaceAll('}', '} offset 1d');
  const account = (expression: string): string => `group by (account) (${expression})`;
  const changed = [
    `((${now}) unless (${yesterday(now)}))`,
    `((${now}) > (${yesterday(now)}))`,
    `(-1 * (${yesterday(now)}) unless (${now}))`,
    account(`${up} unless ${upYesterday}`),
    `-1 * ${account(`${upYesterday} unless ${up}`)}`,
  ];
  return `(${changed.join(' or ')}) and on () ${upYesterday}`;
}

/** Names of the values of `changesSinceYesterday`. */
export const changeMappings = valueTexts({
  3: { text: 'new: critical', color: colours.critical },
  2: { text: 'new: warning', color: colours.warningCell },
  1: { text: 'account added', color: 'transparent' },
  [-1]: { text: 'account removed', color: 'transparent' },
  [-2]: { text: 'ended: warning', color: 'transparent' },
  [-3]: { text: 'ended: critical', color: 'transparent' },
});

/** Firing alerts with this severity. As with Alertmanager's inhibition, a warning is left out while its critical alert fires. */
export function firingOnce(scope: Scope, severity: 'critical' | 'warning', ...matchers: readonly string[]): string {
  const critical = firing(scope, ...matchers, 'severity="critical"');
  if (severity === 'critical') return critical;
  return `${firing(scope, ...matchers, 'severity="warning"')} unless ignoring (severity) ${critical}`;
}

/** Number of firing alerts by severity. */
export function alertCounts(scope: Scope): Query {
  const of = `${figures.accountUp.expression(scope)} or ${firing(scope)}`;
  const critical = firingOnce(scope, 'critical');
  const warning = firingOnce(scope, 'warning');
  const query = stateQuery([
    { name: 'critical', expr: countOrZero(critical, of), colour: colours.critical },
    { name: 'warning', expr: countOrZero(warning, of), colour: colours.warning },
  ]);
  return {
    ...query,
    names: { critical: colourFrom(1, colours.critical), warning: colourFrom(1, colours.warning) },
  };
}

/** The age of the data of the collector `account`, in days. */
export function accountDataAge(scope: Scope): string {
  return `${figures.dataAge.expression(withMatchers(scope, 'collector="account"'))} / ${secondsPerDay}`;
}

/**
 * Number of series of each collector of each account, counted by their names. The exporter has no metric for this number,
 * because it would need a series per collector.
 */
export function collectorSeries(scope: Scope): string {
  const each = ['job', 'account', ...scope.replicaLabels].join(', ');
  const counted = new Set<string>();
  const counts = collectors.flatMap(({ name, metrics }) => {
    // Two collectors can have a metric with the same name, which only the first one counts.
    const own = metrics.filter((metric) => !counted.has(metric.name));
    if (own.length === 0) return [];
    for (const metric of own) counted.add(metric.name);
    const names = own.map((metric) => metric.name).join('|');
    return `label_replace(count by (${each}) (${selector(scope, '', `__name__=~"${names}"`)}), "collector", "${name}", "", "")`;
  });
  const none = `0 * group by (account, collector) (${figures.collectorSuccess.expression(scope)})`;
  return `(max by (account, collector) (${counts.join(' or ')}) or ${none})`;
}
