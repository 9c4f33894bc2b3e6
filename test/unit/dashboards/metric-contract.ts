import { metricContract as exported, processSeries } from '../../fixtures/metric-contract.ts';

/** Every metric that a dashboard may ask for, with its labels beside those of the scrape target. */
export const metricContract: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...exported,
  ...processSeries.map((name) => [name, []] as const),
]);

/** What Prometheus itself adds, with the labels that our alerts have. */
export const addedByPrometheus: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['account', 'alertname', 'alertstate', 'severity', 'collector', 'kind', 'domain', 'site', 'database'],
  ALERTS_FOR_STATE: ['account', 'alertname', 'severity', 'collector', 'kind', 'domain', 'site', 'database'],
};

/** Metrics that no dashboard shows, each with the reason. */
export const deliberatelyUnused: Readonly<Record<string, string>> = {
  hosting_account_databases_size_bytes:
    'The sum of hosting_database_size_bytes says the same and is polled more often.',
  hosting_site_load_daily_timestamp_seconds: 'Means over a week do not care which day is newest.',
  hosting_database_load_daily_timestamp_seconds: 'Means over a week do not care which day is newest.',
  hosting_database_load_hourly_timestamp_seconds:
    'Only the alert about unusual load asks how old an hour is, and it is about sites.',
  hosting_database_size_daily_bytes:
    'hosting_database_size_bytes is newer; this one is for whoever starts without history.',
  hosting_database_size_daily_timestamp_seconds: 'Belongs to hosting_database_size_daily_bytes.',
};
