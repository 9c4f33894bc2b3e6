import type { AccountSummary } from './account-summary.ts';
import { dueOf, rankOf, states } from './problems.ts';

/** The sort key of each column of the list, in ascending order. */
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

/** A query parameter with this prefix filters by a label. The labels have the same prefix in the metrics. */
export const labelPrefix = 'label_';

const byName = new Intl.Collator('en', { numeric: true });

export type ListRequest = ReturnType<typeof readListRequest>;

/** Reads the query parameters of the list. Ignores unknown states, columns and page numbers. */
export function readListRequest(query: URLSearchParams) {
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
    isPlain: search + column === '' && shown.length + labels.length === 0,
    /** Part of a name; may be empty. */
    search,
    /** If the request names no state, the list contains accounts in all states. */
    states: shown,
    labels,
    sort: column,
    /** The label that groups the accounts, `none` or an empty text. */
    group: query.get('group') ?? '',
    /** Number from 1. Numbers that are too large mean the last page. */
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}

/** Compares by a column, with unknown figures last. Without a column, compares by state, then by the due time of the first problem. */
export function comparerOf({ sort }: ListRequest, now: number): (a: AccountSummary, b: AccountSummary) => number {
  const due = ({ problems: [first] }: AccountSummary) => (first === undefined ? 0 : dueOf(first, now));
  const urgency = (a: AccountSummary, b: AccountSummary) =>
    rankOf(a) - rankOf(b) || due(a) - due(b) || byName.compare(a.name, b.name);
  const figureOf = Object.entries(sorts).find(([column]) => column === sort.replace('-', ''))?.[1];
  if (figureOf === undefined) return urgency;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [first, second] = [figureOf(a), figureOf(b)];
    const unknown = Number(first === undefined) - Number(second === undefined);
    return unknown || sign * ((first ?? 0) - (second ?? 0) || byName.compare(a.name, b.name));
  };
}
