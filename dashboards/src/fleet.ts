import type { Dashboard } from '@grafana/schema';
import { type Figure, figures, merged } from '../../src/rules/figures.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import {
  accountOfRow,
  accountOfSeries,
  accountsVariable,
  dashboard,
  headLink,
  panelOfRow,
  polls,
  pollsOfRow,
  runbookOfRow,
  tile,
} from './dashboard.ts';
import {
  accountDataAge,
  accountState,
  alertCounts,
  backupAge,
  change,
  daysToFull,
  domainLevels,
  domainsAlive,
  firingAlerts,
  forecastLevels,
  perAccount,
  staleCollectors,
  stateMappings,
} from './expressions.ts';
import { countInLevelColours, inLevelColours, levelsOf, named, state } from './level.ts';
import { colours, farAway, noBackup, notGrowing, percent, plain, rankColours, steps, words } from './look.ts';
import { graph, inRankColours, stat, table } from './panel.ts';
import { only, ranked, chosenAccounts as scope } from './query.ts';

const { levels: disk } = thresholds.HostingDiskAlmostFull;
const { levels: blocked } = thresholds.HostingAccountBlockedSoon;
const { levels: unreachable } = thresholds.HostingProviderUnreachable;
const ratio = figures.diskUsedRatio.expression(scope);
const days = figures.diskDaysToFull.expression(scope);
const paid = figures.paidDays.expression(scope);
const up = figures.accountUp.expression(scope);
const load = figures.planLoadRatio.expression(scope);
const dataAge = figures.dataAge.expression(only(scope, 'collector="account"'));
const alerts = firingAlerts(scope);
const domains = domainLevels(scope);

/** Agency and on call: which of all accounts need somebody today? */
export function fleet(): Dashboard {
  return dashboard({
    uid: 'hosting-fleet',
    title: 'Hosting / Fleet',
    description: 'Which of all hosting accounts need somebody today?',
    from: 'now-24h',
    scope,
    variables: [accountsVariable],
    links: [
      headLink('Account', 'One account: is it about to run out of something?', 'hosting-account'),
      headLink('Sites and databases', 'Top consumers over all accounts', 'hosting-workload'),
      headLink('Exporter', 'Is what I see current?', 'hosting-exporter'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, alertsTile()),
          tile(2, 6, 3, silentTile()),
          tile(3, 6, 3, fullCountTile()),
          tile(4, 6, 3, blockedCountTile()),
          tile(5, 6, 3, fullestTile()),
          tile(6, 6, 3, nextFullTile()),
          tile(7, 6, 3, nextBlockedTile()),
          tile(8, 6, 3, oldestTile()),
          tile(9, 24, 13, accountsTable()),
          tile(10, 12, 9, alertsTable()),
          tile(11, 12, 9, domainsTable()),
        ],
      },
      {
        row: { id: 12, title: 'Trends' },
        tiles: [
          tile(13, 12, 9, fullestGraph()),
          tile(14, 12, 9, busiestGraph()),
          tile(15, 12, 9, growthTable()),
          tile(16, 12, 9, backupsTable()),
        ],
      },
      {
        row: { id: 17, title: 'Totals, plans and servers', collapsed: true },
        tiles: [
          tile(18, 6, 4, totalTile('Sites', figures.sites, 'Sites of all chosen accounts together.')),
          tile(19, 6, 4, totalTile('Domains', figures.domains, 'Domains of all chosen accounts together.')),
          tile(20, 6, 4, totalTile('Databases', figures.databases, 'Databases of all chosen accounts together.')),
          tile(
            21,
            6,
            4,
            totalTile('Disk used', figures.diskUsage, 'Disk space that all chosen accounts use together.'),
          ),
          tile(22, 12, 9, plansTable()),
          tile(23, 12, 9, serversTable()),
        ],
      },
    ],
  });
}

function alertsTile() {
  return stat({
    title: 'Alerts',
    description:
      'Alerts that fire now. They need the alert rules in Prometheus: without these, 0 means that nobody watches. The table below names them.',
    queries: alertCounts(scope),
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function silentTile() {
  const silent = `(${up} == 0)`;
  return stat({
    title: 'Not answering',
    description:
      'Accounts whose newest poll got no answer, or whose credentials were rejected; for a minute after a start of the exporter, all. Their figures are old and disappear soon. The Exporter dashboard tells whose fault it is.',
    queries: countInLevelColours(
      {
        warning: silent,
        critical: `(${silent} and on () (count(${silent}) / count(${up}) >= ${unreachable.critical.value}))`,
      },
      up,
    ),
    unit: 'accounts',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
    link: polls,
  });
}

function fullCountTile() {
  return stat({
    title: 'Disk almost full',
    description: `Accounts that use more of their disk quota than their threshold allows (${percent(disk.warning.value)} unless configured otherwise); critical where one is over ${percent(disk.critical.value)}. At the quota mail bounces and uploads fail.`,
    queries: countInLevelColours(levelsOf(scope, 'HostingDiskAlmostFull', ratio), figures.diskUsage.expression(scope)),
    unit: 'accounts',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function blockedCountTile() {
  return stat({
    title: 'Blocked soon',
    description: `Accounts that the provider will block for lack of money within ${blocked.warning.value} days, by its own estimate; critical under ${blocked.critical.value}. A blocked account is gone with all its sites and mail.`,
    queries: countInLevelColours(levelsOf(scope, 'HostingAccountBlockedSoon', paid), paid),
    unit: 'accounts',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function fullestTile() {
  const subject = `topk(1, ${ratio})`;
  return stat({
    title: 'Fullest account',
    description: 'The account that uses most of its disk quota. Accounts without a quota are never full.',
    queries: inLevelColours(subject, levelsOf(scope, 'HostingDiskAlmostFull', subject), named('{{account}}')),
    unit: 'ratio',
    show: 'value_and_name',
    noValue: 'no data',
    link: accountOfSeries,
  });
}

function nextFullTile() {
  return stat({
    title: 'Next full',
    description:
      'The account whose disk quota is used up first at the pace of the last days: median daily growth, so that one upload or a nightly backup does not count. Needs three days of history.',
    queries: [
      ...inLevelColours(`bottomk(1, ${days})`, forecastLevels(scope), named('{{account}}')),
      {
        expr: `${notGrowing} * group(${figures.diskGrowthPerDay.expression(scope)} and ${figures.diskFree.expression(scope)}) unless count(${days})`,
        legend: 'all accounts',
        colour: colours.neutral,
      },
    ],
    unit: 'days',
    mappings: farAway,
    show: 'value_and_name',
    noValue: 'no data',
    link: accountOfSeries,
  });
}

function nextBlockedTile() {
  const subject = `bottomk(1, ${paid})`;
  return stat({
    title: 'Next blocked',
    description: "The account whose money ends first, by the provider's own estimate.",
    queries: inLevelColours(subject, levelsOf(scope, 'HostingAccountBlockedSoon', subject), named('{{account}}')),
    unit: 'days',
    decimals: 0,
    mappings: farAway,
    show: 'value_and_name',
    noValue: 'no data',
    link: accountOfSeries,
  });
}

function oldestTile() {
  return stat({
    title: 'Oldest data',
    description:
      'Time since the newest good poll of the account whose figures are oldest. A few minutes are ordinary; coloured from three missed turns on.',
    queries: inLevelColours(`topk(1, ${dataAge})`, { warning: staleCollectors(scope) }, named('{{account}}')),
    unit: 'seconds',
    show: 'value_and_name',
    noValue: 'no data',
    link: polls,
  });
}

function accountsTable() {
  return table({
    title: 'Accounts',
    description:
      'One row per account, those that need somebody first. State: critical or warning where an alert fires or a threshold is passed; "no answer" where the newest poll failed. A click on a cell opens the account, or the panel about that figure.',
    noValue: 'No account is configured, or the exporter is not scraped.',
    queries: [
      { expr: accountState(scope) },
      { expr: perAccount(ratio) },
      { expr: perAccount(figures.diskFree.expression(scope), 'min') },
      { expr: perAccount(figures.diskLimit.expression(scope), 'min') },
      { expr: perAccount(daysToFull(scope), 'min') },
      { expr: perAccount(paid, 'min') },
      { expr: perAccount(load) },
      { expr: perAccount(figures.sites.expression(scope)) },
      { expr: perAccount(figures.databases.expression(scope)) },
      { expr: perAccount(figures.mailboxes.expression(scope)) },
      { expr: perAccount(backupAge(scope)) },
      { expr: accountDataAge(scope) },
    ],
    columns: [
      { of: 'account', title: 'Account', link: accountOfRow, filterable: true },
      { of: 'A', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
      {
        of: 'B',
        title: 'Disk used',
        unit: 'ratio',
        cell: 'bar',
        thresholds: steps('HostingDiskAlmostFull'),
        width: 170,
        link: panelOfRow('Usage and quota', 10),
      },
      { of: 'C', title: 'Disk free', unit: 'bytes', width: 110 },
      { of: 'D', title: 'Quota', unit: 'bytes', width: 100 },
      {
        of: 'E',
        title: 'Full in',
        unit: 'days',
        mappings: farAway,
        cell: 'coloured',
        thresholds: steps('HostingDiskFillingUp'),
        width: 110,
      },
      {
        of: 'F',
        title: 'Blocked in',
        unit: 'days',
        mappings: farAway,
        cell: 'coloured',
        thresholds: steps('HostingAccountBlockedSoon'),
        width: 125,
        decimals: 0,
      },
      {
        of: 'G',
        title: 'Load of the plan',
        unit: 'ratio',
        cell: 'bar',
        thresholds: steps('HostingPlanLoadHigh'),
        width: 170,
        link: panelOfRow('Load', 15),
      },
      { of: 'H', title: 'Sites', unit: 'count', width: 70 },
      { of: 'I', title: 'Databases', unit: 'count', width: 110 },
      { of: 'J', title: 'Mailboxes', unit: 'count', width: 90 },
      {
        of: 'K',
        title: 'Oldest backup',
        unit: 'days',
        mappings: [noBackups],
        cell: 'coloured',
        thresholds: steps('HostingBackupTooOld'),
        width: 130,
      },
      {
        of: 'L',
        title: 'Data age',
        unit: 'seconds',
        width: 130,
        link: pollsOfRow,
      },
    ],
    sortBy: ['-State', '-Disk used'],
  });
}

function alertsTable() {
  return table({
    title: 'Firing alerts',
    description:
      'What Prometheus reports now, the loudest first. "About" is the site, database, domain or collector where the alert is about one. A click on the alert opens what to do. Needs the alert rules in Prometheus.',
    noValue: 'No alert is known to fire.',
    queries: [{ expr: alerts.severity }, { expr: alerts.age }],
    columns: [
      { of: 'A', title: 'Severity', mappings: [severityMappings], cell: 'filled', width: 110, align: 'left' },
      { of: 'alertname', title: 'Alert', link: runbookOfRow, width: 240 },
      { of: 'account', title: 'Account', link: accountOfRow, width: 140 },
      { of: 'what', title: 'About' },
      { of: 'B', title: 'For', unit: 'seconds', width: 90 },
    ],
    sortBy: ['-Severity', 'For'],
  });
}

/** The loudness of an alert in words. */
export const severityMappings = words({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  1: { text: 'info', color: 'transparent' },
});

function domainsTable() {
  const { forget } = thresholds.HostingDomainExpired.parameters;
  const shown = `(${domains.critical} or ${domains.warning} or bottomk(20, ${domainsAlive(scope)}))`;
  return table({
    title: 'Domains that end next',
    description: `Every domain with which somebody must act, coloured: renewal is not automatic, or it is and should have happened by now. Then the twenty whose registration ends first. Those that ended more than ${forget.value} days ago are left out.`,
    noValue: 'No domain with a known end of registration.',
    queries: [
      { expr: `min by (account, domain) (${shown})` },
      { expr: state(['account', 'domain'], { critical: [domains.critical], warning: [domains.warning], all: shown }) },
      {
        expr: `max by (account, domain) (${figures.domainAutoRenew.expression(scope)}) and min by (account, domain) (${shown})`,
      },
    ],
    columns: [
      { of: 'domain', title: 'Domain' },
      { of: 'account', title: 'Account', link: accountOfRow, width: 140 },
      { of: 'A', title: 'Ends in', unit: 'days', decimals: 0, mappings: farAway, width: 110 },
      { of: 'C', title: 'Renewed', mappings: [words({ 1: 'by itself', 0: 'by hand' })], width: 100, align: 'left' },
      { of: 'B', title: 'State', mappings: [stateMappings], cell: 'filled', width: 110, align: 'left' },
    ],
    sortBy: ['-State', 'Ends in'],
  });
}

function fullestGraph() {
  return graph({
    title: 'Fullest accounts',
    description:
      'The six accounts that use most of their disk quota now, and how they came there. The dashed lines are the usual thresholds of the alert.',
    noValue: 'No usage is known now, or no account has a quota.',
    curves: inRankColours(ranked(ratio, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    thresholds: steps('HostingDiskAlmostFull'),
    legend: 'right',
    link: accountOfSeries,
  });
}

function busiestGraph() {
  return graph({
    title: 'Busiest accounts',
    description:
      'Load of all sites of an account (mean of the last month) as a share of what its plan allows, for the six highest now. Over the plan the provider slows the account down.',
    noValue: 'No load is known now, or no plan limits it.',
    curves: inRankColours(ranked(load, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    thresholds: steps('HostingPlanLoadHigh'),
    legend: 'right',
    link: accountOfSeries,
  });
}

function growthTable() {
  const week = change(scope, 'hosting_account_disk_usage_bytes', '7d');
  const most = `topk(15, max by (account) (${week}) > 0)`;
  return table({
    title: 'Grew most in 7 days',
    description: 'The fifteen accounts whose disk usage grew most within the last seven days.',
    noValue: 'No growth is known: nothing grew, or there are not yet seven days of history.',
    queries: [
      { expr: most },
      { expr: `${perAccount(ratio)} and ${most}` },
      { expr: `${perAccount(daysToFull(scope), 'min')} and ${most}` },
    ],
    columns: [
      { of: 'account', title: 'Account', link: accountOfRow },
      { of: 'A', title: 'Growth', unit: 'bytes', width: 120 },
      {
        of: 'B',
        title: 'Disk used',
        unit: 'ratio',
        cell: 'bar',
        thresholds: steps('HostingDiskAlmostFull'),
        width: 200,
      },
      {
        of: 'C',
        title: 'Full in',
        unit: 'days',
        mappings: farAway,
        cell: 'coloured',
        thresholds: steps('HostingDiskFillingUp'),
        width: 120,
      },
    ],
    sortBy: ['-Growth'],
  });
}

function backupsTable() {
  const age = `topk(15, min by (account, kind) (${backupAge(scope)}))`;
  return table({
    title: 'Oldest backups',
    description:
      'The fifteen accounts and kinds that have no backup, or whose newest is oldest. Providers thin their lists out: two or three days are ordinary.',
    noValue: 'No backup is known.',
    queries: [{ expr: age }, { expr: `max by (account, kind) (${figures.backups.expression(scope)}) and ${age}` }],
    columns: [
      { of: 'account', title: 'Account', link: accountOfRow },
      { of: 'kind', title: 'Of', mappings: [backupKinds], width: 120 },
      {
        of: 'A',
        title: 'Newest is',
        unit: 'days',
        mappings: [noBackups],
        cell: 'coloured',
        thresholds: steps('HostingBackupTooOld'),
        width: 120,
      },
      { of: 'B', title: 'How many', unit: 'count', width: 110 },
    ],
    sortBy: ['-Newest is'],
  });
}

/** What stands in place of an age where there is no backup. */
export const noBackups = words({ [noBackup]: 'none' });

/** What a backup is of. */
export const backupKinds = words({ files: 'files', databases: 'databases' });

function totalTile(title: string, figure: Figure, description: string) {
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
    description: 'How many accounts have which plan, how much they use together, and how full the fullest of them is.',
    noValue: 'No plan is known.',
    queries: [
      { expr: `count by (tariff) (${info})` },
      { expr: withPlan(figures.diskUsage.expression(scope), 'sum') },
      { expr: withPlan(ratio, 'max') },
      { expr: withPlan(load, 'max') },
    ],
    columns: [
      { of: 'tariff', title: 'Plan' },
      { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
      { of: 'B', title: 'Disk used', unit: 'bytes', width: 100 },
      { of: 'C', title: 'Fullest', unit: 'ratio', cell: 'bar', thresholds: steps('HostingDiskAlmostFull'), width: 150 },
      { of: 'D', title: 'Busiest', unit: 'ratio', cell: 'bar', thresholds: steps('HostingPlanLoadHigh'), width: 160 },
    ],
    sortBy: ['-Accounts'],
  });
}

function serversTable() {
  const server = (name: string): string => `max by (server) (${merged(scope, name)})`;
  return table({
    title: 'Servers',
    description:
      "The provider's machines on which the accounts live, shared with its other customers. Nothing can be done about their load, but it explains slow sites.",
    noValue: 'No server is known.',
    queries: [
      { expr: `count by (server) (${merged(scope, 'hosting_account_info')})` },
      { expr: server('hosting_server_load_average') },
      {
        expr: `max by (server) (${merged(scope, 'hosting_server_memory_used_bytes')} / (${merged(scope, 'hosting_server_memory_bytes')} > 0))`,
      },
      { expr: server('hosting_server_uptime_seconds') },
    ],
    columns: [
      { of: 'server', title: 'Server' },
      { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
      { of: 'B', title: 'Load average', unit: 'load', width: 150 },
      { of: 'C', title: 'Memory used', unit: 'ratio', cell: 'bar', thresholds: plain(rankColours[0]), width: 150 },
      { of: 'D', title: 'Running for', unit: 'seconds', width: 110 },
    ],
    sortBy: ['-Accounts'],
  });
}
