import type { Dashboard } from '@grafana/schema';
import { thresholds } from '../../src/rules/thresholds.ts';
import { alertsStat, alertsTable, changesSinceYesterday, changeTexts } from './alerts.ts';
import { accountsVariable, dashboard, groupVariable, links, type Section, scheduleOf } from './dashboard.ts';
import {
  autoRenew,
  backupAge,
  backupKinds,
  backups,
  balance,
  dailyCharge,
  dataAge,
  daysLeft,
  diskUsed,
  fullIn,
  fullTexts,
  mailboxes,
  paidDays,
  planLoad,
  renewalTexts,
  today,
  usage,
} from './figures.ts';
import { type Column, graph, stat, table } from './panel.ts';
import { change, firingOnce, highest, merged, named, perAccount } from './query.ts';
import {
  accountState,
  accountStates,
  accountsWith,
  backupState,
  backupStates,
  countLooks,
  failingAccounts,
  failingShare,
  percent,
  problems,
  severity,
  stateTexts,
} from './state.ts';
import type { Unit } from './theme.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const { levels: suspension } = thresholds.HostingAccountBlockedSoon;
const monthlyCharge = `30 * ${dailyCharge}`;
const info = merged('hosting_account_info');

const tile = { width: 6, height: 3, noValue: 'no data' } as const;
const half = { width: 12, height: 9 } as const;
const account: Column = { of: 'account', title: 'Account', link: links.rowAccount };

/** The label `group` of each account: the value of its configured label `$label`. No result for accounts without this label. */
const groups = `max by (account, group) (topk by (account) (1, label_replace(${merged('hosting_account_labels', 'label_$label!=""')}, "group", "$1", "label_$label", "(.+)")))`;

/** Adds the label `group` to a figure of each account. */
function withGroup(figure: string): string {
  return `${figure} * on (account) group_left (group) ${groups} or on (account) ${figure}`;
}

const overview: Section = {
  panels: [
    alertsStat({
      ...tile,
      id: 1,
      description:
        'Number of firing critical and warning alerts. The table below lists them and the info alerts. Requires the rules in Prometheus.',
    }),
    stat({
      ...tile,
      id: 2,
      title: 'Accounts without new data',
      description: `Accounts whose newest poll failed: the API did not answer or rejected the credentials. Their data is no longer updated and will expire. Critical from ${percent(failingShare)} of the accounts. The Exporter dashboard shows the cause. For a minute after an exporter start, all accounts count.`,
      queries: [failingAccounts()],
      looks: countLooks,
      unit: 'count',
      link: links.exporter,
    }),
    stat({
      ...tile,
      id: 3,
      title: 'Disk almost full',
      description: `Accounts above their disk usage threshold (default: warning from ${percent(disk.warning.value)}). Critical, as in the alert: over the quota, less than 100 MB free, full within 3 days, or 98% used and less than three days of history. At the quota, mail bounces and uploads fail. Requires the recording rules.`,
      queries: [accountsWith(usage, 'HostingDiskAlmostFull')],
      looks: countLooks,
      unit: 'count',
      noValue: 'not evaluated yet',
    }),
    stat({
      ...tile,
      id: 4,
      title: 'Suspended soon',
      description: `Accounts that the provider is about to suspend for insufficient funds, by its own estimate (default: warning below ${suspension.warning.value} days, critical below ${suspension.critical.value}). All sites and mail of a suspended account go offline. Requires the recording rules.`,
      queries: [accountsWith(paidDays, 'HostingAccountBlockedToday', 'HostingAccountBlockedSoon')],
      looks: countLooks,
      unit: 'count',
      noValue: 'not evaluated yet',
    }),
    stat({
      ...tile,
      id: 8,
      title: 'Oldest data',
      description:
        'Age of the oldest account data: time since the newest successful poll of the collector account. A few minutes are normal; an alert fires from three poll intervals on.',
      queries: [{ expr: `topk(1, ${dataAge})`, legend: '{{account}}' }],
      unit: 'duration',
      link: links.exporter,
    }),
    stat({
      ...tile,
      id: 6,
      title: 'Next to fill up',
      description:
        'The account whose disk quota is used up first, at the growth rate of the last days. The forecast uses the median of the daily growth, so a single upload or a nightly backup does not affect it. Requires the recording rules and a few hours of history.',
      queries: [{ expr: `bottomk(1, ${fullIn})`, legend: '{{account}}' }],
      unit: 'duration',
      mappings: fullTexts,
      noValue: 'no forecast',
      link: links.seriesAccount,
    }),
    stat({
      ...tile,
      id: 7,
      title: 'Next suspension',
      description: "The account that is suspended first for insufficient funds, by the provider's own estimate.",
      queries: [{ expr: `bottomk(1, ${paidDays})`, legend: '{{account}}' }],
      unit: 'days',
      mappings: today,
      noValue: 'not evaluated yet',
      link: links.seriesAccount,
    }),
    stat({
      ...tile,
      id: 26,
      title: 'Balance and monthly cost',
      description:
        "Balance of all selected accounts together, and what they cost in 30 days at today's daily charge, in the provider's currency.",
      queries: [
        {
          expr: named('figure', {
            balance: `round(sum(${balance}))`,
            'per month': `round(sum(${monthlyCharge}))`,
          }),
          legend: '{{figure}}',
        },
      ],
      looks: { balance: { text: 'balance' }, 'per month': { text: 'per month' } },
      unit: 'money',
    }),
    table({
      id: 9,
      width: 24,
      height: 14,
      title: 'Accounts',
      description:
        'One row per account, the most severe problem first: critical or warning if an alert fires or the condition of one holds, no new data if the newest poll failed. Problem is "not evaluated yet" until Prometheus has evaluated the recording rules, up to 15 minutes after its start, and without the rules. While an account cannot be polled, disk space, days, load and backups are the last known ones of the last day. Click a cell to open the account or the related panel. Group is the own label that is selected in Group by; the funnel in the header filters.',
      noValue: 'No accounts configured, or Prometheus does not scrape the exporter.',
      queries: [
        { expr: accountState() },
        { expr: perAccount(diskUsed) },
        { expr: perAccount(fullIn, 'min') },
        { expr: perAccount(paidDays, 'min') },
        { expr: perAccount(`${daysLeft} unless on (job, account, domain) ${autoRenew} == 1`, 'min') },
        { expr: perAccount(planLoad) },
        { expr: perAccount(backupAge) },
        { expr: withGroup(perAccount(dataAge)) },
      ],
      columns: [
        { ...account, filterable: true, width: 115 },
        { of: 'group', title: 'Group', filterable: true, width: 90 },
        { of: 'A', title: 'Problem', mappings: [accountStates], cell: 'filled' },
        { of: 'B', title: 'Disk used', unit: 'ratio', cell: 'bar', width: 135, link: links.rowUsage },
        { of: 'C', title: 'Full in', unit: 'duration', mappings: fullTexts, width: 125 },
        { of: 'D', title: 'Suspended in', unit: 'days', mappings: today, width: 120 },
        { of: 'E', title: 'Domain expires', unit: 'days', mappings: today, width: 130 },
        { of: 'F', title: 'Load', unit: 'ratio', cell: 'bar', width: 105, link: links.rowLoad },
        { of: 'G', title: 'Backup', unit: 'age', width: 75 },
        { of: 'H', title: 'Data age', unit: 'duration', width: 130, link: links.rowPolls },
      ],
      sortBy: ['-Problem', '-Disk used'],
    }),
    alertsTable(
      {
        id: 10,
        width: 24,
        height: 9,
        description:
          'Firing alerts, the most severe first. Subject is the affected site, database, domain, backup type, collector or exporter. Click an alert to open its runbook. Requires the alert rules in Prometheus.',
      },
      true,
    ),
    table({
      id: 27,
      width: 24,
      height: 6,
      title: 'Since yesterday',
      description:
        'What differs from 24 hours ago: alerts that started, became critical or ended, and accounts that were added or removed. Info alerts are not listed. Requires the alert rules in Prometheus and a day of history.',
      noValue: 'Nothing changed within a day.',
      queries: changesSinceYesterday(),
      combined: 'change',
      columns: [
        { of: 'change', title: 'Change', mappings: [changeTexts], cell: 'filled', width: 205 },
        { of: 'alertname', title: 'Alert', link: links.runbook, width: 250 },
        { ...account, width: 200 },
        { of: 'what', title: 'Subject' },
      ],
      sortBy: ['-Change', 'Alert'],
    }),
    table({
      id: 11,
      width: 13,
      height: 9,
      title: 'Expiring domains',
      description:
        'Domains that need action come first, as critical or warning: they have expired, they expire soon without automatic renewal, or their renewal is overdue. All others follow, the next to expire first. Domains that expired more than 30 days ago are not listed.',
      noValue: 'No domains with a known expiry date.',
      queries: [
        { expr: `min by (account, domain) (${daysLeft})` },
        {
          expr: `${severity('account, domain', ...problems.domain.warning)} or 0 * group by (account, domain) (${daysLeft})`,
        },
        { expr: `max by (account, domain) (${autoRenew} and on (job, account, domain) ${daysLeft})` },
      ],
      columns: [
        { of: 'domain', title: 'Domain' },
        { ...account, width: 110 },
        { of: 'A', title: 'Expires in', unit: 'days', mappings: today, width: 145 },
        { of: 'C', title: 'Renewal', mappings: [renewalTexts], width: 105, align: 'left' },
        { of: 'B', title: 'State', mappings: [stateTexts], cell: 'filled', width: 145 },
      ],
      sortBy: ['-State', 'Expires in'],
    }),
    table({
      id: 28,
      width: 11,
      height: 9,
      title: 'Money',
      description:
        "Balance of each account, what it costs in 30 days at today's daily charge, in the provider's currency; the days until the provider suspends it for insufficient funds, and how much the daily charge changed within a day. The accounts that are suspended first come first.",
      noValue: 'No billing data.',
      queries: [
        { expr: perAccount(paidDays, 'min') },
        { expr: perAccount(balance) },
        { expr: perAccount(monthlyCharge) },
        { expr: perAccount(change('hosting_account_daily_charge', '1d')) },
      ],
      columns: [
        account,
        { of: 'A', title: 'Suspended in', unit: 'days', mappings: today, width: 140 },
        { of: 'B', title: 'Balance', unit: 'money', width: 85 },
        { of: 'C', title: 'Per month', unit: 'money', width: 80 },
        { of: 'D', title: 'Charge, change', unit: 'money', width: 125 },
      ],
      sortBy: ['Suspended in'],
    }),
  ],
};

const grownMost = `topk(15, max by (account) (${change('hosting_account_disk_usage_bytes', '7d')}) > 0)`;
const oldest = `topk(15, min by (account, kind) (${backupAge}))`;

const trends: Section = {
  row: { id: 12, title: 'Trends', collapsed: true },
  panels: [
    graph({
      ...half,
      id: 13,
      title: 'Top accounts by disk usage',
      description: 'The six accounts that use the largest share of their disk quota at the end of the time range.',
      noValue: 'No current data, or no account has a disk quota.',
      queries: [{ expr: highest(6, diskUsed, 'job, account'), legend: '{{account}}' }],
      unit: 'ratio',
      legend: 'right',
      link: links.seriesAccount,
    }),
    graph({
      ...half,
      id: 14,
      title: 'Top accounts by load',
      description:
        'Load of all sites of an account (mean of the last month) as a share of the load that its plan allows, for the six accounts with the highest share at the end of the time range. Above the limit, the provider throttles the account.',
      noValue: 'No current data, or no plan has a load limit.',
      queries: [{ expr: highest(6, planLoad, 'job, account'), legend: '{{account}}' }],
      unit: 'ratio',
      legend: 'right',
      link: links.seriesAccount,
    }),
    table({
      ...half,
      id: 15,
      title: 'Disk growth in 7 days',
      description: 'The fifteen accounts whose disk usage grew most in the last seven days.',
      noValue: 'No growth, or less than seven days of history.',
      queries: [
        { expr: grownMost },
        { expr: `${perAccount(diskUsed)} and ${grownMost}` },
        { expr: `${perAccount(fullIn, 'min')} and ${grownMost}` },
      ],
      columns: [
        account,
        { of: 'A', title: 'Growth', unit: 'bytes', width: 120 },
        { of: 'B', title: 'Disk used', unit: 'ratio', cell: 'bar', width: 160 },
        { of: 'C', title: 'Full in', unit: 'duration', mappings: fullTexts, width: 130 },
      ],
      sortBy: ['-Growth'],
    }),
    table({
      ...half,
      id: 16,
      title: 'Oldest backups',
      description:
        'Age of the newest backup of files and of databases: accounts without a backup first, then the fifteen highest ages. Providers delete some backups from the list: an age of two or three days is normal.',
      noValue: 'No backup data.',
      queries: [
        { expr: oldest },
        { expr: `max by (account, kind) (${backups})` },
        { expr: backupState('account, kind', oldest) },
      ],
      columns: [
        account,
        { of: 'kind', title: 'Type', mappings: [backupKinds], width: 120 },
        { of: 'A', title: 'Age', unit: 'age', width: 120 },
        { of: 'B', title: 'Count', unit: 'count', width: 110 },
        { of: 'C', title: 'State', mappings: [backupStates], cell: 'filled', width: 145 },
      ],
      sortBy: ['-State', '-Age'],
    }),
  ],
};

/** Aggregates a figure of accounts by their group. */
function byGroup(expression: string, operator: string): string {
  return `${operator} by (group) (${expression} * on (account) group_left (group) ${groups})`;
}

function alertsByGroup(severity: 'critical' | 'warning'): string {
  const alerts = `count by (account) (${firingOnce(severity, 'account!=""')})`;
  return `${byGroup(alerts, 'sum')} or 0 * count by (group) (${groups})`;
}

const groupsSection: Section = {
  row: { id: 24, title: 'Groups', collapsed: true },
  panels: [
    table({
      id: 25,
      width: 24,
      height: 9,
      title: 'Groups',
      description:
        'One row per value of the own label that is selected in Group by: number of accounts, firing alerts, total disk usage, and the highest disk usage, highest load and next suspension of a single account. Own labels are set in the configuration of the exporter.',
      noValue: 'No account has own labels.',
      queries: [
        { expr: `count by (group) (${groups})` },
        { expr: alertsByGroup('critical') },
        { expr: alertsByGroup('warning') },
        { expr: byGroup(perAccount(usage), 'sum') },
        { expr: byGroup(perAccount(diskUsed), 'max') },
        { expr: byGroup(perAccount(planLoad), 'max') },
        { expr: byGroup(perAccount(paidDays, 'min'), 'min') },
      ],
      columns: [
        { of: 'group', title: 'Group', filterable: true },
        { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
        { of: 'B', title: 'Critical alerts', unit: 'count', width: 150 },
        { of: 'C', title: 'Warning alerts', unit: 'count', width: 150 },
        { of: 'D', title: 'Disk used', unit: 'bytes', width: 140 },
        { of: 'E', title: 'Max. disk', unit: 'ratio', cell: 'bar', width: 160 },
        { of: 'F', title: 'Max. load', unit: 'ratio', cell: 'bar', width: 160 },
        { of: 'G', title: 'Next suspension', unit: 'days', mappings: today, width: 180 },
      ],
      sortBy: ['-Critical alerts', '-Accounts'],
    }),
  ],
};

function total(id: number, title: string, description: string, figure: string, unit: Unit = 'count') {
  return stat({
    id,
    width: unit === 'count' ? 5 : 4,
    height: 4,
    title,
    description,
    queries: [{ expr: `sum(${figure})` }],
    unit,
    noValue: 'no data',
  });
}

/** Aggregates a figure of accounts by their plan. */
function byPlan(expression: string, operator: string): string {
  return `${operator} by (tariff) (${expression} * on (job, account) group_left (tariff) ${info})`;
}

function byServer(metric: string): string {
  return `max by (server) (${merged(metric)})`;
}

const totals: Section = {
  row: { id: 17, title: 'Totals, plans and servers', collapsed: true },
  panels: [
    total(18, 'Sites', 'Sites of all selected accounts.', merged('hosting_sites')),
    total(19, 'Domains', 'Domains of all selected accounts.', merged('hosting_domains')),
    total(20, 'Databases', 'Databases of all selected accounts.', merged('hosting_databases')),
    total(29, 'Mailboxes', 'Mailboxes of all selected accounts.', mailboxes),
    total(21, 'Disk used', 'Disk space that all selected accounts use.', usage, 'bytes'),
    table({
      ...half,
      id: 22,
      title: 'Plans',
      description:
        'Per plan: number of accounts, total disk usage, and the highest disk usage and load of a single account.',
      noValue: 'No plan data.',
      queries: [
        { expr: `count by (tariff) (${info})` },
        { expr: byPlan(usage, 'sum') },
        { expr: byPlan(diskUsed, 'max') },
        { expr: byPlan(planLoad, 'max') },
      ],
      columns: [
        { of: 'tariff', title: 'Plan' },
        { of: 'A', title: 'Accounts', unit: 'count', width: 105 },
        { of: 'B', title: 'Disk used', unit: 'bytes', width: 125 },
        { of: 'C', title: 'Max. disk', unit: 'ratio', cell: 'bar', width: 130 },
        { of: 'D', title: 'Max. load', unit: 'ratio', cell: 'bar', width: 120 },
      ],
      sortBy: ['-Accounts'],
    }),
    table({
      ...half,
      id: 23,
      title: 'Servers',
      description:
        'Servers that host the selected accounts. Other customers share them: you cannot change their load, but it can explain slow sites.',
      noValue: 'No server data.',
      queries: [
        { expr: `count by (server) (${info})` },
        { expr: byServer('hosting_server_load_average') },
        {
          expr: `max by (server) (${merged('hosting_server_memory_used_bytes')} / (${merged('hosting_server_memory_bytes')} > 0))`,
        },
        { expr: byServer('hosting_server_uptime_seconds') },
      ],
      columns: [
        { of: 'server', title: 'Server' },
        { of: 'A', title: 'Accounts', unit: 'count', width: 105 },
        { of: 'B', title: 'Load average', unit: 'load', width: 125 },
        { of: 'C', title: 'Memory used', unit: 'ratio', cell: 'bar', width: 135 },
        { of: 'D', title: 'Uptime', unit: 'duration', width: 105 },
      ],
      sortBy: ['-Accounts'],
    }),
  ],
};

/** The dashboard for agencies and on-call engineers. It shows which accounts need attention. */
export function fleet(): Dashboard {
  return dashboard({
    uid: 'hosting-fleet',
    title: 'Hosting / Fleet',
    description: 'All hosting accounts: which ones need attention?',
    from: 'now-24h',
    refresh: scheduleOf('account'),
    variables: [accountsVariable, groupVariable],
    sections: [overview, trends, groupsSection, totals],
  });
}
