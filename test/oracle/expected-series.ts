import type { expectedDatabase } from '../../sandbox/src/expected.ts';
import type { HostingAccount } from '../../sandbox/src/hosting-account.ts';
import type { Dialect } from '../../src/api/method.ts';
import { collectors } from '../../src/collectors/list.ts';

type Labels = Readonly<Record<string, string | null | undefined>>;

/** Values by series, with keys from `seriesKey`. */
export type SeriesMap = Map<string, number>;

/** Formats a series with sorted labels. Omits empty labels, as Prometheus does. */
export function seriesKey(name: string, labels: Labels): string {
  const pairs = Object.entries(labels)
    .filter(([label, value]) => label !== '__name__' && value !== undefined && value !== null && value !== '')
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .sort();
  return `${name}{${pairs.join(',')}}`;
}

/** Adds a series. Adds nothing if the value is undefined. */
type Add = (name: string, labels: Labels, value: number | undefined) => void;

/** `settled`: hours and days that ended by this time are complete. Unix milliseconds. */
interface Context {
  readonly dialect: Dialect;
  readonly time: number;
  readonly settled: number;
}

type Expectation = (account: HostingAccount, add: Add, context: Context) => void;

/** Milliseconds: the default of `settling_time`. */
const settlingTime = 600_000;

/** The expected series of each collector. Every collector needs an entry. */
const expectations: Readonly<Record<string, Expectation>> = {
  account: (account, add, { time }) => {
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
    // All tests poll with the time zone UTC.
    const today = Math.floor(time / 86_400_000);
    add('hosting_account_block_timestamp_seconds', {}, (today + details.daysToBlock) * 86_400);
    add('hosting_server_load_average', { server }, details.serverLoadAverage);
    add('hosting_server_memory_bytes', { server }, details.serverMemoryBytes);
    add('hosting_server_memory_used_bytes', { server }, details.serverMemoryUsedBytes);
    add('hosting_server_uptime_seconds', { server }, details.serverUptimeSeconds);
    for (const [software, version] of Object.entries(details.serverSoftware)) {
      add('hosting_server_software_info', { server, software, version }, 1);
    }
  },
  databases: ({ databases }, add) => {
    add('hosting_databases', {}, databases.length);
    for (const { name: database, user, sizeBytes, remoteAccesses } of databases) {
      add('hosting_database_size_bytes', { database }, sizeBytes);
      add('hosting_database_remote_accesses', { database }, remoteAccesses);
      if (user !== undefined) add('hosting_database_info', { database, user }, 1);
    }
  },
  site_load: ({ sites }, add) => {
    for (const { id, name, load } of sites) {
      add('hosting_site_load_average', { site_id: id, site: name }, load.average);
    }
  },
  database_load: ({ databases }, add) => {
    for (const { name, load } of databases) add('hosting_database_load_average', { database: name }, load.average);
  },
  site_load_detail: ({ sites }, add, { settled }) => {
    for (const { id, name, load } of sites) {
      const labels = { site_id: id, site: name };
      addNewest('hosting_site_load_hourly', labels, load.hours, settled, add);
      addNewest('hosting_site_load_daily', labels, load.days, settled, add);
      const ended = load.days.filter(({ endsAt }) => endsAt <= settled);
      const recent = ended.filter(({ endsAt }) => endsAt > settled - 72 * 3_600_000).slice(-3);
      if (ended.length > 0)
        add('hosting_site_load_recent_average', labels, recent.reduce((sum, { value }) => sum + value, 0) / 3);
    }
  },
  database_load_detail: ({ databases }, add, { settled }) => {
    for (const { name: database, load, sizes } of databases) {
      addNewest('hosting_database_load_hourly', { database }, load.hours, settled, add);
      addNewest('hosting_database_load_daily', { database }, load.days, settled, add);
      addNewest('hosting_database_size_daily', { database }, sizes, settled, add, '_bytes');
    }
  },
  sites: ({ sites }, add, { dialect }) => {
    add('hosting_sites', {}, sites.length);
    for (const { id: site_id, name: site, frozen, domains } of sites) {
      add('hosting_site_info', { site_id, site }, 1);
      // The provider's list of sites does not contain this field.
      if (dialect === 'specification') add('hosting_site_frozen', { site_id, site }, Number(frozen));
      for (const { fqdn, phpVersion, https, sslStatus } of domains) {
        add('hosting_site_domain_https', { site_id, domain: fqdn }, Number(https));
        const labels = { site_id, domain: fqdn, php_version: phpVersion, ssl_status: sslStatus };
        add('hosting_site_domain_info', labels, 1);
      }
    }
  },
  domains: ({ domains, subdomains }, add) => {
    add('hosting_domains', {}, domains.length);
    add('hosting_subdomains', {}, subdomains.length);
    for (const { fqdn: domain, autoRenew, renewal, expiresAt, registrar, status, underControl } of domains) {
      add('hosting_domain_under_control', { domain }, Number(underControl));
      add('hosting_domain_expiry_timestamp_seconds', { domain }, seconds(expiresAt));
      add('hosting_domain_auto_renew', { domain }, Number(autoRenew));
      if (renewal !== null) add('hosting_domain_renewal_info', { domain, status: renewal }, 1);
      add('hosting_domain_info', { domain, registrar, status }, 1);
    }
  },
  mailboxes: ({ domains, subdomains, mailboxes }, add) => {
    for (const domain of [...domains.map(({ fqdn }) => fqdn), ...subdomains]) {
      const own = mailboxes.filter((mailbox) => mailbox.domain === domain);
      add('hosting_mailboxes', { domain }, own.length);
      add('hosting_mailboxes_forwarding', { domain }, own.filter(({ forwards }) => forwards).length);
      add('hosting_mailboxes_spam_filter_disabled', { domain }, own.filter(({ spamFilter }) => !spamFilter).length);
    }
  },
  ftp_accounts: ({ ftpAccounts }, add) => {
    add('hosting_ftp_accounts', {}, ftpAccounts.length);
  },
  cron_tasks: ({ cronTasks, cronEmail }, add, { dialect }) => {
    const disabled = cronTasks.filter((task) => task.disabled).length;
    add('hosting_cron_tasks', { state: 'enabled' }, cronTasks.length - disabled);
    add('hosting_cron_tasks', { state: 'disabled' }, disabled);
    if (dialect === 'provider') add('hosting_cron_email_set', {}, cronEmail === null ? 0 : 1);
  },
  backups: ({ backups, backupJobs, sites, databases }, add, { dialect }) => {
    for (const kind of ['files', 'databases'] as const) {
      // The specification's dialect lists backups by site or database. Without sites or databases, it lists none.
      if (dialect === 'specification' && (kind === 'files' ? sites : databases).length === 0) continue;
      add('hosting_backups', { kind }, backups[kind].length);
      add('hosting_backup_last_timestamp_seconds', { kind }, seconds(backups[kind][0]?.madeAt));
    }
    if (dialect === 'specification') return;
    const jobsByLabels = Map.groupBy(backupJobs, ({ kind, operation, status }) => `${kind} ${operation} ${status}`);
    for (const jobs of jobsByLabels.values()) {
      // The last job is the newest.
      for (const { kind, operation, status, createdAt } of jobs.slice(-1)) {
        const labels = { kind: kind === 'mysql' ? 'databases' : 'files', operation, status };
        add('hosting_backup_jobs', labels, jobs.length);
        // The API prints whole seconds.
        add('hosting_backup_job_last_timestamp_seconds', labels, Math.floor(createdAt / 1000));
      }
    }
  },
  dns: ({ domains }, add, { dialect }) => {
    for (const { fqdn: domain, dnsRecords } of domains) {
      for (const [type, records] of Map.groupBy(dnsRecords, (record) => record.type)) {
        add('hosting_domain_dns_records', { domain, type }, records.length);
      }
      // Only the provider's dialect lists the two name servers.
      if (dialect === 'provider') add('hosting_domain_dns_records', { domain, type: 'DNS' }, 2);
    }
  },
  frozen_sites: ({ sites }, add, { dialect }) => {
    // In the specification's dialect, this metric comes from the list of sites.
    if (dialect === 'specification') return;
    for (const { id: site_id, name: site, frozen } of sites)
      add('hosting_site_frozen', { site_id, site }, Number(frozen));
  },
  php_versions: ({ domains }, add) => {
    for (const { fqdn, phpVersion } of domains) {
      add('hosting_domain_php_info', { domain: fqdn, version: phpVersion }, 1);
    }
  },
};

/**
 * All series that the exporter must export for an account at `time` (Unix milliseconds). Default: of all collectors.
 */
export function expectedSeries(
  account: HostingAccount,
  dialect: Dialect,
  time: number,
  ofCollectors: readonly { readonly name: string }[] = collectors,
): SeriesMap {
  const series: SeriesMap = new Map();
  const add: Add = (name, labels, value) => {
    if (value !== undefined) series.set(seriesKey(name, { account: account.login, ...labels }), value);
  };
  // The copy computes each list of figures only once.
  const snapshot = { ...account };
  for (const { name } of ofCollectors) {
    const expectation = expectations[name];
    if (expectation === undefined) {
      throw new Error(`test/oracle/expected-series.ts: add an entry ${name} to expectations`);
    }
    expectation(snapshot, add, { dialect, time, settled: time - settlingTime });
  }
  return series;
}

/** Adds two series: the value and the start of the newest complete row. */
function addNewest(
  name: string,
  labels: Labels,
  rows: ReturnType<typeof expectedDatabase>['sizes'],
  settled: number,
  add: Add,
  unit = '',
): void {
  const newest = rows.findLast(({ endsAt }) => endsAt <= settled);
  add(`${name}${unit}`, labels, newest?.value);
  add(`${name}_timestamp_seconds`, labels, seconds(newest?.startsAt));
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
