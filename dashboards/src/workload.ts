import type { Dashboard } from '@grafana/schema';
import { english } from '../../src/pages/english.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { accountsVariable, dashboard, links, type Section, scheduleOf } from './dashboard.ts';
import { loadAgainstLastWeek, loadOverTime, sizeAgainstYesterday, sizeOverTime } from './figures.ts';
import { type Column, graph, stat, table } from './panel.ts';
import { change, highest, meanOverRange, merged, series } from './query.ts';
import { phpBranch, phpSupportColumn, phpSupportDays, security } from './security.ts';
import { countOfInfo } from './state.ts';
import { valueTexts } from './theme.ts';

const siteMean = merged('hosting_site_load_average');
const databaseMean = merged('hosting_database_load_average');
const databaseSize = merged('hosting_database_size_bytes');

const tile = { width: 6, height: 3 } as const;
const half = { width: 12, height: 9 } as const;
const accountColumn: Column = { of: 'account', title: 'Account', link: links.rowAccount, width: 130 };

/** The mean load in a week. `ago`: offset of the end of the week; by default, the week ends now. */
function weekOf(metric: string, by: string, ago = ''): string {
  return `max by (${by}) (max without (instance, pod) (avg_over_time(${series(metric)}[7d]${ago})))`;
}

/** Queries for a table of the twenty series with the highest load this week. `weekColumns` shows A to C. D is the first of `more`. */
function weekOverWeek(metric: string, by: string, ...more: readonly string[]) {
  const now = weekOf(metric, by);
  const before = weekOf(metric, by, ' offset 7d');
  const top = `topk(20, ${now})`;
  const others = [before, `${now} / (${before} > 0)`, ...more.map((one) => `max by (${by}) (${one})`)];
  return [{ expr: top }, ...others.map((one) => ({ expr: `${one} and ${top}` }))];
}

const weekColumns: readonly Column[] = [
  { of: 'A', title: 'This week', unit: 'load', width: 115 },
  { of: 'B', title: 'Last week', unit: 'load', width: 145 },
  { of: 'C', title: 'Ratio', unit: 'times', cell: 'bar', max: 4, width: 130 },
];

const overview: Section = {
  panels: [
    stat({
      ...tile,
      id: 1,
      title: 'Busiest site',
      description: "The site with the highest load: mean of the last month, in the provider's undocumented unit.",
      queries: [{ expr: `topk(1, ${siteMean})`, legend: '{{site}}' }],
      unit: 'load',
      noValue: 'no data',
      link: links.seriesAccount,
    }),
    stat({
      ...tile,
      id: 2,
      title: 'Busiest database',
      description:
        'The database with the highest load: mean of the last month. The unit differs from that of site load.',
      queries: [{ expr: `topk(1, ${databaseMean})`, legend: '{{database}}' }],
      unit: 'load',
      noValue: 'no data',
      link: links.seriesAccount,
    }),
    stat({
      ...tile,
      id: 3,
      title: 'Unusual load',
      description: `Sites whose load in the newest complete hour is at least ${thresholds.HostingSiteLoadUnusual.levels.info.value} times that of their busiest hour around the same day last week. Hours with a load below 1 and hours that began more than 4 hours ago do not count. Requires a week of history. Requires the recording rules.`,
      queries: [countOfInfo('HostingSiteLoadUnusual', siteMean)],
      unit: 'count',
      noValue: 'not evaluated yet',
    }),
    stat({
      ...tile,
      id: 4,
      title: 'Fast-growing databases',
      description: `Databases that are at least ${thresholds.HostingDatabaseGrewFast.levels.info.value} times as large as a day ago. Databases below 100 MB are not included. The usual cause is a table of logs, sessions or spam. Requires the recording rules.`,
      queries: [countOfInfo('HostingDatabaseGrewFast', databaseSize)],
      unit: 'count',
      noValue: 'not evaluated yet',
    }),
    table({
      id: 5,
      width: 24,
      height: 10,
      title: 'Sites, week over week',
      description:
        'The twenty sites with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week.',
      noValue: 'No daily load: no sites, or the collector site_load_detail is disabled.',
      queries: weekOverWeek(
        'hosting_site_load_daily',
        'account, site_id, site',
        siteMean,
        merged('hosting_site_load_hourly'),
        loadAgainstLastWeek,
      ),
      columns: [
        { of: 'site', title: 'Site', filterable: true },
        accountColumn,
        ...weekColumns,
        { of: 'D', title: 'Monthly mean', unit: 'load', width: 160 },
        { of: 'E', title: 'Last hour', unit: 'load', width: 130 },
        { of: 'F', title: 'Hour vs. last week', unit: 'times', width: 180 },
      ],
      hide: ['site_id'],
      sortBy: ['-This week'],
    }),
    table({
      id: 6,
      width: 24,
      height: 10,
      title: 'Databases, week over week',
      description:
        'The twenty databases with the highest mean daily load in the last seven days, compared with the seven days before. Also the mean of the last month, the size and its change. The unit of load differs from that of site load.',
      noValue: 'No daily load: no databases, or the collector database_load_detail is disabled.',
      queries: [
        ...weekOverWeek(
          'hosting_database_load_daily',
          'account, database',
          databaseMean,
          databaseSize,
          change('hosting_database_size_bytes', '7d'),
        ),
        {
          expr: `max by (account, database, user) (${merged('hosting_database_info')}) and on (account, database) topk(20, ${weekOf('hosting_database_load_daily', 'account, database')})`,
        },
      ],
      columns: [
        { of: 'database', title: 'Database', filterable: true },
        accountColumn,
        ...weekColumns,
        { of: 'D', title: 'Monthly mean', unit: 'load', width: 150 },
        { of: 'E', title: 'Size', unit: 'bytes', width: 90 },
        { of: 'F', title: 'Change in 7 days', unit: 'bytes', width: 140 },
        { of: 'user', title: 'User', width: 190 },
      ],
      sortBy: ['-This week'],
    }),
  ],
};

const grown = `topk(15, max by (account, database) (${change('hosting_database_size_bytes', '7d')}) > 0)`;

const overTime: Section = {
  row: { id: 7, title: 'Over time' },
  panels: [
    graph({
      ...half,
      id: 8,
      title: 'Top sites by load',
      description:
        'Hourly load of the six sites with the highest mean load in the time range. Where only the days are known, their mean hour.',
      noValue: 'No hourly load: no sites, or the collector site_load_detail is disabled.',
      queries: [
        {
          expr: highest(6, loadOverTime('site'), 'job, account, site_id', meanOverRange('hosting_site_load_hourly')),
          legend: '{{site}}',
        },
      ],
      unit: 'load',
      legend: 'right',
      calcs: ['mean', 'max'],
      link: links.seriesAccount,
    }),
    graph({
      ...half,
      id: 9,
      title: 'Top databases by load',
      description:
        'Hourly load of the six databases with the highest mean load in the time range. Where only the days are known, their mean hour. The unit differs from that of site load.',
      noValue: 'No hourly load: no databases, or the collector database_load_detail is disabled.',
      queries: [
        {
          expr: highest(
            6,
            loadOverTime('database'),
            'job, account, database',
            meanOverRange('hosting_database_load_hourly'),
          ),
          legend: '{{database}}',
        },
      ],
      unit: 'load',
      legend: 'right',
      calcs: ['mean', 'max'],
      link: links.seriesAccount,
    }),
    graph({
      ...half,
      id: 10,
      title: 'Largest databases',
      description: 'Size of the six databases with the largest mean size in the time range.',
      noValue: 'No database data.',
      queries: [
        {
          expr: highest(6, sizeOverTime, 'job, account, database', meanOverRange('hosting_database_size_bytes')),
          legend: '{{database}}',
        },
      ],
      unit: 'bytes',
      legend: 'right',
      link: links.seriesAccount,
    }),
    table({
      ...half,
      id: 11,
      title: 'Database growth in 7 days',
      description: 'The fifteen databases that grew most in the last seven days.',
      noValue: 'No growth, or less than seven days of history.',
      queries: [
        { expr: grown },
        { expr: `max by (account, database) (${databaseSize}) and ${grown}` },
        { expr: `max by (account, database) (${sizeAgainstYesterday}) and ${grown}` },
      ],
      columns: [
        { of: 'database', title: 'Database' },
        accountColumn,
        { of: 'A', title: 'Growth', unit: 'bytes', width: 100 },
        { of: 'B', title: 'Size', unit: 'bytes', width: 100 },
        { of: 'C', title: 'vs. yesterday', unit: 'times', width: 130 },
      ],
      sortBy: ['-Growth'],
    }),
  ],
};

/** The PHP version of each domain. The version of the collector `sites` takes precedence over that of `php_versions`. */
const php = `(max by (account, domain, version) (label_replace(${merged('hosting_site_domain_info', 'php_version!=""')}, "version", "$1", "php_version", "(.*)")) or max by (account, domain, version) (${merged('hosting_domain_php_info')}))`;

const software: Section = {
  row: { id: 12, title: 'Software' },
  panels: [
    table({
      id: 13,
      width: 7,
      height: 8,
      title: 'PHP versions',
      description: `Number of domains per PHP version, and for how long the version still gets security fixes, by a table of ${security.checked}. Versions without security fixes come first. A version that is not in the table has no such figure.`,
      noValue: 'No PHP data.',
      queries: [
        { expr: `count by (version) (${php})` },
        { expr: phpSupportDays(phpBranch(`group by (version) (${php})`, 'version')) },
      ],
      columns: [
        { of: 'version', title: 'Version' },
        { of: 'A', title: 'Domains', unit: 'count', width: 90 },
        { of: 'B', ...phpSupportColumn, width: 125 },
      ],
      hide: ['branch'],
      sortBy: ['Version'],
    }),
    table({
      id: 14,
      width: 6,
      height: 8,
      title: 'Certificates',
      description:
        'Number of site domains per status of the free certificate, as the provider reports it. A domain with another certificate has HTTPS, too.',
      noValue: 'No certificate data.',
      queries: [{ expr: `count by (ssl_status) (${merged('hosting_site_domain_info', 'ssl_status!=""')})` }],
      columns: [
        { of: 'ssl_status', title: 'Status', mappings: [valueTexts(english.certificateStatus.words)] },
        { of: 'A', title: 'Domains', unit: 'count', width: 110 },
      ],
      sortBy: ['-Domains'],
    }),
    table({
      id: 15,
      width: 11,
      height: 8,
      title: 'Domains without PHP security fixes',
      description: `Domains whose PHP version no longer gets security fixes, or only for the given time. By a table of ${security.checked}.`,
      noValue: 'No such domains found.',
      queries: [{ expr: `${phpSupportDays(phpBranch(php, 'version'))} < ${security.phpNoticeDays}` }],
      columns: [
        { of: 'domain', title: 'Domain' },
        accountColumn,
        { of: 'version', title: 'Version', width: 80 },
        { of: 'A', ...phpSupportColumn, width: 130 },
      ],
      hide: ['branch'],
      sortBy: ['Security fixes', 'Version'],
    }),
  ],
};

/** The dashboard for agencies. It shows the sites and databases with the highest usage, and changes since last week. */
export function workload(): Dashboard {
  return dashboard({
    uid: 'hosting-workload',
    title: 'Hosting / Sites and databases',
    description: 'Top sites and databases of all hosting accounts, this week compared with last week',
    from: 'now-7d',
    refresh: scheduleOf('databases'),
    variables: [accountsVariable],
    sections: [overview, overTime, software],
  });
}
