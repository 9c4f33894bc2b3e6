import type { Dashboard } from '@grafana/schema';
import { figures, merged } from '../../src/rules/figures.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import {
  accountVariable,
  alertsOfChosen,
  dashboard,
  headLink,
  pollsOfChosen,
  runbookOfRow,
  tile,
} from './dashboard.ts';
import { pollWords } from './exporter.ts';
import {
  alertCounts,
  backupAge,
  change,
  daysToFull,
  domainLevels,
  domainsAlive,
  firingAlerts,
  forecastLevels,
  staleCollectors,
  stateMappings,
} from './expressions.ts';
import { backupKinds, noBackups, severityMappings } from './fleet.ts';
import { inLevelColours, levelsOf, state, stateWords, unlimited, withoutLimit } from './level.ts';
import { colours, farAway, noticeable, percent, plain, rankColours, steps, words } from './look.ts';
import { type Curve, graph, inRankColours, stat, table, text } from './panel.ts';
import { only, others, overGraph, ranked, oneAccount as scope, thresholdLine } from './query.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const usage = figures.diskUsage.expression(scope);
const quota = figures.diskLimit.expression(scope);
const ratio = figures.diskUsedRatio.expression(scope);
const paid = figures.paidDays.expression(scope);
const load = figures.planLoadRatio.expression(scope);
const dataAge = figures.dataAge.expression(only(scope, 'collector="account"'));
const alerts = firingAlerts(scope);
const domains = domainLevels(scope);
const domainDays = figures.domainDaysLeft.expression(scope);
const noQuota = words({ [unlimited]: 'no quota' });

/** The owner: am I about to run out of something, and what eats it? */
export function account(): Dashboard {
  return dashboard({
    uid: 'hosting-account',
    title: 'Hosting / Account',
    description: 'Is this hosting account about to run out of something, and what eats it?',
    from: 'now-7d',
    scope,
    variables: [accountVariable],
    links: [
      headLink('Fleet', 'All accounts', 'hosting-fleet'),
      headLink('Sites and databases', 'Top consumers over all accounts', 'hosting-workload'),
      headLink('Exporter', 'Is what I see current?', 'hosting-exporter'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, usedTile()),
          tile(2, 6, 3, freeTile()),
          tile(3, 6, 3, fullInTile()),
          tile(4, 6, 3, paidTile()),
          tile(5, 6, 3, loadTile()),
          tile(6, 6, 3, alertsTile()),
          tile(7, 6, 3, dataAgeTile()),
          tile(8, 6, 3, planTile()),
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
        row: { id: 19, title: 'Money, domains, backups' },
        tiles: [
          tile(20, 6, 4, balanceTile()),
          tile(21, 6, 4, chargeTile()),
          tile(22, 12, 4, backupsTable()),
          tile(23, 12, 8, domainsTable()),
          tile(24, 12, 8, alertsTable()),
        ],
      },
      {
        row: { id: 25, title: 'What the account holds' },
        tiles: [
          tile(26, 12, 9, holdingsTable()),
          tile(27, 12, 9, holdingsGraph()),
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

function usedTile() {
  return stat({
    title: 'Disk used',
    description: `${figures.diskUsedRatio.meaning} The word is what the alert says: warning from ${percent(disk.warning.value)}, critical from ${percent(disk.critical.value)}, unless configured otherwise for this account.`,
    queries: [
      ...inLevelColours(ratio, levelsOf(scope, 'HostingDiskAlmostFull', ratio), stateWords),
      withoutLimit(usage, quota, 'never full'),
    ],
    unit: 'ratio',
    mappings: [noQuota],
    show: 'value_and_name',
    noValue: 'not known',
  });
}

function freeTile() {
  return stat({
    title: 'Disk free',
    description: figures.diskFree.meaning,
    queries: [{ expr: figures.diskFree.expression(scope) }, withoutLimit(usage, quota, 'never full')],
    unit: 'bytes',
    mappings: [noQuota],
    noValue: 'not known',
  });
}

function fullInTile() {
  return stat({
    title: 'Full in',
    description:
      'Days until the quota is used up at the pace of the last days: the median of daily growth, which one upload or a nightly backup does not move. Critical where it fills within hours. Needs a quota and three days of history.',
    queries: [
      ...inLevelColours(daysToFull(scope), forecastLevels(scope), stateWords),
      withoutLimit(usage, quota, 'never full'),
    ],
    unit: 'days',
    mappings: [...farAway, noQuota],
    show: 'value_and_name',
    noValue: 'no forecast',
  });
}

function paidTile() {
  return stat({
    title: 'Blocked in',
    description: `${figures.paidDays.meaning} A blocked account is gone with all its sites and mail.`,
    queries: inLevelColours(paid, levelsOf(scope, 'HostingAccountBlockedSoon', paid), stateWords),
    unit: 'days',
    decimals: 0,
    mappings: farAway,
    show: 'value_and_name',
    noValue: 'not known',
  });
}

function loadTile() {
  return stat({
    title: 'Load of the plan',
    description: `${figures.planLoadRatio.meaning} Over the plan the provider slows the account down or asks for a bigger plan.`,
    queries: [
      ...inLevelColours(load, levelsOf(scope, 'HostingPlanLoadHigh', load), stateWords),
      withoutLimit(figures.planLoad.expression(scope), figures.planLoadLimit.expression(scope), 'never too high'),
    ],
    unit: 'ratio',
    mappings: [words({ [unlimited]: 'no limit' })],
    show: 'value_and_name',
    noValue: 'not known',
  });
}

function alertsTile() {
  return stat({
    title: 'Alerts',
    description:
      'Alerts about this account that fire now. Without the alert rules in Prometheus, 0 means that nobody watches.',
    queries: alertCounts(scope),
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
    link: alertsOfChosen,
  });
}

function dataAgeTile() {
  return stat({
    title: 'Data age',
    description:
      'Time since the newest good poll of the account: how old what you see can be. A few minutes are ordinary; coloured from three missed turns on.',
    queries: inLevelColours(dataAge, { warning: staleCollectors(scope) }, { ...stateWords, warning: 'stale' }),
    unit: 'seconds',
    show: 'value_and_name',
    noValue: 'no poll yet',
    link: pollsOfChosen,
  });
}

function planTile() {
  return stat({
    title: 'Plan',
    description: 'The plan of the account, as the provider calls it.',
    queries: [{ expr: `group by (tariff) (${merged(scope, 'hosting_account_info')})` }],
    unit: 'count',
    labels: { tariff: 'Plan' },
    noValue: 'not known',
  });
}

function usageGraph() {
  return graph({
    title: 'Usage and quota',
    description:
      'Disk space in use, what the plan allows, and the thresholds of the alerts for this account. "In 7 days" is where the pace of "Full in" leads: a single upload does not move it. It needs three days of history.',
    noValue: 'no data',
    curves: [
      { expr: usage, legend: 'Used', colour: rankColours[0] },
      { expr: figures.databasesSize.expression(scope), legend: 'Databases', colour: rankColours[2] },
      { expr: quota, legend: 'Quota', colour: colours.quiet, dashed: true },
      {
        expr: `${quota} * ${thresholdLine(scope, 'HostingDiskAlmostFull', 'warning', quota)}`,
        legend: 'Warning from',
        colour: colours.warning,
        dashed: true,
      },
      {
        expr: `${quota} * ${thresholdLine(scope, 'HostingDiskAlmostFull', 'critical', quota)}`,
        legend: 'Critical from',
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
    title: 'Growth in a day',
    description:
      'Usage now less usage exactly a day before. Steady heights mean steady growth; what comes and goes every night is not seen here.',
    noValue: 'Not yet a day of history.',
    curves: [
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
      'What each database takes and how it changed in seven days. Load is the mean of the last month, in a unit of the provider that is not the unit of the sites: compare databases with databases only.',
    noValue: 'No database is known.',
    queries: [
      { expr: `max by (database) (${figures.databaseSize.expression(scope)})` },
      { expr: `max by (database) (${change(scope, 'hosting_database_size_bytes', '7d')})` },
      { expr: `max by (database) (${figures.databaseLoadMean.expression(scope)})` },
      { expr: `max by (database) (${figures.databaseSizeAgainstYesterday.expression(scope)})` },
    ],
    columns: [
      { of: 'database', title: 'Database' },
      { of: 'A', title: 'Size', unit: 'bytes', width: 110 },
      { of: 'B', title: 'Change in 7 days', unit: 'bytes', width: 140 },
      {
        of: 'D',
        title: 'Against yesterday',
        unit: 'times',
        cell: 'coloured',
        thresholds: noticeable(thresholds.HostingDatabaseGrewFast.levels.info.value),
        width: 140,
        decimals: 2,
      },
      { of: 'C', title: 'Load', unit: 'load', width: 90 },
    ],
    sortBy: ['-Size'],
  });
}

const topOf = 5;

function stackedBy(expression: string, thing: 'site' | 'database', rank: string): Curve[] {
  return [
    ...inRankColours(ranked(expression, thing, topOf, rank), `{{${thing}}}`),
    { expr: others(expression, topOf, rank), legend: 'all others', colour: colours.quiet },
  ];
}

function databaseSizesGraph() {
  return graph({
    title: 'Size of databases',
    description: 'The five biggest databases and all others together, one upon the other.',
    noValue: 'No database is known.',
    curves: stackedBy(
      figures.databaseSize.expression(scope),
      'database',
      overGraph(scope, 'hosting_database_size_bytes'),
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
      "Load of each hour, the five busiest sites and all others together, one upon the other. The unit is the provider's. Hours without load are left out by the provider and show the hour before.",
    noValue: 'No load per hour is known: no sites, or the collector site_load_detail is off.',
    curves: stackedBy(figures.siteLoadHour.expression(scope), 'site', overGraph(scope, 'hosting_site_load_hourly')),
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
      'Load of each hour, the five busiest databases and all others together. Not the unit of the sites: never add the two.',
    noValue: 'No load per hour is known: no databases, or the collector database_load_detail is off.',
    curves: stackedBy(
      figures.databaseLoadHour.expression(scope),
      'database',
      overGraph(scope, 'hosting_database_load_hourly'),
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
      'What each site takes: mean of the last month, its share of what the plan allows, the newest complete hour, and that hour in multiples of the busiest hour around this day last week.',
    noValue: 'No site is known.',
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
      { of: 'B', title: 'Share of plan', unit: 'ratio', cell: 'bar', thresholds: plain(rankColours[0]), width: 150 },
      { of: 'C', title: 'Last hour', unit: 'load', width: 120 },
      {
        of: 'D',
        title: 'Against last week',
        unit: 'times',
        cell: 'coloured',
        thresholds: noticeable(thresholds.HostingSiteLoadUnusual.levels.info.value),
        width: 150,
      },
      { of: 'site_id', title: 'Id', width: 80 },
    ],
    sortBy: ['-Load'],
  });
}

function planLoadGraph() {
  return graph({
    title: 'Load of all sites and limit',
    description: `${figures.planLoad.meaning} From the orange line on the alert warns.`,
    noValue: 'No load is known.',
    curves: [
      { expr: figures.planLoad.expression(scope), legend: 'All sites', colour: rankColours[0] },
      { expr: figures.planLoadLimit.expression(scope), legend: 'Limit', colour: colours.quiet, dashed: true },
      {
        expr: `${figures.planLoadLimit.expression(scope)} * ${thresholdLine(scope, 'HostingPlanLoadHigh', 'warning', figures.planLoadLimit.expression(scope))}`,
        legend: 'Warning from',
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

function balanceTile() {
  return stat({
    title: 'Balance',
    description: figures.balance.meaning,
    queries: [{ expr: figures.balance.expression(scope) }],
    unit: 'money',
    noValue: 'not known',
  });
}

function chargeTile() {
  return stat({
    title: 'Daily charge',
    description: figures.dailyCharge.meaning,
    queries: [{ expr: figures.dailyCharge.expression(scope) }],
    unit: 'money',
    noValue: 'not known',
  });
}

function domainsTable() {
  return table({
    title: 'Domains',
    description:
      'When the registration of each domain ends, and whether the provider renews it. Coloured where somebody must act.',
    noValue: 'No domain with a known end of registration.',
    queries: [
      { expr: `min by (domain) (${domainDays})` },
      {
        expr: `${state(['domain'], { critical: [domains.critical], warning: [domains.warning], all: domainsAlive(scope) })} or -1 * group by (domain) (${domainDays})`,
      },
      { expr: `max by (domain) (${figures.domainAutoRenew.expression(scope)})` },
      { expr: `max by (domain, registrar, status) (${merged(scope, 'hosting_domain_info')})` },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Ends in', unit: 'days', decimals: 0, mappings: farAway, width: 110 },
      { of: 'C', title: 'Renewed', mappings: [words({ 1: 'by itself', 0: 'by hand' })], width: 105, align: 'left' },
      { of: 'B', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
      { of: 'registrar', title: 'Registrar', width: 140 },
      { of: 'status', title: 'Status', width: 90 },
    ],
    sortBy: ['-State', 'Ends in'],
  });
}

function backupsTable() {
  return table({
    title: 'Backups',
    description:
      'How many backups there are and how old the newest is. Providers thin the list out: two or three days are ordinary.',
    noValue: 'No backup is known.',
    queries: [
      { expr: `min by (kind) (${backupAge(scope)})` },
      { expr: `max by (kind) (${figures.backups.expression(scope)})` },
    ],
    columns: [
      { of: 'kind', title: 'Of', mappings: [backupKinds] },
      {
        of: 'A',
        title: 'Newest is',
        unit: 'days',
        mappings: [noBackups],
        cell: 'coloured',
        thresholds: steps('HostingBackupTooOld'),
        width: 130,
      },
      { of: 'B', title: 'How many', unit: 'count', width: 110 },
    ],
    sortBy: ['-Newest is'],
  });
}

function alertsTable() {
  return table({
    title: 'Firing alerts',
    description:
      'What Prometheus reports about this account now, the loudest first. "About" is the site, database, domain or collector where the alert is about one. A click on the alert opens what to do.',
    noValue: 'No alert is known to fire.',
    queries: [{ expr: alerts.severity }, { expr: alerts.age }],
    columns: [
      { of: 'A', title: 'Severity', mappings: [severityMappings], cell: 'filled', width: 110, align: 'left' },
      { of: 'alertname', title: 'Alert', link: runbookOfRow, width: 240 },
      { of: 'what', title: 'About' },
      { of: 'B', title: 'For', unit: 'seconds', width: 110 },
    ],
    hide: ['account'],
    sortBy: ['-Severity', 'For'],
  });
}

/** The things that plans limit: the label they get, what counts them, and the limit. */
const holdings = [
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

function asThing(thing: string, expression: string): string {
  return `label_replace(max by (account) (${expression}), "thing", "${thing}", "", "")`;
}

function holdingsTable() {
  const used = holdings
    .map(([thing, own, , listed]) => asThing(thing, own === undefined ? listed : `${merged(scope, own)} or ${listed}`))
    .join(' or ');
  const limit = holdings.map(([thing, , limitName]) => asThing(thing, `${merged(scope, limitName)} > 0`)).join(' or ');
  return table({
    title: 'Used of what the plan allows',
    description:
      'How many sites, domains, databases, mailboxes and FTP accounts there are, and how many the plan allows. Of cron tasks those that are switched on; they have no limit.',
    noValue: 'Nothing of this is known.',
    queries: [
      { expr: `${used} or ${asThing('cron tasks', figures.cronTasks.expression(scope))}` },
      { expr: limit },
      { expr: `(${used}) / ((${limit}) > 0)` },
    ],
    columns: [
      {
        of: 'thing',
        title: 'What',
        mappings: [
          words({
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
      { of: 'B', title: 'Allowed', unit: 'count', width: 100 },
      { of: 'C', title: 'Share', unit: 'ratio', cell: 'bar', thresholds: plain(rankColours[0]), width: 200 },
    ],
    hide: ['account'],
    sortBy: ['-Share'],
  });
}

function holdingsGraph() {
  const curves: readonly (readonly [string, string])[] = [
    ['Sites', figures.sites.expression(scope)],
    ['Domains', figures.domains.expression(scope)],
    ['Databases', figures.databases.expression(scope)],
    ['Mailboxes', figures.mailboxes.expression(scope)],
    ['FTP accounts', figures.ftpAccounts.expression(scope)],
    ['Cron tasks', figures.cronTasks.expression(scope)],
  ];
  return graph({
    title: 'How many there are',
    description:
      'Counts over time. A sudden fall means that something was deleted, or that the provider forgot to list it.',
    noValue: 'no data',
    curves: curves.map(([legend, expr], index) => ({ expr, legend, colour: rankColours[index] ?? colours.quiet })),
    unit: 'count',
    min: 0,
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function siteDomainsTable() {
  return table({
    title: 'Domains of sites',
    description: 'Which site answers under which name, with which PHP version and which state of its certificate.',
    noValue: 'Nothing of this is known.',
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
    description: 'How many mailboxes each domain has.',
    noValue: 'No mailbox is known.',
    queries: [{ expr: `max by (domain) (${merged(scope, 'hosting_mailboxes')})` }],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'A', title: 'Mailboxes', unit: 'count', width: 110 },
    ],
    sortBy: ['-Mailboxes'],
  });
}

function serverLoadGraph() {
  return graph({
    title: 'Load of the server',
    description:
      "Load average of the provider's machine, shared with its other customers. Nothing can be done about it, but it explains slow sites.",
    noValue: 'No server is known.',
    curves: [{ expr: merged(scope, 'hosting_server_load_average'), legend: '{{server}}', colour: rankColours[0] }],
    unit: 'load',
    min: 0,
    legend: 'bottom',
  });
}

function serverMemoryGraph() {
  return graph({
    title: 'Memory of the server',
    description: "Memory in use on the provider's machine as a share of what it has; shared with other customers.",
    noValue: 'No server is known.',
    curves: [
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
    title: 'Server running for',
    description: "Time since the provider's machine was started. A fall to nothing is a restart.",
    noValue: 'No server is known.',
    curves: [{ expr: merged(scope, 'hosting_server_uptime_seconds'), legend: '{{server}}', colour: rankColours[0] }],
    unit: 'seconds',
    min: 0,
    legend: 'bottom',
  });
}

function pollsTable() {
  const one = (expression: string): string => `max by (collector) (${expression})`;
  return table({
    title: 'Polls',
    description: 'When each collector last got its figures, and whether its newest poll succeeded as a whole.',
    noValue: 'No poll is known.',
    queries: [
      { expr: one(figures.collectorSuccess.expression(scope)) },
      { expr: one(figures.dataAge.expression(scope)) },
      { expr: one(figures.collectorInterval.expression(scope)) },
      { expr: one(figures.dataAgeIntervals.expression(scope)) },
      { expr: one(figures.collectorSeries.expression(scope)) },
    ],
    columns: [
      { of: 'collector', title: 'Collector' },
      {
        of: 'A',
        title: 'Newest poll',
        mappings: [pollWords],
        cell: 'filled',
        width: 150,
        align: 'left',
      },
      { of: 'B', title: 'Data age', unit: 'seconds', width: 140 },
      { of: 'C', title: 'Every', unit: 'seconds', width: 120 },
      {
        of: 'D',
        title: 'Data age in turns',
        unit: 'intervals',
        cell: 'coloured',
        thresholds: steps('HostingPollFailing'),
        width: 170,
      },
      { of: 'E', title: 'Series', unit: 'count', width: 90 },
    ],
    sortBy: ['-Data age in turns'],
  });
}

function notes() {
  return text(
    'How to read this',
    'What stands behind the figures.',
    [
      '**Everything comes from the provider\'s API**, polled on a schedule: disk and money every few minutes, sites and load every hour, domains and mailboxes a few times a day. *Data age* tells how old it is. When the provider stops answering, figures are kept for three turns and ten minutes, then they disappear: a gap means "not known", never zero.',
      '',
      "**Load** is in the provider's own, undocumented unit. The load of sites and the load of databases are two different units and are never added.",
      '',
      '**Missing figures**: a plan without a quota or a limit has none to show. Some providers do not tell money, certificates or backups.',
    ].join('\n'),
  );
}
