import { TimeSlice } from '../../runtime/time-slice.ts';
import { type AccountSummary, summarize } from './account-summary.ts';
import { states } from './problems.ts';
import { readSummaryFigures } from './summary-figures.ts';
import type { ViewedAccount } from './viewed-account.ts';

const pageSize = 100;

const byName = new Intl.Collator('en', { numeric: true });

/** One page of the found accounts: the most urgent first, then by name. `counts` and `total` include all accounts. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Reads all accounts. `search`: part of an account name. `page`: number from 1; numbers that are too large mean the last page. */
export async function readOverview(
  accounts: readonly ViewedAccount[],
  { search, page }: { readonly search: string; readonly page: number },
  now: number,
) {
  const summaries: AccountSummary[] = [];
  const slice = new TimeSlice();
  for (const account of accounts) {
    summaries.push(summarize(account, await readSummaryFigures(account, slice), now));
    await slice.pause();
  }
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
