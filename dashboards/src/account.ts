import type { Dashboard } from '@grafana/schema';
import { english } from '../../src/pages/english.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { inventory, server } from './account-details.ts';
import { alertsStat, alertsTable } from './alerts.ts';
import { accountVariable, dashboard, links, type Section, scheduleOf } from './dashboard.ts';
import {
  allDaysLeft,
  autoRenew,
  backupAge,
  backupKinds,
  backups,
  balance,
  dailyCharge,
  dataAge,
  daysLeft,
  diskLimit,
  diskUsed,
  fullIn,
  fullTexts,
  loadAgainstLastWeek,
  loadLimit,
  loadOverTime,
  paidDays,
  planLoad,
  renewalTexts,
  sizeAgainstYesterday,
  sizeOverTime,
  today,
  usage,
} from './figures.ts';
import { graph, stat, table } from './panel.ts';
import { change, highest, meanOverRange, merged, named, type Query, series, slow } from './query.ts';
import {
  backupState,
  backupStates,
  percent,
  problems,
  severity,
  stateLooks,
  stateTexts,
  unlimited,
  unlimitedLook,
  withState,
} from './state.ts';
import { colours, lineColours, matchingText, valueTexts } from './theme.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const planLoadTotal = `sum without (site_id) (max without (instance, pod, site) (${series('hosting_site_load_average')}))`;

const recentLoad = `sum without (site_id) (max without (instance, pod, site) (${series('hosting_site_load_recent_average')}))`;

const tile = { width: 6, height: 3, noValue: 'unknown' } as const;

/** The account's warning threshold of an alert. */
function warningThreshold(alert: string): string {
  return merged('hosting_account_alert_threshold', `alert="${alert}"`, 'severity="warning"');
}

const overview: Section = {
  panels: [
    stat({
      ...tile,
      id: 1,
      title: 'Disk used',
      description: `Share of the disk quota that is used. The thresholds of this account determine the severity (default: warning from ${percent(disk.warning.value)}). Critical, as in the alert: over the quota, less than 100 MB free, full within 3 days, or 98% used and less than three days of history. While the account cannot be polled, the last known value of a day at most; Data age shows how old it is. Requires the recording rules.`,
      queries: [withState(diskUsed, 'HostingDiskAlmostFull'), unlimited(usage, diskLimit)],
      looks: { ...stateLooks, ...unlimitedLook('no quota') },
      unit: 'ratio',
    }),
    stat({
      ...tile,
      id: 2,
      title: 'Disk free',
      description: 'Disk space left within the quota. Requires the recording rules.',
      queries: [{ expr: series('account:hosting_disk_free_bytes:min') }],
      unit: 'bytes',
    }),
    stat({
      ...tile,
      id: 3,
      title: 'Full in',
      description:
        'Time until the disk quota is used up, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. No forecast while the disk does not grow. Requires a quota, the recording rules and a few hours of history.',
      queries: [withState(fullIn, 'HostingDiskFillingUpFast', 'HostingDiskFillingUp')],
      looks: stateLooks,
      unit: 'duration',
      mappings: fullTexts,
      noValue: 'no forecast',
    }),
    stat({
      ...tile,
      id: 4,
      title: 'Suspended in',
      description:
        'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day. All sites and mail of a suspended account go offline. Requires the recording rules.',
      queries: [withState(paidDays, ...problems['suspension'].critical)],
      looks: stateLooks,
      unit: 'days',
      mappings: today,
    }),
    stat({
      ...tile,
      id: 5,
      title: 'Plan load',
      description:
        'Load of all sites together (mean of the last month) as a share of the load that the plan allows. Above the limit, the provider throttles the account or asks for a bigger plan. Requires the recording rules.',
      queries: [withState(planLoad, 'HostingPlanLoadHigh'), unlimited(planLoadTotal, loadLimit)],
      looks: { ...stateLooks, ...unlimitedLook('no limit') },
      unit: 'ratio',
    }),
    alertsStat(
      {
        ...tile,
        id: 6,
        description:
          'Number of firing critical and warning alerts about this account. Requires the rules in Prometheus.',
      },
      'account!=""',
    ),
    stat({
      ...tile,
      id: 7,
      title: 'Data age',
      description:
        'Time since the newest successful poll of the collector account: the maximum age of the data about disk, plan, billing and server. A few minutes are normal; an alert fires from three poll intervals on.',
      queries: [withState(dataAge, 'HostingPollFailing', 'HostingCredentialsRejected', 'HostingAccountUnreachable')],
      looks: stateLooks,
      unit: 'duration',
      noValue: 'no poll yet',
      link: links.accountPolls,
    }),
    stat({
      ...tile,
      id: 8,
      title: 'Plan',
      description: 'Plan of the account, as the provider names it.',
      queries: [{ expr: `group by (tariff) (${merged('hosting_account_info')})` }],
      unit: 'count',
      label: 'tariff',
      mappings: [matchingText('/^(.*)$/', 'plan “$1”')],
    }),
  ],
};

const growth = slow('account:hosting_account_disk_growth_bytes_per_day:slower');
const grewToday = `${slow('account:hosting_account_disk_usage_bytes:delta1d')} > 0`;

/** The five highest series in the time range, and the sum of all other series. */
function topFive(expression: string, of: 'site' | 'database', metric: string): Query[] {
  const labels = of === 'site' ? 'job, account, site_id' : 'job, account, database';
  const rank = meanOverRange(metric);
  return [
    { expr: highest(5, expression, labels, rank), legend: `{{${of}}}` },
    { expr: `sum(${expression} unless on (${labels}) topk(5, ${rank}))`, legend: 'others', colour: colours.muted },
  ];
}

const diskSection: Section = {
  row: { id: 9, title: 'Disk' },
  panels: [
    graph({
      id: 10,
      width: 14,
      height: 8,
      title: 'Usage and quota',
      description:
        'Disk usage, total size of the databases, quota and the warning threshold of this account. "In 7 days" is a forecast at the growth rate of "Full in": a single upload does not affect it. It is not drawn while the disk does not grow. Requires the recording rules.',
      noValue: 'no data',
      queries: [
        { expr: usage, legend: 'Used', colour: lineColours.first },
        {
          expr: `sum without (database) (${merged('hosting_database_size_bytes')})`,
          legend: 'Databases',
          colour: lineColours.second,
        },
        { expr: diskLimit, legend: 'Quota', colour: colours.critical, dashed: true },
        {
          expr: `${diskLimit} * on (job, account) group_left () ${warningThreshold('HostingDiskAlmostFull')}`,
          legend: 'Warning threshold',
          colour: colours.warning,
          dashed: true,
        },
        {
          expr: `clamp_min(${usage} + on (job, account) 7 * ${growth}, 0) and on (job, account) ${grewToday}`,
          legend: 'In 7 days',
          colour: lineColours.third,
          dashed: true,
        },
      ],
      unit: 'bytes',
      legend: 'bottom',
      calcs: ['lastNotNull'],
    }),
    graph({
      id: 11,
      width: 10,
      height: 8,
      title: 'Daily growth',
      description:
        'Disk usage minus disk usage exactly one day before. A constant value means steady growth. Temporary files that appear every night cancel out.',
      noValue: 'Less than one day of history.',
      queries: [
        { expr: change('hosting_account_disk_usage_bytes', '1d'), legend: 'Growth', colour: lineColours.first },
      ],
      unit: 'bytes',
      canBeNegative: true,
      legend: 'none',
    }),
    table({
      id: 12,
      width: 14,
      height: 6,
      title: 'Databases',
      description:
        'Size of each database, its change in seven days, and its size as a multiple of the size a day ago. Load is the mean of the last month. Its unit differs from that of site load: compare databases only with databases. Remote hosts may connect to the database from outside the server.',
      noValue: 'No database data.',
      queries: [
        merged('hosting_database_size_bytes'),
        change('hosting_database_size_bytes', '7d'),
        merged('hosting_database_load_average'),
        sizeAgainstYesterday,
        merged('hosting_database_remote_accesses'),
      ].map((figure) => ({ expr: `max by (database) (${figure})` })),
      columns: [
        { of: 'database', title: 'Database' },
        { of: 'A', title: 'Size', unit: 'bytes', width: 95 },
        { of: 'B', title: 'Change in 7 days', unit: 'bytes', width: 140 },
        { of: 'D', title: 'vs. yesterday', unit: 'times', width: 115 },
        { of: 'C', title: 'Load', unit: 'load', width: 85 },
        { of: 'E', title: 'Remote hosts', unit: 'count', width: 130 },
      ],
      sortBy: ['-Size'],
    }),
    graph({
      id: 13,
      width: 10,
      height: 6,
      title: 'Database size',
      description:
        'The five databases with the largest mean size in the time range, and the sum of all others, stacked.',
      noValue: 'No database data.',
      queries: topFive(sizeOverTime, 'database', 'hosting_database_size_bytes'),
      unit: 'bytes',
      stacked: true,
      legend: 'right',
      calcs: ['lastNotNull'],
    }),
  ],
};

const third = { width: 8, height: 8 } as const;

const frozenTexts = valueTexts({ 1: 'frozen', 0: 'active' });

function ofSite(expression: string): Query {
  return { expr: `max by (site_id, site) (${expression})` };
}

const loadSection: Section = {
  row: { id: 14, title: 'Load' },
  panels: [
    graph({
      ...third,
      id: 15,
      title: 'Load by site',
      description:
        "Hourly load of the five busiest sites in the time range and the sum of all others, stacked, in the provider's unit. The provider omits hours without load; the graph repeats the previous hour instead. Where only the days are known, their mean hour.",
      noValue: 'No hourly load: no sites, or the collector site_load_detail is disabled.',
      queries: topFive(loadOverTime('site'), 'site', 'hosting_site_load_hourly'),
      unit: 'load',
      stacked: true,
      legend: 'bottom',
    }),
    graph({
      ...third,
      id: 16,
      title: 'Load by database',
      description:
        'Hourly load of the five busiest databases in the time range and the sum of all others, stacked. Where only the days are known, their mean hour. The unit differs from that of site load; never add the two.',
      noValue: 'No hourly load: no databases, or the collector database_load_detail is disabled.',
      queries: topFive(loadOverTime('database'), 'database', 'hosting_database_load_hourly'),
      unit: 'load',
      stacked: true,
      legend: 'bottom',
    }),
    graph({
      ...third,
      id: 18,
      title: 'Total site load and limit',
      description:
        'Load of all sites of the account together: mean of the last month, and mean of the three days that ended last. The plan limits the load. HostingPlanLoadHigh fires when the month reaches the orange line, HostingPlanOverloaded when the three days reach the limit.',
      noValue: 'No load data.',
      queries: [
        { expr: planLoadTotal, legend: 'All sites', colour: lineColours.first },
        { expr: recentLoad, legend: 'Last 3 days', colour: lineColours.second },
        { expr: loadLimit, legend: 'Limit', colour: colours.muted, dashed: true },
        {
          expr: `${loadLimit} * on (job, account) group_left () ${warningThreshold('HostingPlanLoadHigh')}`,
          legend: 'Warning threshold',
          colour: colours.warning,
          dashed: true,
        },
      ],
      unit: 'load',
      legend: 'bottom',
    }),
    table({
      id: 17,
      width: 24,
      height: 6,
      title: 'Sites',
      description:
        'Load of each site: mean of the last month, its share of the load that the plan allows, the newest complete hour, and that hour as a multiple of the busiest hour around the same day last week. Whether a site is frozen is known only if the list of sites contains it or the collector frozen_sites is enabled.',
      noValue: 'No site data.',
      queries: [
        ofSite(merged('hosting_site_load_average')),
        ofSite(`${merged('hosting_site_load_average')} / on (job, account) group_left () ${loadLimit}`),
        ofSite(merged('hosting_site_load_hourly')),
        ofSite(loadAgainstLastWeek),
        ofSite(merged('hosting_site_frozen')),
      ],
      columns: [
        { of: 'site', title: 'Site' },
        { of: 'site_id', title: 'ID', width: 110 },
        { of: 'A', title: 'Load', unit: 'load', width: 100 },
        { of: 'B', title: 'Share of limit', unit: 'ratio', cell: 'bar', width: 180 },
        { of: 'C', title: 'Last hour', unit: 'load', width: 130 },
        { of: 'D', title: 'vs. last week', unit: 'times', width: 150 },
        { of: 'E', title: 'Frozen', mappings: [frozenTexts], width: 130, align: 'left' },
      ],
      sortBy: ['-Load'],
    }),
  ],
};

const managedTexts = valueTexts({ 1: 'here', 0: 'elsewhere' });
const operationTexts = valueTexts({ restore: 'restore', download: 'download' });

/** The labels that identify a kind of restore or download. */
const backupJobs = 'kind, operation, status';

const billing: Section = {
  row: { id: 19, title: 'Billing, domains and backups' },
  panels: [
    stat({
      id: 20,
      width: 8,
      height: 3,
      noValue: 'unknown',
      title: 'Balance',
      description: "Account balance in the provider's currency.",
      queries: [{ expr: balance }],
      unit: 'money',
    }),
    stat({
      id: 21,
      width: 8,
      height: 3,
      noValue: 'unknown',
      title: 'Charge',
      description: "Cost of the account per day, and thirty times as much, in the provider's currency.",
      queries: [{ expr: named('per', { day: dailyCharge, month: `30 * ${dailyCharge}` }), legend: '{{per}}' }],
      looks: { day: { text: 'per day' }, month: { text: 'per month' } },
      unit: 'money',
    }),
    stat({
      id: 37,
      width: 8,
      height: 3,
      noValue: 'unknown',
      title: 'Balance lasts',
      description:
        'Whole days that the balance covers at today\'s daily charge. The provider\'s own estimate, "Suspended in", also knows about credit and annual payments; the alert uses that one.',
      queries: [{ expr: `floor(clamp_min(${balance}, 0) / (${dailyCharge} > 0))` }],
      unit: 'days',
      mappings: today,
    }),
    table({
      id: 23,
      width: 24,
      height: 6,
      title: 'Domains',
      description:
        'Expiry and renewal of each domain, the status of the newest order to renew it, and whether the provider manages its registration. Critical or warning if a domain needs action.',
      noValue: 'No domains with a known expiry date.',
      queries: [
        { expr: `min by (domain) (${allDaysLeft})` },
        {
          expr: `${severity('domain', ...problems['domain'].warning)} or 0 * group by (domain) (${daysLeft}) or -1 * group by (domain) (${allDaysLeft})`,
        },
        { expr: `max by (domain) (${autoRenew})` },
        { expr: `max by (domain, registrar, status) (${merged('hosting_domain_info')})` },
        { expr: `max by (domain) (${slow('account_domain:hosting_domain_under_control:max')})` },
        {
          expr: `max by (domain, renewal) (label_replace(${merged('hosting_domain_renewal_info')}, "renewal", "$1", "status", "(.*)"))`,
        },
      ],
      columns: [
        { of: 'domain', title: 'Domain' },
        { of: 'A', title: 'Expires in', unit: 'days', mappings: today, width: 145 },
        { of: 'C', title: 'Renewal', mappings: [renewalTexts], width: 110, align: 'left' },
        { of: 'renewal', title: 'Order', mappings: [valueTexts(english.renewalStatus.words)], width: 160 },
        { of: 'B', title: 'State', mappings: [stateTexts], cell: 'filled', width: 145 },
        { of: 'E', title: 'Managed', mappings: [managedTexts], width: 140, align: 'left' },
        { of: 'registrar', title: 'Registrar', width: 150 },
        { of: 'status', title: 'Status', mappings: [valueTexts(english.domainStatus.words)], width: 110 },
      ],
      sortBy: ['-State', 'Expires in'],
    }),
    table({
      id: 22,
      width: 10,
      height: 5,
      title: 'Backups',
      description:
        'Age of the newest backup and number of backups. Providers delete some backups from the list: an age of two or three days is normal.',
      noValue: 'No backup data.',
      queries: [
        { expr: `min by (kind) (${backupAge})` },
        { expr: `max by (kind) (${backups})` },
        { expr: backupState('kind', backupAge) },
      ],
      columns: [
        { of: 'kind', title: 'Type', mappings: [backupKinds] },
        { of: 'A', title: 'Age', unit: 'age', width: 90 },
        { of: 'B', title: 'Count', unit: 'count', width: 110 },
        { of: 'C', title: 'State', mappings: [backupStates], cell: 'filled', width: 145 },
      ],
      sortBy: ['-State', '-Age'],
    }),
    alertsTable(
      {
        id: 24,
        width: 14,
        height: 5,
        description:
          'Firing alerts about this account, the most severe first. Subject is the affected site, database, domain, backup type or collector. Click an alert to open its runbook.',
      },
      false,
      'account!=""',
    ),
    table({
      id: 39,
      width: 24,
      height: 6,
      title: 'Restores and downloads',
      description:
        'Restores and downloads that someone requested in the control panel or by the API, with the status that the provider gives: success, or what it writes instead. A request that keeps another status has failed or hangs.',
      noValue: 'No restores and downloads in the log.',
      queries: [
        { expr: `time() - max by (${backupJobs}) (${merged('hosting_backup_job_last_timestamp_seconds')})` },
        { expr: `max by (${backupJobs}) (${merged('hosting_backup_jobs')})` },
      ],
      columns: [
        { of: 'operation', title: 'Operation', mappings: [operationTexts] },
        { of: 'kind', title: 'Type', mappings: [backupKinds], width: 200 },
        { of: 'status', title: 'Status', mappings: [valueTexts(english.jobStatus.words)], width: 200 },
        { of: 'A', title: 'Newest requested', unit: 'duration', width: 180 },
        { of: 'B', title: 'Count', unit: 'count', width: 110 },
      ],
      sortBy: ['Newest requested'],
    }),
  ],
};

/** The dashboard for the owner of an account. It shows which resource runs out, and what uses the resource. */
export function account(): Dashboard {
  return dashboard({
    uid: 'hosting-account',
    title: 'Hosting / Account',
    description: 'One hosting account: what runs out, and what uses it up?',
    from: 'now-7d',
    refresh: scheduleOf('account'),
    variables: [accountVariable],
    sections: [overview, diskSection, loadSection, billing, inventory, server],
  });
}
