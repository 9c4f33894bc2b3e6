import type { Dashboard } from '@grafana/schema';
import { thresholds } from '../../src/rules/thresholds.ts';
import { accountState, accountStateMappings, markColumn, markQuery } from './account-state.ts';
import {
  accountsVariable,
  dashboard,
  dashboardLink,
  exporterLink,
  groupVariable,
  rowAccountLink,
  rowPanelLink,
  rowPollsLink,
  runbookLink,
  seriesAccountLink,
  tile,
} from './dashboard.ts';
import {
  accountDataAge,
  accountGroups,
  alertCounts,
  backupAge,
  backupStates,
  change,
  changeMappings,
  changesSinceYesterday,
  currentDomains,
  daysToFull,
  domainState,
  domainStates,
  firingAlerts,
  firingOnce,
  lastKnownDomains,
  manualDomains,
  perAccount,
} from './expressions.ts';
import { type Figure, figures, merged } from './figures.ts';
import { graph, inRankColours, stat, table } from './panel.ts';
import { type Problem, problemRanks, ruleNumbers } from './problems.ts';
import { type Query, ranked, selectedAccounts as scope } from './query.ts';
import { scheduleOf } from './schedules.ts';
import { countsBySeverity, countsByState, havingProblem, stateMappings } from './severity.ts';
import {
  colours,
  dayMappings,
  diskSteps,
  forecastMappings,
  noBackupDays,
  percent,
  rankColours,
  singleColour,
  thresholdSteps,
  valueTexts,
} from './theme.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const { levels: suspension } = thresholds.HostingAccountBlockedSoon;
const ratio = figures.diskUsedRatio.expression(scope);
const days = daysToFull(scope);
const balance = figures.balance.expression(scope);
const monthlyCharge = `30 * ${figures.dailyCharge.expression(scope)}`;
const paid = figures.paidDays.expression(scope);
const up = figures.accountUp.expression(scope);
const load = figures.planLoadRatio.expression(scope);
const dataAge = accountDataAge(scope);
const alerts = firingAlerts(scope);

/** The dashboard for agencies and on-call engineers. It shows which accounts need attention. */
export function fleet(): Dashboard {
  return dashboard({
    uid: 'hosting-fleet',
    title: 'Hosting / Fleet',
    description: 'All hosting accounts: which ones need attention?',
    from: 'now-24h',
    scope,
    variables: [accountsVariable, groupVariable],
    links: [
      dashboardLink('Account', 'One account: disk, load, billing and inventory', 'hosting-account'),
      dashboardLink('Sites and databases', 'Top sites and databases of all accounts', 'hosting-workload'),
      dashboardLink('Exporter', 'Data freshness and API failures', 'hosting-exporter'),
    ],
    refresh: scheduleOf('account'),
    sections: [
      {
        tiles: [
          tile(1, 6, 3, alertsStat()),
          tile(2, 6, 3, failingAccountsStat()),
          tile(3, 6, 3, fullCountStat()),
          tile(4, 6, 3, suspendedCountStat()),
          tile(8, 6, 3, oldestStat()),
          tile(6, 6, 3, nextFullStat()),
          tile(7, 6, 3, nextSuspensionStat()),
          tile(26, 6, 3, moneyStat()),
          tile(9, 24, 13, accountsTable()),
          tile(10, 12, 9, alertsTable()),
          tile(27, 12, 9, changesTable()),
          tile(11, 12, 9, domainsTable()),
          tile(28, 12, 9, moneyTable()),
        ],
      },
      {
        row: { id: 12, title: 'Trends', collapsed: true },
        tiles: [
          tile(13, 12, 9, diskUsageGraph()),
          tile(14, 12, 9, loadGraph()),
          tile(15, 12, 9, growthTable()),
          tile(16, 12, 9, backupsTable()),
        ],
      },
      {
        row: { id: 24, title: 'Groups', collapsed: true },
        tiles: [tile(25, 24, 9, groupsTable())],
      },
      {
        row: { id: 17, title: 'Totals, plans and servers', collapsed: true },
        tiles: [
          tile(18, 5, 4, totalStat('Sites', figures.sites, 'Sites of all selected accounts.')),
          tile(19, 5, 4, totalStat('Domains', figures.domains, 'Domains of all selected accounts.')),
          tile(20, 5, 4, totalStat('Databases', figures.databases, 'Databases of all selected accounts.')),
          tile(29, 5, 4, totalStat('Mailboxes', figures.mailboxes, 'Mailboxes of all selected accounts.')),
          tile(21, 4, 4, totalStat('Disk used', figures.diskUsage, 'Disk space that all selected accounts use.')),
          tile(22, 12, 9, plansTable()),
          tile(23, 12, 9, serversTable()),
        ],
      },
    ],
  });
}

/** Queries of a value of one account. The colour shows the worst of `problems`. */
function bySeverity(one: string, ...problems: readonly Problem[]): readonly Query[] {
  const hasProblem = (severity: 'critical' | 'warning') => havingProblem(scope, severity, ...problems);
  const query = (expr: string, colour: string): Query => ({ expr, legend: '{{account}}', colour });
  return [
    query(`${one} unless on (job, account) ${problemRanks(scope, ...problems)}`, colours.neutral),
    query(`${one} and on (job, account) ${hasProblem('warning')}`, colours.warning),
    query(`${one} and on (job, account) ${hasProblem('critical')}`, colours.critical),
  ];
}

function alertsStat() {
  return stat({
    title: 'Alerts',
    description:
      'Number of firing critical and warning alerts. The table below lists them and the info alerts. Requires the alert rules in Prometheus; without them, the count is always 0.',
    queries: [alertCounts(scope)],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function failingAccountsStat() {
  const failing = `(${up} == 0)`;
  return stat({
    title: 'Failing accounts',
    description: `Accounts whose newest poll failed: the API did not answer or rejected the credentials. Their data is no longer updated and will expire. Critical from ${percent(ruleNumbers.failingShare)} of the accounts. The Exporter dashboard shows the cause. For a minute after an exporter start, all accounts count as failing.`,
    queries: [
      countsBySeverity(
        {
          warning: failing,
          critical: `(${failing} and on () (count(${failing}) / count(${up}) >= ${ruleNumbers.failingShare}))`,
        },
        up,
      ),
    ],
    unit: 'accounts',
    show: 'value_and_name',
    noValue: 'no data',
    link: exporterLink,
  });
}

function fullCountStat() {
  return stat({
    title: 'Disk almost full',
    description: `Accounts above their disk usage threshold (default: warning from ${percent(disk.warning.value)}). Critical, as in the alert: over the quota, less than ${ruleNumbers.freeMegabytes} MB free, full within ${ruleNumbers.daysToFull} days, or ${percent(ruleNumbers.usageWithoutHistory)} used and less than three days of history. At the quota, mail bounces and uploads fail. Requires the recording rules.`,
    queries: [countsByState(scope, figures.diskUsage.expression(scope), 'disk')],
    unit: 'accounts',
    show: 'value_and_name',
    noValue: 'no data, or no rules',
  });
}

function suspendedCountStat() {
  return stat({
    title: 'Suspended soon',
    description: `Accounts that the provider is about to suspend for insufficient funds, by its own estimate (default: warning below ${suspension.warning.value} days, critical below ${suspension.critical.value}). All sites and mail of a suspended account go offline. Requires the recording rules.`,
    queries: [countsByState(scope, paid, 'suspension')],
    unit: 'accounts',
    show: 'value_and_name',
    noValue: 'no data, or no rules',
  });
}

function nextFullStat() {
  return stat({
    title: 'Next to fill up',
    description:
      'The account whose disk quota is used up first, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. Requires the recording rules and a few hours of history.',
    queries: bySeverity(`bottomk(1, ${days})`, 'forecast', 'disk'),
    unit: 'duration',
    mappings: forecastMappings,
    show: 'value_and_name',
    noValue: 'no forecast',
    link: seriesAccountLink,
  });
}

function nextSuspensionStat() {
  return stat({
    title: 'Next suspension',
    description: "The account that is suspended first for insufficient funds, by the provider's own estimate.",
    queries: bySeverity(`bottomk(1, ${paid})`, 'suspension'),
    unit: 'days',
    mappings: dayMappings,
    show: 'value_and_name',
    noValue: 'no data',
    link: seriesAccountLink,
  });
}

function moneyStat() {
  return stat({
    title: 'Balance and monthly cost',
    description:
      "Balance of all selected accounts together, and what they cost in 30 days at today's daily charge, in the provider's currency.",
    queries: [
      { expr: `sum(${balance})`, legend: 'balance' },
      { expr: `sum(${monthlyCharge})`, legend: 'per month' },
    ],
    unit: 'money',
    decimals: 0,
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function oldestStat() {
  return stat({
    title: 'Oldest data',
    description:
      'Age of the oldest account data: time since the newest successful poll of the collector account. A few minutes are normal; warning from three poll intervals.',
    queries: bySeverity(`topk(1, ${dataAge})`, 'stale', 'credentials', 'unreachable'),
    unit: 'duration',
    show: 'value_and_name',
    noValue: 'no data',
    link: exporterLink,
  });
}

/** A figure of the collector `account`. If it has no current value, the newest value of the last day. */
function orLastKnown(figure: Figure, operator: 'max' | 'min' = 'max'): string {
  const last = figure.expression({ ...scope, window: '1d:15m' });
  return perAccount(`${figure.expression(scope)} or (${last} unless ${figures.diskUsage.expression(scope)})`, operator);
}

function accountsTable() {
  return table({
    title: 'Accounts',
    description:
      'One row per account, the most severe state first, with its most important reason: critical or warning if an alert fires or the condition of one holds, failing if the newest poll failed. A mark left of a figure shows that it is responsible: ! for a warning, !! for critical. The state is "no rules" if Prometheus does not evaluate the recording rules. While an account cannot be polled, disk space and days are the last known ones of the last day. Click a cell to open the account or the related panel. Group is the own label that is selected in Group by; the funnel in the header filters.',
    noValue: 'No accounts configured, or Prometheus does not scrape the exporter.',
    queries: [
      { expr: accountState(scope) },
      { expr: orLastKnown(figures.diskUsedRatio) },
      { expr: orLastKnown(figures.diskFree, 'min') },
      { expr: perAccount(change(scope, 'hosting_account_disk_usage_bytes', '1d')) },
      { expr: perAccount(days, 'min') },
      { expr: orLastKnown(figures.paidDays, 'min') },
      { expr: perAccount(manualDomains(scope), 'min') },
      { expr: perAccount(load) },
      { expr: perAccount(backupAge(scope)) },
      { expr: perAccount(dataAge) },
      { expr: accountGroups(scope) },
      markQuery(scope, 'disk', 'forecast'),
      markQuery(scope, 'suspension'),
      markQuery(scope, 'domain'),
      markQuery(scope, 'load'),
      markQuery(scope, 'backup'),
      markQuery(scope, 'stale', 'credentials', 'unreachable'),
    ],
    columns: [
      { of: 'account', title: 'Account', link: rowAccountLink, filterable: true, width: 112 },
      { of: 'group', title: 'Group', filterable: true, width: 75 },
      { of: 'A', title: 'State', mappings: [accountStateMappings], cell: 'filled', width: 212, align: 'left' },
      markColumn('L'),
      {
        of: 'B',
        title: 'Disk used',
        unit: 'ratio',
        cell: 'bar',
        thresholds: singleColour(rankColours[0]),
        width: 112,
        link: rowPanelLink('Usage and quota', 10),
      },
      { of: 'C', title: 'Free', unit: 'bytes', width: 78 },
      { of: 'D', title: 'In 24 h', unit: 'bytes', width: 83 },
      { of: 'E', title: 'Full in', unit: 'duration', mappings: forecastMappings, cell: 'coloured', width: 104 },
      markColumn('M'),
      { of: 'F', title: 'Suspended in', unit: 'days', mappings: dayMappings, cell: 'coloured', width: 116 },
      markColumn('N'),
      { of: 'G', title: 'Domain expires', unit: 'days', mappings: dayMappings, cell: 'coloured', width: 124 },
      markColumn('O'),
      {
        of: 'H',
        title: 'Plan load',
        unit: 'ratio',
        cell: 'bar',
        thresholds: singleColour(rankColours[0]),
        width: 103,
        link: rowPanelLink('Load', 15),
      },
      markColumn('P'),
      { of: 'I', title: 'Backup', unit: 'duration', mappings: [noBackups], width: 84 },
      markColumn('Q'),
      { of: 'J', title: 'Data age', unit: 'duration', width: 80, link: rowPollsLink },
    ],
    sortBy: ['-State', '-Disk used'],
  });
}

function changesTable() {
  return table({
    title: 'Since yesterday',
    description:
      'What differs from 24 hours ago: alerts that started, became critical or ended, and accounts that were added or removed. Info alerts are not listed. Requires the alert rules in Prometheus and a day of history.',
    noValue: 'Nothing changed within a day.',
    queries: changesSinceYesterday(scope),
    combined: 'change',
    columns: [
      { of: 'change', title: 'Change', mappings: [changeMappings], cell: 'filled', width: 200, align: 'left' },
      { of: 'alertname', title: 'Alert', link: runbookLink, width: 240 },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 130 },
      { of: 'what', title: 'Subject' },
    ],
    sortBy: ['-Change', 'Alert'],
  });
}

function moneyTable() {
  return table({
    title: 'Money',
    description:
      "Balance of each account, what it costs in 30 days at today's daily charge, in the provider's currency; the days until the provider suspends it for insufficient funds, and how much the daily charge changed within a day. The accounts that are suspended first come first.",
    noValue: 'No billing data.',
    queries: [
      { expr: perAccount(paid, 'min') },
      { expr: perAccount(balance) },
      { expr: perAccount(monthlyCharge) },
      { expr: perAccount(change(scope, 'hosting_account_daily_charge', '1d')) },
      markQuery(scope, 'suspension'),
    ],
    columns: [
      { of: 'account', title: 'Account', link: rowAccountLink },
      markColumn('E'),
      { of: 'A', title: 'Suspended in', unit: 'days', mappings: dayMappings, width: 125 },
      { of: 'B', title: 'Balance', unit: 'money', width: 105 },
      { of: 'C', title: 'Per month', unit: 'money', width: 105 },
      { of: 'D', title: 'Charge, change', unit: 'money', width: 140 },
    ],
    sortBy: ['Suspended in'],
  });
}

function groupsTable() {
  const groups = accountGroups(scope);
  const byGroup = (expression: string, operator: string): string =>
    `${operator} by (group) (${expression} * on (account) group_left (group) ${groups})`;
  const alertsOf = (severity: 'critical' | 'warning'): string =>
    `${byGroup(`count by (account) (${firingOnce(scope, severity, 'account!=""')})`, 'sum')} or 0 * count by (group) (${groups})`;
  return table({
    title: 'Groups',
    description:
      'One row per value of the own label that is selected in Group by: number of accounts, firing alerts, total disk usage, and the highest disk usage, highest load and next suspension of a single account. Own labels are set in the configuration of the exporter.',
    noValue: 'No account has own labels.',
    queries: [
      { expr: `count by (group) (${groups})` },
      { expr: alertsOf('critical') },
      { expr: alertsOf('warning') },
      { expr: byGroup(perAccount(figures.diskUsage.expression(scope)), 'sum') },
      { expr: byGroup(perAccount(ratio), 'max') },
      { expr: byGroup(perAccount(load), 'max') },
      { expr: byGroup(perAccount(paid, 'min'), 'min') },
    ],
    columns: [
      { of: 'group', title: 'Group', filterable: true },
      { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
      { of: 'B', title: 'Critical alerts', unit: 'count', width: 130 },
      { of: 'C', title: 'Warning alerts', unit: 'count', width: 130 },
      { of: 'D', title: 'Disk used', unit: 'bytes', width: 140 },
      {
        of: 'E',
        title: 'Max. disk',
        unit: 'ratio',
        cell: 'bar',
        thresholds: diskSteps,
        width: 160,
      },
      {
        of: 'F',
        title: 'Max. load',
        unit: 'ratio',
        cell: 'bar',
        thresholds: thresholdSteps('HostingPlanLoadHigh'),
        width: 160,
      },
      {
        of: 'G',
        title: 'Next suspension',
        unit: 'days',
        mappings: dayMappings,
        cell: 'coloured',
        thresholds: thresholdSteps('HostingAccountBlockedSoon'),
        width: 150,
      },
    ],
    sortBy: ['-Critical alerts', '-Accounts'],
  });
}

function alertsTable() {
  return table({
    title: 'Firing alerts',
    description:
      'Firing alerts, the most severe first. Subject is the affected site, database, domain, backup type, collector or exporter. Click an alert to open its runbook. Requires the alert rules in Prometheus.',
    noValue: 'No firing alerts found.',
    queries: [{ expr: alerts.severity }, { expr: alerts.age }],
    columns: [
      { of: 'A', title: 'Severity', mappings: [severityMappings], cell: 'filled', width: 145, align: 'left' },
      { of: 'alertname', title: 'Alert', link: runbookLink, width: 240 },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 140 },
      { of: 'what', title: 'Subject' },
      { of: 'B', title: 'Duration', unit: 'duration', width: 100 },
    ],
    sortBy: ['-Severity', 'Duration'],
  });
}

/** Names of the severity values of `firingAlerts`. */
export const severityMappings = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  1: { text: 'info', color: 'transparent' },
});

function domainsTable() {
  const shown = currentDomains(scope);
  return table({
    title: 'Expiring domains',
    description: `Domains that need action come first, as critical or warning: they have expired, they expire soon without automatic renewal, or their renewal is overdue. All others follow, the next to expire first. Domains that expired more than ${ruleNumbers.forgottenDays} days ago are not listed.`,
    noValue: 'No domains with a known expiry date.',
    queries: [
      { expr: `min by (account, domain) (${shown} or on (job, account, domain) ${lastKnownDomains(scope)})` },
      {
        expr: `${domainStates(scope, 'account', 'domain')} or ${domainState.unjudged} * group by (account, domain) (${shown})`,
      },
      {
        expr: `max by (account, domain) (${figures.domainAutoRenew.expression(scope)} and ${shown})`,
      },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 140 },
      { of: 'A', title: 'Expires in', unit: 'days', mappings: dayMappings, width: 150 },
      {
        of: 'C',
        title: 'Renewal',
        mappings: [valueTexts({ 1: 'automatic', 0: 'manual' })],
        width: 100,
        align: 'left',
      },
      { of: 'B', title: 'State', mappings: [stateMappings], cell: 'filled', width: 145, align: 'left' },
    ],
    sortBy: ['-State', 'Expires in'],
  });
}

function diskUsageGraph() {
  return graph({
    title: 'Top accounts by disk usage',
    description:
      'The six accounts that use the largest share of their disk quota at the end of the time range. Dashed lines are the default warning threshold and the quota.',
    noValue: 'No current data, or no account has a disk quota.',
    queries: inRankColours(ranked(ratio, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    thresholds: diskSteps,
    legend: 'right',
    link: seriesAccountLink,
  });
}

function loadGraph() {
  return graph({
    title: 'Top accounts by load',
    description:
      'Load of all sites of an account (mean of the last month) as a share of the load that its plan allows, for the six accounts with the highest share at the end of the time range. Above the limit, the provider throttles the account.',
    noValue: 'No current data, or no plan has a load limit.',
    queries: inRankColours(ranked(load, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    thresholds: thresholdSteps('HostingPlanLoadHigh'),
    legend: 'right',
    link: seriesAccountLink,
  });
}

function growthTable() {
  const week = change(scope, 'hosting_account_disk_usage_bytes', '7d');
  const most = `topk(15, max by (account) (${week}) > 0)`;
  return table({
    title: 'Disk growth in 7 days',
    description: 'The fifteen accounts whose disk usage grew most in the last seven days.',
    noValue: 'No growth, or less than seven days of history.',
    queries: [
      { expr: most },
      { expr: `${perAccount(ratio)} and ${most}` },
      { expr: `${perAccount(days, 'min')} and ${most}` },
      { expr: `${markQuery(scope, 'disk', 'forecast').expr} and ${most}` },
    ],
    columns: [
      { of: 'account', title: 'Account', link: rowAccountLink },
      { of: 'A', title: 'Growth', unit: 'bytes', width: 120 },
      markColumn('D'),
      {
        of: 'B',
        title: 'Disk used',
        unit: 'ratio',
        cell: 'bar',
        thresholds: singleColour(rankColours[0]),
        width: 200,
      },
      { of: 'C', title: 'Full in', unit: 'duration', mappings: forecastMappings, cell: 'coloured', width: 130 },
    ],
    sortBy: ['-Growth'],
  });
}

function backupsTable() {
  const age = `topk(15, min by (account, kind) (${backupAge(scope)}))`;
  return table({
    title: 'Oldest backups',
    description:
      'Age of the newest backup of files and of databases: the fifteen highest, accounts without a backup first. Providers delete some backups from the list: an age of two or three days is normal.',
    noValue: 'No backup data.',
    queries: [
      { expr: age },
      { expr: `max by (account, kind) (${figures.backups.expression(scope)}) and ${age}` },
      { expr: backupStates(scope, 'account', 'kind') },
    ],
    columns: [
      { of: 'account', title: 'Account', link: rowAccountLink },
      { of: 'kind', title: 'Type', mappings: [backupKinds], width: 120 },
      {
        of: 'A',
        title: 'Age',
        unit: 'duration',
        mappings: [noBackups],
        width: 120,
      },
      { of: 'B', title: 'Count', unit: 'count', width: 110 },
      { of: 'C', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
    ],
    sortBy: ['-Age'],
  });
}

/** The text that replaces the age if there is no backup. */
export const noBackups = valueTexts({ [noBackupDays]: 'no backup' });

/** Names of the kinds of backups. Texts in a mapping are translated. */
export const backupKinds = valueTexts({ files: 'files', databases: 'databases' });

function totalStat(title: string, figure: Figure, description: string) {
  return stat({
    title,
    description,
    queries: [{ expr: `sum(${figure.expression(scope)})` }],
    unit: figure.unit,
    noValue: 'no data',
  });
}

function plansTable() {
  const info = merged(scope, 'hosting_account_info');
  const withPlan = (expression: string, operator: string): string =>
    `${operator} by (tariff) (${expression} * on (job, account) group_left (tariff) ${info})`;
  return table({
    title: 'Plans',
    description:
      'Per plan: number of accounts, total disk usage, and the highest disk usage and load of a single account.',
    noValue: 'No plan data.',
    queries: [
      { expr: `count by (tariff) (${info})` },
      { expr: withPlan(figures.diskUsage.expression(scope), 'sum') },
      { expr: withPlan(ratio, 'max') },
      { expr: withPlan(load, 'max') },
    ],
    columns: [
      { of: 'tariff', title: 'Plan' },
      { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
      { of: 'B', title: 'Disk used', unit: 'bytes', width: 140 },
      {
        of: 'C',
        title: 'Max. disk',
        unit: 'ratio',
        cell: 'bar',
        thresholds: diskSteps,
        width: 150,
      },
      {
        of: 'D',
        title: 'Max. load',
        unit: 'ratio',
        cell: 'bar',
        thresholds: thresholdSteps('HostingPlanLoadHigh'),
        width: 160,
      },
    ],
    sortBy: ['-Accounts'],
  });
}

function serversTable() {
  const server = (name: string): string => `max by (server) (${merged(scope, name)})`;
  return table({
    title: 'Servers',
    description:
      'Servers that host the selected accounts. Other customers share them: you cannot change their load, but it can explain slow sites.',
    noValue: 'No server data.',
    queries: [
      { expr: `count by (server) (${merged(scope, 'hosting_account_info')})` },
      { expr: server('hosting_server_load_average') },
      {
        expr: `max by (server) (${merged(scope, 'hosting_server_memory_used_bytes')} / (${merged(scope, 'hosting_server_memory_bytes')} > 0))`,
      },
      { expr: `${server('hosting_server_uptime_seconds')} / 86400` },
    ],
    columns: [
      { of: 'server', title: 'Server' },
      { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
      { of: 'B', title: 'Load average', unit: 'load', width: 150 },
      {
        of: 'C',
        title: 'Memory used',
        unit: 'ratio',
        cell: 'bar',
        thresholds: singleColour(rankColours[0]),
        width: 150,
      },
      { of: 'D', title: 'Uptime', unit: 'duration', width: 110 },
    ],
    sortBy: ['-Accounts'],
  });
}
