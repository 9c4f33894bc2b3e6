import type { MetricName } from '../../collectors/collector.ts';
import { databaseLoadDetail } from '../../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../../collectors/site-load-detail.ts';
import { Figures } from '../../store/figures.ts';
import { domainDeadline, summarize } from './account-summary.ts';
import { readHistories } from './histories.ts';
import { readChanges, readDays } from './trends.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

export type LongTable = 'sites' | 'databases' | 'domains';

/** Maximum number of rows of a long table. Further rows are only in the metrics. */
const rowsShown = { closed: 15, opened: 300 };

/** Everything about one account. An undefined figure or an empty text means that the value is unknown. */
export type AccountDetail = ReturnType<typeof readAccount>;

/** Reads everything about one account. `opened` contains the names of the tables that the reader has opened. */
export function readAccount(account: ViewedAccount, now: number, opened: ReadonlySet<string> = new Set()) {
  const figures = new Figures(account.store.families());
  const limitOf = (table: LongTable) => (opened.has(table) ? rowsShown.opened : rowsShown.closed);
  const sites = readSites(figures, account, limitOf('sites'));
  const databases = readDatabases(figures, account, limitOf('databases'));
  const domains = readDomains(figures, account, now, limitOf('domains'));
  const resultsOf = ({ collector: { name } }: ViewedPoller) => [...account.store.results(name).values()];
  const info = figures.samples('hosting_account_info')[0]?.labels;
  return {
    summary: summarize(account, now),
    changes: readChanges(account, now),
    ...readDays(account, now),
    plan: info?.['tariff'] ?? '',
    balance: figures.value('hosting_account_balance'),
    dailyCharge: figures.value('hosting_account_daily_charge'),
    sites,
    databases,
    domains,
    planItems: readPlanItems(figures),
    cronTasksDisabled: figures.by('state', 'hosting_cron_tasks').get('disabled'),
    /** True if no address receives the output of cron tasks. False if an address is set, or if the setting is unknown. */
    lacksCronEmail: figures.value('hosting_cron_email_set') === 0,
    backupJobs: readBackupJobs(figures),
    server: {
      name: info?.['server'] ?? '',
      loadAverage: figures.value('hosting_server_load_average'),
      memory: figures.value('hosting_server_memory_bytes'),
      memoryUsed: figures.value('hosting_server_memory_used_bytes'),
      uptimeSeconds: figures.value('hosting_server_uptime_seconds'),
      software: figures
        .samples('hosting_server_software_info')
        .map(({ labels }) => `${labels['software']}: ${labels['version']}`),
    },
    /** For each collector: the time of the oldest answer among the current results, in Unix milliseconds. */
    answered: new Map(
      account.pollers.flatMap((poller) => {
        const times = resultsOf(poller).map(({ answered }) => answered);
        return times.length === 0 ? [] : [[poller.collector.name, Math.min(...times)] as const];
      }),
    ),
  };
}

/** Load in the provider's unit. `mean`: load of the last month. `hour`: load of the newest complete hour. */
export type Load = Pick<AccountDetail['databases']['rows'][number], 'mean' | 'hour' | 'histories'>;

/** The sites with the highest load. `shareOfLimit`: mean load divided by the load that the plan allows. */
function readSites(figures: Figures, account: ViewedAccount, limit: number) {
  const labels = new Map([
    ...figures.labelsBy('site_id', 'hosting_site_info'),
    // Prefer the site names of this metric, because the keys of the load histories contain these names.
    ...figures.labelsBy('site_id', 'hosting_site_load_average'),
  ]);
  const mean = figures.by('site_id', 'hosting_site_load_average');
  const hourOf = hours(figures, 'site_id', 'hosting_site_load_hourly');
  const frozen = figures.by('site_id', 'hosting_site_frozen');
  const planLimit = figures.value('hosting_account_load_limit') ?? 0;
  const sites = [...labels].map(([id, { site: name = '' }]) => ({ id, name, mean: mean.get(id) }));
  const shown = sites.sort((a, b) => descending(a.mean, b.mean)).slice(0, limit);
  const items = shown.map(({ id, name }) => ({ site_id: id, site: name }));
  const histories = readHistories(account, siteLoadDetail.name, items);
  const rows = shown.map((site, index) => ({
    ...site,
    hour: hourOf(site.id),
    histories: histories[index],
    shareOfLimit: site.mean === undefined || planLimit <= 0 ? undefined : site.mean / planLimit,
    isFrozen: frozen.get(site.id) === 1,
  }));
  return { total: sites.length, rows };
}

/** The databases, highest load first, then largest size first. `size` is in bytes. `remoteAccesses`: hosts other than localhost. */
function readDatabases(figures: Figures, account: ViewedAccount, limit: number) {
  const size = figures.by('database', 'hosting_database_size_bytes');
  const mean = figures.by('database', 'hosting_database_load_average');
  const hourOf = hours(figures, 'database', 'hosting_database_load_hourly');
  const remote = figures.by('database', 'hosting_database_remote_accesses');
  const names = new Set([...size.keys(), ...mean.keys()]);
  const databases = [...names].map((name) => ({ name, size: size.get(name), mean: mean.get(name) }));
  databases.sort((a, b) => descending(a.mean, b.mean) || descending(a.size, b.size));
  const shown = databases.slice(0, limit);
  const items = shown.map(({ name }) => ({ database: name }));
  const histories = readHistories(account, databaseLoadDetail.name, items);
  const rows = shown.map((database, index) => ({
    ...database,
    hour: hourOf(database.name),
    histories: histories[index],
    remoteAccesses: remote.get(database.name),
  }));
  return { total: names.size, rows };
}

/** The domains in the order of their expiry. `dnsRecords`: the number of records of each type, such as MX. */
function readDomains(figures: Figures, { thresholds }: ViewedAccount, now: number, limit: number) {
  const expiry = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
  const renews = figures.by('domain', 'hosting_domain_auto_renew');
  const renewals = figures.labelsBy('domain', 'hosting_domain_renewal_info');
  const registration = figures.labelsBy('domain', 'hosting_domain_info');
  const site = figures.labelsBy('domain', 'hosting_site_domain_info');
  const php = figures.labelsBy('domain', 'hosting_domain_php_info');
  const dnsRecords = Map.groupBy(figures.samples('hosting_domain_dns_records'), ({ labels }) => labels['domain'] ?? '');
  const mailboxes = figures.by('domain', 'hosting_mailboxes');
  const forwarding = figures.by('domain', 'hosting_mailboxes_forwarding');
  const unfiltered = figures.by('domain', 'hosting_mailboxes_spam_filter_disabled');
  const sources = [expiry, renews, registration, site, php, dnsRecords, mailboxes];
  const names = new Set(sources.flatMap((byDomain) => [...byDomain.keys()]));
  const domains = [...names].map((name) => ({ name, seconds: expiry.get(name) ?? Number.POSITIVE_INFINITY }));
  // For two domains without dates, the difference is NaN, which is falsy. The names then determine the order.
  domains.sort((a, b) => a.seconds - b.seconds || (a.name < b.name ? -1 : 1));
  const rows = domains.slice(0, limit).map(({ name, seconds }) => {
    const isRenewed = renews.get(name) === 1;
    const renewal = renewals.get(name)?.['status'] ?? '';
    const domain = { expiry: seconds, isRenewed, hasFailed: renewal === 'error' };
    return {
      name,
      /** A subdomain has no registration. If no registrations are known at all, every name counts as registered. */
      isRegistered: registration.size === 0 || registration.has(name) || expiry.has(name),
      hasSite: site.size === 0 || site.has(name),
      expiry: expiry.has(name) ? domainDeadline(domain, thresholds, now) : undefined,
      renewsAutomatically: renews.has(name) ? isRenewed : undefined,
      renewal,
      registrar: registration.get(name)?.['registrar'] ?? '',
      status: registration.get(name)?.['status'] ?? '',
      phpVersion: php.get(name)?.['version'] ?? site.get(name)?.['php_version'] ?? '',
      certificate: site.get(name)?.['ssl_status'] ?? '',
      dnsRecords: (dnsRecords.get(name) ?? []).map(({ labels: { type = '' }, value }) => ({ type, count: value })),
      mailboxes: mailboxes.get(name),
      forwarding: forwarding.get(name),
      withoutSpamFilter: unfiltered.get(name),
    };
  });
  return { total: names.size, rows };
}

/** The restores and downloads by kind, operation and status, newest first. `newest` is in Unix milliseconds. */
function readBackupJobs(figures: Figures) {
  return figures
    .samples('hosting_backup_job_last_timestamp_seconds')
    .map(({ labels: { kind = '', operation = '', status = '' }, value }) => ({
      kind,
      operation,
      status,
      newest: value * 1000,
    }))
    .sort((a, b) => b.newest - a.newest);
}

/** For each kind of item, how many the account uses. If the API does not report this number, the entries of the list are counted. */
function readPlanItems(figures: Figures) {
  const value = (metric: MetricName) => figures.value(metric);
  const sites = value('hosting_account_sites_used') ?? value('hosting_sites');
  const domains = value('hosting_account_domains_used') ?? value('hosting_domains');
  const mailboxes = value('hosting_account_mailboxes_used') ?? figures.sum('domain', 'hosting_mailboxes');
  const ftpAccounts = value('hosting_account_ftp_accounts_used') ?? value('hosting_ftp_accounts');
  const cronTasks = figures.by('state', 'hosting_cron_tasks').get('enabled');
  return [
    { kind: 'sites', used: sites, limit: value('hosting_account_sites_limit') },
    { kind: 'domains', used: domains, limit: value('hosting_account_domains_limit') },
    { kind: 'databases', used: value('hosting_databases'), limit: value('hosting_account_databases_limit') },
    { kind: 'mailboxes', used: mailboxes, limit: value('hosting_account_mailboxes_limit') },
    { kind: 'ftpAccounts', used: ftpAccounts, limit: value('hosting_account_ftp_accounts_limit') },
    { kind: 'cronTasks', used: cronTasks, limit: undefined },
  ] as const;
}

/** Returns a function that finds the newest complete hour of an item. `item`: the value of the label. `start`: Unix milliseconds. */
function hours(figures: Figures, label: string, metric: `hosting_${string}_hourly`) {
  const values = figures.by(label, metric);
  const starts = figures.by(label, `${metric}_timestamp_seconds`);
  return (item: string) => {
    const value = values.get(item);
    const seconds = starts.get(item);
    return value === undefined || seconds === undefined ? undefined : { value, start: seconds * 1000 };
  };
}

/** Sorts the highest values first, and unknown values last. */
function descending(a: number | undefined, b: number | undefined): number {
  return (b ?? -1) - (a ?? -1);
}
