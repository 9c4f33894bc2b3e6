import type { Family } from '../../collectors/family.ts';
import type { AccountStore } from '../../exposition/account-store.ts';
import { Figures, familiesOf } from '../../results/figures.ts';
import type { KeptPayload } from '../../results/kept-payload.ts';
import type { TimeSlice } from '../../runtime/time-slice.ts';
import type { ViewedAccount } from './viewed-account.ts';

/**
 * The figures of a summary, by collector. Figures are cached, so no figure may depend on the time at which the page is rendered. Sizes are
 * in bytes, load in the provider's unit, times in Unix seconds.
 */
const parts = {
  account: (figures: Figures) => ({
    diskUsed: figures.value('hosting_account_disk_usage_bytes'),
    diskLimit: figures.value('hosting_account_disk_limit_bytes'),
    loadLimit: figures.value('hosting_account_load_limit'),
    suspension: figures.value('hosting_account_block_timestamp_seconds'),
  }),
  site_load: (figures: Figures) => ({ load: figures.sum('site_id', 'hosting_site_load_average') }),
  domains: (figures: Figures) => {
    const renewed = figures.by('domain', 'hosting_domain_auto_renew');
    const expiries = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
    const renewals = figures.labelsBy('domain', 'hosting_domain_renewal_info');
    const domains = [...expiries].map(([name, expiry]) => {
      const hasFailed = renewals.get(name)?.['status'] === 'error';
      return { name, expiry, isRenewed: renewed.get(name) === 1, hasFailed };
    });
    return { domains };
  },
  backups: (figures: Figures) => {
    const counts = figures.by('kind', 'hosting_backups');
    const newest = figures.by('kind', 'hosting_backup_last_timestamp_seconds');
    const kinds = new Set([...counts.keys(), ...newest.keys()]);
    return { backups: [...kinds].map((kind) => ({ kind, count: counts.get(kind), newest: newest.get(kind) })) };
  },
  databases: (figures: Figures) => ({ databases: figures.value('hosting_databases') }),
};

type Part<Name extends keyof typeof parts> = ReturnType<(typeof parts)[Name]>;

export type SummaryFigures = Partial<
  Part<'account'> & Part<'site_load'> & Part<'domains'> & Part<'backups'> & Part<'databases'>
>;

/** `isRenewed`: whether the provider renews the domain automatically. */
export type DomainFigures = Part<'domains'>['domains'][number];

/** The figures of each collector, and the payloads that contain these figures. */
type Cache<Read> = Map<string, { readonly payloads: readonly KeptPayload[]; readonly figures: Read }>;

export const readSummaryFigures = figureReader<SummaryFigures>(parts);

/**
 * Returns a function that reads figures by collector. The function decodes the payloads of a collector again only after one of these
 * payloads was replaced or expired.
 */
export function figureReader<Read extends object>(readers: Readonly<Record<string, (figures: Figures) => Read>>) {
  const caches = new WeakMap<AccountStore, Cache<Read>>();
  return async (account: ViewedAccount, slice: TimeSlice): Promise<Read> => {
    const cache: Cache<Read> = caches.get(account.store) ?? new Map();
    caches.set(account.store, cache);
    const figures: Read[] = [];
    for (const poller of account.pollers) {
      const { name } = poller.collector;
      const part = readers[name];
      if (part === undefined) continue;
      const results = account.store.payloads(name);
      const payloads = [...results.values()];
      let cached = cache.get(name);
      if (
        cached?.payloads.length !== payloads.length ||
        payloads.some((kept, index) => kept !== cached?.payloads[index])
      ) {
        const families: Family[] = [];
        for (const [item, kept] of results) families.push(...(await familiesOf(account, poller, item, kept, slice)));
        cached = { payloads, figures: part(new Figures(families)) };
        cache.set(name, cached);
        await slice.pause();
      }
      figures.push(cached.figures);
    }
    return Object.assign({}, ...figures);
  };
}
