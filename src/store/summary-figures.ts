import type { AccountStore } from './account-store.ts';
import { Figures } from './figures.ts';

/** The figures that lists of accounts show for an account, and the names by which users can find the account. */
export type SummaryFigures = ReturnType<typeof readSummary>;

/** `isRenewed`: whether the provider renews the domain automatically. */
export type DomainFigures = SummaryFigures['domains'][number];

const collectors = ['account', 'site_load', 'site_load_detail', 'domains', 'backups', 'databases', 'sites'];

/** Sizes are in bytes, load in the provider's unit, times in Unix seconds. An undefined figure is unknown. */
export function readSummary(store: AccountStore) {
  const figures = new Figures(store.families(collectors));
  return {
    diskUsed: figures.value('hosting_account_disk_usage_bytes'),
    diskLimit: figures.value('hosting_account_disk_limit_bytes'),
    loadLimit: figures.value('hosting_account_load_limit'),
    suspension: figures.value('hosting_account_block_timestamp_seconds'),
    balance: figures.value('hosting_account_balance'),
    dailyCharge: figures.value('hosting_account_daily_charge'),
    load: figures.sum('site_id', 'hosting_site_load_average'),
    recentLoad: figures.sum('site_id', 'hosting_site_load_recent_average'),
    ...readDomains(figures),
    backups: readBackups(figures),
    databases: figures.value('hosting_databases'),
    databaseNames: [...figures.by('database', 'hosting_database_size_bytes').keys()],
    sites: [...figures.by('site', 'hosting_site_info').keys()],
    siteDomains: figures.labelsBy('domain', 'hosting_site_domain_info'),
  };
}

function readDomains(figures: Figures) {
  const renewed = figures.by('domain', 'hosting_domain_auto_renew');
  const expiries = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
  const renewals = [...figures.labelsBy('domain', 'hosting_domain_renewal_info')];
  const failed = new Set(renewals.flatMap(([name, { status }]) => (status === 'error' ? name : [])));
  const domains = [...expiries].map(([name, expiry]) => {
    return { name, expiry, isRenewed: renewed.get(name) === 1, hasFailed: failed.has(name) };
  });
  return { domains, failedWithoutDate: [...failed].filter((name) => !expiries.has(name)) };
}

function readBackups(figures: Figures) {
  const counts = figures.by('kind', 'hosting_backups');
  const newest = figures.by('kind', 'hosting_backup_last_timestamp_seconds');
  const kinds = new Set([...counts.keys(), ...newest.keys()]);
  return [...kinds].map((kind) => ({ kind, count: counts.get(kind), newest: newest.get(kind) }));
}
