import type { Steps } from '../in-turns.ts';
import { type AccountSummary, summarize } from './account-summary.ts';
import { type State, states } from './problems.ts';
import type { ViewedAccount } from './viewed-account.ts';

/** What an overview shows. */
export interface OverviewRequest {
  /** Part of the names to show; empty for all. */
  readonly search: string;
  /** Counted from 1; too large a number means the last page. */
  readonly page: number;
}

/** All accounts at a glance. */
export interface Overview {
  readonly total: number;
  /** Number of accounts in each state, regardless of the search. */
  readonly counts: Readonly<Record<State, number>>;
  /** Number of accounts that the search finds. */
  readonly found: number;
  readonly page: number;
  readonly pages: number;
  /** The accounts of the page, the most urgent first, then by name. */
  readonly accounts: readonly AccountSummary[];
}

/** Accounts per page. */
export const pageSize = 100;

const byName = new Intl.Collator('en', { numeric: true });

/** Reads all accounts in steps. */
export function* readOverview(
  accounts: readonly ViewedAccount[],
  { search, page }: OverviewRequest,
  now: number,
): Steps<Overview> {
  const summaries: AccountSummary[] = [];
  for (const account of accounts) summaries.push(yield* summarize(account, now));
  const counts = { critical: 0, warning: 0, failing: 0, waiting: 0, ok: 0 };
  for (const { state } of summaries) counts[state] += 1;
  const words = search.toLocaleLowerCase();
  const found = summaries.filter(({ name }) => name.toLocaleLowerCase().includes(words));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(page, pages);
  found.sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state) || byName.compare(a.name, b.name));
  return {
    total: accounts.length,
    counts,
    found: found.length,
    page: shown,
    pages,
    accounts: found.slice((shown - 1) * pageSize, shown * pageSize),
  };
}
