import type { Dashboard } from '@grafana/schema';
import { thresholds } from '../../src/rules/thresholds.ts';
import { accountsVariable, dashboard, dashboardLink, rowAccountLink, seriesAccountLink, tile } from './dashboard.ts';
import { change, mean } from './expressions.ts';
import { figures, merged } from './figures.ts';
import { type Column, graph, inRankColours, stat, table } from './panel.ts';
import { alerting, meanOverRange, ranked, selectedAccounts as scope } from './query.ts';
import { scheduleOf } from './schedules.ts';
import { certificateMappings, phpBranch, phpSupportColumn, phpSupportDays, security } from './security.ts';
import { countsBySeverity, judged } from './severity.ts';
import { colourFrom, rankColours, singleColour } from './theme.ts';

const bySite = 'by (account, site_id, site)';
const byDatabase = 'by (account, database)';
const siteMean = figures.siteLoadMean.expression(scope);
const siteHour = figures.siteLoadHour.expression(scope);
const databaseMean = figures.databaseLoadMean.expression(scope);
const databaseSize = figures.databaseSize.expression(scope);

/** The dashboard for agencies. It shows the sites and databases with the highest usage, and changes since last week. */
export function workload(): Dashboard {
  return dashboard({
    uid: 'hosting-workload',
    title: 'Hosting / Sites and databases',
    description: 'Top sites and databases of all hosting accounts, this week compared with last week',
    from: 'now-7d',
    scope,
    refresh: scheduleOf('databases'),
    variables: [accountsVariable],
    links: [
      dashboardLink('Fleet', 'All accounts', 'hosting-fleet'),
      dashboardLink('Account', 'One account: disk, load, billing and inventory', 'hosting-account'),
      dashboardLink('Exporter', 'Data freshness and API failures', 'hosting-exporter'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, busiestSiteStat()),
          tile(2, 6, 3, busiestDatabaseStat()),
          tile(3, 6, 3, unusualLoadStat()),
          tile(4, 6, 3, fastGrowingStat()),
          tile(5, 24, 10, sitesTable()),
          tile(6, 24, 10, databasesTable()),
        ],
      },
      {
        row: { id: 7, title: 'Over time' },
        tiles: [
          tile(8, 12, 9, siteGraph()),
          tile(9, 12, 9, databaseGraph()),
          tile(10, 12, 9, sizeGraph()),
          tile(11, 12, 9, growthTable()),
        ],
      },
      {
        row: { id: 12, title: 'Software' },
        tiles: [tile(13, 7, 8, phpTable()), tile(14, 6, 8, certificatesTable()), tile(15, 11, 8, outdatedPhpTable())],
      },
    ],
  });
}

function busiestSiteStat() {
  return stat({
    title: 'Busiest site',
    description: "The site with the highest load: mean of the last month, in the provider's undocumented unit.",
    queries: [{ expr: `topk(1, ${siteMean})`, legend: '{{site}}' }],
    unit: 'load',
    show: 'value_and_name',
    noValue: 'no data',
    link: seriesAccountLink,
  });
}

function busiestDatabaseStat() {
  return stat({
    title: 'Busiest database',
    description: 'The database with the highest load: mean of the last month. The unit differs from that of site load.',
    queries: [{ expr: `topk(1, ${databaseMean})`, legend: '{{database}}' }],
    unit: 'load',
    show: 'value_and_name',
    noValue: 'no data',
    link: seriesAccountLink,
  });
}

function unusualLoadStat() {
  const { levels } = thresholds.HostingSiteLoadUnusual;
  return stat({
    title: 'Unusual load',
    description: `Sites whose load in the newest complete hour is at least ${levels.info.value} times that of their busiest hour around the same day last week. Hours with a load below 1 and hours that began more than 4 hours ago do not count. Requires a week of history. Requires the recording rules.`,
    queries: [
      countsBySeverity(
        { warning: `max by (job, account, site_id) (${alerting(scope, ['HostingSiteLoadUnusual'])})` },
        `max by (job, account, site_id) (${siteMean}) and on (job, account) ${judged(scope)}`,
        { 2: 'info' },
      ),
    ],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data, or no rules',
  });
}

function fastGrowingStat() {
  const { levels } = thresholds.HostingDatabaseGrewFast;
  return stat({
    title: 'Fast-growing databases',
    description: `Databases that are at least ${levels.info.value} times as large as a day ago. Databases below 100 MB are not included. The usual cause is a table of logs, sessions or spam. Requires the recording rules.`,
    queries: [
      countsBySeverity(
        { warning: `max by (job, account, database) (${alerting(scope, ['HostingDatabaseGrewFast'])})` },
        `max by (job, account, database) (${databaseSize}) and on (job, account) ${judged(scope)}`,
        { 2: 'info' },
      ),
    ],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data, or no rules',
  });
}

const weekColumns: readonly Column[] = [
  { of: 'A', title: 'This week', unit: 'load', width: 120 },
  { of: 'B', title: 'Last week', unit: 'load', width: 140 },
  {
    of: 'C',
    title: 'Ratio',
    unit: 'times',
    cell: 'bar',
    max: 4,
    thresholds: singleColour(rankColours[0]),
    decimals: 2,
    width: 180,
  },
];

function sitesTable() {
  const daily = 'hosting_site_load_daily';
  const now = `max ${bySite} (${mean(scope, daily, '7d')})`;
  const before = `max ${bySite} (${mean(scope, daily, '7d', '7d')})`;
  const top = `topk(20, ${now})`;
  return table({
    title: 'Sites, week over week',
    description:
      'The twenty sites with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week.',
    noValue: 'No daily load: no sites, or the collector site_load_detail is disabled.',
    queries: [
      { expr: top },
      { expr: `${before} and ${top}` },
      { expr: `${now} / (${before} > 0) and ${top}` },
      { expr: `max ${bySite} (${siteMean}) and ${top}` },
      { expr: `max ${bySite} (${siteHour}) and ${top}` },
      { expr: `max ${bySite} (${figures.siteLoadAgainstLastWeek.expression(scope)}) and ${top}` },
    ],
    columns: [
      { of: 'site', title: 'Site', filterable: true },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 160 },
      ...weekColumns,
      { of: 'D', title: 'Monthly mean', unit: 'load', width: 160 },
      { of: 'E', title: 'Last hour', unit: 'load', width: 130 },
      {
        of: 'F',
        title: 'Hour vs. last week',
        unit: 'times',
        cell: 'coloured',
        thresholds: colourFrom(thresholds.HostingSiteLoadUnusual.levels.info.value),
        width: 180,
      },
    ],
    hide: ['site_id'],
    sortBy: ['-This week'],
  });
}

function databasesTable() {
  const daily = 'hosting_database_load_daily';
  const now = `max ${byDatabase} (${mean(scope, daily, '7d')})`;
  const before = `max ${byDatabase} (${mean(scope, daily, '7d', '7d')})`;
  const top = `topk(20, ${now})`;
  return table({
    title: 'Databases, week over week',
    description:
      'The twenty databases with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the size and its change. The unit of load differs from that of site load.',
    noValue: 'No daily load: no databases, or the collector database_load_detail is disabled.',
    queries: [
      { expr: top },
      { expr: `${before} and ${top}` },
      { expr: `${now} / (${before} > 0) and ${top}` },
      { expr: `max ${byDatabase} (${databaseMean}) and ${top}` },
      { expr: `max ${byDatabase} (${databaseSize}) and ${top}` },
      { expr: `max ${byDatabase} (${change(scope, 'hosting_database_size_bytes', '7d')}) and ${top}` },
      {
        expr: `max by (account, database, user) (${merged(scope, 'hosting_database_info')}) and on (account, database) ${top}`,
      },
    ],
    columns: [
      { of: 'database', title: 'Database', filterable: true },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 160 },
      ...weekColumns,
      { of: 'D', title: 'Monthly mean', unit: 'load', width: 160 },
      { of: 'E', title: 'Size', unit: 'bytes', width: 100 },
      { of: 'F', title: 'Change in 7 days', unit: 'bytes', width: 140 },
      { of: 'user', title: 'User', width: 180 },
    ],
    sortBy: ['-This week'],
  });
}

function siteGraph() {
  return graph({
    title: 'Top sites by load',
    description:
      'Hourly load of the six sites with the highest mean load in the time range. Where only the days are known, their mean hour.',
    noValue: 'No hourly load: no sites, or the collector site_load_detail is disabled.',
    queries: inRankColours(
      ranked(figures.siteLoadOverTime.expression(scope), 'site', 6, meanOverRange(scope, 'hosting_site_load_hourly')),
      '{{site}}',
    ),
    unit: 'load',
    min: 0,
    legend: 'right',
    calcs: ['mean', 'max'],
    link: seriesAccountLink,
  });
}

function databaseGraph() {
  return graph({
    title: 'Top databases by load',
    description:
      'Hourly load of the six databases with the highest mean load in the time range. Where only the days are known, their mean hour. The unit differs from that of site load.',
    noValue: 'No hourly load: no databases, or the collector database_load_detail is disabled.',
    queries: inRankColours(
      ranked(
        figures.databaseLoadOverTime.expression(scope),
        'database',
        6,
        meanOverRange(scope, 'hosting_database_load_hourly'),
      ),
      '{{database}}',
    ),
    unit: 'load',
    min: 0,
    legend: 'right',
    calcs: ['mean', 'max'],
    link: seriesAccountLink,
  });
}

function sizeGraph() {
  return graph({
    title: 'Largest databases',
    description: 'Size of the six databases with the largest mean size in the time range.',
    noValue: 'No database data.',
    queries: inRankColours(
      ranked(
        figures.databaseSizeOverTime.expression(scope),
        'database',
        6,
        meanOverRange(scope, 'hosting_database_size_bytes'),
      ),
      '{{database}}',
    ),
    unit: 'bytes',
    min: 0,
    legend: 'right',
    link: seriesAccountLink,
  });
}

function growthTable() {
  const grown = `topk(15, max ${byDatabase} (${change(scope, 'hosting_database_size_bytes', '7d')}) > 0)`;
  return table({
    title: 'Database growth in 7 days',
    description: 'The fifteen databases that grew most in the last seven days.',
    noValue: 'No growth, or less than seven days of history.',
    queries: [
      { expr: grown },
      { expr: `max ${byDatabase} (${databaseSize}) and ${grown}` },
      { expr: `max ${byDatabase} (${figures.databaseSizeAgainstYesterday.expression(scope)}) and ${grown}` },
    ],
    columns: [
      { of: 'database', title: 'Database' },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 140 },
      { of: 'A', title: 'Growth', unit: 'bytes', width: 100 },
      { of: 'B', title: 'Size', unit: 'bytes', width: 100 },
      {
        of: 'C',
        title: 'vs. yesterday',
        unit: 'times',
        cell: 'coloured',
        decimals: 2,
        thresholds: colourFrom(thresholds.HostingDatabaseGrewFast.levels.info.value),
        width: 140,
      },
    ],
    sortBy: ['-Growth'],
  });
}

/** The PHP version of each domain. The version of the collector `sites` takes precedence over that of `php_versions`. */
const php = `(max by (account, domain, version) (label_replace(${merged(scope, 'hosting_site_domain_info', 'php_version!=""')}, "version", "$1", "php_version", "(.*)")) or max by (account, domain, version) (${merged(scope, 'hosting_domain_php_info')}))`;

function phpTable() {
  const counted = `count by (version) (${php})`;
  return table({
    title: 'PHP versions',
    description: `Number of domains per PHP version, and for how long the version still gets security fixes, by a table of ${security.checked}. Versions without security fixes come first. A version that is not in the table has no such figure.`,
    noValue: 'No PHP data.',
    queries: [{ expr: counted }, { expr: phpSupportDays(phpBranch(`group by (version) (${php})`, 'version')) }],
    columns: [
      { of: 'version', title: 'Version' },
      { of: 'A', title: 'Domains', unit: 'count', width: 110 },
      { of: 'B', ...phpSupportColumn, width: 150 },
    ],
    hide: ['branch'],
    sortBy: ['Version'],
  });
}

function certificatesTable() {
  return table({
    title: 'Certificates',
    description:
      'Number of site domains per certificate status, as the provider reports it. A status is coloured if it says that the certificate is missing or does not work.',
    noValue: 'No certificate data.',
    queries: [{ expr: `count by (ssl_status) (${merged(scope, 'hosting_site_domain_info', 'ssl_status!=""')})` }],
    columns: [
      { of: 'ssl_status', title: 'Status', mappings: certificateMappings, cell: 'coloured' },
      { of: 'A', title: 'Domains', unit: 'count', width: 110 },
    ],
    sortBy: ['-Domains'],
  });
}

function outdatedPhpTable() {
  const days = phpSupportDays(phpBranch(php, 'version'));
  return table({
    title: 'Domains without PHP security fixes',
    description: `Domains whose PHP version no longer gets security fixes, or only for the given time. By a table of ${security.checked}.`,
    noValue: 'No such domains found.',
    queries: [{ expr: `${days} < ${security.phpNoticeDays}` }],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 130 },
      { of: 'version', title: 'Version', width: 80 },
      { of: 'A', ...phpSupportColumn, width: 130 },
    ],
    hide: ['branch'],
    sortBy: ['Security fixes', 'Version'],
  });
}
