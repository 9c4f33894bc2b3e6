import type { MetricName } from '../../collectors/collector.ts';
import type { Figures } from '../../results/figures.ts';
import type { TimeSlice } from '../../runtime/time-slice.ts';
import { figureReader } from './summary-figures.ts';
import type { ViewedAccount } from './viewed-account.ts';

/** The name of a site, domain or database, or the value of a label of the account. */
export type Match = readonly [kind: string, name: string];

const readNames = figureReader<Readonly<Record<string, readonly Match[]>>>({
  sites: (figures) => ({
    sites: [...names(figures, 'site', 'hosting_site_info'), ...names(figures, 'domain', 'hosting_site_domain_info')],
  }),
  domains: (figures) => ({ domains: names(figures, 'domain', 'hosting_domain_expiry_timestamp_seconds') }),
  databases: (figures) => ({ databases: names(figures, 'database', 'hosting_database_size_bytes') }),
});

function names(figures: Figures, label: string, metric: MetricName): readonly Match[] {
  return [...figures.by(label, metric).keys()].map((name) => [label, name]);
}

/** Finds names that contain `text`, ignoring case. Empty if the account name contains `text`. Undefined if no name contains it. */
export async function findMatches(account: ViewedAccount, text: string, slice: TimeSlice) {
  const contains = (name: string) => name.toLocaleLowerCase().includes(text);
  if (contains(account.name)) return [];
  const all = [...Object.entries(account.labels), ...Object.values(await readNames(account, slice)).flat()];
  const found = new Map(all.filter(([, name]) => contains(name)).map((match) => [match[1], match]));
  return found.size === 0 ? undefined : [...found.values()];
}
