import type { MetricName } from '../collectors/collector.ts';
import type { Family } from '../collectors/family.ts';
import { Figures } from './figures.ts';

/** The figures of a summary and the names that users search, by collector. Sizes are in bytes, load in the provider's unit, times in Unix seconds. */
const parts = {
  account: (families: readonly Family[]) => {
    const figures = new Figures(families);
    return {
      diskUsed: figures.value('hosting_account_disk_usage_bytes'),
      diskLimit: figures.value('hosting_account_disk_limit_bytes'),
      loadLimit: figures.value('hosting_account_load_limit'),
      suspension: figures.value('hosting_account_block_timestamp_seconds'),
    };
  },
  site_load: (families: readonly Family[]) => {
    let load: number | undefined;
    for (const { name, samples } of families) {
      if (name === ('hosting_site_load_average' satisfies MetricName))
        for (const { value } of samples) load = (load ?? 0) + value;
    }
    return { load };
  },
  domains: (families: readonly Family[]) => {
    const figures = new Figures(families);
    const renewed = figures.by('domain', 'hosting_domain_auto_renew');
    const expiries = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
    const renewals = figures.labelsBy('domain', 'hosting_domain_renewal_info');
    const domains = [...expiries].map(([name, expiry]) => {
      const hasFailed = renewals.get(name)?.['status'] === 'error';
      return { name, expiry, isRenewed: renewed.get(name) === 1, hasFailed };
    });
    return { domains };
  },
  backups: (families: readonly Family[]) => {
    const figures = new Figures(families);
    const counts = figures.by('kind', 'hosting_backups');
    const newest = figures.by('kind', 'hosting_backup_last_timestamp_seconds');
    const kinds = new Set([...counts.keys(), ...newest.keys()]);
    return { backups: [...kinds].map((kind) => ({ kind, count: counts.get(kind), newest: newest.get(kind) })) };
  },
  databases: (families: readonly Family[]) => {
    const figures = new Figures(families);
    const names = [...figures.by('database', 'hosting_database_size_bytes').keys()];
    return { databases: figures.value('hosting_databases'), databaseNames: names };
  },
  sites: (families: readonly Family[]) => {
    const figures = new Figures(families);
    const sites = [...figures.by('site', 'hosting_site_info').keys()];
    return { sites, siteDomains: [...figures.by('domain', 'hosting_site_domain_info').keys()] };
  },
};

type Part<Name extends keyof typeof parts> = ReturnType<(typeof parts)[Name]>;

export type SummaryFigures = Partial<
  Part<'account'> & Part<'site_load'> & Part<'domains'> & Part<'backups'> & Part<'databases'> & Part<'sites'>
>;

/** `isRenewed`: whether the provider renews the domain automatically. */
export type DomainFigures = Part<'domains'>['domains'][number];

/** For each collector whose results contain figures of a summary: a function that reads these figures. */
export const summaryParts: ReadonlyMap<string, (families: readonly Family[]) => SummaryFigures> = new Map(
  Object.entries(parts),
);
