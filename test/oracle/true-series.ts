import type { Dialect } from '../../src/api/dialect.ts';
import type { ExpectedRow } from '../../src/sandbox/expected.ts';
import type { HostingAccount } from '../../src/sandbox/hosting-account.ts';

type Labels = Readonly<Record<string, string | null | undefined>>;

/** Series by name and labels, as `seriesKey` writes them. */
export type SeriesMap = Map<string, number>;

/** A name with its labels in one order; empty labels are left out, as Prometheus does. */
export function seriesKey(name: string, labels: Labels): string {
  const pairs = Object.entries(labels)
    .filter(([label, value]) => label !== '__name__' && value !== undefined && value !== null && value !== '')
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .sort();
  return `${name}{${pairs.join(',')}}`;
}

/** Metrics whose figure is the poll's own time plus something, so that the sandbox knows them only nearly. */
export const nearlyKnown: ReadonlySet<string> = new Set(['hosting_account_block_timestamp_seconds']);

/**
 * Every series that the exporter must show of an account, and none besides, at `time` (unix milliseconds). The PHP
 * version of a domain that is linked to no site is left out, since the sandbox does not tell it.
 */
export function trueSeries(account: HostingAccount, dialect: Dialect, time: number): SeriesMap {
  const series: SeriesMap = new Map();
  const add = (name: string, labels: Labels, value: number | undefined) => {
    if (value !== undefined) series.set(seriesKey(name, { account: account.login, ...labels }), value);
  };
  addPlan(account, time, add);
  addSites(account, time, add);
  addDatabases(account, time, add);
  addDomains(account, add);
  add('hosting_ftp_accounts', {}, account.ftpAccounts.length);
  const disabled = account.cronTasks.filter((task) => task.disabled).length;
  add('hosting_cron_tasks', { state: 'enabled' }, account.cronTasks.length - disabled);
  add('hosting_cron_tasks', { state: 'disabled' }, disabled);
  for (const kind of ['files', 'databases'] as const) {
    // The specification's dialect lists what a backup holds, and no backups.
    if (dialect === 'specification') continue;
    const list = account.backups[kind];
    add('hosting_backups', { kind }, list.length);
    add('hosting_backup_last_timestamp_seconds', { kind }, seconds(list[0]?.madeAt));
  }
  return series;
}

type Add = (name: string, labels: Labels, value: number | undefined) => void;

function addPlan(account: HostingAccount, time: number, add: Add): void {
  const { plan, server, details } = account;
  add('hosting_account_info', { tariff: plan, server }, 1);
  add('hosting_account_disk_usage_bytes', {}, account.diskUsageBytes);
  add('hosting_account_disk_limit_bytes', {}, account.diskLimitBytes);
  if (details === undefined) return;
  add('hosting_account_sites_used', {}, details.sites);
  add('hosting_account_sites_limit', {}, details.sitesLimit);
  add('hosting_account_domains_used', {}, details.domains);
  add('hosting_account_domains_limit', {}, details.domainsLimit);
  add('hosting_account_databases_limit', {}, details.databasesLimit);
  add('hosting_account_databases_size_bytes', {}, details.databasesSizeBytes);
  add('hosting_account_mailboxes_used', {}, details.mailboxes);
  add('hosting_account_mailboxes_limit', {}, details.mailboxesLimit);
  add('hosting_account_ftp_accounts_used', {}, details.ftpAccounts);
  add('hosting_account_ftp_accounts_limit', {}, details.ftpAccountsLimit);
  add('hosting_account_load_limit', {}, details.loadLimit);
  add('hosting_account_balance', {}, details.balance);
  add('hosting_account_daily_charge', {}, details.dailyCharge);
  add('hosting_account_block_timestamp_seconds', {}, time / 1000 + details.daysToBlock * 86_400);
  add('hosting_server_load_average', { server }, details.serverLoadAverage);
  add('hosting_server_memory_bytes', { server }, details.serverMemoryBytes);
  add('hosting_server_memory_used_bytes', { server }, details.serverMemoryUsedBytes);
  add('hosting_server_uptime_seconds', { server }, details.serverUptimeSeconds);
}

function addSites({ sites }: HostingAccount, time: number, add: Add): void {
  add('hosting_sites', {}, sites.length);
  for (const { id: site_id, name: site, domains, load } of sites) {
    add('hosting_site_info', { site_id, site }, 1);
    add('hosting_site_load_average', { site_id, site }, load.average);
    addNewest('hosting_site_load_hourly', { site_id, site }, load.hours, time, add);
    addNewest('hosting_site_load_daily', { site_id, site }, load.days, time, add);
    for (const { fqdn, phpVersion, sslStatus } of domains) {
      const labels = { site_id, domain: fqdn, php_version: phpVersion, ssl_status: sslStatus };
      add('hosting_site_domain_info', labels, 1);
      add('hosting_domain_php_info', { domain: fqdn, version: phpVersion }, 1);
    }
  }
}

function addDatabases({ databases }: HostingAccount, time: number, add: Add): void {
  add('hosting_databases', {}, databases.length);
  for (const { name: database, user, sizeBytes, load, sizes } of databases) {
    add('hosting_database_size_bytes', { database }, sizeBytes);
    if (user !== undefined) add('hosting_database_info', { database, user }, 1);
    add('hosting_database_load_average', { database }, load.average);
    addNewest('hosting_database_load_hourly', { database }, load.hours, time, add);
    addNewest('hosting_database_load_daily', { database }, load.days, time, add);
    addNewest('hosting_database_size_daily', { database }, sizes, time, add, '_bytes');
  }
}

function addDomains({ domains, mailboxes }: HostingAccount, add: Add): void {
  add('hosting_domains', {}, domains.length);
  for (const { fqdn: domain, autoRenew, expiresAt, registrar, status } of domains) {
    add('hosting_domain_expiry_timestamp_seconds', { domain }, seconds(expiresAt));
    add('hosting_domain_auto_renew', { domain }, Number(autoRenew));
    add('hosting_domain_info', { domain, registrar, status }, 1);
    add('hosting_mailboxes', { domain }, mailboxes.filter((mailbox) => mailbox.domain === domain).length);
  }
}

/** The newest row that has ended: its figure, and when it began. */
function addNewest(
  name: string,
  labels: Labels,
  rows: readonly ExpectedRow[],
  time: number,
  add: Add,
  unit = '',
): void {
  const newest = rows.findLast(({ endsAt }) => endsAt <= time);
  add(`${name}${unit}`, labels, newest?.value);
  add(`${name}_timestamp_seconds`, labels, seconds(newest?.startsAt));
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
