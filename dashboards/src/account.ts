import type { Dashboard } from '@grafana/schema';
import { figures, merged } from '../../src/rules/figures.ts';
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
  backupAge,
  change,
  collectorSeries,
  currentDomains,
  daysToFull,
  domainConditions,
  firingAlerts,
  forecastConditions,
  staleCollectors,
  stateMappings,
} from './expressions.ts';
import { backupKinds, noBackups, severityMappings } from './fleet.ts';
import { type GraphQuery, graph, inRankColours, stat, table, text } from './panel.ts';
import { meanOverRange, others, ranked, selectedAccount as scope, thresholdLine, withMatchers } from './query.ts';
import {
  queriesBySeverity,
  severityConditions,
  severityLegends,
  stateExpression,
  unlimitedQuery,
  unlimitedValue,
} from './severity.ts';
import {
  colourFrom,
  colours,
  dayMappings,
  percent,
  rankColours,
  singleColour,
  thresholdSteps,
  valueTexts,
} from './theme.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const usage = figures.diskUsage.expression(scope);
const quota = figures.diskLimit.expression(scope);
const ratio = figures.diskUsedRatio.expression(scope);
const paid = figures.paidDays.expression(scope);
const load = figures.planLoadRatio.expression(scope);
const dataAge = figures.dataAge.expression(withMatchers(scope, 'collector="account"'));
const alerts = firingAlerts(scope);
const domains = domainConditions(scope);
const domainDays = figures.domainDaysLeft.expression(scope);
const noQuota = valueTexts({ [unlimitedValue]: 'no quota' });

/** For the owner of an account: what runs out, and what uses it up? */
export function account(): Dashboard {
  return dashboard({
    uid: 'hosting-account',
    title: 'Hosting / Account',
    description: 'One hosting account: what runs out, and what uses it up?',
    from: 'now-7d',
    scope,
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
          tile(20, 6, 4, balanceStat()),
          tile(21, 6, 4, chargeStat()),
          tile(22, 12, 4, backupsTable()),
          tile(23, 12, 8, domainsTable()),
          tile(24, 12, 8, alertsTable()),
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
          tile(34, 24, 10, pollsTable()),
        ],
      },
    ],
  });
}

function usedStat() {
  return stat({
    title: 'Disk used',
    description: `Share of the disk quota that is used. The thresholds of this account determine the severity (default: warning from ${percent(disk.warning.value)}, critical from ${percent(disk.critical.value)}).`,
    queries: [
      ...queriesBySeverity(ratio, severityConditions(scope, 'HostingDiskAlmostFull', ratio), severityLegends),
      unlimitedQuery(usage, quota, 'unlimited'),
    ],
    unit: 'ratio',
    mappings: [noQuota],
    show: 'value_and_name',
    noValue: 'unknown',
  });
}

function freeStat() {
  return stat({
    title: 'Disk free',
    description: 'Disk space left within the quota.',
    queries: [{ expr: figures.diskFree.expression(scope) }, unlimitedQuery(usage, quota, 'unlimited')],
    unit: 'bytes',
    mappings: [noQuota],
    noValue: 'unknown',
  });
}

function fullInStat() {
  return stat({
    title: 'Full in',
    description:
      'Days until the disk quota is used up, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. Critical if the disk is full or fills up within hours. Requires a quota and three days of history.',
    queries: [
      ...queriesBySeverity(daysToFull(scope), forecastConditions(scope), severityLegends),
      unlimitedQuery(usage, quota, 'unlimited'),
    ],
    unit: 'days',
    mappings: [...dayMappings, noQuota],
    show: 'value_and_name',
    noValue: 'no forecast',
  });
}

function suspensionStat() {
  return stat({
    title: 'Suspended in',
    description:
      'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day. All sites and mail of a suspended account go offline.',
    queries: queriesBySeverity(paid, severityConditions(scope, 'HostingAccountBlockedSoon', paid), severityLegends),
    unit: 'days',
    decimals: 0,
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
      ...queriesBySeverity(load, severityConditions(scope, 'HostingPlanLoadHigh', load), severityLegends),
      unlimitedQuery(figures.planLoad.expression(scope), figures.planLoadLimit.expression(scope), 'unlimited'),
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
    queries: alertCounts(scope),
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
    queries: queriesBySeverity(dataAge, { warning: staleCollectors(scope) }, { ...severityLegends, warning: 'stale' }),
    unit: 'seconds',
    show: 'value_and_name',
    noValue: 'no poll yet',
    link: accountPollsLink,
  });
}

function planStat() {
  return stat({
    title: 'Plan',
    description: 'Plan of the account, as the provider names it.',
    queries: [{ expr: `group by (tariff) (${merged(scope, 'hosting_account_info')})` }],
    unit: 'count',
    labels: { tariff: 'Plan' },
    noValue: 'unknown',
  });
}

function usageGraph() {
  return graph({
    title: 'Usage and quota',
    description:
      'Disk usage, total size of the databases, quota and the alert thresholds of this account. "In 7 days" is a forecast at the growth rate of "Full in": a single upload does not affect it. Requires three days of history.',
    noValue: 'no data',
    queries: [
      { expr: usage, legend: 'Used', colour: rankColours[0] },
      { expr: figures.databasesSize.expression(scope), legend: 'Databases', colour: rankColours[2] },
      { expr: quota, legend: 'Quota', colour: colours.muted, dashed: true },
      {
        expr: `${quota} * ${thresholdLine(scope, 'HostingDiskAlmostFull', 'warning', quota)}`,
        legend: 'Warning threshold',
        colour: colours.warning,
        dashed: true,
      },
      {
        expr: `${quota} * ${thresholdLine(scope, 'HostingDiskAlmostFull', 'critical', quota)}`,
        legend: 'Critical threshold',
        colour: colours.critical,
        dashed: true,
      },
      {
        expr: `clamp_min(${usage} + 7 * ${figures.diskGrowthPerDay.expression(scope)}, 0)`,
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
      { expr: `max by (database) (${figures.databaseSize.expression(scope)})` },
      { expr: `max by (database) (${change(scope, 'hosting_database_size_bytes', '7d')})` },
      { expr: `max by (database) (${figures.databaseLoadMean.expression(scope)})` },
      { expr: `max by (database) (${figures.databaseSizeAgainstYesterday.expression(scope)})` },
      { expr: `max by (database) (${merged(scope, 'hosting_database_remote_accesses')})` },
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
      figures.databaseSize.expression(scope),
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
      "Hourly load of the five busiest sites in the time range and the sum of all others, stacked, in the provider's unit. The provider omits hours without load; the graph repeats the previous hour instead.",
    noValue: 'No hourly load: no sites, or the collector site_load_detail is disabled.',
    queries: stackedBy(
      figures.siteLoadHour.expression(scope),
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
      'Hourly load of the five busiest databases in the time range and the sum of all others, stacked. The unit differs from that of site load; never add the two.',
    noValue: 'No hourly load: no databases, or the collector database_load_detail is disabled.',
    queries: stackedBy(
      figures.databaseLoadHour.expression(scope),
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
  const mean = figures.siteLoadMean.expression(scope);
  return table({
    title: 'Sites',
    description:
      'Load of each site: mean of the last month, its share of the load that the plan allows, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week.',
    noValue: 'No site data.',
    queries: [
      { expr: one(mean) },
      {
        expr: one(`${mean} / on (job, account) group_left () (${figures.planLoadLimit.expression(scope)} > 0)`),
      },
      { expr: one(figures.siteLoadHour.expression(scope)) },
      { expr: one(figures.siteLoadAgainstLastWeek.expression(scope)) },
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
        expr: `${figures.planLoadLimit.expression(scope)} * ${thresholdLine(scope, 'HostingPlanLoadHigh', 'warning', figures.planLoadLimit.expression(scope))}`,
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
    description: "Account balance in the provider's currency.",
    queries: [{ expr: figures.balance.expression(scope) }],
    unit: 'money',
    noValue: 'unknown',
  });
}

function chargeStat() {
  return stat({
    title: 'Daily charge',
    description: "Cost of the account per day, in the provider's currency.",
    queries: [{ expr: figures.dailyCharge.expression(scope) }],
    unit: 'money',
    noValue: 'unknown',
  });
}

function domainsTable() {
  return table({
    title: 'Domains',
    description:
      'Expiry and renewal of each domain, and whether the provider manages its registration. Critical or warning if a domain needs action.',
    noValue: 'No domains with a known expiry date.',
    queries: [
      { expr: `min by (domain) (${domainDays})` },
      {
        expr: `${stateExpression(['domain'], { critical: [domains.critical], warning: [domains.warning], all: currentDomains(scope) })} or -1 * group by (domain) (${domainDays})`,
      },
      { expr: `max by (domain) (${figures.domainAutoRenew.expression(scope)})` },
      { expr: `max by (domain, registrar, status) (${merged(scope, 'hosting_domain_info')})` },
      { expr: `max by (domain) (${merged(scope, 'hosting_domain_under_control')})` },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Expires in', unit: 'days', decimals: 0, mappings: dayMappings, width: 150 },
      {
        of: 'C',
        title: 'Renewal',
        mappings: [valueTexts({ 1: 'automatic', 0: 'manual' })],
        width: 105,
        align: 'left',
      },
      { of: 'B', title: 'State', mappings: [stateMappings], cell: 'filled', width: 145, align: 'left' },
      {
        of: 'E',
        title: 'Managed',
        mappings: [valueTexts({ 1: 'here', 0: 'elsewhere' })],
        width: 110,
        align: 'left',
      },
      { of: 'registrar', title: 'Registrar', width: 140 },
      { of: 'status', title: 'Status', width: 90 },
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
      { expr: `min by (kind) (${backupAge(scope)})` },
      { expr: `max by (kind) (${figures.backups.expression(scope)})` },
    ],
    columns: [
      { of: 'kind', title: 'Type', mappings: [backupKinds] },
      {
        of: 'A',
        title: 'Age',
        unit: 'days',
        mappings: [noBackups],
        cell: 'coloured',
        thresholds: thresholdSteps('HostingBackupTooOld'),
        width: 130,
      },
      { of: 'B', title: 'Count', unit: 'count', width: 110 },
    ],
    sortBy: ['-Age'],
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
      { of: 'B', title: 'Duration', unit: 'seconds', width: 110 },
    ],
    hide: ['account'],
    sortBy: ['-Severity', 'Duration'],
  });
}

/** Item, usage metric, limit metric and list count of everything that a plan limits. */
const inventory = [
  ['sites', 'hosting_account_sites_used', 'hosting_account_sites_limit', figures.sites.expression(scope)],
  ['domains', 'hosting_account_domains_used', 'hosting_account_domains_limit', figures.domains.expression(scope)],
  ['databases', undefined, 'hosting_account_databases_limit', figures.databases.expression(scope)],
  [
    'mailboxes',
    'hosting_account_mailboxes_used',
    'hosting_account_mailboxes_limit',
    figures.mailboxes.expression(scope),
  ],
  [
    'FTP accounts',
    'hosting_account_ftp_accounts_used',
    'hosting_account_ftp_accounts_limit',
    figures.ftpAccounts.expression(scope),
  ],
] as const;

function withThing(thing: string, expression: string): string {
  return `label_replace(max by (account) (${expression}), "thing", "${thing}", "", "")`;
}

function inventoryTable() {
  const used = inventory
    .map(([thing, own, , listed]) =>
      withThing(thing, own === undefined ? listed : `${merged(scope, own)} or ${listed}`),
    )
    .join(' or ');
  const limit = inventory
    .map(([thing, , limitName]) => withThing(thing, `${merged(scope, limitName)} > 0`))
    .join(' or ');
  return table({
    title: 'Plan limits',
    description:
      'Number of sites, domains, databases, mailboxes and FTP accounts, and how many the plan allows. Cron tasks have no limit; only enabled ones count.',
    noValue: 'No inventory data.',
    queries: [
      { expr: `${used} or ${withThing('cron tasks', figures.cronTasks.expression(scope))}` },
      { expr: limit },
      { expr: `(${used}) / ((${limit}) > 0)` },
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
            'FTP accounts': 'FTP accounts',
            'cron tasks': 'Cron tasks',
          }),
        ],
      },
      { of: 'A', title: 'Used', unit: 'count', width: 90 },
      { of: 'B', title: 'Limit', unit: 'count', width: 100 },
      { of: 'C', title: 'Share', unit: 'ratio', cell: 'bar', thresholds: singleColour(rankColours[0]), width: 200 },
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
  return table({
    title: 'Site domains',
    description: 'Site, PHP version and certificate status of each domain that belongs to a site.',
    noValue: 'No domain data.',
    queries: [
      {
        expr: `max by (domain, site, php_version, ssl_status) (${merged(scope, 'hosting_site_domain_info')} * on (job, account, site_id) group_left (site) ${merged(scope, 'hosting_site_info')})`,
      },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'site', title: 'Site' },
      { of: 'php_version', title: 'PHP', width: 80 },
      { of: 'ssl_status', title: 'Certificate', width: 120 },
    ],
    sortBy: ['Domain'],
  });
}

function mailboxesTable() {
  return table({
    title: 'Mailboxes by domain',
    description:
      'Number of mailboxes of each domain and subdomain, and how many of them forward their mail or have no spam filter. A mailbox that forwards unexpectedly is a common sign of a break-in.',
    noValue: 'No mailbox data.',
    queries: ['hosting_mailboxes', 'hosting_mailboxes_forwarding', 'hosting_mailboxes_spam_filter_disabled'].map(
      (name) => ({ expr: `max by (domain) (${merged(scope, name)})` }),
    ),
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Mailboxes', unit: 'count', width: 110 },
      { of: 'B', title: 'Forwarding', unit: 'count', width: 130 },
      { of: 'C', title: 'No spam filter', unit: 'count', width: 140 },
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
    queries: [{ expr: merged(scope, 'hosting_server_uptime_seconds'), legend: '{{server}}', colour: rankColours[0] }],
    unit: 'seconds',
    min: 0,
    legend: 'bottom',
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
      { expr: one(figures.dataAge.expression(scope)) },
      { expr: one(figures.collectorInterval.expression(scope)) },
      { expr: one(figures.dataAgeIntervals.expression(scope)) },
      { expr: one(collectorSeries(scope)) },
      { expr: failingReason(scope, 'collector') },
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
      { of: 'B', title: 'Data age', unit: 'seconds', width: 140 },
      { of: 'C', title: 'Interval', unit: 'seconds', width: 120 },
      {
        of: 'D',
        title: 'Data age in intervals',
        unit: 'intervals',
        cell: 'coloured',
        thresholds: thresholdSteps('HostingPollFailing'),
        width: 190,
      },
      { of: 'E', title: 'Series', unit: 'count', width: 90 },
    ],
    sortBy: ['-Data age in intervals'],
  });
}

function notes() {
  return text(
    'About this data',
    'Source and meaning of the data.',
    [
      '**Source**: the API of the provider, polled on a schedule: by default, disk and billing every few minutes, databases and sites a few times an hour, load and backups every hour, domains and mailboxes a few times a day. *Data age* shows how old the disk and billing data is; the table *Polls* shows the age of all data. If the provider does not answer, results expire after three poll intervals plus ten minutes. A gap means that a value is unknown, never that it is zero.',
      '',
      "**Load** is in the provider's own, undocumented unit. Site load and database load have different units: never add the two.",
      '',
      '**Missing values**: a plan without a quota or a limit has none to show. Some providers do not report billing, certificates or backups.',
    ].join('\n'),
  );
}
