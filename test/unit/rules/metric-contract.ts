const target = ['job', 'instance', 'pod'];
const account = ['account'];
const collector = ['account', 'collector'];

/**
 * Every metric with its labels, from the metric contract. The one place to swap once the code's own list exists:
 * build this map from the collectors and the self metrics then.
 */
export const metricContract: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    up: [],
    ALERTS: ['alertname', 'alertstate', 'severity', 'account'],
    process_start_time_seconds: [],
    hosting_up: account,
    hosting_account_disk_usage_bytes: account,
    hosting_account_disk_limit_bytes: account,
    hosting_account_load_limit: account,
    hosting_account_balance: account,
    hosting_account_daily_charge: account,
    hosting_account_block_timestamp_seconds: account,
    hosting_account_info: ['account', 'tariff', 'server'],
    hosting_databases: account,
    hosting_database_size_bytes: ['account', 'database'],
    hosting_site_load_average: ['account', 'site_id', 'site'],
    hosting_database_load_average: ['account', 'database'],
    hosting_site_load_hourly: ['account', 'site_id', 'site'],
    hosting_site_load_hourly_timestamp_seconds: ['account', 'site_id', 'site'],
    hosting_site_load_daily: ['account', 'site_id', 'site'],
    hosting_database_load_hourly: ['account', 'database'],
    hosting_sites: account,
    hosting_site_info: ['account', 'site_id', 'site'],
    hosting_domains: account,
    hosting_domain_expiry_timestamp_seconds: ['account', 'domain'],
    hosting_domain_auto_renew: ['account', 'domain'],
    hosting_domain_info: ['account', 'domain', 'registrar', 'status'],
    hosting_mailboxes: ['account', 'domain'],
    hosting_ftp_accounts: account,
    hosting_cron_tasks: ['account', 'state'],
    hosting_backups: ['account', 'kind'],
    hosting_backup_last_timestamp_seconds: ['account', 'kind'],
    hosting_exporter_collector_success: collector,
    hosting_exporter_collector_last_success_timestamp_seconds: collector,
    hosting_exporter_collector_interval_seconds: collector,
    hosting_exporter_collector_duration_seconds: collector,
    hosting_exporter_collector_series: collector,
    hosting_exporter_api_requests_total: ['account', 'method'],
    hosting_exporter_api_request_failures_total: ['account', 'method', 'reason'],
    hosting_exporter_api_requests_per_minute_limit: account,
    hosting_exporter_api_queue_length: account,
    hosting_exporter_build_info: ['version', 'revision', 'nodeversion'],
    hosting_exporter_config_last_reload_successful: [],
    hosting_exporter_config_last_reload_success_timestamp_seconds: [],
    // Not in the contract yet: the overrides of thresholds (issue 4) and what the cap on series leaves out (issue 6).
    hosting_account_alert_threshold: ['account', 'alert', 'severity'],
    hosting_exporter_collector_series_dropped: collector,
  }).map(([name, labels]) => [name, [...target, ...labels]]),
);
