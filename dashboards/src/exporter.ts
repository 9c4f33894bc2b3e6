import type { Dashboard } from '@grafana/schema';
import { downWithoutReplacement } from '../../src/rules/exporter-health.ts';
import { figures, merged, selector, without } from '../../src/rules/figures.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { accountOfRow, accountsVariable, dashboard, headLink, tile } from './dashboard.ts';
import { staleCollectors } from './expressions.ts';
import { countInLevelColours, inLevelColours, named } from './level.ts';
import { colours, fromOne, rankColours, steps, words } from './look.ts';
import { graph, inRankColours, stat, table } from './panel.ts';
import { atEnd, exporters, overGraph, ranked, chosenAccounts as scope } from './query.ts';

const { levels: unreachable } = thresholds.HostingProviderUnreachable;
const up = figures.accountUp.expression(scope);
const success = figures.collectorSuccess.expression(scope);
const turns = figures.dataAgeIntervals.expression(scope);
// Collectors of one account often have the same age: their durations tell them apart in the ranking.
const duration = merged(scope, 'hosting_exporter_collector_duration_seconds');
const failures = selector(scope, 'hosting_exporter_api_request_failures_total');
const requests = selector(scope, 'hosting_exporter_api_requests_total');

/** Operator: is what I see current, and whose fault is it if not? */
export function exporter(): Dashboard {
  return dashboard({
    uid: 'hosting-exporter',
    title: 'Hosting / Exporter',
    description: 'Is what the other dashboards show current, and whose fault is it if not?',
    from: 'now-24h',
    scope,
    variables: [accountsVariable],
    links: [
      headLink('Fleet', 'All accounts', 'hosting-fleet'),
      headLink('Account', 'One account: is it about to run out of something?', 'hosting-account'),
      headLink('Sites and databases', 'Top consumers over all accounts', 'hosting-workload'),
    ],
    sections: [
      {
        tiles: [
          tile(1, 6, 3, upTile()),
          tile(2, 6, 3, silentTile()),
          tile(3, 6, 3, failingTile()),
          tile(4, 6, 3, stalestTile()),
          tile(5, 6, 3, failedCallsTile()),
          tile(6, 6, 3, waitingTile()),
          tile(7, 6, 3, configurationTile()),
          tile(8, 6, 3, versionTile()),
        ],
      },
      {
        row: { id: 9, title: 'Whose fault is it?' },
        tiles: [tile(10, 12, 9, reasonsTable()), tile(11, 12, 9, failuresGraph())],
      },
      {
        row: { id: 12, title: 'Is it current?' },
        tiles: [
          tile(13, 12, 10, latePollsTable()),
          tile(14, 12, 10, ageGraph()),
          tile(15, 12, 10, collectorsTable()),
          tile(16, 12, 10, answersGraph()),
        ],
      },
      {
        row: { id: 17, title: 'Calls of the API' },
        tiles: [
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
          tile(24, 8, 8, processorGraph()),
          tile(25, 8, 8, delayGraph()),
          tile(26, 12, 6, buildsTable()),
          tile(27, 12, 6, pollDurationsGraph()),
        ],
      },
    ],
  });
}

function upTile() {
  const all = selector(exporters, 'up');
  const answering = `count(${all} == 1)`;
  const down = `count(${all} == 0)`;
  const deserted = `count(${downWithoutReplacement(exporters, thresholds.HostingExporterDown.parameters.memory.value).join(' or ')})`;
  return stat({
    title: 'Exporters',
    description:
      'Exporters that answer Prometheus. Critical where one does not and its accounts are watched by nobody; a warning where another exporter watches them and only the spare is lost. With /sd each account is counted, as a target of its own.',
    queries: [
      { expr: `${answering} unless ${down}`, legend: 'all', colour: colours.neutral },
      { expr: `${answering} and ${down} unless ${deserted}`, legend: 'not all', colour: colours.warning },
      {
        expr: `(${answering} or 0 * count(${all})) and ${deserted}`,
        legend: 'not all',
        colour: colours.critical,
      },
    ],
    unit: 'count',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function silentTile() {
  return stat({
    title: 'Not answering',
    description:
      'Accounts whose newest poll got no answer, or whose credentials were rejected. One of many: look at the account. Most at once: the provider, or the way to it.',
    queries: countInLevelColours(
      {
        warning: `(${up} == 0)`,
        critical: `((${up} == 0) and on () (count(${up} == 0) / count(${up}) >= ${unreachable.critical.value}))`,
      },
      up,
    ),
    unit: 'accounts',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function failingTile() {
  return stat({
    title: 'Polls that fail',
    description:
      'Collectors of single accounts whose newest poll did not succeed as a whole. Their last good figures stay for three turns and ten minutes.',
    queries: countInLevelColours({ warning: `(${success} == 0)` }, success),
    unit: 'count',
    show: 'value_and_name',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function stalestTile() {
  return stat({
    title: 'Oldest figures',
    description:
      'The account whose figures are oldest, in turns of their collector: 1 is ordinary, from 3 on the alert warns and soon the figures disappear.',
    queries: inLevelColours(
      `topk(1, ${turns})`,
      { warning: staleCollectors(scope) },
      named('{{account}} {{collector}}'),
    ),
    unit: 'intervals',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function failedCallsTile() {
  return stat({
    title: 'Failed calls, 1 h',
    description:
      'Calls of the API that failed within the last hour, for whatever reason. The table below tells the reasons.',
    queries: [{ expr: `round(sum(increase(${failures}[1h])))` }],
    unit: 'count',
    mappings: [words({ 0: 'none' })],
    thresholds: fromOne(colours.warning),
    noValue: 'no data',
  });
}

function waitingTile() {
  return stat({
    title: 'Calls waiting',
    description:
      'Calls that wait for the budget of their account. After each full hour some wait for minutes; a queue that never empties makes polls late.',
    queries: [{ expr: `sum(${figures.queueLength.expression(scope)})` }],
    unit: 'count',
    mappings: [words({ 0: 'none' })],
    noValue: 'no data',
  });
}

function configurationTile() {
  const loaded = selector(exporters, 'hosting_exporter_config_last_reload_successful');
  return stat({
    title: 'Configuration',
    description:
      'Whether the exporter could load its newest configuration, and when it last did. Where it could not, it runs with the old one; its log says why.',
    queries: [
      {
        expr: `(time() - max(${selector(exporters, 'hosting_exporter_config_last_reload_success_timestamp_seconds')})) unless count(${loaded} == 0)`,
        legend: 'loaded',
        colour: colours.neutral,
      },
      { expr: `count(${loaded} == 0)`, legend: 'with an error', colour: colours.warning },
    ],
    unit: 'seconds',
    show: 'value_and_name',
    noValue: 'no data',
  });
}

function versionTile() {
  return stat({
    title: 'Version',
    description: 'The version of the exporter; two while an upgrade is under way.',
    queries: [{ expr: `group by (version) (${selector(exporters, 'hosting_exporter_build_info')})` }],
    unit: 'count',
    labels: { version: 'Version' },
    noValue: 'no data',
  });
}

/** Who can do something about a failed call. */
const whoActs = words({
  auth: 'You: correct login or password',
  permission: 'You: permit the method to the API user',
  limit: 'You: another tool uses the same login',
  network: 'The network, or the provider',
  timeout: 'The provider, or the network',
  http: 'The provider',
  api: 'The provider',
  method: 'The provider',
  payload: 'The provider, or this exporter',
  request: 'This exporter: please report it',
});

function reasonsTable() {
  const by = 'by (account, reason, who)';
  const within = (window: string): string =>
    `round(sum ${by} (label_replace(increase(${failures}[${window}]), "who", "$1", "reason", "(.*)"))) > 0`;
  return table({
    title: 'Failed calls and who can act',
    description:
      'Why calls failed within the last day and the last hour, by account. The provider is slow or away: wait. Credentials and permissions: only you can mend them.',
    noValue: 'No call is known to have failed within a day.',
    queries: [{ expr: within('1h') }, { expr: within('1d') }],
    columns: [
      { of: 'account', title: 'Account', link: accountOfRow, width: 140 },
      { of: 'reason', title: 'Reason', width: 100 },
      { of: 'who', title: 'Who can act', mappings: [whoActs] },
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
    title: 'Failed calls per hour',
    description:
      'Each bar is an hour, parted by reason. Many accounts at once and "network" or "timeout": the provider.',
    noValue: 'No call is known to have failed in this time.',
    curves: [
      ...reasons.map((reason, index) => ({
        expr: perHour(`reason="${reason}"`),
        legend: reason,
        colour: rankColours[index] ?? colours.quiet,
      })),
      { expr: perHour(`reason!~"${listed}"`), legend: 'all others', colour: colours.quiet },
    ],
    unit: 'count',
    min: 0,
    stacked: true,
    barsOf: '1h',
    legend: 'bottom',
  });
}

function latePollsTable() {
  const by = 'by (account, collector)';
  const dropped = figures.collectorDropped.expression(scope);
  const late = `(${success} == 0 or ${staleCollectors(scope)} or ${dropped} > 0)`;
  const of = (expression: string): string => `max ${by} (${expression}) and ${`group ${by} (${late})`}`;
  return table({
    title: 'Polls that fail, are late or drop series',
    description:
      'Every collector of every account whose newest poll failed, whose figures are older than three of its turns, or that left series out because of max_series. Empty is good.',
    noValue: 'No poll is known to fail, to be late or to drop series.',
    queries: [
      { expr: of(success) },
      { expr: of(figures.dataAge.expression(scope)) },
      { expr: of(turns) },
      { expr: of(figures.collectorSeries.expression(scope)) },
      { expr: of(dropped) },
    ],
    columns: [
      { of: 'account', title: 'Account', link: accountOfRow },
      { of: 'collector', title: 'Collector', width: 170 },
      { of: 'A', title: 'Newest poll', mappings: [pollWords], cell: 'filled', width: 95, align: 'left' },
      { of: 'B', title: 'Age', unit: 'seconds', width: 90 },
      {
        of: 'C',
        title: 'In turns',
        unit: 'intervals',
        cell: 'coloured',
        thresholds: steps('HostingPollFailing'),
        width: 110,
      },
      { of: 'D', title: 'Series', unit: 'count', width: 65 },
      {
        of: 'E',
        title: 'Dropped',
        unit: 'count',
        cell: 'coloured',
        thresholds: fromOne(colours.warning),
        width: 100,
      },
    ],
    sortBy: ['-Dropped', '-In turns'],
  });
}

/** How a poll ended. */
export const pollWords = words({
  1: { text: 'good', color: 'transparent' },
  0: { text: 'failed', color: colours.warningCell },
});

function ageGraph() {
  return graph({
    title: 'Data age in turns',
    description:
      'Age of the newest good poll in turns of its collector, for the six oldest now. Ordinary figures go up and down between 0 and 1; at the dashed line the alert warns.',
    noValue: 'No poll is known.',
    curves: inRankColours(
      ranked(turns, 'collector', 6, `(${atEnd(turns)} + 1e-6 * ${atEnd(duration)})`),
      '{{account}} {{collector}}',
    ),
    unit: 'intervals',
    min: 0,
    thresholds: steps('HostingPollFailing'),
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}

function collectorsTable() {
  const by = 'by (collector)';
  return table({
    title: 'Collectors',
    description:
      'All accounts together: how many each collector polls, how many fail, how old the oldest figures are, how long the longest poll took, and how many series it shows.',
    noValue: 'No poll is known.',
    queries: [
      { expr: `count ${by} (${success})` },
      { expr: `count ${by} (${success} == 0) or 0 * count ${by} (${success})` },
      { expr: `max ${by} (${turns})` },
      { expr: `max ${by} (${merged(scope, 'hosting_exporter_collector_duration_seconds')})` },
      { expr: `sum ${by} (${figures.collectorSeries.expression(scope)})` },
      { expr: `max ${by} (${figures.collectorInterval.expression(scope)})` },
    ],
    columns: [
      { of: 'collector', title: 'Collector' },
      { of: 'F', title: 'Every', unit: 'seconds', width: 90 },
      { of: 'A', title: 'Accounts', unit: 'accounts', width: 90 },
      {
        of: 'B',
        title: 'Failing',
        unit: 'accounts',
        cell: 'coloured',
        thresholds: fromOne(colours.warning),
        width: 85,
      },
      {
        of: 'C',
        title: 'Oldest',
        unit: 'intervals',
        cell: 'coloured',
        thresholds: steps('HostingPollFailing'),
        width: 110,
      },
      { of: 'D', title: 'Longest poll', unit: 'seconds', width: 120 },
      { of: 'E', title: 'Series', unit: 'count', width: 80 },
    ],
    sortBy: ['-Failing', 'Collector'],
  });
}

function answersGraph() {
  return graph({
    title: 'Accounts that answer',
    description:
      'How many accounts answered their newest poll, of all that are configured. A gap between the two is an outage.',
    noValue: 'no data',
    curves: [
      { expr: `count(${up})`, legend: 'Configured', colour: colours.quiet, dashed: true },
      { expr: `sum(${up})`, legend: 'Answering', colour: rankColours[0] },
    ],
    unit: 'accounts',
    min: 0,
    legend: 'bottom',
    calcs: ['lastNotNull'],
  });
}

function budgetGraph() {
  const used = `max ${without(scope)} (sum without (method) (rate(${requests}[$__rate_interval])) * 60 / ${selector(scope, 'hosting_exporter_api_requests_per_minute_limit')})`;
  return graph({
    title: 'Calls as a share of the budget',
    description:
      "Calls per minute as a share of what the exporter allows itself for the account (requests_per_minute), for the six accounts with most. The provider's own limit counts all tools that use the login.",
    noValue: 'No call is known.',
    curves: inRankColours(ranked(used, 'account', 6), '{{account}}'),
    unit: 'ratio',
    min: 0,
    interval: '1h',
    legend: 'right',
  });
}

function queueGraph() {
  return graph({
    title: 'Calls waiting',
    description:
      'Calls that wait for the budget, for the six accounts with most of them in the shown time. A queue that never empties makes polls late: raise the budget or poll the details less often.',
    noValue: 'No call is known to have waited.',
    curves: inRankColours(
      ranked(
        figures.queueLength.expression(scope),
        'account',
        6,
        `(${overGraph(scope, 'hosting_exporter_api_queue_length')} > 0)`,
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
    title: 'How long calls take',
    description:
      'Half of the calls, and 95 of 100, are answered within this time. Waiting for the budget is not counted.',
    noValue: 'No call is known.',
    curves: [
      { expr: quantile(0.5), legend: 'half', colour: rankColours[0] },
      { expr: quantile(0.95), legend: '95 of 100', colour: rankColours[1] },
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
  return table({
    title: 'Methods',
    description:
      'What was called within the last day, how often, how much of it failed, and how long it took on average.',
    noValue: 'No call is known.',
    queries: [
      { expr: `round(sum ${by} (increase(${requests}[1d])))` },
      { expr: `sum ${by} (increase(${failures}[1d])) / (sum ${by} (increase(${requests}[1d])) > 0)` },
      {
        expr: `sum ${by} (increase(${selector(exporters, 'hosting_exporter_api_request_duration_seconds_sum')}[1d])) / (sum ${by} (increase(${selector(exporters, 'hosting_exporter_api_request_duration_seconds_count')}[1d])) > 0)`,
      },
    ],
    columns: [
      { of: 'method', title: 'Method' },
      { of: 'A', title: 'Calls, 24 h', unit: 'count', width: 130 },
      { of: 'B', title: 'Failed', unit: 'ratio', width: 100 },
      { of: 'C', title: 'Mean duration', unit: 'seconds', width: 130, decimals: 2 },
    ],
    sortBy: ['-Calls, 24 h'],
  });
}

function memoryGraph() {
  return graph({
    title: 'Memory',
    description: 'Memory that the process holds.',
    noValue: 'no data',
    curves: [{ expr: selector(exporters, 'process_resident_memory_bytes'), legend: '{{instance}}' }],
    unit: 'bytes',
    min: 0,
    legend: 'bottom',
  });
}

function processorGraph() {
  return graph({
    title: 'Processor',
    description: 'Share of one processor core that the process uses.',
    noValue: 'no data',
    curves: [
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

function delayGraph() {
  return graph({
    title: 'Delay of the event loop',
    description:
      'How long work waits for its turn in the process, at worst one of 100 times. Over a second scrapes get slow.',
    noValue: 'no data',
    curves: [{ expr: selector(exporters, 'nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
    unit: 'seconds',
    min: 0,
    legend: 'bottom',
  });
}

function buildsTable() {
  const by = 'by (instance, version, revision, nodeversion)';
  const info = selector(exporters, 'hosting_exporter_build_info');
  return table({
    title: 'Running exporters',
    description: 'Every exporter with its version, and how long it has been running.',
    noValue: 'no data',
    queries: [
      {
        expr: `max ${by} ((time() - ${selector(exporters, 'process_start_time_seconds')}) * on (job, instance) group_left (version, revision, nodeversion) ${info})`,
      },
    ],
    columns: [
      { of: 'instance', title: 'Exporter' },
      { of: 'version', title: 'Version', width: 90 },
      { of: 'revision', title: 'Revision', width: 110 },
      { of: 'nodeversion', title: 'Node.js', width: 100 },
      { of: 'A', title: 'Running for', unit: 'seconds', width: 120 },
    ],
    sortBy: ['Exporter'],
  });
}

function pollDurationsGraph() {
  return graph({
    title: 'Slowest polls',
    description:
      'How long a poll took, for the six longest now. Polls with one call per site take as long as the budget makes them.',
    noValue: 'No poll is known.',
    curves: inRankColours(ranked(duration, 'collector', 6), '{{account}} {{collector}}'),
    unit: 'seconds',
    min: 0,
    legend: 'right',
    calcs: ['lastNotNull'],
  });
}
