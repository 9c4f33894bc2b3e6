import { setImmediate } from 'node:timers/promises';
import { readSummary } from '../../store/summary-figures.ts';
import { type AccountSummary, summarize } from './account-summary.ts';
import { comparerOf, type ListRequest } from './list-request.ts';
import { dueOf, rankOf } from './problems.ts';
import { readChanges } from './trends.ts';
import type { ViewedAccount } from './viewed-account.ts';

const pageSize = 100;

/** With more accounts than this, the overview reads no changes, and narrow screens omit figures. */
export const fewAccounts = 12;

/** The label that groups accounts by default. If no account has this label, the first label groups them. */
const usualLabel = 'customer';

/** One page of the requested accounts, in the requested order. `counts`, `total` and `outage` include all accounts. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

export async function readOverview(accounts: readonly ViewedAccount[], request: ListRequest, now: number) {
  const { search, page, sort, group } = request;
  const summaries: AccountSummary[] = [];
  const found: AccountSummary[] = [];
  /** For each account: the names that contain the search text. Empty if the name of the account contains the text. */
  const matches = new Map<string, readonly Match[]>();
  const text = search.toLocaleLowerCase();
  for (const account of accounts) {
    const summary = summarize(account, now);
    summaries.push(summary);
    // Other work can run between two accounts.
    await setImmediate();
    if (!isRequested(summary, request)) continue;
    const matched = text === '' ? [] : findMatches(account, text);
    if (matched === undefined) continue;
    found.push(summary);
    matches.set(account.name, matched);
  }
  const compared = accounts.length > fewAccounts ? [] : accounts;
  const changes = compared.map((account) => ({ account: account.name, ...readChanges(account, now) }));
  const counts = { critical: 0, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 0 };
  for (const { state } of summaries) counts[state] += 1;
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(page, pages);
  found.sort(comparerOf(request, now));
  const labels = [...new Set(accounts.flatMap((account) => Object.keys(account.labels)))];
  const usual = labels.includes(usualLabel) ? usualLabel : labels[0];
  // Without a requested label, a list that is sorted by a column has no groups.
  const label = labels.find((name) => name === group) ?? (sort === '' && group !== 'none' ? usual : undefined);
  const groups = Map.groupBy(found, (account) => groupOf(account, label));
  const problems = summaries.flatMap((account) =>
    account.problems.map((problem) => ({ account, problem, due: dueOf(problem, now) })),
  );
  return {
    request,
    total: accounts.length,
    outage: outageOf(summaries),
    /** The problems of all accounts, the most urgent first. `due`: when the effect of the problem begins, in Unix milliseconds. */
    problems: problems.sort((a, b) => rankOf(a.problem) - rankOf(b.problem) || a.due - b.due),
    counts,
    found: found.length,
    page: shown,
    pages,
    labels,
    /** The label that groups the list. The groups are in the order of their first accounts. */
    label,
    groupSizes: new Map([...groups].map(([value, list]) => [value, list.length])),
    accounts: [...groups.values()].flat().slice((shown - 1) * pageSize, shown * pageSize),
    matches,
    /** Empty if there are many accounts. */
    changes,
  };
}

/** The value of a label; empty if the account does not have the label. */
export function groupOf({ labels }: AccountSummary, label = ''): string {
  return Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';
}

function isRequested(account: AccountSummary, { states, labels }: ListRequest): boolean {
  const hasState = states.length === 0 || states.includes(account.state);
  return hasState && labels.every(([name, value]) => groupOf(account, name) === value);
}

/** If the API fails for most accounts with the same cause, returns this cause. As in HostingProviderUnreachable. */
function outageOf(summaries: readonly AccountSummary[]) {
  const failing = summaries.flatMap(({ problems, nextAttempt }) =>
    problems.flatMap((problem) => (problem.kind === 'unreachable' ? [{ cause: problem.cause, nextAttempt }] : [])),
  );
  const byCause = [...Map.groupBy(failing, ({ cause }) => JSON.stringify(cause)).values()];
  const most = byCause.find(({ length }) => length * 2 > summaries.length) ?? [];
  const [first] = most;
  const isCommon = summaries.length >= 2 && most.length / summaries.length >= 0.6;
  if (first === undefined || !isCommon) return undefined;
  const attempts = most.flatMap(({ nextAttempt }) => nextAttempt ?? []);
  return { cause: first.cause, accounts: most.length, nextAttempt: attempts.toSorted((a, b) => a - b)[0] };
}

/** The name of a site, domain or database, or the value of a label of the account. */
export type Match = readonly [kind: string, name: string];

/** Finds names that contain `text`, ignoring case. Empty if the account name contains `text`. Undefined if no name contains it. */
function findMatches(account: ViewedAccount, text: string): readonly Match[] | undefined {
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
