import type { Dashboard } from '@grafana/schema';
import { figures, merged } from '../../src/rules/figures.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { accountOfRow, accountOfSeries, accountsVariable, dashboard, headLink, tile } from './dashboard.ts';
import { change, mean } from './expressions.ts';
import { countInLevelColours, stateWords } from './level.ts';
import { noticeable, plain, rankColours, words } from './look.ts';
import { type Column, graph, inRankColours, stat, table } from './panel.ts';
import { overGraph, passed, ranked, chosenAccounts as scope } from './query.ts';

const bySite = 'by (account, site_id, site)';
const byDatabase = 'by (account, database)';
const siteMean = figures.siteLoadMean.expression(scope);
const siteHour = figures.siteLoadHour.expression(scope);
const databaseMean = figures.databaseLoadMean.expression(scope);
const databaseHour = figures.databaseLoadHour.expression(scope);
const databaseSize = figures.databaseSize.expression(scope);

/** Agency: what consumes most over all accounts, and what has changed since last week? */
export function workload(): Dashboard {
  return dashboard({
    uid: 'hosting-workload',
    title: 'Hosting / Sites and databases',
    description: 'Which sites and databases consume most over all hosting accounts, this week against last?',
    from: 'now-7d',
    scope,
    variables: [accountsVariable],
    links: [
      headLink('Fleet', 'All accounts', 'hosting-fleet'),
      headLink('Account', 'One account: is it about to run out of something?', 'hosting-account'),
      headLink('Exporter', 'Is what I see current?', 'hosting-exporter'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, busiestSiteTile()),
          tile(2, 6, 3, busiestDatabaseTile()),
          tile(3, 6, 3, unusualTile()),
          tile(4, 6, 3, grownTile()),
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
        tiles: [tile(13, 8, 8, phpTable()), tile(14, 8, 8, certificatesTable()), tile(15, 8, 8, oldPhpTable())],
      },
    ],
  });
}

function busiestSiteTile() {
  return stat({
    title: 'Busiest site',
    description: `The site with most load. ${figures.siteLoadMean.meaning}`,
    queries: [{ expr: `topk(1, ${siteMean})`, legend: '{{site}}' }],
    unit: 'load',
    show: 'value_and_name',
    noValue: 'no data',
    link: accountOfSeries,
  });
}

function busiestDatabaseTile() {
  return stat({
    title: 'Busiest database',
    description: `The database with most load. ${figures.databaseLoadMean.meaning}`,
    queries: [{ expr: `topk(1, ${databaseMean})`, legend: '{{database}}' }],
    unit: 'load',
    show: 'value_and_name',
    noValue: 'no data',
    link: accountOfSeries,
  });
}

function recentSiteHour(): string {
  const { age } = thresholds.HostingSiteLoadUnusual.parameters;
  const hours = Number(age.value.replace('h', ''));
  return `${figures.siteLoadHourAge.expression(scope)} < ${hours * 3600}`;
}

function unusualTile() {
  const unusual = passed(
    scope,
    'HostingSiteLoadUnusual',
    'info',
    figures.siteLoadAgainstLastWeek.expression(scope),
    'site_id',
    'site',
  );
  const { floor } = thresholds.HostingSiteLoadUnusual.parameters;
  return stat({
    title: 'Unusual sites',
    description:
      'Sites whose newest hour has four times the load of their busiest hour around this day last week, quiet sites left out. Needs a week of history.',
    queries: countInLevelColours(
      { warning: `(${unusual} and ${siteHour} >= ${floor.value} and ${recentSiteHour()})` },
      siteMean,
      { ...stateWords, warning: 'info' },
    ),
    unit: 'count',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function grownTile() {
  const grown = passed(
    scope,
    'HostingDatabaseGrewFast',
    'info',
    figures.databaseSizeAgainstYesterday.expression(scope),
    'database',
  );
  const { floor } = thresholds.HostingDatabaseGrewFast.parameters;
  return stat({
    title: 'Grown databases',
    description:
      'Databases that are half as big again as yesterday at this time, small ones left out. Mostly a table of logs, sessions or spam.',
    queries: countInLevelColours({ warning: `(${grown} and ${databaseSize} >= ${floor.value})` }, databaseSize, {
      ...stateWords,
      warning: 'info',
    }),
    unit: 'count',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

const weekColumns: readonly Column[] = [
  { of: 'A', title: 'This week', unit: 'load', width: 120 },
  { of: 'B', title: 'Last week', unit: 'load', width: 140 },
  {
    of: 'C',
    title: 'Change',
    unit: 'times',
    cell: 'bar',
    max: 4,
    thresholds: plain(rankColours[0]),
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
    title: 'Sites, this week against last',
    description:
      'The twenty sites with most load this week: mean load of a day, this week and last, and how many times as much. Then the mean of the last month as the provider gives it, the newest complete hour, and that hour in multiples of the busiest hour around this day last week (marked from four times on).',
    noValue: 'No load per day is known: no sites, or the collector site_load_detail is off.',
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
      { of: 'account', title: 'Account', link: accountOfRow, width: 160 },
      ...weekColumns,
      { of: 'D', title: 'Mean of the month', unit: 'load', width: 160 },
      { of: 'E', title: 'Last hour', unit: 'load', width: 130 },
      {
        of: 'F',
        title: 'Hour against last week',
        unit: 'times',
        cell: 'coloured',
        thresholds: noticeable(thresholds.HostingSiteLoadUnusual.levels.info.value),
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
    title: 'Databases, this week against last',
    description:
      'The twenty databases with most load this week: mean load of a day, this week and last, and how many times as much; then what they take. The load of databases has another unit than that of sites.',
    noValue: 'No load per day is known: no databases, or the collector database_load_detail is off.',
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
      { of: 'account', title: 'Account', link: accountOfRow, width: 160 },
      ...weekColumns,
      { of: 'D', title: 'Mean of the month', unit: 'load', width: 160 },
      { of: 'E', title: 'Size', unit: 'bytes', width: 100 },
      { of: 'F', title: 'Change in 7 days', unit: 'bytes', width: 140 },
      { of: 'user', title: 'User', width: 160 },
    ],
    sortBy: ['-This week'],
  });
}

function siteGraph() {
  return graph({
    title: 'Busiest sites',
    description: 'Load of each hour of the six sites that were busiest in the shown time.',
    noValue: 'No load per hour is known: no sites, or the collector site_load_detail is off.',
    curves: inRankColours(ranked(siteHour, 'site', 6, overGraph(scope, 'hosting_site_load_hourly')), '{{site}}'),
    unit: 'load',
    min: 0,
    legend: 'right',
    calcs: ['mean', 'max'],
    link: accountOfSeries,
  });
}

function databaseGraph() {
  return graph({
    title: 'Busiest databases',
    description:
      'Load of each hour of the six databases that were busiest in the shown time. Not the unit of the sites.',
    noValue: 'No load per hour is known: no databases, or the collector database_load_detail is off.',
    curves: inRankColours(
      ranked(databaseHour, 'database', 6, overGraph(scope, 'hosting_database_load_hourly')),
      '{{database}}',
    ),
    unit: 'load',
    min: 0,
    legend: 'right',
    calcs: ['mean', 'max'],
    link: accountOfSeries,
  });
}

function sizeGraph() {
  return graph({
    title: 'Biggest databases',
    description: 'Size of the six databases that are biggest now.',
    noValue: 'No database is known.',
    curves: inRankColours(ranked(databaseSize, 'database', 6), '{{database}}'),
    unit: 'bytes',
    min: 0,
    legend: 'right',
    link: accountOfSeries,
  });
}

function growthTable() {
  const grown = `topk(15, max ${byDatabase} (${change(scope, 'hosting_database_size_bytes', '7d')}) > 0)`;
  return table({
    title: 'Databases that grew most in 7 days',
    description: 'The fifteen databases that took most space within seven days, and what they take now.',
    noValue: 'No growth is known: nothing grew, or there are not yet seven days of history.',
    queries: [
      { expr: grown },
      { expr: `max ${byDatabase} (${databaseSize}) and ${grown}` },
      { expr: `max ${byDatabase} (${figures.databaseSizeAgainstYesterday.expression(scope)}) and ${grown}` },
    ],
    columns: [
      { of: 'database', title: 'Database' },
      { of: 'account', title: 'Account', link: accountOfRow, width: 140 },
      { of: 'A', title: 'Growth', unit: 'bytes', width: 100 },
      { of: 'B', title: 'Size', unit: 'bytes', width: 100 },
      {
        of: 'C',
        title: 'Against yesterday',
        unit: 'times',
        cell: 'coloured',
        decimals: 2,
        thresholds: noticeable(thresholds.HostingDatabaseGrewFast.levels.info.value),
        width: 140,
      },
    ],
    sortBy: ['-Growth'],
  });
}

/** Where both collectors tell the version of a domain, the site's own wins. */
const php = `(max by (account, domain, version) (label_replace(${merged(scope, 'hosting_site_domain_info', 'php_version!=""')}, "version", "$1", "php_version", "(.*)")) or max by (account, domain, version) (${merged(scope, 'hosting_domain_php_info')}))`;

function phpTable() {
  return table({
    title: 'PHP versions',
    description: 'How many domains run which version of PHP.',
    noValue: 'No version is known.',
    queries: [{ expr: `count by (version) (${php})` }],
    columns: [
      { of: 'version', title: 'Version' },
      { of: 'A', title: 'Domains', unit: 'count', width: 110 },
    ],
    sortBy: ['Version'],
  });
}

function certificatesTable() {
  return table({
    title: 'Certificates',
    description: "How many domains of sites have a certificate in which state, in the provider's words.",
    noValue: 'No certificate is known.',
    queries: [{ expr: `count by (ssl_status) (${merged(scope, 'hosting_site_domain_info', 'ssl_status!=""')})` }],
    columns: [
      { of: 'ssl_status', title: 'State' },
      { of: 'A', title: 'Domains', unit: 'count', width: 110 },
    ],
    sortBy: ['-Domains'],
  });
}

function oldPhpTable() {
  return table({
    title: 'Domains with PHP before version 8',
    description: 'These versions get no security fixes any more.',
    noValue: 'No domain is known to run an old version.',
    queries: [
      {
        expr: `max by (account, domain, version) (label_replace(${merged(scope, 'hosting_site_domain_info', 'php_version=~"[4-7]([^0-9].*)?"')}, "version", "$1", "php_version", "(.*)")) or max by (account, domain, version) (${merged(scope, 'hosting_domain_php_info', 'version=~"[4-7]([^0-9].*)?"')})`,
      },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'account', title: 'Account', link: accountOfRow, width: 140 },
      { of: 'version', title: 'Version', width: 90 },
    ],
    sortBy: ['Version'],
  });
}
