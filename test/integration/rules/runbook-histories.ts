import { atDay, ended, hold, missing, ramp, ScenarioBuilder, sequence } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import type { AlertName } from '../../../src/rules/thresholds.ts';
import { compress, expand } from './series-notation.ts';

/** Series in promtool's notation with one sample per minute, by their name and labels. */
type SeriesByName = Readonly<Record<string, string>>;

/** A healthy installation with exactly one fault, whose alert fires at the end. */
export interface History {
  readonly minutes: number;
  readonly series: SeriesByName;
}

type Labels = Readonly<Record<string, string>>;

const builder = new ScenarioBuilder(settingsSchema.parse({}));
const exporter = 'exporter:10380';
const hour = 60;
const day = 1440;
const gigabyte = 1e9;
const shop = { account: 'shop' };

/** Intervals of the collectors in minutes. */
const collectors = {
  account: 5,
  databases: 15,
  sites: 30,
  site_load_detail: 60,
  cron_tasks: 60,
  backups: 60,
  domains: 360,
} as const;

const success = 'hosting_exporter_collector_success';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const failing = 'hosting_exporter_collector_failing';
const failures = 'hosting_exporter_api_request_failures_total';
const usage = 'hosting_account_disk_usage_bytes';

function of(name: string, labels: Labels = {}, instance = exporter): string {
  return builder.series(name, labels, instance);
}

/** Times of the successful polls of a collector, as a timestamp per minute. They stop at `until`. */
function polls(interval: number, minutes: number, until = minutes + 1): string {
  const ends = Array.from({ length: Math.ceil(until / interval) }, (_, index) => index * interval);
  return sequence(
    ...ends.map((end, index) => {
      const next = index === ends.length - 1 ? minutes + 1 : end + interval;
      return hold(end * 60, next - end);
    }),
  );
}

function healthyExporter(minutes: number): SeriesByName {
  const constant = (value: number) => hold(value, minutes + 1);
  return {
    [of('up')]: constant(1),
    [of('process_start_time_seconds')]: constant(atDay(-10)),
    [of('process_resident_memory_bytes')]: constant(180e6),
    [of('hosting_exporter_build_info', { version: '1.0.0' })]: constant(1),
    [of('hosting_exporter_config_last_reload_successful')]: constant(1),
    [of('hosting_exporter_config_last_reload_success_timestamp_seconds')]: constant(atDay(-10)),
    [of('hosting_exporter_web_config_last_reload_successful')]: constant(1),
    [of('hosting_exporter_web_config_last_reload_success_timestamp_seconds')]: constant(atDay(-10)),
    [of('hosting_exporter_api_request_duration_seconds_count', { method: 'stat/getSiteLoad' })]: ramp(
      0,
      1,
      minutes + 1,
    ),
    [of('hosting_exporter_api_request_duration_seconds_count', { method: 'stat/getDbLoad' })]: ramp(0, 1, minutes + 1),
  };
}

function healthyAccount(account: string, minutes: number): SeriesByName {
  const constant = (value: number) => hold(value, minutes + 1);
  const one = (name: string, value: number, labels: Labels = {}) => ({
    [of(name, { account, ...labels })]: constant(value),
  });
  const sites = [`${account}.example`, `api.${account}.example`];
  const databases = { [`${account}_main`]: 20 * gigabyte, [`${account}_log`]: 0.4 * gigabyte };
  return Object.assign(
    {
      ...one('hosting_up', 1),
      ...one('hosting_account_info', 1, { tariff: 'business', server: 'web7' }),
      ...one(usage, 40 * gigabyte),
      ...one('hosting_account_disk_limit_bytes', 100 * gigabyte),
      ...one('hosting_account_load_limit', 150),
      ...one('hosting_account_balance', 1500),
      ...one('hosting_account_daily_charge', 20),
      ...one('hosting_account_block_timestamp_seconds', atDay(75)),
      ...one('hosting_sites', 3),
      ...one('hosting_domains', 2),
      ...one('hosting_databases', 2),
      ...one('hosting_cron_tasks', 4, { state: 'enabled' }),
      ...one('hosting_cron_tasks', 1, { state: 'disabled' }),
      ...one('hosting_exporter_series', 180),
      ...one('hosting_exporter_api_queue_length', 0),
      ...one('hosting_exporter_api_requests_per_minute_limit', 30),
      [of('hosting_exporter_api_requests_total', { account })]: ramp(0, 5, minutes + 1),
    },
    ...['timeout', 'network', 'payload', 'method', 'limit'].map((reason) => one(failures, 0, { reason })),
    ...Object.entries(collectors).map(([collector, interval]) => ({
      ...one(success, 1, { collector }),
      ...one('hosting_exporter_collector_interval_seconds', interval * 60, { collector }),
      [of(lastSuccess, { account, collector })]: polls(interval, minutes),
    })),
    ...sites.map((site, index) => ({
      ...one('hosting_site_info', 1, { site_id: `${index + 1}`, site }),
      ...one('hosting_site_load_average', 10, { site_id: `${index + 1}`, site }),
      ...one('hosting_site_load_daily', 10, { site_id: `${index + 1}`, site }),
      ...one('hosting_site_load_hourly', 10, { site_id: `${index + 1}`, site }),
      [of('hosting_site_load_hourly_timestamp_seconds', { account, site_id: `${index + 1}`, site })]:
        newestHour(minutes),
    })),
    ...Object.entries(databases).map(([database, size]) => ({
      ...one('hosting_database_size_bytes', size, { database }),
      ...one('hosting_database_load_hourly', 5, { database }),
    })),
    ...[`${account}.example`, 'store.example'].map((domain) => ({
      ...one('hosting_domain_expiry_timestamp_seconds', atDay(200), { domain }),
      ...one('hosting_domain_auto_renew', 1, { domain }),
      ...one('hosting_domain_info', 1, { domain, registrar: 'registrar.example', status: 'registered' }),
      ...one('hosting_mailboxes', 5, { domain }),
      ...one('hosting_mailboxes_forwarding', domain === 'store.example' ? 2 : 0, { domain }),
    })),
    ...['files', 'databases'].map((kind) => ({
      ...one('hosting_backups', 7, { kind }),
      // A backup each night.
      [of('hosting_backup_last_timestamp_seconds', { account, kind })]: sequence(
        ...Array.from({ length: Math.ceil((minutes + 1) / day) }, (_, index) => hold(atDay(index - 0.05), day)),
      ),
    })),
  );
}

/** The start of the newest complete hour, as a timestamp per minute. */
function newestHour(minutes: number): string {
  return sequence(
    ...Array.from({ length: Math.ceil((minutes + 1) / hour) }, (_, index) => hold((index - 1) * 3600, hour)),
  );
}

/** The accounts with all their series, and the series of the fault, which replace those of the same name. */
function history(minutes: number, accounts: readonly string[], fault: SeriesByName): History {
  const healthy = Object.assign(healthyExporter(minutes), ...accounts.map((name) => healthyAccount(name, minutes)));
  return { minutes, series: { ...healthy, ...fault } };
}

/** The accounts are no longer polled from minute `since` on. */
function refusedAccounts(reasons: Labels, since: number, minutes: number, names = ['account']): SeriesByName {
  return Object.assign(
    {},
    ...Object.entries(reasons).map(([account, reason]) => ({
      [of('hosting_up', { account })]: sequence(hold(1, since), hold(0, minutes + 1 - since)),
      ...Object.assign({}, ...names.map((collector) => failedCollector(account, collector, reason, since, minutes))),
    })),
  );
}

/** Like `refusedAccounts`, but the exporter restarted in minute `since` and forgot its successful polls. */
function rejectedAfterRestart(reasons: Labels, since: number, minutes: number): SeriesByName {
  const series = refusedAccounts(reasons, since, minutes);
  return { ...series, ...endedAt(since, series, lastSuccess) };
}

function failedCollector(account: string, collector: string, reason: string, since: number, minutes: number) {
  const interval = collectors[collector as keyof typeof collectors];
  return {
    [of(success, { account, collector })]: sequence(
      ...(since > 0 ? [hold(1, since)] : []),
      hold(0, minutes + 1 - since),
    ),
    [of(failing, { account, collector, reason })]: sequence(
      ...(since > 0 ? [missing(since)] : []),
      hold(1, minutes + 1 - since),
    ),
    ...(since > 0 && { [of(lastSuccess, { account, collector })]: polls(interval, minutes, since) }),
  };
}

/** The series of the metrics, ended at the minute. Prometheus marks them as stale when a scrape no longer has them. */
function endedAt(minute: number, series: SeriesByName, ...metrics: readonly string[]): SeriesByName {
  return Object.fromEntries(
    Object.keys(series)
      .filter((key) => metrics.some((metric) => key.startsWith(metric)))
      .map((key) => [key, compress([...expand(series[key] ?? '').slice(0, minute), ended])]),
  );
}

function site(name: string, id: string, metric: string): string {
  return of(metric, { ...shop, site_id: id, site: name });
}

const domain = { ...shop, domain: 'shop.example' };
const both = ['shop', 'blog'];

/** For each alert, a history on which the queries of the runbook return the rows that the runbook shows. */
export const histories: Readonly<Record<AlertName, History>> = {
  HostingExporterDown: history(60, both, {
    [of('up')]: sequence(hold(1, 35), hold(0, 26)),
    [of('process_start_time_seconds')]: sequence(hold(atDay(-10), 35), ended),
    ...endedAt(35, healthyAccount('shop', 60), 'hosting_up'),
    ...endedAt(35, healthyAccount('blog', 60), 'hosting_up'),
  }),
  HostingExporterAbsent: {
    minutes: 60,
    series: {
      [of('up')]: sequence(hold(1, 21), ended),
      [of('hosting_exporter_build_info', { version: '1.0.0' })]: sequence(hold(1, 21), ended),
      [of('hosting_exporter_build_info', { version: '1.0.0', job: 'web-hosting' })]: sequence(missing(21), hold(1, 40)),
    },
  },
  HostingExporterRestarting: history(90, both, {
    [of('up')]: sequence(hold(1, 34), ...Array.from({ length: 4 }, () => sequence(hold(0, 1), hold(1, 13))), '1'),
    [of('process_start_time_seconds')]: sequence(
      hold(atDay(-10), 34),
      ...[35, 49, 63, 77].map((start) => sequence(ended, hold(start * 60, 13))),
      `${77 * 60}`,
    ),
  }),
  HostingScrapedTooRarely: history(200, both, { [of('up')]: Array.from({ length: 14 }, () => '1 _x14').join(' ') }),
  HostingExporterCannotPoll: history(70, both, {
    ...refusedAccounts({ blog: 'network', shop: 'network' }, 56, 70),
    [of('up', {}, 'b')]: hold(1, 71),
    [of('hosting_up', { account: 'forum' }, 'b')]: hold(1, 71),
    [of('hosting_up', { account: 'wiki' }, 'b')]: hold(1, 71),
  }),
  HostingProviderUnreachable: history(90, ['shop', 'blog', 'forum', 'wiki'], {
    ...refusedAccounts({ blog: 'timeout', forum: 'network', wiki: 'timeout' }, 56, 90),
  }),
  HostingAccountUnreachable: history(90, both, {
    ...refusedAccounts({ shop: 'network' }, 56, 90, ['account', 'databases']),
  }),
  HostingMostLoginsRejected: history(90, ['shop', 'blog', 'forum', 'wiki'], {
    ...rejectedAfterRestart({ blog: 'auth', forum: 'auth', wiki: 'auth' }, 59, 90),
    [of('process_start_time_seconds')]: sequence(hold(atDay(-10), 59), hold(59 * 60, 32)),
  }),
  HostingCredentialsRejected: history(90, ['shop', 'blog', 'wiki'], refusedAccounts({ shop: 'auth' }, 59, 90)),
  HostingPollFailing: history(300, both, {
    ...failedCollector('shop', 'sites', 'payload', 50, 300),
    [of(lastSuccess, { ...shop, collector: 'cron_tasks' })]: missing(301),
    ...failedCollector('shop', 'cron_tasks', 'method', 0, 300),
    [of(failures, { ...shop, reason: 'payload' })]: sequence(
      hold(0, 10),
      ...Array.from({ length: 10 }, (_, index) => hold(index + 1, 30)),
    ),
    [of(failures, { ...shop, reason: 'method' })]: sequence(
      hold(0, 10),
      ...Array.from({ length: 5 }, (_, index) => hold(index + 1, 60)),
    ),
  }),
  HostingAccountMissing: history(90, both, {
    ...endedAt(45, healthyAccount('shop', 90), 'hosting_'),
  }),
  HostingConfigReloadFailed: history(60, both, {
    [of('hosting_exporter_config_last_reload_successful')]: sequence(hold(1, 20), hold(0, 41)),
    [of('hosting_exporter_config_last_reload_success_timestamp_seconds')]: hold(-51 * 3600, 61),
    [of('hosting_exporter_web_config_last_reload_successful')]: sequence(hold(1, 30), hold(0, 31)),
    [of('hosting_exporter_web_config_last_reload_success_timestamp_seconds')]: hold(-26 * 3600, 61),
  }),
  HostingStateNotSaved: history(150, both, {
    [of('hosting_exporter_state_save_success')]: sequence(hold(1, 30), hold(0, 121)),
    [of('hosting_exporter_state_last_save_timestamp_seconds')]: hold(1800, 151),
  }),
  HostingShardsDisagree: history(90, both, {
    [of('hosting_exporter_shards')]: hold(3, 91),
    [of('hosting_exporter_shards', {}, 'b')]: sequence(hold(3, 30), hold(4, 61)),
    [of('hosting_exporter_shard_index')]: hold(1, 91),
    [of('hosting_exporter_shard_index', {}, 'b')]: hold(2, 91),
    [of('hosting_up', shop)]: hold(1, 91),
    [of('hosting_up', shop, 'b')]: sequence(missing(30), hold(1, 61)),
  }),
  // The clock of the exporter is half an hour ahead.
  HostingClocksDisagree: history(120, both, {
    [of(lastSuccess, { ...shop, collector: 'account' })]: sequence(
      ...Array.from({ length: 25 }, (_, index) => hold((index * 5 + 30) * 60, 5)),
    ),
  }),
  HostingSeriesDropped: history(90, both, {
    [of('hosting_exporter_collector_series_dropped', { ...shop, collector: 'site_load_detail' })]: sequence(
      missing(30),
      hold(250, 61),
    ),
    [of('hosting_exporter_series', shop)]: sequence(hold(180, 30), hold(5000, 61)),
    [of('hosting_sites', shop)]: sequence(hold(3, 30), hold(900, 61)),
    ...Object.assign(
      {},
      ...Array.from({ length: 1700 }, (_, index) => ({
        [site(`${index}.shop.example`, `${index + 3}`, 'hosting_site_load_hourly')]: '_x70 1x20',
      })),
    ),
  }),
  HostingApiLimitHit: history(120, both, {
    [of(failures, { ...shop, reason: 'limit' })]: sequence(hold(0, 30), ramp(1, 1, 91)),
    [of(failing, { ...shop, collector: 'site_load_detail', reason: 'limit' })]: sequence(missing(30), hold(1, 91)),
    // A second exporter with the same account.
    [of('up', {}, 'old-host:10380')]: hold(1, 121),
    [of('hosting_up', shop, 'old-host:10380')]: hold(1, 121),
    [of('hosting_exporter_api_requests_total', shop, 'old-host:10380')]: ramp(0, 50, 121),
    [of('hosting_exporter_api_requests_per_minute_limit', shop, 'old-host:10380')]: hold(30, 121),
  }),
  HostingApiBudgetExhausted: history(120, both, {
    [of('hosting_exporter_api_queue_length', shop)]: sequence(hold(0, 10), hold(120, 111)),
    [of('hosting_exporter_api_requests_total', shop)]: ramp(0, 30, 121),
    [of('hosting_exporter_api_request_duration_seconds_count', { method: 'stat/getSiteLoad' })]: ramp(0, 20, 121),
    [of('hosting_exporter_api_request_duration_seconds_count', { method: 'stat/getDbLoad' })]: ramp(0, 10, 121),
    [of('hosting_sites', shop)]: hold(1600, 121),
    [of('hosting_databases', shop)]: hold(800, 121),
  }),
  HostingPermissionMissing: history(60, both, failedCollector('shop', 'databases', 'permission', 30, 60)),
  HostingDiskAlmostFull: history(8 * day, ['shop'], {
    [of(usage, shop)]: growing(86 * gigabyte, gigabyte / 2, 8),
    [of('hosting_database_size_bytes', { ...shop, database: 'shop_log' })]: growing(2.8 * gigabyte, gigabyte * 0.4, 8),
  }),
  HostingDiskFillingUp: history(8 * day, ['shop'], {
    [of(usage, shop)]: growing(46 * gigabyte, 3 * gigabyte, 8),
    [of('hosting_database_size_bytes', { ...shop, database: 'shop_log' })]: growing(gigabyte, 2 * gigabyte, 8),
  }),
  HostingDiskFillingUpFast: history(800, both, {
    [of(usage, shop)]: sequence(hold(70 * gigabyte, 600), ramp(70 * gigabyte, 0.04 * gigabyte, 201)),
    [of('hosting_database_size_bytes', { ...shop, database: 'shop_log' })]: sequence(
      hold(gigabyte, 600),
      ramp(gigabyte, 0.02 * gigabyte, 201),
    ),
  }),
  HostingDatabaseGrewFast: history(2 * day, both, {
    [of('hosting_database_size_bytes', { ...shop, database: 'shop_log' })]: sequence(
      hold(0.4 * gigabyte, 2 * day - 180),
      hold(0.9 * gigabyte, 181),
    ),
  }),
  HostingAccountBlockedToday: history(40, both, {
    [of('hosting_account_block_timestamp_seconds', shop)]: sequence(hold(atDay(75), 10), hold(600, 31)),
    [of('hosting_account_balance', shop)]: hold(3, 41),
  }),
  HostingAccountBlockedSoon: history(120, ['shop', 'blog', 'wiki'], {
    [of('hosting_account_block_timestamp_seconds', shop)]: hold(atDay(5), 121),
    [of('hosting_account_block_timestamp_seconds', { account: 'wiki' })]: hold(atDay(10), 121),
    [of('hosting_account_balance', shop)]: hold(100, 121),
  }),
  HostingDomainExpired: history(120, both, {
    [of('hosting_domain_expiry_timestamp_seconds', domain)]: hold(atDay(-2) + 7200, 121),
    [of('hosting_domain_info', { ...domain, registrar: 'registrar.example', status: 'registered' })]: missing(121),
    [of('hosting_domain_info', { ...domain, registrar: 'registrar.example', status: 'expired' })]: hold(1, 121),
  }),
  HostingDomainExpiring: history(120, both, {
    [of('hosting_domain_expiry_timestamp_seconds', domain)]: hold(atDay(12), 121),
    [of('hosting_domain_auto_renew', domain)]: hold(0, 121),
    [of('hosting_domain_expiry_timestamp_seconds', { ...shop, domain: 'store.example' })]: hold(atDay(25), 121),
  }),
  HostingDomainRenewalOverdue: history(90, both, {
    [of('hosting_domain_expiry_timestamp_seconds', domain)]: hold(atDay(1.5) + 5400, 91),
    [of('hosting_account_balance', shop)]: hold(3, 91),
  }),
  HostingDomainRenewalFailed: history(4 * day, both, {
    [of('hosting_domain_expiry_timestamp_seconds', domain)]: hold(atDay(44), 4 * day + 1),
    [of('hosting_domain_renewal_info', { ...domain, status: 'pending' })]: hold(1, 4 * day + 1),
    [of('hosting_account_balance', shop)]: hold(3, 4 * day + 1),
  }),
  HostingBackupTooOld: history(120, both, {
    [of('hosting_backup_last_timestamp_seconds', { ...shop, kind: 'files' })]: hold(atDay(-6) + 7200, 121),
  }),
  HostingBackupMissing: history(3 * day, both, {
    [of('hosting_backups', { ...shop, kind: 'files' })]: sequence(hold(1, 60), hold(0, 3 * day - 59)),
    [of('hosting_backup_last_timestamp_seconds', { ...shop, kind: 'files' })]: sequence(hold(atDay(-1), 60), ended),
  }),
  HostingPlanLoadHigh: history(150, both, {
    [site('shop.example', '1', 'hosting_site_load_average')]: hold(90, 151),
    [site('api.shop.example', '2', 'hosting_site_load_average')]: hold(40, 151),
    [site('shop.example', '1', 'hosting_site_load_daily')]: hold(95, 151),
    [site('api.shop.example', '2', 'hosting_site_load_daily')]: hold(45, 151),
  }),
  HostingInventoryCollapsed: history(200, both, {
    [of('hosting_sites', shop)]: sequence(hold(5, 100), hold(2, 101)),
    ...Object.fromEntries(
      ['old', 'forum', 'mail'].map((name, index) => [
        site(`${name}.shop.example`, `${index + 3}`, 'hosting_site_info'),
        sequence(hold(1, 100), ended),
      ]),
    ),
  }),
  HostingMailForwardingStarted: history(1600, both, {
    [of('hosting_mailboxes_forwarding', domain)]: sequence(hold(0, 1540), hold(1, 61)),
    [of('hosting_mailboxes', domain)]: sequence(hold(5, 1540), hold(6, 61)),
  }),
  HostingSiteLoadUnusual: history(8 * day, ['shop'], {
    [site('shop.example', '1', 'hosting_site_load_hourly')]: sequence(hold(10, 8 * day - 180), hold(90, 181)),
  }),
};

/** A size that grows by `step` every day. */
function growing(start: number, step: number, days: number): string {
  return ramp(start, step / day, days * day + 1);
}
