import { setImmediate } from 'node:timers/promises';
import type { Account } from '../../polling/account.ts';
import { readSummary } from '../../store/summary-figures.ts';
import { labelPrefix } from '../context.ts';
import { groupingLabel } from '../money.ts';
import { type AccountSummary, summarize } from './account-summary.ts';
import { causeKeyOf, countStates, dueOf, rankOf, states } from './problems.ts';
import { readChanges } from './trends.ts';

const pageSize = 100;

/** Up to this number of accounts, the overview shows changes, and narrow screens show all figures. */
export const fewAccounts = 12;

/** One page of the requested accounts, in the requested order. `counts` and `outage` ignore the filter by state. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

export async function readOverview(accounts: readonly Account[], query: URLSearchParams, now: number) {
  const request = readRequest(query);
  const { search, page, sort, group, cause } = request;
  const summaries: AccountSummary[] = [];
  const found: AccountSummary[] = [];
  /** For each account: the names that contain the search text. Empty if the name of the account contains the text. */
  const matches = new Map<string, readonly Match[]>();
  const text = search.toLocaleLowerCase();
  let resumed = 0;
  for (const account of accounts) {
    const summary = summarize(account, now);
    resumed = await pause(resumed);
    const isRequested =
      request.labels.every(([name, value]) => groupOf(summary, name) === value) &&
      (cause === '' || summary.problems.some((problem) => causeKeyOf(problem, account.timeZone) === cause));
    const matched = text === '' ? [] : findMatches(account, text);
    if (!isRequested || matched === undefined) continue;
    summaries.push(summary);
    if (request.states.length > 0 && !request.states.includes(summary.state)) continue;
    found.push(summary);
    matches.set(account.name, matched);
  }
  const compared = found.length > fewAccounts ? [] : accounts.filter(({ name }) => matches.has(name));
  const changes = compared.map((account) => ({ account: account.name, ...readChanges(account, now) }));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(page, pages);
  found.sort(comparerOf(request, now));
  const labels = [...new Set(accounts.flatMap((account) => Object.keys(account.labels)))];
  const usual = groupingLabel(accounts);
  // A list that is sorted by a column has groups only if the request names a label.
  const label = labels.find((name) => name === group) ?? (sort === '' && group !== 'none' ? usual : undefined);
  const groups = Map.groupBy(found, (account) => groupOf(account, label));
  const problems = found.flatMap((account) =>
    account.problems.map((problem) => ({ account, problem, due: dueOf(problem, now) })),
  );
  return {
    request,
    total: accounts.length,
    outage: cause === '' ? outageOf(summaries) : undefined,
    /** The problems of the accounts found, the most urgent first. `due`: when the effect of the problem begins, in Unix milliseconds. */
    problems: problems.sort((a, b) => rankOf(a.problem.state) - rankOf(b.problem.state) || a.due - b.due),
    counts: countStates(summaries),
    /** All accounts that the filters select, on all pages of the list. */
    found,
    page: shown,
    pages,
    labels,
    /** The label that groups accounts by default. */
    usual,
    /** The label that groups the list. The groups are in the order of their first accounts. */
    label,
    groupSizes: new Map([...groups].map(([value, list]) => [value, list.length])),
    accounts: [...groups.values()].flat().slice((shown - 1) * pageSize, shown * pageSize),
    matches,
    /** Empty if the filters select more than `fewAccounts` accounts. */
    changes,
  };
}

/** Pauses to let other work run, but not within 10 ms after the last pause. Takes and returns the time when the last pause ended. */
export async function pause(resumed: number): Promise<number> {
  if (performance.now() - resumed < 10) return resumed;
  await setImmediate();
  return performance.now();
}

/** The sort key of each column of the list. The smallest key is at the top. */
const sorts = {
  account: () => 0,
  disk: ({ disk }: AccountSummary) => disk?.ratio && -disk.ratio,
  paid: ({ suspension }: AccountSummary) => suspension?.time,
  load: ({ planLoad }: AccountSummary) => planLoad?.ratio && -planLoad.ratio,
  domain: ({ nextDomain }: AccountSummary) => nextDomain?.time,
  backup: ({ backup }: AccountSummary) => backup?.time,
} as const;

/** The values of the query parameter `sort`, in the order of the columns. The prefix `-` reverses the order. */
export const sortColumns = Object.keys(sorts);

type ListRequest = ReturnType<typeof readRequest>;

/** Reads the query parameters of the list. Ignores unknown states, columns and page numbers. */
function readRequest(query: URLSearchParams) {
  const page = query.get('page') ?? '';
  const sort = query.get('sort') ?? '';
  const search = (query.get('q') ?? '').trim();
  const column = sortColumns.includes(sort.replace('-', '')) ? sort : '';
  const chosen = new Set(query.getAll('state'));
  const shown = states.filter((state) => chosen.has(state));
  const labels = [...query].flatMap(([name, value]): (readonly [name: string, value: string])[] =>
    name.startsWith(labelPrefix) ? [[name.slice(labelPrefix.length), value]] : [],
  );
  return {
    /** Whether the list is neither filtered nor sorted by a column. */
    isPlain: search + column + (query.get('cause') ?? '') === '' && shown.length + labels.length === 0,
    search,
    /** If this text is not empty, only accounts with this cause are listed. */
    cause: query.get('cause') ?? '',
    /** If the request names no state, the list contains accounts in all states. */
    states: shown,
    labels,
    sort: column,
    /** The requested label for groups, or `none`. Empty if the request has no such parameter. */
    group: query.get('group') ?? '',
    /** The number of the page, starting at 1. A number that is too large means the last page. */
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

/** Compares by a column, with unknown figures last. Without a column, compares by state, then by the due time of the first problem. */
function comparerOf({ sort }: ListRequest, now: number): (a: AccountSummary, b: AccountSummary) => number {
  const byName = new Intl.Collator('en', { numeric: true });
  const due = ({ problems: [first] }: AccountSummary) => (first === undefined ? 0 : dueOf(first, now));
  const urgency = (a: AccountSummary, b: AccountSummary) =>
    rankOf(a.state) - rankOf(b.state) || due(a) - due(b) || byName.compare(a.name, b.name);
  const figureOf = Object.entries(sorts).find(([column]) => column === sort.replace('-', ''))?.[1];
  if (figureOf === undefined) return urgency;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [first, second] = [figureOf(a), figureOf(b)];
    const unknown = Number(first === undefined) - Number(second === undefined);
    return unknown || sign * ((first ?? 0) - (second ?? 0) || byName.compare(a.name, b.name));
  };
}

/** The value of a label; empty if the account does not have the label. */
export function groupOf({ labels }: Pick<AccountSummary, 'labels'>, label = ''): string {
  return Object.hasOwn(labels, label) ? (labels[label] ?? '') : '';
}

/** Returns the cause of an outage: the API fails with this cause for at least 60% of the accounts, as in HostingProviderUnreachable. */
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

export type Match = readonly [kind: string, name: string];

/** Finds names that contain `text`, ignoring case. Empty if the account name contains `text`. Undefined if no name contains it. */
function findMatches(account: Account, text: string): readonly Match[] | undefined {
  const contains = (name: string) => name.toLocaleLowerCase().includes(text);
  if (contains(account.name)) return [];
  const { sites, siteDomains, domains, databaseNames } = readSummary(account.store);
  const named = {
    database: databaseNames,
    domain: [...siteDomains.keys(), ...domains.map(({ name }) => name)],
    site: sites,
  };
  const all: readonly Match[] = [
    ...Object.entries(account.labels),
    ...Object.entries(named).flatMap(([kind, names]) => names.map((name) => [kind, name] as const)),
  ];
  const found = new Map(all.filter(([, name]) => contains(name)).map((match) => [match[1], match]));
  return found.size === 0 ? undefined : [...found.values()];
}
