import { metricContract as exported, processSeries } from '../fixtures/metric-contract.ts';
import { rules } from '../rules/rule-file.ts';

/** Every metric that a dashboard may query, with its labels except those of the scrape target. */
export const metricContract: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...exported,
  ...processSeries.map((name) => [name, []] as const),
]);

/** Recorded series that a dashboard may query, with their labels except those of the scrape target. */
const recorded: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  rules.flatMap(({ record, labels = {} }) => {
    if (record === undefined) return [];
    const [level = ''] = record.split(':');
    return [[record, [...level.split('_'), ...Object.keys(labels)]]];
  }),
);

/** Series that Prometheus adds, with the labels of the alerts. */
export const addedByPrometheus: Readonly<Record<string, readonly string[]>> = {
  ...recorded,
  up: [],
  ALERTS: ['account', 'alertname', 'alertstate', 'severity', 'collector', 'kind', 'domain', 'site', 'database'],
  ALERTS_FOR_STATE: ['account', 'alertname', 'severity', 'collector', 'kind', 'domain', 'site', 'database'],
};

/** Metrics whose records the dashboards query instead, because the records keep the last known figure for a day. */
const recordedInstead = [
  'hosting_account_block_timestamp_seconds',
  'hosting_backup_last_timestamp_seconds',
  'hosting_backups',
  'hosting_domain_auto_renew',
  'hosting_domain_expiry_timestamp_seconds',
  'hosting_domain_under_control',
];

/** Metrics that no dashboard uses, with the reason. */
export const deliberatelyUnused: Readonly<Record<string, string>> = {
  ...Object.fromEntries(recordedInstead.map((name) => [name, 'The dashboards query a record of this metric.'])),
  hosting_exporter_clock_timestamp_seconds: 'HostingClocksDisagree reads it; a panel would only repeat the alert.',
  hosting_account_databases_size_bytes:
    'The sum of hosting_database_size_bytes has the same value and is polled more often.',
  hosting_site_load_hourly_timestamp_seconds: 'HostingSiteLoadUnusual reads it; the dashboards show its sites.',
  hosting_database_load_hourly_timestamp_seconds:
    'Only HostingSiteLoadUnusual needs the age of an hour, and it is about sites.',
  hosting_exporter_web_config_last_reload_successful:
    'HostingConfigReloadFailed reads it; a panel would only repeat the alert.',
  hosting_exporter_web_config_last_reload_success_timestamp_seconds:
    'Belongs to hosting_exporter_web_config_last_reload_successful.',
  hosting_exporter_items_excluded: 'The record that the plan limits read contains it.',
  hosting_exporter_configured_accounts: 'Changes only with the configuration.',
  hosting_exporter_shard_index: 'The label instance names the exporter.',
  hosting_exporter_shards: 'HostingShardsDisagree reads it; a panel would only repeat the alert.',
  hosting_exporter_state_restored_series: 'Changes only at a start.',
  hosting_exporter_state_dropped: 'Changes only at a start.',
  hosting_exporter_state_save_success: 'HostingStateNotSaved reads it; a panel would only repeat the alert.',
  hosting_exporter_state_last_save_timestamp_seconds: 'Belongs to hosting_exporter_state_save_success.',
};
