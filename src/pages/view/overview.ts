import { readResults } from '../../results/figures.ts';
import { TimeSlice } from '../../runtime/time-slice.ts';
import { type AccountSummary, summarize } from './account-summary.ts';
import { dueOf, states } from './problems.ts';
import { parameterOf, reaches } from './severity.ts';
import { readSummaryFigures } from './summary-figures.ts';
import { type Change, readChanges } from './trends.ts';
import type { ViewedAccount } from './viewed-account.ts';

const pageSize = 100;

/** Maximum number of accounts whose changes are read, and that narrow screens show with all their figures. */
export const fewAccounts = 12;

const byName = new Intl.Collator('en', { numeric: true });

/**
 * One page of the found accounts: the most urgent first, then by the time at which their first problem hurts, then by name. `counts`,
 * `total` and `outage` include all accounts.
 */
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
  const changes: { readonly account: string; readonly list: readonly Change[] }[] = [];
  for (const account of accounts.length > fewAccounts ? [] : accounts) {
    const list = readChanges(account, await readResults(account, slice), now, 1) ?? [];
    if (list.length > 0) changes.push({ account: account.name, list });
  }
  const counts = { critical: 0, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 0 };
  for (const { state } of summaries) counts[state] += 1;
  const words = search.toLocaleLowerCase();
  const found = summaries.filter(({ name }) => name.toLocaleLowerCase().includes(words));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(page, pages);
  const due = ({ problems: [first] }: AccountSummary) => (first === undefined ? 0 : dueOf(first, now));
  found.sort(
    (a, b) => states.indexOf(a.state) - states.indexOf(b.state) || due(a) - due(b) || byName.compare(a.name, b.name),
  );
  return {
    total: accounts.length,
    outage: outageOf(summaries),
    counts,
    found: found.length,
    page: shown,
    pages,
    accounts: found.slice((shown - 1) * pageSize, shown * pageSize),
    /** The accounts that changed since yesterday; empty if there are many accounts. */
    changes,
  };
}

/** The common cause if the API fails for most accounts, as in HostingProviderUnreachable. `nextAttempt` is in Unix milliseconds. */
function outageOf(summaries: readonly AccountSummary[]) {
  const alert = 'HostingProviderUnreachable';
  const failing = summaries.flatMap(({ problems, nextAttempt }) =>
    problems.flatMap((problem) => (problem.kind === 'unreachable' ? [{ cause: problem.cause, nextAttempt }] : [])),
  );
  const byCause = [...Map.groupBy(failing, ({ cause }) => JSON.stringify(cause)).values()];
  const most = byCause.find(({ length }) => length * 2 > summaries.length) ?? [];
  const [first] = most;
  const isCommon =
    summaries.length >= parameterOf(alert, 'accounts') &&
    reaches(alert, 'critical', most.length / summaries.length, []);
  if (first === undefined || !isCommon) return undefined;
  const attempts = most.flatMap(({ nextAttempt }) => nextAttempt ?? []);
  return { cause: first.cause, accounts: most.length, nextAttempt: attempts.toSorted((a, b) => a - b)[0] };
}
