import type { Dashboard } from '@grafana/schema';
import { thresholds } from '../../src/rules/thresholds.ts';
import {
  accountAlertsLink,
  accountPollsLink,
  accountVariable,
  dashboard,
  dashboardLink,
  runbookLink,
  tile,
} from './dashboard.ts';
import { failingReason, pollTexts } from './exporter.ts';
import {
  alertCounts,
  backupStates,
  change,
  daysToFull,
  domainState,
  domainStates,
  firingAlerts,
  knownBackupAge,
  missingBackups,
  staleCollectors,
  urgentDisk,
} from './expressions.ts';
import { type Figure, figures, latest, merged, type Scope, selector } from './figures.ts';
import { backupKinds, noBackups, severityMappings } from './fleet.ts';
import { type GraphQuery, graph, inRankColours, stat, table, text } from './panel.ts';
import { ruleNumbers } from './problems.ts';
import {
  meanOverRange,
  others,
  type Query,
  ranked,
  selectedAccount as scope,
  thresholdLine,
  withMatchers,
} from './query.ts';
import { scheduleOf } from './schedules.ts';
import { certificateMappings, phpBranch, phpSupportColumn, phpSupportDays, security } from './security.ts';
import {
  judged,
  lastKnownQuery,
  type StateSource,
  stateMappings,
  stateQuery,
  unlimitedQuery,
  unlimitedValue,
} from './severity.ts';
import {
  colourFrom,
  colours,
  dayMappings,
  forecastMappings,
  percent,
  rankColours,
  singleColour,
  valueTexts,
} from './theme.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const usage = figures.diskUsage.expression(scope);
const quota = figures.diskLimit.expression(scope);
const dataAge = `(${figures.dataAge.expression(withMatchers(scope, 'collector="account"'))} / 86400)`;
const alerts = firingAlerts(scope);
const noQuota = valueTexts({ [unlimitedValue]: 'no quota' });

/** The dashboard for the owner of an account. It shows which resource runs out, and what uses the resource. */
export function account(): Dashboard {
  return dashboard({
    uid: 'hosting-account',
    title: 'Hosting / Account',
    description: 'One hosting account: what runs out, and what uses it up?',
    from: 'now-7d',
    scope,
    refresh: scheduleOf('account'),
    variables: [accountVariable],
    links: [
      dashboardLink('Fleet', 'All accounts', 'hosting-fleet'),
      dashboardLink('Sites and databases', 'Top sites and databases of all accounts', 'hosting-workload'),
      dashboardLink('Exporter', 'Data freshness and API failures', 'hosting-exporter'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, usedStat()),
          tile(2, 6, 3, freeStat()),
          tile(3, 6, 3, fullInStat()),
          tile(4, 6, 3, suspensionStat()),
          tile(5, 6, 3, loadStat()),
          tile(6, 6, 3, alertsStat()),
          tile(7, 6, 3, dataAgeStat()),
          tile(8, 6, 3, planStat()),
        ],
      },
      {
        row: { id: 9, title: 'Disk' },
        tiles: [
          tile(10, 16, 9, usageGraph()),
          tile(11, 8, 9, growthGraph()),
          tile(12, 12, 9, databasesTable()),
          tile(13, 12, 9, databaseSizesGraph()),
        ],
      },
      {
        row: { id: 14, title: 'Load' },
        tiles: [
          tile(15, 12, 9, siteLoadGraph()),
          tile(16, 12, 9, databaseLoadGraph()),
          tile(17, 12, 9, sitesTable()),
          tile(18, 12, 9, planLoadGraph()),
        ],
      },
      {
        row: { id: 19, title: 'Billing, domains and backups' },
        tiles: [
          tile(20, 6, 3, balanceStat()),
          tile(21, 6, 3, chargeStat()),
          tile(36, 6, 3, monthlyCostStat()),
          tile(37, 6, 3, balanceDaysStat()),
          tile(23, 24, 8, domainsTable()),
          tile(22, 10, 6, backupsTable()),
          tile(24, 14, 6, alertsTable()),
          tile(39, 24, 6, backupJobsTable()),
        ],
      },
      {
        row: { id: 25, title: 'Inventory' },
        tiles: [
          tile(26, 12, 9, inventoryTable()),
          tile(27, 12, 9, inventoryGraph()),
          tile(28, 12, 8, siteDomainsTable()),
          tile(29, 12, 8, mailboxesTable()),
          tile(35, 24, 7, notes()),
        ],
      },
      {
        row: { id: 30, title: 'Server and polls', collapsed: true },
        tiles: [
          tile(31, 8, 8, serverLoadGraph()),
          tile(32, 8, 8, serverMemoryGraph()),
          tile(33, 8, 8, serverUptimeGraph()),
          tile(38, 24, 7, softwareTable()),
          tile(34, 24, 10, pollsTable()),
        ],
      },
    ],
  });
}

/** Queries of a figure with its state. While the account cannot be polled, the queries return the last known value. */
function withState(figure: Figure['expression'], source: StateSource): readonly Query[] {
  return [stateQuery(scope, figure(scope), source), lastKnownQuery(scope, figure, source)];
}

/** Queries of a disk figure. They also cover a plan without a disk quota. */
function ofDisk(figure: Figure['expression'], source: StateSource): readonly Query[] {
  return [...withState(figure, source), unlimitedQuery(usage, quota)];
}

/** Queries of a figure without a threshold. While the account cannot be polled, the queries return the last known value. */
function withoutState(figure: Figure['expression'], name: string): readonly Query[] {
  const last = `${figure({ ...scope, window: '1d' })} unless ${figure(scope)}`;
  const named = (text: string, colour: string, expr: string): Query => ({
    expr,
    legend: text,
    names: { [text]: { text, colour } },
  });
  return [named(name, colours.neutral, figure(scope)), named('last known', colours.muted, last)];
}

/**
 * The series of a table. While the account cannot be polled, these are its newest series of the last day. `metric`: a metric that
 * exists while the account has current series; by default, the figure itself.
 */
function known(figure: (one: Scope) => string, metric?: string): string {
  const current = metric === undefined ? figure(scope) : merged(scope, metric);
  return `(${figure(scope)} or (${figure({ ...scope, window: '1d' })} unless on (job, account) ${current}))`;
}

function usedStat() {
  return stat({
    title: 'Disk used',
    description: `Share of the disk quota that is used. The thresholds of this account determine the severity (default: warning from ${percent(disk.warning.value)}). Critical, as in the alert: over the quota, less than ${ruleNumbers.freeMegabytes} MB free, full within ${ruleNumbers.daysToFull} days, or ${percent(ruleNumbers.usageWithoutHistory)} used and less than three days of history. While the account cannot be polled, the last known value of a day at most; Data age shows how old it is. Requires the recording rules.`,
    queries: ofDisk(figures.diskUsedRatio.expression, { problems: ['disk'] }),
    unit: 'ratio',
    mappings: [noQuota],
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function freeStat() {
  return stat({
    title: 'Disk free',
    description: `Disk space left within the quota. Critical if the disk is almost full and less than ${ruleNumbers.freeMegabytes} MB are left.`,
    queries: ofDisk(figures.diskFree.expression, { critical: urgentDisk(scope, 'little_free', 'over_quota') }),
    unit: 'bytes',
    mappings: [noQuota],
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function fullInStat() {
  return stat({
    title: 'Full in',
    description:
      'Time until the disk quota is used up, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. Critical if an almost full disk fills up within days, or any disk within hours. No forecast while the disk does not grow. Requires a quota, the recording rules and a few hours of history.',
    queries: [
      stateQuery(scope, daysToFull(scope), { problems: ['forecast'], critical: urgentDisk(scope, 'days') }),
      unlimitedQuery(usage, quota),
    ],
    unit: 'duration',
    mappings: [...forecastMappings, noQuota],
    show: 'value_and_name',
    noValue: 'no forecast',
  });
}

function suspensionStat() {
  return stat({
    title: 'Suspended in',
    description:
      'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day. All sites and mail of a suspended account go offline.',
    queries: withState(figures.paidDays.expression, { problems: ['suspension'] }),
    unit: 'days',
    mappings: dayMappings,
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function loadStat() {
  return stat({
    title: 'Plan load',
    description:
      'Load of all sites together (mean of the last month) as a share of the load that the plan allows. Above the limit, the provider throttles the account or asks for a bigger plan.',
    queries: [
      ...withState(figures.planLoadRatio.expression, { problems: ['load'] }),
      unlimitedQuery(figures.planLoad.expression(scope), figures.planLoadLimit.expression(scope)),
    ],
    unit: 'ratio',
    mappings: [valueTexts({ [unlimitedValue]: 'no limit' })],
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function alertsStat() {
  return stat({
    title: 'Alerts',
    description:
      'Number of firing critical and warning alerts about this account. Requires the alert rules in Prometheus; without them, the count is always 0.',
    queries: [alertCounts(scope)],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
    link: accountAlertsLink,
  });
}

function dataAgeStat() {
  return stat({
    title: 'Data age',
    description:
      'Time since the newest successful poll of the collector account: the maximum age of the data about disk, plan, billing and server. A few minutes are normal; warning from three poll intervals.',
    queries: [
      stateQuery(scope, dataAge, {
        problems: ['stale', 'credentials', 'unreachable'],
        looks: {
          2: { text: 'stale', colour: colours.warning },
          1: { text: 'failing', colour: colours.warning },
        },
      }),
    ],
    unit: 'duration',
    show: 'value_and_name',
    noValue: 'no poll yet',
    link: accountPollsLink,
  });
}

function planStat() {
  return stat({
    title: 'Plan',
    description: 'Plan of the account, as the provider names it.',
    queries: [
      {
        expr: `group by (tariff) (${merged(scope, 'hosting_account_info')}) or group by (tariff) (topk by (account) (1, ${merged({ ...scope, window: '1d' }, 'hosting_account_info')}) unless on (job, account) ${merged(scope, 'hosting_account_info')})`,
      },
    ],
    unit: 'count',
    labels: { tariff: 'Plan' },
    noValue: 'unknown',
  });
}

function usageGraph() {
  return graph({
    title: 'Usage and quota',
    description:
      'Disk usage, total size of the databases, quota and the warning threshold of this account. "In 7 days" is a forecast at the growth rate of "Full in": a single upload does not affect it. It is not drawn while the disk does not grow. Requires the recording rules.',
    noValue: 'no data',
    queries: [
      { expr: usage, legend: 'Used', colour: rankColours[0] },
      { expr: figures.databasesSize.expression(scope), legend: 'Databases', colour: rankColours[2] },
      { expr: quota, legend: 'Quota', colour: colours.critical, dashed: true },
      {
        expr: `${quota} * on (job, account) group_left () ${thresholdLine(scope, 'HostingDiskAlmostFull', 'warning')}`,
        legend: 'Warning threshold',
        colour: colours.warning,
        dashed: true,
      },
      {
        expr: `clamp_min(${usage} + on (job, account) 7 * ${slow('account:hosting_account_disk_growth_bytes_per_day:slower')}, 0) and on (job, account) ${slow('account:hosting_account_disk_usage_bytes:delta1d')} > 0`,
        legend: 'In 7 days',
        colour: rankColours[3],
        dashed: true,
      },
    ],
    unit: 'bytes',
    min: 0,
    legend: 'bottom',
    calcs: ['lastNotNull'],
  });
}

/** The newest sample of a record whose group is evaluated every 15 minutes. */
function slow(record: string): string {
  return `last_over_time(${selector(scope, record)}[1h])`;
}

function growthGraph() {
  return graph({
    title: 'Daily growth',
    description:
      'Disk usage minus disk usage exactly one day before. A constant value means steady growth. Temporary files that appear every night cancel out.',
    noValue: 'Less than one day of history.',
    queries: [
      { expr: change(scope, 'hosting_account_disk_usage_bytes', '1d'), legend: 'Growth', colour: rankColours[0] },
    ],
    unit: 'bytes',
    legend: 'none',
  });
}

function databasesTable() {
  return table({
    title: 'Databases',
    description:
      'Size of each database, its change in seven days, and its size as a multiple of the size a day ago. Load is the mean of the last month. Its unit differs from that of site load: compare databases only with databases. Remote hosts may connect to the database from outside the server.',
    noValue: 'No database data.',
    queries: [
      { expr: `max by (database) (${known(figures.databaseSize.expression)})` },
      { expr: `max by (database) (${change(scope, 'hosting_database_size_bytes', '7d')})` },
      { expr: `max by (database) (${known(figures.databaseLoadMean.expression)})` },
      { expr: `max by (database) (${figures.databaseSizeAgainstYesterday.expression(scope)})` },
      { expr: `max by (database) (${known((one) => merged(one, 'hosting_database_remote_accesses'))})` },
    ],
    columns: [
      { of: 'database', title: 'Database' },
      { of: 'A', title: 'Size', unit: 'bytes', width: 110 },
      { of: 'B', title: 'Change in 7 days', unit: 'bytes', width: 140 },
      {
        of: 'D',
        title: 'vs. yesterday',
        unit: 'times',
        cell: 'coloured',
        thresholds: colourFrom(thresholds.HostingDatabaseGrewFast.levels.info.value),
        width: 140,
        decimals: 2,
      },
      { of: 'C', title: 'Load', unit: 'load', width: 90 },
      { of: 'E', title: 'Remote hosts', unit: 'count', width: 130 },
    ],
    sortBy: ['-Size'],
  });
}

const topCount = 5;

function stackedBy(expression: string, thing: 'site' | 'database', rank: string): GraphQuery[] {
  return [
    ...inRankColours(ranked(expression, thing, topCount, rank), `{{${thing}}}`),
    { expr: others(expression, topCount, rank), legend: 'others', colour: colours.muted },
  ];
}

function databaseSizesGraph() {
  return graph({
    title: 'Database size',
    description: 'The five databases with the largest mean size in the time range, and the sum of all others, stacked.',
    noValue: 'No database data.',
    queries: stackedBy(
      figures.databaseSizeOverTime.expression(scope),
      'database',
      meanOverRange(scope, 'hosting_database_size_bytes'),
    ),
    unit: 'bytes',
    min: 0,
    stacked: true,
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function siteLoadGraph() {
  return graph({
    title: 'Load by site',
    description:
      "Hourly load of the five busiest sites in the time range and the sum of all others, stacked, in the provider's unit. The provider omits hours without load; the graph repeats the previous hour instead. Where only the days are known, their mean hour.",
    noValue: 'No hourly load: no sites, or the collector site_load_detail is disabled.',
    queries: stackedBy(
      figures.siteLoadOverTime.expression(scope),
      'site',
      meanOverRange(scope, 'hosting_site_load_hourly'),
    ),
    unit: 'load',
    min: 0,
    stacked: true,
    legend: 'right',
    calcs: ['mean', 'max'],
  });
}

function databaseLoadGraph() {
  return graph({
    title: 'Load by database',
    description:
      'Hourly load of the five busiest databases in the time range and the sum of all others, stacked. Where only the days are known, their mean hour. The unit differs from that of site load; never add the two.',
    noValue: 'No hourly load: no databases, or the collector database_load_detail is disabled.',
    queries: stackedBy(
      figures.databaseLoadOverTime.expression(scope),
      'database',
      meanOverRange(scope, 'hosting_database_load_hourly'),
    ),
    unit: 'load',
    min: 0,
    stacked: true,
    legend: 'right',
    calcs: ['mean', 'max'],
  });
}

function sitesTable() {
  const one = (expression: string): string => `max by (site_id, site) (${expression})`;
  const mean = known(figures.siteLoadMean.expression);
  const limit = known((one) => `(${figures.planLoadLimit.expression(one)} > 0)`);
  return table({
    title: 'Sites',
    description:
      'Load of each site: mean of the last month, its share of the load that the plan allows, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week. Whether a site is frozen is known only if the list of sites contains it or the collector frozen_sites is enabled.',
    noValue: 'No site data.',
    queries: [
      { expr: one(mean) },
      {
        expr: one(`${mean} / on (job, account) group_left () ${limit}`),
      },
      { expr: one(figures.siteLoadHour.expression(scope)) },
      { expr: one(figures.siteLoadAgainstLastWeek.expression(scope)) },
      { expr: one(merged(scope, 'hosting_site_frozen')) },
    ],
    columns: [
      { of: 'site', title: 'Site' },
      { of: 'A', title: 'Load', unit: 'load', width: 100 },
      {
        of: 'B',
        title: 'Share of limit',
        unit: 'ratio',
        cell: 'bar',
        thresholds: singleColour(rankColours[0]),
        width: 150,
      },
      { of: 'C', title: 'Last hour', unit: 'load', width: 120 },
      {
        of: 'D',
        title: 'vs. last week',
        unit: 'times',
        cell: 'coloured',
        thresholds: colourFrom(thresholds.HostingSiteLoadUnusual.levels.info.value),
        width: 150,
      },
      { of: 'E', title: 'Frozen', mappings: [valueTexts({ 1: 'frozen', 0: 'active' })], width: 90, align: 'left' },
      { of: 'site_id', title: 'ID', width: 80 },
    ],
    sortBy: ['-Load'],
  });
}

function planLoadGraph() {
  return graph({
    title: 'Total site load and limit',
    description:
      'Load of all sites of the account together, mean of the last month. The plan limits this value. The alert fires from the orange line on.',
    noValue: 'No load data.',
    queries: [
      { expr: figures.planLoad.expression(scope), legend: 'All sites', colour: rankColours[0] },
      { expr: figures.planLoadLimit.expression(scope), legend: 'Limit', colour: colours.muted, dashed: true },
      {
        expr: `${figures.planLoadLimit.expression(scope)} * on (job, account) group_left () ${thresholdLine(scope, 'HostingPlanLoadHigh', 'warning')}`,
        legend: 'Warning threshold',
        colour: colours.warning,
        dashed: true,
      },
    ],
    unit: 'load',
    min: 0,
    legend: 'bottom',
    calcs: ['lastNotNull'],
  });
}

function balanceStat() {
  return stat({
    title: 'Balance',
    description:
      'Account balance in the provider\'s currency. Warning and critical as for "Suspended in": the provider is about to suspend the account.',
    queries: withState(figures.balance.expression, { problems: ['suspension'] }),
    unit: 'money',
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function chargeStat() {
  return stat({
    title: 'Daily charge',
    description:
      "Cost of the account per day, in the provider's currency. Warning and critical if the balance soon does not cover it any more.",
    queries: withState(figures.dailyCharge.expression, { problems: ['suspension'] }),
    unit: 'money',
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function monthlyCostStat() {
  const monthly = (one: Scope): string => `(30 * ${figures.dailyCharge.expression(one)})`;
  return stat({
    title: 'Cost per month',
    description: "Thirty times the daily charge, in the provider's currency.",
    queries: withoutState(monthly, 'per month'),
    unit: 'money',
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function balanceDaysStat() {
  const days = (one: Scope): string =>
    `floor(clamp_min(${figures.balance.expression(one)}, 0) / (${figures.dailyCharge.expression(one)} > 0))`;
  return stat({
    title: 'Balance lasts',
    description:
      'Whole days that the balance covers at today\'s daily charge. The provider\'s own estimate, "Suspended in", also knows about credit and annual payments; the alert uses that one.',
    queries: withoutState(days, 'at this charge'),
    unit: 'days',
    mappings: dayMappings,
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function domainsTable() {
  return table({
    title: 'Domains',
    description:
      'Expiry and renewal of each domain, the status of the newest order to renew it, and whether the provider manages its registration. Critical or warning if a domain needs action.',
    noValue: 'No domains with a known expiry date.',
    queries: [
      { expr: `min by (domain) (${known(figures.domainDaysLeft.expression)})` },
      {
        expr: `${domainStates(scope, 'domain')} or ${domainState.expired} * group by (domain) (${selector(scope, 'account_domain:hosting_domain_days_left:max')}) or ${domainState.unjudged} * group by (domain) (${merged(scope, 'hosting_domain_expiry_timestamp_seconds')})`,
      },
      { expr: `max by (domain) (${known(figures.domainAutoRenew.expression)})` },
      { expr: `max by (domain, registrar, status) (${known((one) => merged(one, 'hosting_domain_info'))})` },
      { expr: `max by (domain) (${known((one) => merged(one, 'hosting_domain_under_control'))})` },
      {
        expr: `max without (status) (label_replace(max by (domain, status) (${known((one) => merged(one, 'hosting_domain_renewal_info'))}), "renewal", "$1", "status", "(.*)"))`,
      },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Expires in', unit: 'days', mappings: dayMappings, width: 150 },
      {
        of: 'C',
        title: 'Renewal',
        mappings: [valueTexts({ 1: 'automatic', 0: 'manual' })],
        width: 105,
        align: 'left',
      },
      { of: 'renewal', title: 'Order', width: 105 },
      { of: 'B', title: 'State', mappings: [stateMappings], cell: 'filled', width: 145, align: 'left' },
      {
        of: 'E',
        title: 'Managed',
        mappings: [valueTexts({ 1: 'here', 0: 'elsewhere' })],
        width: 150,
        align: 'left',
      },
      { of: 'registrar', title: 'Registrar', width: 180 },
      { of: 'status', title: 'Status', width: 120 },
    ],
    sortBy: ['-State', 'Expires in'],
  });
}

function backupsTable() {
  return table({
    title: 'Backups',
    description:
      'Age of the newest backup and number of backups. Providers delete some backups from the list: an age of two or three days is normal.',
    noValue: 'No backup data.',
    queries: [
      { expr: `min by (kind) (${known(knownBackupAge, 'hosting_backups')} or ${missingBackups(scope)})` },
      { expr: `max by (kind) (${known(figures.backups.expression)})` },
      { expr: backupStates(scope, 'kind') },
    ],
    columns: [
      { of: 'kind', title: 'Type', mappings: [backupKinds] },
      {
        of: 'A',
        title: 'Age',
        unit: 'duration',
        mappings: [noBackups],
        width: 130,
      },
      { of: 'B', title: 'Count', unit: 'count', width: 110 },
      { of: 'C', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
    ],
    sortBy: ['-Age'],
  });
}

function backupJobsTable() {
  const of = ['kind', 'operation', 'status'].join(', ');
  const newest = 'hosting_backup_job_last_timestamp_seconds';
  return table({
    title: 'Restores and downloads',
    description:
      'Restores and downloads that someone requested in the control panel or by the API, with the status that the provider gives: success, or what it writes instead. A request that keeps another status has failed or hangs.',
    noValue: 'No restores and downloads in the log.',
    queries: [
      { expr: `(time() - max by (${of}) (${known((one) => merged(one, newest))})) / 86400` },
      { expr: `max by (${of}) (${known((one) => merged(one, 'hosting_backup_jobs'))})` },
    ],
    columns: [
      {
        of: 'operation',
        title: 'Operation',
        mappings: [valueTexts({ restore: 'restore', download: 'download' })],
        width: 180,
      },
      { of: 'kind', title: 'Type', mappings: [backupKinds] },
      { of: 'status', title: 'Status', mappings: [valueTexts({ success: 'succeeded', error: 'failed' })], width: 180 },
      { of: 'A', title: 'Newest requested', unit: 'duration', width: 180 },
      { of: 'B', title: 'Count', unit: 'count', width: 110 },
    ],
    sortBy: ['Newest requested'],
  });
}

function alertsTable() {
  return table({
    title: 'Firing alerts',
    description:
      'Firing alerts about this account, the most severe first. Subject is the affected site, database, domain, backup type or collector. Click an alert to open its runbook.',
    noValue: 'No firing alerts found.',
    queries: [{ expr: alerts.severity }, { expr: alerts.age }],
    columns: [
      { of: 'A', title: 'Severity', mappings: [severityMappings], cell: 'filled', width: 145, align: 'left' },
      { of: 'alertname', title: 'Alert', link: runbookLink, width: 240 },
      { of: 'what', title: 'Subject' },
      { of: 'B', title: 'Duration', unit: 'duration', width: 110 },
    ],
    hide: ['account'],
    sortBy: ['-Severity', 'Duration'],
  });
}

/** Selects series by metric name. A part of the name, such as `sites`, becomes the label `thing`. */
function byThing(one: Scope, names: readonly string[], pattern: string): string {
  return `label_replace(${latest(one, '', `__name__=~"${names.join('|')}"`)}, "thing", "$1", "__name__", "hosting_${pattern}")`;
}

function inventoryTable() {
  const of = (expression: string): string => `max by (account, thing) (${expression})`;
  const counted = ['sites', 'domains', 'mailboxes', 'ftp_accounts'].map((thing) => `hosting_account_${thing}_used`);
  const listed = ['sites', 'domains', 'databases', 'ftp_accounts'].map((thing) => `hosting_${thing}`);
  const limits = ['sites', 'domains', 'databases', 'mailboxes', 'ftp_accounts'].map(
    (thing) => `hosting_account_${thing}_limit`,
  );
  const polled = [of(byThing(scope, counted, 'account_(.+)_used')), of(byThing(scope, listed, '(.+)'))].join(' or ');
  const mailboxes = `label_replace(${figures.mailboxes.expression(scope)}, "thing", "mailboxes", "", "")`;
  const cronTasks = `label_replace(${figures.cronTasks.expression(scope)}, "thing", "cron_tasks", "", "")`;
  const lastKnown = of(
    `label_replace(${selector(scope, 'account_kind:hosting_inventory:count')}, "thing", "$1", "kind", "(.+)")`,
  );
  const limit = (one: Scope): string => byThing(one, limits, 'account_(.+)_limit');
  return table({
    title: 'Plan limits',
    description:
      'Number of sites, domains, databases, mailboxes and FTP accounts, and how many the plan allows. Cron tasks have no limit; only enabled ones count. Output: whether an address receives the output of cron tasks.',
    noValue: 'No inventory data.',
    queries: [
      { expr: `${polled} or ${of(`${mailboxes} or ${cronTasks}`)} or ${lastKnown}` },
      { expr: of(`${known(limit)} > 0`) },
      { expr: `(${polled} or ${of(mailboxes)}) / (${of(limit(scope))} > 0)` },
      {
        expr: of(
          `label_replace(${known((one) => merged(one, 'hosting_cron_email_set'))}, "thing", "cron_tasks", "", "")`,
        ),
      },
    ],
    columns: [
      {
        of: 'thing',
        title: 'Item',
        mappings: [
          valueTexts({
            sites: 'Sites',
            domains: 'Domains',
            databases: 'Databases',
            mailboxes: 'Mailboxes',
            ftp_accounts: 'FTP accounts',
            cron_tasks: 'Cron tasks',
          }),
        ],
      },
      { of: 'A', title: 'Used', unit: 'count', width: 90 },
      { of: 'B', title: 'Limit', unit: 'count', width: 100 },
      { of: 'C', title: 'Share', unit: 'ratio', cell: 'bar', thresholds: singleColour(rankColours[0]), width: 200 },
      {
        of: 'D',
        title: 'Output',
        mappings: [valueTexts({ 1: 'by e-mail', 0: 'to no one' })],
        width: 120,
        align: 'left',
      },
    ],
    hide: ['account'],
    sortBy: ['-Share'],
  });
}

function inventoryGraph() {
  const series: readonly (readonly [string, string])[] = [
    ['Sites', figures.sites.expression(scope)],
    ['Domains', figures.domains.expression(scope)],
    ['Databases', figures.databases.expression(scope)],
    ['Mailboxes', figures.mailboxes.expression(scope)],
    ['FTP accounts', figures.ftpAccounts.expression(scope)],
    ['Cron tasks', figures.cronTasks.expression(scope)],
    ['Subdomains', merged(scope, 'hosting_subdomains')],
  ];
  return graph({
    title: 'Inventory over time',
    description:
      'Number of items over time. A sudden drop means that items were deleted or that the provider did not list them.',
    noValue: 'no data',
    queries: series.map(([legend, expr], index) => ({ expr, legend, colour: rankColours[index] ?? colours.muted })),
    unit: 'count',
    min: 0,
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function siteDomainsTable() {
  const site = (one: Scope): string =>
    `(${merged(one, 'hosting_site_domain_info')} * on (job, account, site_id) group_left (site) ${merged(one, 'hosting_site_info')})`;
  const linked = (of: string): string => `max by (domain, site, php_version, ssl_status) (${of})`;
  return table({
    title: 'Site domains',
    description: `Site, PHP version and certificate status of each domain that belongs to a site. "Security fixes" is the time for which the PHP version still gets them, by a table of ${security.checked}; a version that is not in the table has none. A certificate status is coloured if it says that the certificate is missing or does not work.`,
    noValue: 'No domain data.',
    queries: [
      { expr: linked(known(site, 'hosting_site_info')) },
      { expr: phpSupportDays(phpBranch(linked(site(scope)), 'php_version')) },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'site', title: 'Site' },
      { of: 'php_version', title: 'PHP', width: 70 },
      { of: 'B', ...phpSupportColumn, width: 130 },
      { of: 'ssl_status', title: 'Certificate', mappings: certificateMappings, cell: 'coloured', width: 120 },
    ],
    hide: ['branch'],
    sortBy: ['Security fixes', 'Domain'],
  });
}

function mailboxesTable() {
  return table({
    title: 'Mailboxes by domain',
    description:
      'Number of mailboxes of each domain and subdomain, and how many of them forward their mail or have no spam filter. A mailbox that forwards unexpectedly is a common sign of a break-in.',
    noValue: 'No mailbox data.',
    queries: ['hosting_mailboxes', 'hosting_mailboxes_forwarding', 'hosting_mailboxes_spam_filter_disabled'].map(
      (name) => ({ expr: `max by (domain) (${known((one) => merged(one, name))})` }),
    ),
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Mailboxes', unit: 'count', width: 110 },
      { of: 'B', title: 'Forwarding', unit: 'count', width: 130 },
      { of: 'C', title: 'No spam filter', unit: 'count', width: 155 },
    ],
    sortBy: ['-Mailboxes'],
  });
}

function serverLoadGraph() {
  return graph({
    title: 'Server load',
    description:
      'Load average of the server that hosts the account. Other customers share it: you cannot change its load, but it can explain slow sites.',
    noValue: 'No server data.',
    queries: [{ expr: merged(scope, 'hosting_server_load_average'), legend: '{{server}}', colour: rankColours[0] }],
    unit: 'load',
    min: 0,
    legend: 'bottom',
  });
}

function serverMemoryGraph() {
  return graph({
    title: 'Server memory',
    description: 'Share of the memory in use on the server that hosts the account. Other customers share it.',
    noValue: 'No server data.',
    queries: [
      {
        expr: `${merged(scope, 'hosting_server_memory_used_bytes')} / (${merged(scope, 'hosting_server_memory_bytes')} > 0)`,
        legend: '{{server}}',
        colour: rankColours[0],
      },
    ],
    unit: 'ratio',
    min: 0,
    max: 1,
    legend: 'bottom',
  });
}

function serverUptimeGraph() {
  return graph({
    title: 'Server uptime',
    description: 'Time since the server that hosts the account was started. A drop to zero is a restart.',
    noValue: 'No server data.',
    queries: [
      {
        expr: `${merged(scope, 'hosting_server_uptime_seconds')} / 86400`,
        legend: '{{server}}',
        colour: rankColours[0],
      },
    ],
    unit: 'days',
    min: 0,
    legend: 'bottom',
  });
}

function softwareTable() {
  return table({
    title: 'Server software',
    description:
      'Versions of the programs on the server that hosts the account, as the provider writes them. Sites may use other versions of PHP, which the panel "Site domains" shows.',
    noValue: 'No server data.',
    queries: [{ expr: `max by (server, software, version) (${merged(scope, 'hosting_server_software_info')})` }],
    columns: [
      { of: 'software', title: 'Program' },
      { of: 'version', title: 'Version' },
      { of: 'server', title: 'Server' },
    ],
    sortBy: ['Program'],
  });
}

function pollsTable() {
  const one = (expression: string): string => `max by (collector) (${expression})`;
  return table({
    title: 'Polls',
    description: 'Result of the newest poll of each collector, the reason if it failed, and the age of the data.',
    noValue: 'No poll data.',
    queries: [
      { expr: one(figures.collectorSuccess.expression(scope)) },
      { expr: `${one(figures.dataAge.expression(scope))} / 86400` },
      { expr: `${one(figures.collectorInterval.expression(scope))} / 86400` },
      { expr: one(figures.dataAgeIntervals.expression(scope)) },
      { expr: one(figures.collectorDropped.expression(scope)) },
      { expr: failingReason(scope, 'collector') },
      {
        expr: `2 * group by (collector) (${staleCollectors(scope)}) or 0 * group by (collector) (${figures.collectorSuccess.expression(scope)} and on (job, account) ${judged(scope)})`,
      },
    ],
    columns: [
      { of: 'collector', title: 'Collector' },
      {
        of: 'A',
        title: 'Newest poll',
        mappings: [pollTexts],
        cell: 'filled',
        width: 150,
        align: 'left',
      },
      { of: 'reason', title: 'Reason', width: 120 },
      { of: 'B', title: 'Data age', unit: 'duration', width: 140 },
      { of: 'C', title: 'Interval', unit: 'duration', width: 120 },
      { of: 'D', title: 'Data age in intervals', unit: 'intervals', width: 190 },
      { of: 'G', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
      {
        of: 'E',
        title: 'Series dropped',
        unit: 'count',
        cell: 'coloured',
        thresholds: colourFrom(1, colours.warning),
        width: 150,
      },
    ],
    sortBy: ['-Data age in intervals'],
  });
}

function notes() {
  return text(
    'About this data',
    'Source and meaning of the data.',
    [
      '**Source**: the API of the provider, polled on a schedule: by default, disk and billing every few minutes, databases and sites a few times an hour, load and backups every hour, domains and mailboxes a few times a day. *Data age* shows how old the disk and billing data is; the table *Polls* shows the age of all data. If the provider does not answer, results expire after three poll intervals plus ten minutes; the figures and tables then show the last known ones of a day at most. A gap in a graph means that a value is unknown, never that it is zero.',
      '',
      "**Load** is in the provider's own, undocumented unit. Site load and database load have different units: never add the two.",
      '',
      '**Missing values**: a plan without a quota or a limit has none to show. Some providers do not report billing, certificates or backups.',
    ].join('\n'),
  );
}
