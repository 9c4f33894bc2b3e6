const perAccount = ['account'];
const perSite = ['account', 'site_id', 'site'];
const perDatabase = ['account', 'database'];
const perDomain = ['account', 'domain'];
const perCollector = ['account', 'collector'];
const perServer = ['account', 'server'];

/** Every metric that the exporter promises, with its labels beside those of the scrape target. */
export const metricContract: Readonly<Record<string, readonly string[]>> = {
  hosting_account_info: ['account', 'tariff', 'server'],
  hosting_account_disk_usage_bytes: perAccount,
  hosting_account_disk_limit_bytes: perAccount,
  hosting_account_sites: perAccount,
  hosting_account_sites_limit: perAccount,
  hosting_account_domains: perAccount,
  hosting_account_domains_limit: perAccount,
  hosting_account_databases_limit: perAccount,
  hosting_account_databases_size_bytes: perAccount,
  hosting_account_mailboxes: perAccount,
  hosting_account_mailboxes_limit: perAccount,
  hosting_account_ftp_accounts: perAccount,
  hosting_account_ftp_accounts_limit: perAccount,
  hosting_account_load_limit: perAccount,
  hosting_account_balance: perAccount,
  hosting_account_daily_charge: perAccount,
  hosting_account_block_timestamp_seconds: perAccount,
  hosting_account_alert_threshold: ['account', 'alert', 'severity'],
  hosting_server_load_average: perServer,
  hosting_server_memory_bytes: perServer,
  hosting_server_memory_used_bytes: perServer,
  hosting_server_uptime_seconds: perServer,
  hosting_databases: perAccount,
  hosting_database_size_bytes: perDatabase,
  hosting_database_info: ['account', 'database', 'user'],
  hosting_site_load_average: perSite,
  hosting_database_load_average: perDatabase,
  hosting_site_load_hourly: perSite,
  hosting_site_load_hourly_timestamp_seconds: perSite,
  hosting_site_load_daily: perSite,
  hosting_site_load_daily_timestamp_seconds: perSite,
  hosting_database_load_hourly: perDatabase,
  hosting_database_load_hourly_timestamp_seconds: perDatabase,
  hosting_database_load_daily: perDatabase,
  hosting_database_load_daily_timestamp_seconds: perDatabase,
  hosting_database_size_daily_bytes: perDatabase,
  hosting_database_size_daily_timestamp_seconds: perDatabase,
  hosting_sites: perAccount,
  hosting_site_info: perSite,
  hosting_site_domain_info: ['account', 'site_id', 'domain', 'php_version', 'ssl_status'],
  hosting_domains: perAccount,
  hosting_domain_expiry_timestamp_seconds: perDomain,
  hosting_domain_auto_renew: perDomain,
  hosting_domain_info: ['account', 'domain', 'registrar', 'status'],
  hosting_domain_php_info: ['account', 'domain', 'version'],
  hosting_mailboxes: perDomain,
  hosting_ftp_accounts: perAccount,
  hosting_cron_tasks: ['account', 'state'],
  hosting_backups: ['account', 'kind'],
  hosting_backup_last_timestamp_seconds: ['account', 'kind'],
  hosting_up: perAccount,
  hosting_exporter_collector_success: perCollector,
  hosting_exporter_collector_duration_seconds: perCollector,
  hosting_exporter_collector_last_success_timestamp_seconds: perCollector,
  hosting_exporter_collector_interval_seconds: perCollector,
  hosting_exporter_collector_series: perCollector,
  hosting_exporter_api_requests_total: ['account', 'method'],
  hosting_exporter_api_request_failures_total: ['account', 'method', 'reason'],
  hosting_exporter_api_request_duration_seconds_bucket: ['method', 'le'],
  hosting_exporter_api_request_duration_seconds_sum: ['method'],
  hosting_exporter_api_request_duration_seconds_count: ['method'],
  hosting_exporter_api_requests_per_minute_limit: perAccount,
  hosting_exporter_api_queue_length: perAccount,
  hosting_exporter_build_info: ['version', 'revision', 'nodeversion'],
  hosting_exporter_config_last_reload_successful: [],
  hosting_exporter_config_last_reload_success_timestamp_seconds: [],
  process_cpu_seconds_total: [],
  process_resident_memory_bytes: [],
  process_start_time_seconds: [],
  nodejs_eventloop_lag_p99_seconds: [],
};

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
