import type { Dashboard } from '@grafana/schema';
import { accountsVariable, dashboard, links, type Section } from './dashboard.ts';
import { ageInIntervals } from './figures.ts';
import { type Column, graph, stat, table } from './panel.ts';
import { age, exporterSeries, highest, meanOverRange, merged, named, series } from './query.ts';
import { countLooks, failingAccounts, failingShare, percent } from './state.ts';
import { colours, lineColours, valueTexts } from './theme.ts';

const up = merged('hosting_up');
const success = merged('hosting_exporter_collector_success');
const dropped = merged('hosting_exporter_collector_series_dropped');
const pollAge = age('hosting_exporter_collector_last_success_timestamp_seconds');
const failures = series('hosting_exporter_api_request_failures_total');
const queue = merged('hosting_exporter_api_queue_length');

const tile = { width: 6, height: 3, noValue: 'no data' } as const;
const half = { width: 12, height: 9 } as const;
const third = { width: 8, height: 8, noValue: 'no data', legend: 'bottom' } as const;
const accountColumn: Column = { of: 'account', title: 'Account', link: links.rowAccount, width: 150 };

/** The person who can fix an API failure, by the reason of the failure. */
const whoCanFix: Column = {
  of: 'who',
  title: 'Who can fix it',
  mappings: [
    valueTexts({
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
    }),
  ],
};

/** Adds the label `who`: a copy of the label `reason`. The column `whoCanFix` shows a person in place of each reason. */
function withWho(expression: string): string {
  return `label_replace(${expression}, "who", "$1", "reason", "(.*)")`;
}

/** Exporters that are down, if the job has no other exporter that is up, or has lost an account that it had in the last day. */
function downWithoutReplacement(): string {
  const ignoringReplica = 'ignoring (instance, pod)';
  const exporter = exporterSeries('up');
  const account = exporterSeries('hosting_up');
  return `(${exporter} == 0 unless ${ignoringReplica} (${exporter} == 1)) or (${exporter} == 0 and ignoring (account) (last_over_time(${account}[1d]) unless ${ignoringReplica} ${account}))`;
}

const running = `count(${exporterSeries('up')} == 1)`;
const down = `count(${exporterSeries('up')} == 0)`;
const unmonitored = `count(${downWithoutReplacement()})`;
const loaded = exporterSeries('hosting_exporter_config_last_reload_successful');
const reloaded = exporterSeries('hosting_exporter_config_last_reload_success_timestamp_seconds');

/** Failed calls within `window`, by account and reason. */
function failedCalls(window: string): string {
  return `round(sum by (account, reason, who) (${withWho(`increase(${failures}[${window}])`)})) > 0`;
}

const accountPoll = merged('hosting_exporter_collector_success', 'collector="account"');
const accountDown = `(${up} == 0)`;
const byCollector = 'by (account, collector)';

/** An account without new data gets one row, because all its collectors fail for one cause. Other accounts get one row per collector. */
function perCause(ofAccount: string, ofCollector: string): string {
  return `label_replace(${ofAccount}, "collector", "all", "", "") or (${ofCollector}) unless on (account) ${accountDown}`;
}

/** A figure for the table of problems. */
function ofProblems(figure: string): string {
  const stale = series('ALERTS', 'alertname="HostingPollFailing"');
  const any = `group ${byCollector} (${success} == 0 or ${stale} or ${dropped} > 0)`;
  return perCause(
    `max by (account) (${figure} and on (job, account, collector) ${accountPoll} and on (account) ${accountDown})`,
    `max ${byCollector} (${figure}) and ${any}`,
  );
}

const threshold = merged('hosting_account_alert_threshold', 'alert="HostingPollFailing"', 'severity="warning"');
const failing = merged('hosting_exporter_collector_failing');
const problem = [
  `4 * group ${byCollector} (${ageInIntervals} >= on (job, account) group_left () ${threshold}) - min ${byCollector} (${success})`,
  `2 * group ${byCollector} (${success} == 0)`,
  `group ${byCollector} (${dropped} > 0)`,
].join(' or ');

const overview: Section = {
  panels: [
    stat({
      ...tile,
      id: 1,
      title: 'Exporters',
      description:
        'Number of exporters that Prometheus can scrape. Critical if one is down and its accounts are not monitored; warning if another exporter still monitors them. With /sd, each account is a separate target and counts as one.',
      queries: [
        {
          expr: named('state', {
            'all up': `(${running} unless ${down})`,
            'one down': `(${running} and ${down} unless ${unmonitored})`,
            'accounts unmonitored': `((${running} or 0 * count(${exporterSeries('up')})) and ${unmonitored})`,
          }),
          legend: '{{state}}',
        },
      ],
      looks: {
        'all up': { text: 'all up' },
        'one down': { text: 'one down', colour: colours.warning },
        'accounts unmonitored': { text: 'accounts unmonitored', colour: colours.critical },
      },
      unit: 'count',
    }),
    stat({
      ...tile,
      id: 2,
      title: 'Accounts without new data',
      description: `Accounts whose newest poll failed: the API did not answer or rejected the credentials. Critical from ${percent(failingShare)} of the accounts. If a few accounts fail, check these accounts. If most fail, check the provider and the network.`,
      queries: [failingAccounts()],
      looks: countLooks,
      unit: 'count',
    }),
    stat({
      ...tile,
      id: 3,
      title: 'Failed polls',
      description:
        'Number of collectors, over all accounts, whose newest poll failed, completely or in part. Their previous results expire after three poll intervals plus ten minutes.',
      queries: [{ expr: `count(${success} == 0) or 0 * count(${success})` }],
      unit: 'count',
    }),
    stat({
      ...tile,
      id: 4,
      title: 'Oldest data',
      description:
        'The collector with the oldest data, by its age in poll intervals. Up to 1 is normal. From 3 on, an alert fires, and the data expires soon.',
      queries: [{ expr: `topk(1, ${ageInIntervals})`, legend: '{{account}} {{collector}}' }],
      unit: 'intervals',
    }),
    stat({
      ...tile,
      id: 5,
      title: 'Failed API calls, 1 h',
      description: 'API calls that failed in the last hour, for any reason. The table below lists the reasons.',
      queries: [{ expr: `round(sum(increase(${failures}[1h])))` }],
      unit: 'count',
    }),
    stat({
      ...tile,
      id: 6,
      title: 'Queued API calls',
      description:
        'API calls that wait for the budget of their account. A few minutes of waiting after each full hour are normal. If the queue never empties, polls are late.',
      queries: [{ expr: `sum(${queue})` }],
      unit: 'count',
    }),
    stat({
      ...tile,
      id: 7,
      title: 'Configuration',
      description:
        'Result of the newest configuration reload and time since the last successful one. If a reload fails, the exporter keeps its previous configuration; its log shows the error.',
      queries: [
        {
          expr: named('state', {
            loaded: `(time() - max(${reloaded}) unless count(${loaded} == 0))`,
            'reload failed': `(time() - max(${reloaded}) and count(${loaded} == 0))`,
          }),
          legend: '{{state}}',
        },
      ],
      looks: {
        loaded: { text: 'loaded' },
        'reload failed': { text: 'reload failed', colour: colours.warning },
      },
      unit: 'duration',
    }),
    stat({
      ...tile,
      id: 8,
      title: 'Version',
      description: 'Version of the exporter. During an upgrade there may be two.',
      queries: [{ expr: `group by (version) (${exporterSeries('hosting_exporter_build_info')})` }],
      unit: 'count',
      label: 'version',
    }),
    table({
      id: 13,
      width: 24,
      height: 7,
      title: 'Problems',
      description:
        'Accounts and collectors with a problem, the worst first. No new data: the newest poll of the whole account failed. Other rows are single collectors: their data is stale (by default, from three poll intervals on), their newest poll failed, or they dropped series because of max_series. An empty table is good.',
      noValue: 'No failed or late polls and no dropped series found.',
      queries: [
        { expr: perCause(`5 * group by (account) ${accountDown}`, problem) },
        {
          expr: perCause(
            `group by (account, reason, who) (${withWho(`${merged('hosting_exporter_collector_failing', 'collector="account"')} and on (account) ${accountDown}`)})`,
            `group by (account, collector, reason, who) (${withWho(`${failing} and ignoring (reason) ${success} == 0`)})`,
          ),
        },
        { expr: ofProblems(pollAge) },
        { expr: `max ${byCollector} (${dropped}) > 0 unless on (account) ${accountDown}` },
      ],
      columns: [
        {
          of: 'A',
          title: 'Problem',
          mappings: [
            valueTexts({
              5: { text: 'no new data', color: colours.warningCell },
              4: { text: 'failed, stale data', color: colours.warningCell },
              3: { text: 'late, stale data', color: colours.warningCell },
              2: 'failed',
              1: { text: 'series dropped', color: colours.warningCell },
            }),
          ],
          cell: 'filled',
          width: 210,
        },
        accountColumn,
        { of: 'collector', title: 'Collector', mappings: [valueTexts({ all: 'all collectors' })], width: 185 },
        { of: 'reason', title: 'Reason', width: 110 },
        whoCanFix,
        { of: 'C', title: 'Age', unit: 'duration', width: 105 },
        { of: 'D', title: 'Series dropped', unit: 'count', width: 165 },
      ],
      sortBy: ['-Problem', '-Age', '-Series dropped'],
    }),
  ],
};

const apiFailures: Section = {
  row: { id: 9, title: 'API failures' },
  panels: [
    table({
      id: 10,
      width: 14,
      height: 9,
      title: 'API failures and who can fix them',
      description:
        'Failed API calls by account and reason. If the provider is slow or unreachable, wait. Credentials and permissions are yours to fix.',
      noValue: 'No failed API calls found in the last day.',
      queries: [{ expr: failedCalls('1h') }, { expr: failedCalls('1d') }],
      columns: [
        { ...accountColumn, width: 130 },
        { of: 'reason', title: 'Reason', width: 105 },
        whoCanFix,
        { of: 'A', title: '1 h', unit: 'count', width: 70 },
        { of: 'B', title: '24 h', unit: 'count', width: 80 },
      ],
      sortBy: ['-1 h', '-24 h'],
    }),
    graph({
      id: 11,
      width: 10,
      height: 9,
      title: 'Failed API calls per hour',
      description:
        'Failed API calls of each hour by reason. If many accounts have "network" or "timeout" failures at the same time, the provider is the likely cause.',
      noValue: 'No failed API calls found in the time range.',
      queries: [{ expr: `sum by (reason) (round(increase(${failures}[1h]))) > 0`, legend: '{{reason}}' }],
      unit: 'count',
      stacked: true,
      barInterval: '1h',
      legend: 'bottom',
    }),
  ],
};

function pollDuration(of: 'bucket' | 'count' | 'sum'): string {
  return exporterSeries(`hosting_exporter_poll_duration_seconds_${of}`);
}

const freshness: Section = {
  row: { id: 12, title: 'Data freshness' },
  panels: [
    table({
      id: 15,
      width: 24,
      height: 14,
      title: 'Collectors',
      description:
        'Per collector, over all selected accounts: interval, number of accounts, failed polls, share of the last day with a failed poll, oldest data, and items (domains, sites or databases) for which the API refuses to answer. The duration is that of all accounts: 95 % of the polls of the last day took no longer.',
      noValue: 'No poll data.',
      queries: [
        { expr: `count by (collector) (${success})` },
        { expr: `count by (collector) (${success} == 0) or 0 * count by (collector) (${success})` },
        { expr: `max by (collector) (${ageInIntervals})` },
        {
          expr: `histogram_quantile(0.95, sum by (collector, le) (increase(${pollDuration('bucket')}[1d]))) and on (collector) (sum by (collector) (increase(${pollDuration('count')}[1d])) > 0)`,
        },
        { expr: `max by (collector) (${merged('hosting_exporter_collector_interval_seconds')})` },
        {
          expr: `1 - avg by (collector) (max without (instance, pod) (avg_over_time(${series('hosting_exporter_collector_success')}[1d])))`,
        },
        { expr: `sum by (collector) (${merged('hosting_exporter_collector_items_refused')})` },
      ],
      columns: [
        { of: 'collector', title: 'Collector' },
        { of: 'E', title: 'Interval', unit: 'duration', width: 110 },
        { of: 'A', title: 'Accounts', unit: 'count', width: 110 },
        { of: 'B', title: 'Failed', unit: 'count', width: 110 },
        { of: 'F', title: 'Failed, 24 h', unit: 'ratio', width: 130 },
        { of: 'C', title: 'Max. age', unit: 'intervals', width: 160 },
        { of: 'D', title: 'Poll duration', unit: 'duration', width: 140 },
        { of: 'G', title: 'Refused items', unit: 'count', width: 140 },
      ],
      sortBy: ['-Failed', '-Max. age'],
    }),
    graph({
      id: 16,
      width: 24,
      height: 7,
      title: 'Accounts up',
      description:
        'Configured accounts, and accounts for which the API answered the newest poll and accepted the credentials. The gap between the lines shows accounts without new data.',
      noValue: 'no data',
      queries: [
        { expr: `count(${up})`, legend: 'Configured', colour: colours.muted, dashed: true },
        { expr: `sum(${up})`, legend: 'Up', colour: lineColours.first },
      ],
      unit: 'count',
      legend: 'bottom',
      calcs: ['lastNotNull'],
    }),
  ],
};

const limit = series('hosting_exporter_api_requests_per_minute_limit');
const budgetUse = `max without (instance, pod) (rate(${series('hosting_exporter_api_requests_total')}[$__rate_interval]) * 60 / ${limit})`;
const requestBuckets = exporterSeries('hosting_exporter_api_request_duration_seconds_bucket');
const callRate = `sum by (le) (rate(${requestBuckets}[$__rate_interval]))`;
const meanPoll = `(sum by (collector) (increase(${pollDuration('sum')}[6h])) / (sum by (collector) (increase(${pollDuration('count')}[6h])) > 0))`;

function callsIn(of: 'sum' | 'count'): string {
  return `sum by (method) (increase(${exporterSeries(`hosting_exporter_api_request_duration_seconds_${of}`)}[1d]))`;
}

const overTime: Section = {
  row: { id: 17, title: 'Calls and polls over time', collapsed: true },
  panels: [
    graph({
      ...half,
      id: 14,
      title: 'Data age in intervals',
      description:
        'Time since the newest successful poll in poll intervals, for the six collectors with the oldest data at the end of the time range. Values between 0 and 1 are normal. By default, an alert fires from 3 on.',
      noValue: 'No poll data.',
      queries: [{ expr: highest(6, ageInIntervals, 'job, account, collector'), legend: '{{account}} {{collector}}' }],
      unit: 'intervals',
      legend: 'right',
      calcs: ['lastNotNull'],
    }),
    graph({
      ...half,
      id: 27,
      title: 'Slowest polls',
      description:
        'Mean poll duration over six hours, of all accounts, for the six slowest collectors at the end of the time range. Polls of fan-out collectors take as long as the budget requires.',
      noValue: 'No poll data.',
      queries: [{ expr: highest(6, meanPoll, 'collector'), legend: '{{collector}}' }],
      unit: 'duration',
      legend: 'right',
      calcs: ['lastNotNull'],
    }),
    graph({
      ...half,
      id: 18,
      title: 'Budget usage',
      description:
        "API calls per minute as a share of the account's budget (requests_per_minute), for the six accounts with the highest share. The provider's own limit applies to all clients that use the login.",
      noValue: 'No API calls found.',
      queries: [{ expr: highest(6, budgetUse, 'job, account'), legend: '{{account}}' }],
      unit: 'ratio',
      interval: '1h',
      legend: 'right',
    }),
    graph({
      ...half,
      id: 19,
      title: 'Queued API calls',
      description:
        'API calls that wait for the budget, for the six accounts with the longest mean queue in the time range. If a queue never empties, polls are late: raise the budget or poll the fan-out collectors less often.',
      noValue: 'No queued API calls found.',
      queries: [
        {
          expr: highest(6, queue, 'job, account', `(${meanOverRange('hosting_exporter_api_queue_length')} > 0)`),
          legend: '{{account}}',
        },
      ],
      unit: 'count',
      legend: 'right',
    }),
    graph({
      ...half,
      id: 20,
      title: 'API call duration',
      description:
        'Median and 95th percentile of the API call duration of all accounts, without the time in the queue.',
      noValue: 'No API calls found.',
      queries: [
        { expr: `histogram_quantile(0.5, ${callRate})`, legend: 'median', colour: lineColours.first },
        { expr: `histogram_quantile(0.95, ${callRate})`, legend: '95th percentile', colour: lineColours.second },
      ],
      unit: 'duration',
      interval: '1h',
      legend: 'bottom',
      calcs: ['lastNotNull', 'max'],
    }),
    table({
      ...half,
      id: 21,
      title: 'API methods',
      description:
        'Number of calls and mean duration in the last day, of all accounts. The table Collectors shows what fails.',
      noValue: 'No API calls found.',
      queries: [{ expr: `round(${callsIn('count')})` }, { expr: `${callsIn('sum')} / (${callsIn('count')} > 0)` }],
      columns: [
        { of: 'method', title: 'Method' },
        { of: 'A', title: 'Calls, 24 h', unit: 'count', width: 150 },
        { of: 'B', title: 'Mean duration', unit: 'duration', width: 130 },
      ],
      sortBy: ['-Calls, 24 h'],
    }),
  ],
};

const instances = 'by (instance, version, revision, nodeversion)';
const uptime = `time() - ${exporterSeries('process_start_time_seconds')}`;
const buildInfo = exporterSeries('hosting_exporter_build_info');

const process: Section = {
  row: { id: 22, title: 'Process', collapsed: true },
  panels: [
    graph({
      ...third,
      id: 23,
      title: 'Memory',
      description: 'Resident memory of the process.',
      queries: [{ expr: exporterSeries('process_resident_memory_bytes'), legend: '{{instance}}' }],
      unit: 'bytes',
    }),
    graph({
      ...third,
      id: 24,
      title: 'CPU',
      description: 'CPU usage of the process as a share of one core.',
      queries: [
        {
          expr: `rate(${exporterSeries('process_cpu_seconds_total')}[$__rate_interval])`,
          legend: '{{instance}}',
        },
      ],
      unit: 'ratio',
    }),
    graph({
      ...third,
      id: 25,
      title: 'Event loop lag',
      description: '99th percentile of the event loop lag. Above one second, scrapes become slow.',
      queries: [{ expr: exporterSeries('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
      unit: 'duration',
    }),
    table({
      id: 26,
      width: 14,
      height: 6,
      title: 'Exporter instances',
      description: 'Version and uptime of each exporter.',
      noValue: 'no data',
      queries: [
        {
          expr: `max ${instances} ((${uptime}) * on (job, instance) group_left (version, revision, nodeversion) ${buildInfo})`,
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
    }),
    graph({
      id: 28,
      width: 10,
      height: 6,
      title: 'Series',
      description:
        'Number of series of the selected accounts, without those about the exporter. The number determines what storing them costs.',
      noValue: 'no data',
      queries: [{ expr: `sum(${merged('hosting_exporter_series')})`, legend: 'Series', colour: lineColours.first }],
      unit: 'count',
      legend: 'bottom',
      calcs: ['lastNotNull'],
    }),
  ],
};

/** The dashboard for operators. It shows whether the data is current, and the causes of stale data. */
export function exporter(): Dashboard {
  return dashboard({
    uid: 'hosting-exporter',
    title: 'Hosting / Exporter',
    description: 'Is the data current, and if not, what is the cause?',
    from: 'now-24h',
    // Every scrape can show that an exporter is down.
    refresh: '1m',
    variables: [accountsVariable],
    sections: [overview, apiFailures, freshness, overTime, process],
  });
}
