import type { Dashboard } from '@grafana/schema';
import { accountsVariable, dashboard, dashboardLink, rowAccountLink, tile } from './dashboard.ts';
import { staleCollectors } from './expressions.ts';
import { figures, merged, type Scope, selector, without } from './figures.ts';
import { graph, inRankColours, stat, table } from './panel.ts';
import { ruleNumbers } from './problems.ts';
import { exporters, meanOverRange, ranked, selectedAccounts as scope, thresholdLine } from './query.ts';
import { countsBySeverity, namedQuery } from './severity.ts';
import { colourFrom, colours, percent, rankColours, thresholdSteps, valueTexts } from './theme.ts';

const up = figures.accountUp.expression(scope);
const success = figures.collectorSuccess.expression(scope);
const ageInIntervals = figures.dataAgeIntervals.expression(scope);
const failures = selector(scope, 'hosting_exporter_api_request_failures_total');
const requests = selector(scope, 'hosting_exporter_api_requests_total');

/** The dashboard for operators. It shows whether the data is current, and the causes of stale data. */
export function exporter(): Dashboard {
  return dashboard({
    uid: 'hosting-exporter',
    title: 'Hosting / Exporter',
    description: 'Is the data current, and if not, what is the cause?',
    from: 'now-24h',
    scope,
    variables: [accountsVariable],
    links: [
      dashboardLink('Fleet', 'All accounts', 'hosting-fleet'),
      dashboardLink('Account', 'One account: disk, load, billing and inventory', 'hosting-account'),
      dashboardLink('Sites and databases', 'Top sites and databases of all accounts', 'hosting-workload'),
    ],
    // Every scrape can show that an exporter is down.
    refresh: '1m',
    sections: [
      {
        tiles: [
          tile(1, 6, 3, upStat()),
          tile(2, 6, 3, failingAccountsStat()),
          tile(3, 6, 3, failingPollsStat()),
          tile(4, 6, 3, oldestDataStat()),
          tile(5, 6, 3, failedCallsStat()),
          tile(6, 6, 3, queuedCallsStat()),
          tile(7, 6, 3, configurationStat()),
          tile(8, 6, 3, versionStat()),
          tile(13, 24, 10, latePollsTable()),
        ],
      },
      {
        row: { id: 9, title: 'API failures' },
        tiles: [tile(10, 12, 9, reasonsTable()), tile(11, 12, 9, failuresGraph())],
      },
      {
        row: { id: 12, title: 'Data freshness' },
        tiles: [tile(15, 14, 10, collectorsTable()), tile(16, 10, 10, accountsUpGraph())],
      },
      {
        row: { id: 17, title: 'Calls and polls over time', collapsed: true },
        tiles: [
          tile(14, 12, 9, ageGraph()),
          tile(27, 12, 9, pollDurationsGraph()),
          tile(18, 12, 8, budgetGraph()),
          tile(19, 12, 8, queueGraph()),
          tile(20, 12, 8, durationGraph()),
          tile(21, 12, 8, methodsTable()),
        ],
      },
      {
        row: { id: 22, title: 'Process', collapsed: true },
        tiles: [
          tile(23, 8, 8, memoryGraph()),
          tile(24, 8, 8, cpuGraph()),
          tile(25, 8, 8, eventLoopLagGraph()),
          tile(26, 14, 6, instancesTable()),
          tile(28, 10, 6, seriesGraph()),
        ],
      },
    ],
  });
}

function upStat() {
  const all = selector(exporters, 'up');
  const running = `count(${all} == 1)`;
  const down = `count(${all} == 0)`;
  const unmonitored = `count(${downWithoutReplacement(exporters).join(' or ')})`;
  return stat({
    title: 'Exporters',
    description:
      'Number of exporters that Prometheus can scrape. Critical if one is down and its accounts are not monitored; warning if another exporter still monitors them. With /sd, each account is a separate target and counts as one.',
    queries: [
      namedQuery([
        { name: 'all up', expr: `${running} unless ${down}`, colour: colours.neutral },
        { name: 'one down', expr: `${running} and ${down} unless ${unmonitored}`, colour: colours.warning },
        {
          name: 'accounts unmonitored',
          expr: `(${running} or 0 * count(${all})) and ${unmonitored}`,
          colour: colours.critical,
        },
      ]),
    ],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function failingAccountsStat() {
  return stat({
    title: 'Failing accounts',
    description: `Accounts whose newest poll failed: the API did not answer or rejected the credentials. Critical from ${percent(ruleNumbers.failingShare)} of the accounts. If a few accounts fail, check these accounts. If most fail, check the provider and the network.`,
    queries: [
      countsBySeverity(
        {
          warning: `(${up} == 0)`,
          critical: `((${up} == 0) and on () (count(${up} == 0) / count(${up}) >= ${ruleNumbers.failingShare}))`,
        },
        up,
      ),
    ],
    unit: 'accounts',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function failingPollsStat() {
  return stat({
    title: 'Failing polls',
    description:
      'Number of collectors, over all accounts, whose newest poll failed, completely or in part. Their previous results expire after three poll intervals plus ten minutes.',
    queries: [countsBySeverity({ warning: `(${success} == 0)` }, success)],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function oldestDataStat() {
  return stat({
    title: 'Oldest data',
    description:
      'The collector with the oldest data, by its age in poll intervals. Up to 1 is normal. From 3 on, an alert fires, and the data expires soon.',
    queries: [{ expr: `topk(1, ${ageInIntervals})`, legend: '{{account}} {{collector}}' }],
    thresholds: thresholdSteps('HostingPollFailing'),
    unit: 'intervals',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function failedCallsStat() {
  return stat({
    title: 'Failed API calls, 1 h',
    description: 'API calls that failed in the last hour, for any reason. The table below lists the reasons.',
    queries: [{ expr: `round(sum(increase(${failures}[1h])))` }],
    unit: 'count',
    mappings: [valueTexts({ 0: 'none' })],
    thresholds: colourFrom(1, colours.warning),
    noValue: 'no data',
  });
}

function queuedCallsStat() {
  return stat({
    title: 'Queued API calls',
    description:
      'API calls that wait for the budget of their account. A few minutes of waiting after each full hour are normal. If the queue never empties, polls are late.',
    queries: [{ expr: `sum(${figures.queueLength.expression(scope)})` }],
    unit: 'count',
    mappings: [valueTexts({ 0: 'none' })],
    noValue: 'no data',
  });
}

function configurationStat() {
  const loaded = selector(exporters, 'hosting_exporter_config_last_reload_successful');
  return stat({
    title: 'Configuration',
    description:
      'Result of the newest configuration reload and time since the last successful one. If a reload fails, the exporter keeps its previous configuration; its log shows the error.',
    queries: [
      namedQuery([
        {
          name: 'loaded',
          expr: `(time() - max(${selector(exporters, 'hosting_exporter_config_last_reload_success_timestamp_seconds')})) / 86400 unless count(${loaded} == 0)`,
          colour: colours.neutral,
        },
        { name: 'reload failed', expr: `count(${loaded} == 0)`, colour: colours.warning },
      ]),
    ],
    unit: 'duration',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function versionStat() {
  return stat({
    title: 'Version',
    description: 'Version of the exporter. During an upgrade there may be two.',
    queries: [{ expr: `group by (version) (${selector(exporters, 'hosting_exporter_build_info')})` }],
    unit: 'count',
    labels: { version: 'Version' },
    noValue: 'no data',
  });
}

/** The person who can fix an API failure, by the reason of the failure. */
const whoCanFix = valueTexts({
  auth: 'You: correct the login or password',
  local: 'You: fix this machine, see the log',
  permission: 'You: tick the section for the API password',
  limit: 'You: another client uses the same login',
  network: 'Network or provider',
  timeout: 'Provider or network',
  http: 'Provider',
  api: 'Provider',
  method: 'Provider',
  payload: 'Provider or exporter',
  request: 'You: try another input_format',
});

function reasonsTable() {
  const by = 'by (account, reason, who)';
  const within = (window: string): string =>
    `round(sum ${by} (label_replace(increase(${failures}[${window}]), "who", "$1", "reason", "(.*)"))) > 0`;
  return table({
    title: 'API failures and who can fix them',
    description:
      'Failed API calls by account and reason. If the provider is slow or unreachable, wait. Credentials and permissions are yours to fix.',
    noValue: 'No failed API calls found in the last day.',
    queries: [{ expr: within('1h') }, { expr: within('1d') }],
    columns: [
      { of: 'account', title: 'Account', link: rowAccountLink, width: 140 },
      { of: 'reason', title: 'Reason', width: 100 },
      { of: 'who', title: 'Who can fix it', mappings: [whoCanFix] },
      { of: 'A', title: '1 h', unit: 'count', width: 70 },
      { of: 'B', title: '24 h', unit: 'count', width: 80 },
    ],
    sortBy: ['-1 h', '-24 h'],
  });
}

function failuresGraph() {
  const reasons = ['timeout', 'network', 'limit', 'http', 'permission', 'auth'] as const;
  const listed = reasons.join('|');
  const perHour = (matcher: string): string =>
    `sum(round(increase(${selector(scope, 'hosting_exporter_api_request_failures_total', matcher)}[1h]))) > 0`;
  return graph({
    title: 'Failed API calls per hour',
    description:
      'Failed API calls of each hour by reason. If many accounts have "network" or "timeout" failures at the same time, the provider is the likely cause.',
    noValue: 'No failed API calls found in the time range.',
    queries: [
      ...reasons.map((reason, index) => ({
        expr: perHour(`reason="${reason}"`),
        legend: reason,
        colour: rankColours[index] ?? colours.muted,
      })),
      { expr: perHour(`reason!~"${listed}"`), legend: 'others', colour: colours.muted },
    ],
    unit: 'count',
    min: 0,
    stacked: true,
    barInterval: '1h',
    legend: 'bottom',
  });
}

function latePollsTable() {
  const by = 'by (account, collector)';
  const dropped = figures.collectorDropped.expression(scope);
  const failed = `${success} == 0`;
  const threshold = thresholdLine(scope, 'HostingPollFailing', 'warning');
  const stale = `group ${by} (${ageInIntervals} >= on (job, account) group_left () ${threshold})`;
  const problem = `4 * ${stale} - min ${by} (${success}) or 2 * group ${by} (${failed}) or group ${by} (${dropped} > 0)`;
  const any = `group ${by} (${failed} or ${staleCollectors(scope)} or ${dropped} > 0)`;
  const of = (expression: string): string => `max ${by} (${expression}) and ${any}`;
  return table({
    title: 'Problems',
    description:
      'Collectors with a problem, the worst first: their data is stale (by default, from three poll intervals on), their newest poll failed, or they dropped series because of max_series. An empty table is good.',
    noValue: 'No failing or late polls and no dropped series found.',
    queries: [
      { expr: problem },
      { expr: failingReason(scope, 'account, collector, who') },
      { expr: of(`${figures.dataAge.expression(scope)} / 86400`) },
      { expr: of(ageInIntervals) },
      { expr: `max ${by} (${dropped}) > 0` },
    ],
    columns: [
      { of: 'A', title: 'Problem', mappings: [problemTexts], cell: 'filled', width: 210, align: 'left' },
      { of: 'account', title: 'Account', link: rowAccountLink, width: 180 },
      { of: 'collector', title: 'Collector', width: 190 },
      { of: 'reason', title: 'Reason', width: 110 },
      { of: 'who', title: 'Who can fix it', mappings: [whoCanFix] },
      { of: 'C', title: 'Age', unit: 'duration', width: 110 },
      { of: 'D', title: 'In intervals', unit: 'intervals', width: 140 },
      {
        of: 'E',
        title: 'Series dropped',
        unit: 'count',
        cell: 'coloured',
        thresholds: colourFrom(1, colours.warning),
        width: 175,
      },
    ],
    sortBy: ['-Problem', '-In intervals', '-Series dropped'],
  });
}

/** Names of the problems of a collector. */
const problemTexts = valueTexts({
  4: { text: 'failed, stale data', color: colours.warningCell },
  3: { text: 'late, stale data', color: colours.warningCell },
  2: { text: 'failed', color: 'transparent' },
  1: { text: 'series dropped', color: colours.warningCell },
});

/** The reason why the newest poll of a collector failed. The label `who` is a copy that panels show as the person who can fix it. */
export function failingReason(scope: Scope, by: string): string {
  const failing = `(${merged(scope, 'hosting_exporter_collector_failing')} and ignoring (reason) ${figures.collectorSuccess.expression(scope)} == 0)`;
  return `group by (${by}, reason) (label_replace(${failing}, "who", "$1", "reason", "(.*)"))`;
}

/** Names of the values of `hosting_exporter_collector_success`. */
export const pollTexts = valueTexts({
  1: { text: 'succeeded', color: 'transparent' },
  0: { text: 'failed', color: colours.warningCell },
});

function ageGraph() {
  return graph({
    title: 'Data age in intervals',
    description:
      'Time since the newest successful poll in poll intervals, for the six collectors with the oldest data at the end of the time range. Values between 0 and 1 are normal. The dashed line is the default alert threshold.',
    noValue: 'No poll data.',
    queries: inRankColours(ranked(ageInIntervals, 'collector', 6), '{{account}} {{collector}}'),
    unit: 'intervals',
    min: 0,
    thresholds: thresholdSteps('HostingPollFailing'),
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function collectorsTable() {
  const by = 'by (collector)';
  return table({
    title: 'Collectors',
    description:
      'Per collector, over all selected accounts: interval, number of accounts, failing polls, share of the last day with a failing poll, oldest data, and items (domains, sites or databases) for which the API refuses to answer. The duration is that of all accounts: 95 % of the polls of the last day took no longer.',
    noValue: 'No poll data.',
    queries: [
      { expr: `count ${by} (${success})` },
      { expr: `count ${by} (${success} == 0) or 0 * count ${by} (${success})` },
      { expr: `max ${by} (${ageInIntervals})` },
      {
        expr: `histogram_quantile(0.95, sum by (collector, le) (increase(${pollDuration('bucket')}[1d]))) and on (collector) (sum ${by} (increase(${pollDuration('count')}[1d])) > 0)`,
      },
      { expr: `max ${by} (${figures.collectorInterval.expression(scope)}) / 86400` },
      {
        expr: `1 - avg ${by} (max ${without(scope)} (avg_over_time(${selector(scope, 'hosting_exporter_collector_success')}[1d])))`,
      },
      { expr: `sum ${by} (max ${without(scope)} (${selector(scope, 'hosting_exporter_collector_items_refused')}))` },
    ],
    columns: [
      { of: 'collector', title: 'Collector' },
      { of: 'E', title: 'Interval', unit: 'duration', width: 90 },
      { of: 'A', title: 'Accounts', unit: 'accounts', width: 90 },
      {
        of: 'B',
        title: 'Failing',
        unit: 'accounts',
        cell: 'coloured',
        thresholds: colourFrom(1, colours.warning),
        width: 100,
      },
      { of: 'F', title: 'Failing, 24 h', unit: 'ratio', width: 120 },
      {
        of: 'C',
        title: 'Max. age',
        unit: 'intervals',
        cell: 'coloured',
        thresholds: thresholdSteps('HostingPollFailing'),
        width: 140,
      },
      { of: 'D', title: 'Poll duration', unit: 'seconds', width: 125 },
      { of: 'G', title: 'Refused items', unit: 'count', width: 120 },
    ],
    sortBy: ['-Failing', '-Max. age'],
  });
}

function accountsUpGraph() {
  return graph({
    title: 'Accounts up',
    description:
      'Configured accounts, and accounts for which the API answered the newest poll and accepted the credentials. The gap between the lines shows failing accounts.',
    noValue: 'no data',
    queries: [
      { expr: `count(${up})`, legend: 'Configured', colour: colours.muted, dashed: true },
      { expr: `sum(${up})`, legend: 'Up', colour: rankColours[0] },
    ],
    unit: 'accounts',
    min: 0,
    legend: 'bottom',
    calcs: ['lastNotNull'],
  });
}

function budgetGraph() {
  const used = `max ${without(scope)} (rate(${requests}[$__rate_interval]) * 60 / ${selector(scope, 'hosting_exporter_api_requests_per_minute_limit')})`;
  return graph({
    title: 'Budget usage',
    description:
      "API calls per minute as a share of the account's budget (requests_per_minute), for the six accounts with the highest share. The provider's own limit applies to all clients that use the login.",
    noValue: 'No API calls found.',
    queries: inRankColours(ranked(used, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    interval: '1h',
    legend: 'right',
  });
}

function queueGraph() {
  return graph({
    title: 'Queued API calls',
    description:
      'API calls that wait for the budget, for the six accounts with the longest mean queue in the time range. If a queue never empties, polls are late: raise the budget or poll the fan-out collectors less often.',
    noValue: 'No queued API calls found.',
    queries: inRankColours(
      ranked(
        figures.queueLength.expression(scope),
        'account',
        6,
        `(${meanOverRange(scope, 'hosting_exporter_api_queue_length')} > 0)`,
      ),
      '{{account}}',
    ),
    unit: 'count',
    min: 0,
    legend: 'right',
  });
}

const buckets = selector(exporters, 'hosting_exporter_api_request_duration_seconds_bucket');

function durationGraph() {
  const quantile = (share: number): string =>
    `histogram_quantile(${share}, sum by (le) (rate(${buckets}[$__rate_interval])))`;
  return graph({
    title: 'API call duration',
    description: 'Median and 95th percentile of the API call duration of all accounts, without the time in the queue.',
    noValue: 'No API calls found.',
    queries: [
      { expr: quantile(0.5), legend: 'median', colour: rankColours[0] },
      { expr: quantile(0.95), legend: '95th percentile', colour: rankColours[1] },
    ],
    unit: 'seconds',
    min: 0,
    interval: '1h',
    legend: 'bottom',
    calcs: ['lastNotNull', 'max'],
  });
}

function methodsTable() {
  const by = 'by (method)';
  const within = (series: 'sum' | 'count'): string =>
    `sum ${by} (increase(${selector(exporters, `hosting_exporter_api_request_duration_seconds_${series}`)}[1d]))`;
  return table({
    title: 'API methods',
    description:
      'Number of calls and mean duration in the last day, of all accounts. The table Collectors shows what fails.',
    noValue: 'No API calls found.',
    queries: [{ expr: `round(${within('count')})` }, { expr: `${within('sum')} / (${within('count')} > 0)` }],
    columns: [
      { of: 'method', title: 'Method' },
      { of: 'A', title: 'Calls, 24 h', unit: 'count', width: 150 },
      { of: 'B', title: 'Mean duration', unit: 'seconds', width: 130, decimals: 2 },
    ],
    sortBy: ['-Calls, 24 h'],
  });
}

function memoryGraph() {
  return graph({
    title: 'Memory',
    description: 'Resident memory of the process.',
    noValue: 'no data',
    queries: [{ expr: selector(exporters, 'process_resident_memory_bytes'), legend: '{{instance}}' }],
    unit: 'bytes',
    min: 0,
    legend: 'bottom',
  });
}

function cpuGraph() {
  return graph({
    title: 'CPU',
    description: 'CPU usage of the process as a share of one core.',
    noValue: 'no data',
    queries: [
      {
        expr: `rate(${selector(exporters, 'process_cpu_seconds_total')}[$__rate_interval])`,
        legend: '{{instance}}',
      },
    ],
    unit: 'ratio',
    min: 0,
    interval: '5m',
    legend: 'bottom',
  });
}

function eventLoopLagGraph() {
  return graph({
    title: 'Event loop lag',
    description: '99th percentile of the event loop lag. Above one second, scrapes become slow.',
    noValue: 'no data',
    queries: [{ expr: selector(exporters, 'nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
    unit: 'seconds',
    min: 0,
    legend: 'bottom',
  });
}

function instancesTable() {
  const by = 'by (instance, version, revision, nodeversion)';
  const info = selector(exporters, 'hosting_exporter_build_info');
  return table({
    title: 'Exporter instances',
    description: 'Version and uptime of each exporter.',
    noValue: 'no data',
    queries: [
      {
        expr: `max ${by} ((time() - ${selector(exporters, 'process_start_time_seconds')}) / 86400 * on (job, instance) group_left (version, revision, nodeversion) ${info})`,
      },
    ],
    columns: [
      { of: 'instance', title: 'Exporter' },
      { of: 'version', title: 'Version', width: 90 },
      { of: 'revision', title: 'Revision', width: 110 },
      { of: 'nodeversion', title: 'Node.js', width: 100 },
      { of: 'A', title: 'Uptime', unit: 'duration', width: 120 },
    ],
    sortBy: ['Exporter'],
  });
}

function pollDuration(series: 'bucket' | 'count' | 'sum'): string {
  return selector(exporters, `hosting_exporter_poll_duration_seconds_${series}`);
}

function pollDurationsGraph() {
  const within = (series: 'count' | 'sum'): string => `sum by (collector) (increase(${pollDuration(series)}[6h]))`;
  return graph({
    title: 'Slowest polls',
    description:
      'Mean poll duration over six hours, of all accounts, for the six slowest collectors at the end of the time range. Polls of fan-out collectors take as long as the budget requires.',
    noValue: 'No poll data.',
    queries: inRankColours(ranked(`(${within('sum')} / (${within('count')} > 0))`, 'duration', 6), '{{collector}}'),
    unit: 'seconds',
    min: 0,
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function seriesGraph() {
  return graph({
    title: 'Series',
    description:
      'Number of series of the selected accounts, without those about the exporter. The number determines what storing them costs.',
    noValue: 'no data',
    queries: [{ expr: `sum(${figures.accountSeries.expression(scope)})`, legend: 'Series', colour: rankColours[0] }],
    unit: 'count',
    min: 0,
    legend: 'bottom',
    calcs: ['lastNotNull'],
  });
}

/** Exporters that are down while no other exporter is up, or while an account of the last day has no exporter that reports it. */
function downWithoutReplacement(scope: Scope): readonly [onlyOne: string, lostAccounts: string] {
  const ignoringReplica = `ignoring (${scope.replicaLabels.join(', ')})`;
  const up = selector(scope, 'up');
  const hostingUp = selector(scope, 'hosting_up');
  return [
    `(${up} == 0 unless ${ignoringReplica} (${up} == 1))`,
    `(${up} == 0 and ignoring (account) (last_over_time(${hostingUp}[1d]) unless ${ignoringReplica} ${hostingUp}))`,
  ];
}
