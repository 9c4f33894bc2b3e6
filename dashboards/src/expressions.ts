import { figures, merged, type Scope, selector, without } from './figures.ts';
import { alertsOf, problems } from './problems.ts';
import { alerting, countOrZero, firing, type Query, withMatchers } from './query.ts';
import { namedQuery, stateExpression } from './severity.ts';
import { colourFrom, colours, noBackupDays, valueTexts } from './theme.ts';

/** Aggregates by account only, without the labels of the scrape target. */
export function perAccount(expression: string, operator: 'max' | 'min' | 'sum' = 'max'): string {
  return `${operator} by (account) (${expression})`;
}

/** The label `group` of each account: the value of its configured label `$label`. No result for accounts without this label. */
export function accountGroups(scope: Scope): string {
  const labels = merged(scope, 'hosting_account_labels', 'label_$label!=""');
  // Two exporters may report different groups of an account. topk keeps one, because queries join by account.
  return `max by (account, group) (topk by (account) (1, label_replace(${labels}, "group", "$1", "label_$label", "(.+)")))`;
}

/** The change of a raw metric within `time`. No result if the metric is younger than `time`. */
export function change(scope: Scope, name: string, time: string): string {
  return `(${merged(scope, name)} - max ${without(scope)} (${selector(scope, name)} offset ${time}))`;
}

/** The mean of a raw metric over a window of length `time`. `ago`: time since the end of the window; by default, it ends now. */
export function mean(scope: Scope, name: string, time: string, ago?: string): string {
  const offset = ago === undefined ? '' : ` offset ${ago}`;
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[${time}]${offset}))`;
}

/**
 * Days until the disk is full, as the alerts estimate. While the condition of HostingDiskFillingUpFast holds, uses the growth of the
 * last hours, otherwise the growth of the last days. No result without growth in the last day.
 */
export function daysToFull(scope: Scope): string {
  const fast = `${selector(scope, 'account:hosting_account_disk_hours_to_full:fast')} / 24 and on (job, account) ${alerting(scope, ['HostingDiskFillingUpFast'])}`;
  return `(${fast} or ${selector(scope, 'account:hosting_account_disk_days_to_full:slow')})`;
}

/** Accounts whose disk is critical for one of these reasons. */
export function urgentDisk(scope: Scope, ...reasons: readonly string[]): string {
  return selector(scope, 'account:hosting_disk_urgent:reason', `reason=~"${reasons.join('|')}"`);
}

/** Days since the newest backup of files and of databases. Excludes backups of databases for accounts without databases. */
export function knownBackupAge(scope: Scope): string {
  return `(${figures.backupAge.expression(scope)} unless label_replace(${figures.databases.expression(scope)} == 0, "kind", "databases", "", ""))`;
}

/** `noBackupDays` for each kind of backup to which HostingBackupMissing applies. */
export function missingBackups(scope: Scope): string {
  return `${noBackupDays} * max by (job, account, kind) (${alerting(scope, ['HostingBackupMissing'])})`;
}

/** The age of the newest backup in days, or `noBackupDays`. */
export function backupAge(scope: Scope): string {
  return `(${knownBackupAge(scope)} or ${missingBackups(scope)})`;
}

/** Collectors whose data is stale according to the thresholds of their account. */
export function staleCollectors(scope: Scope): string {
  return `max by (job, account, collector) (${alerting(scope, ['HostingPollFailing'])})`;
}

/** Days to expiry of every domain. Excludes domains that expired long ago, because providers list expired domains for years. */
export function currentDomains(scope: Scope): string {
  return `(${figures.domainDaysLeft.expression(scope)} > -30)`;
}

const daysLeft = 'account_domain:hosting_domain_days_left:max';

/** Whole days until the end of the domain's last day. Excludes domains that expired long ago. */
function daysToEnd(scope: Scope): string {
  return `(${selector(scope, daysLeft)} + 1 > -30)`;
}

/** Days to expiry from the recording rules, which keep the last known date for a day. */
export function lastKnownDomains(scope: Scope): string {
  return `(clamp_min(${selector(scope, daysLeft)} >= -1, 0) or ${daysToEnd(scope)})`;
}

/** Days to expiry of the domains that someone must renew. */
export function manualDomains(scope: Scope): string {
  return `(${currentDomains(scope)} unless ${figures.domainAutoRenew.expression(scope)} == 1)`;
}

/** The values that the state of a domain has in addition to the values of `stateMappings`. */
export const domainState = { expired: -1, unjudged: -2 } as const;

/** The state of each domain according to its alerts. No result for domains that expired long ago. */
export function domainStates(scope: Scope, ...by: readonly string[]): string {
  const of = (severity: 'critical' | 'warning'): string =>
    alerting(scope, alertsOf('domain', severity), `severity="${severity}"`);
  const all = daysToEnd(scope);
  return stateExpression(by, { critical: of('critical'), warning: of('warning'), all });
}

/** The state of the backups according to the alerts about backups. */
export function backupStates(scope: Scope, ...by: readonly string[]): string {
  const group = `group by (${by.join(', ')})`;
  return `2 * ${group} (${alerting(scope, problems.backup.warning)}) or 0 * ${group} (${selector(scope, 'account_kind:hosting_backup_age_days:min')})`;
}

/** The highest severity of each firing alert, and the days since it became active. The label `what` names the subject of the alert. */
export function firingAlerts(scope: Scope): { readonly severity: string; readonly age: string } {
  const since = firing(scope).replace('ALERTS{', 'ALERTS_FOR_STATE{').replace('alertstate="firing",', '');
  return {
    severity: alertSeverities(scope),
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

/** The highest severity of each firing alert as a number of `severityMappings`. */
function alertSeverities(scope: Scope): string {
  return Object.entries(severityRanks)
    .map(
      ([severity, rank]) => `${rank} * group ${alertLabels} (${withSubject(firing(scope, `severity="${severity}"`))})`,
    )
    .join(' or ');
}

/**
 * Changes within a day. The value is the severity for a new alert, minus the severity for an alert that ended, 1 for a new account
 * and -1 for a removed account. No results without data of yesterday.
 */
export function changesSinceYesterday(scope: Scope): readonly Query[] {
  const yesterday = 'offset 1d';
  const up = merged(scope, 'hosting_up');
  const upYesterday = up.replace('}', `} ${yesterday}`);
  const alerts = (factor: number, severity: 'critical' | 'warning', change: (alerts: string) => string): string =>
    `${factor * severityRanks[severity]} * group ${alertLabels} (${withSubject(change(firing(scope, `severity="${severity}"`)))})`;
  const either = (factor: number, change: (alerts: string) => string): string =>
    `(${alerts(factor, 'critical', change)} or ${alerts(factor, 'warning', change)}) and on () ${upYesterday}`;
  const account = (expression: string): string => `group by (account) (${expression})`;
  return [
    { expr: either(1, (one) => `${one} unless ${one} ${yesterday}`) },
    { expr: either(-1, (one) => `${one} ${yesterday} unless ${one}`) },
    {
      expr: `(${account(`${up} unless ${upYesterday}`)} or -1 * ${account(`${upYesterday} unless ${up}`)}) and on () ${upYesterday}`,
    },
  ];
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

/** Firing alerts with this severity. Like Alertmanager's inhibition, omits a warning while the critical alert fires. */
export function firingOnce(scope: Scope, severity: 'critical' | 'warning', ...matchers: readonly string[]): string {
  const critical = firing(scope, ...matchers, 'severity="critical"');
  if (severity === 'critical') return critical;
  return `${firing(scope, ...matchers, 'severity="warning"')} unless ignoring (severity) ${critical}`;
}

/** Number of firing alerts by severity. */
export function alertCounts(scope: Scope): Query {
  const of = `${figures.accountUp.expression(scope)} or ${firing(scope)}`;
  const query = namedQuery(
    (['critical', 'warning'] as const).map((severity) => ({
      name: severity,
      expr: countOrZero(firingOnce(scope, severity), of),
      colour: colours[severity],
    })),
  );
  const look = (severity: 'critical' | 'warning') => ({ text: severity, colour: colourFrom(1, colours[severity]) });
  return { ...query, names: { critical: look('critical'), warning: look('warning') } };
}

/** The age of the data of the collector `account`, in days. */
export function accountDataAge(scope: Scope): string {
  return `${figures.dataAge.expression(withMatchers(scope, 'collector="account"'))} / ${secondsPerDay}`;
}
