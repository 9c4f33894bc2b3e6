import { readSummary } from '../../store/summary-figures.ts';
import type { ViewedAccount } from './viewed-account.ts';

/** The name of a site, domain or database, or the value of a label of the account. */
export type Match = readonly [kind: string, name: string];

/** Finds names that contain `text`, ignoring case. Empty if the account name contains `text`. Undefined if no name contains it. */
export function findMatches(account: ViewedAccount, text: string): readonly Match[] | undefined {
  const contains = (name: string) => name.toLocaleLowerCase().includes(text);
  if (contains(account.name)) return [];
  const { sites, siteDomains, domains, databaseNames } = readSummary(account.store);
  const named = { database: databaseNames, domain: [...siteDomains, ...domains.map(({ name }) => name)], site: sites };
  const all: readonly Match[] = [
    ...Object.entries(account.labels),
    ...Object.entries(named).flatMap(([kind, names]) => names.map((name) => [kind, name] as const)),
  ];
  const found = new Map(all.filter(([, name]) => contains(name)).map((match) => [match[1], match]));
  return found.size === 0 ? undefined : [...found.values()];
}
