import { reasons } from '../api/error.ts';
import type { Family, FamilyHead, Sample } from '../collectors/family.ts';
import type { Account } from './account.ts';

export type OwnMetric = FamilyHead & Pick<Family, 'labelNames'>;

const help = {
  hosting_up:
    'Whether the API answered the newest poll of the collector named account, and accepted the credentials: 1 or 0. Before the first poll, the value is 0, or missing after a restart if the newest saved poll succeeded. If this collector is disabled, the newest poll of any collector counts.',
  hosting_exporter_collector_success:
    'Whether the newest poll of the collector succeeded completely: 1 or 0; 0 before the end of the first poll.',
  hosting_exporter_collector_failing:
    'Always 1. Exists while the newest poll of the collector is a failed poll. The label reason contains the reason.',
  hosting_exporter_collector_last_success_timestamp_seconds:
    'End of the newest successful poll of the collector, in Unix seconds; missing before the first successful poll.',
  hosting_exporter_collector_interval_seconds:
    'Time between two runs of the collector. Includes the stretching that the budget requires.',
  hosting_exporter_collector_series_dropped:
    'Series that max_series removed from the newest results; missing while no series are removed.',
  hosting_exporter_collector_items_refused:
    'Domains, sites or databases without figures. The API answered the two newest calls for each of these items with an error, but answered calls for other items. Missing while all items have figures.',
  hosting_exporter_items_excluded:
    'Domains, subdomains, sites or databases in the lists of the API that exclude leaves out. Missing if none are left out.',
  hosting_exporter_series: 'Current series of the account on the page, without the series about the exporter.',
  hosting_exporter_api_requests_total: 'API calls, including failed ones.',
  hosting_exporter_api_request_failures_total: 'API calls that failed, by reason.',
  hosting_exporter_api_requests_per_minute_limit: 'API calls per minute that the configuration allows for the account.',
  hosting_exporter_api_queue_length: 'API calls that wait for the budget of the account.',
  hosting_account_alert_threshold:
    'Threshold at which an alert about the account fires: the default, or what the configuration says. Missing if the alert is off. Alert rules need this metric.',
  hosting_account_labels:
    'Always 1. The labels of the account in the configuration, each with the prefix label_, for joins with other metrics. Missing if the account has no such labels.',
} as const;

type OwnName = keyof typeof help;

/** The labels of a metric other than `account` and `collector`. */
const furtherLabels: Partial<Record<OwnName, readonly string[]>> = {
  hosting_exporter_collector_failing: ['reason'],
  hosting_exporter_items_excluded: ['kind'],
  hosting_exporter_api_request_failures_total: ['reason'],
  hosting_account_alert_threshold: ['alert', 'severity'],
};

/** The exporter's own metrics that exist once per account, in the order of the page. */
export const accountMetrics = (Object.keys(help) as OwnName[]).map((name): OwnMetric => {
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  const collector = name.startsWith('hosting_exporter_collector_') ? ['collector'] : [];
  return { name, help: help[name], type, labelNames: ['account', ...collector, ...(furtherLabels[name] ?? [])] };
});

export function accountFamilies(account: Account): readonly Family[] {
  const { pollers, calls, store, session, thresholds, up } = account;
  const all: (Sample & { readonly name: OwnName })[] = [];
  const add = (name: OwnName, value: number, labels: Sample['labels'] = {}) =>
    all.push({ name, labels: { account: account.name, ...labels }, value });

  if (up !== undefined) add('hosting_up', Number(up));
  for (const poller of pollers) {
    const { name: collector } = poller.collector;
    const { interval, droppedSeries, failure } = poller;
    const { refused } = poller.items;
    const { succeeded = false, lastSuccess } = poller.newest ?? {};
    add('hosting_exporter_collector_success', Number(succeeded), { collector });
    if (failure) add('hosting_exporter_collector_failing', 1, { collector, reason: failure.reason });
    if (lastSuccess !== undefined) {
      add('hosting_exporter_collector_last_success_timestamp_seconds', lastSuccess / 1000, { collector });
    }
    add('hosting_exporter_collector_interval_seconds', interval / 1000, { collector });
    if (droppedSeries > 0) add('hosting_exporter_collector_series_dropped', droppedSeries, { collector });
    if (refused > 0) add('hosting_exporter_collector_items_refused', refused, { collector });
  }
  for (const [kind, count] of account.excluded) add('hosting_exporter_items_excluded', count, { kind });
  add('hosting_exporter_series', store.series);
  add('hosting_exporter_api_requests_total', calls.sent);
  for (const reason of reasons) {
    add('hosting_exporter_api_request_failures_total', calls.failed.get(reason) ?? 0, { reason });
  }
  add('hosting_exporter_api_requests_per_minute_limit', session.budget.requestsPerMinute);
  add('hosting_exporter_api_queue_length', session.budget.queueLength);
  for (const { value, ...labels } of thresholds) add('hosting_account_alert_threshold', value, labels);
  const own = Object.entries(account.labels).map(([label, text]) => [`label_${label}`, text]);
  if (own.length > 0) add('hosting_account_labels', 1, Object.fromEntries(own));

  return [...Map.groupBy(all, ({ name }) => name)].map(([name, samples]) => {
    return { name, labelNames: Object.keys(samples[0]?.labels ?? {}), samples };
  });
}
