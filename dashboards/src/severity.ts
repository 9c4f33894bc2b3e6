import { type Figure, figures, type Scope, selector } from './figures.ts';
import { lowestRanks, type Problem, problemRanks } from './problems.ts';
import type { Query, SeriesLook } from './query.ts';
import { colours, valueTexts } from './theme.ts';

/** Accounts whose worst problem has this severity. With `problems`, considers only these. A failing poll counts as a warning. */
export function havingProblem(scope: Scope, severity: 'critical' | 'warning', ...problems: readonly Problem[]): string {
  const worst = problemRanks(scope, ...problems);
  return `${worst} ${severity === 'critical' ? '>=' : '<'} ${lowestRanks.critical}`;
}

/** The accounts whose state the recording rules record. */
export function judged(scope: Scope): string {
  return selector(scope, 'account:hosting_up:max');
}

/** Text and colour of each state of `stateOf` and `countsByState`. */
const stateLooks: Readonly<Record<string, SeriesLook>> = {
  3: { text: 'critical', colour: colours.critical },
  2: { text: 'warning', colour: colours.warning },
  1: { text: 'last known', colour: colours.muted },
  0: { text: 'OK', colour: colours.neutral },
  [-1]: { text: 'no rules', colour: colours.muted },
};

/**
 * The state of each account as a number of `stateLooks`. Considers only `problems`. The recording rules determine the state. Without
 * these rules, the state is unknown.
 */
function stateOf(scope: Scope, problems: readonly Problem[], isLastKnown: boolean, critical?: string): string {
  const up = figures.accountUp.expression(scope);
  const parts = [
    ...(critical === undefined ? [] : [`3 * group by (job, account) (${critical})`]),
    ...(problems.length === 0 ? [] : [`floor(${problemRanks(scope, ...problems)} / 100)`]),
    ...(isLastKnown ? [`1 + 0 * ${up}`] : [`0 * ${judged(scope)}`, `-1 + 0 * ${up}`]),
  ];
  return `count_values by (job, account) ("state", ${parts.join(' or on (job, account) ')})`;
}

/** Determines the state of a figure. */
export interface StateSource {
  readonly problems?: readonly Problem[];
  /** Accounts for which the figure is critical in any case. */
  readonly critical?: string;
  /** Texts and colours that override `stateLooks`. */
  readonly looks?: Readonly<Record<string, SeriesLook>>;
}

/** A query of a value with its state. The state colours the value, because thresholds differ between accounts. */
export function stateQuery(
  scope: Scope,
  value: string,
  { problems = [], critical, looks = {} }: StateSource,
  isLastKnown = false,
): Query {
  return {
    expr: `${value} + on (job, account) group_left (state) 0 * ${stateOf(scope, problems, isLastKnown, critical)}`,
    legend: '{{state}}',
    ...(!isLastKnown && { names: { ...stateLooks, ...looks } }),
  };
}

/** The newest value of the last day, for a figure that is missing because its account cannot be polled. */
export function lastKnownQuery(scope: Scope, figure: Figure['expression'], source: StateSource): Query {
  return stateQuery(scope, `(${figure({ ...scope, window: '1d' })} unless ${figure(scope)})`, source, true);
}

/** A query of a known figure without a limit, with the value `unlimitedValue`. */
export function unlimitedQuery(figure: string, limit: string): Query {
  return {
    expr: `${unlimitedValue} * group without () (${figure}) unless ${limit}`,
    legend: 'unlimited',
    names: { unlimited: { text: 'unlimited', colour: colours.neutral } },
  };
}

/** This number means "no limit". It is lower than any real value. */
export const unlimitedValue = -1_000_000_000_000_000;

/** One query of several expressions. Each series has the name of its expression. */
export function namedQuery(
  parts: readonly { readonly name: string; readonly expr: string; readonly colour: string }[],
): Query {
  return {
    expr: parts.map(({ name, expr }) => `label_replace(${expr}, "state", "${name}", "", "")`).join(' or '),
    legend: '{{state}}',
    names: Object.fromEntries(parts.map(({ name, colour }) => [name, { text: name, colour }])),
  };
}

/** The number of accounts in each state. Considers only `problems`. `all` selects the accounts with a known figure. */
export function countsByState(scope: Scope, all: string, ...problems: readonly Problem[]): Query {
  const state = `floor(${problemRanks(scope, ...problems)} / 100) or on (job, account) 0 * (${all} and on (job, account) ${judged(scope)})`;
  return countsOf(state);
}

/** The number of series with each severity. `all` selects the series with a known value. */
export function countsBySeverity(
  { critical, warning }: { readonly critical?: string; readonly warning: string },
  all: string,
  texts: Readonly<Record<string, string>> = {},
): Query {
  const ranks = [
    ...(critical === undefined ? [] : [`3 * group without () (${critical})`]),
    `2 * group without () (${warning})`,
    `0 * group without () (${all})`,
  ];
  return countsOf(ranks.join(' or '), texts);
}

function countsOf(states: string, texts: Readonly<Record<string, string>> = {}): Query {
  const names = ['3', '2', '0'].flatMap((state) => {
    const look = stateLooks[state];
    return look === undefined ? [] : [[state, { ...look, text: texts[state] ?? look.text }] as const];
  });
  return { expr: `count_values("state", ${states})`, legend: '{{state}}', names: Object.fromEntries(names) };
}

/** The state as a sortable number of `stateMappings`. */
export function stateExpression(
  by: readonly string[],
  parts: { readonly critical: string; readonly warning: string; readonly all: string },
): string {
  const group = (expression: string): string => `group by (${by.join(', ')}) (${expression})`;
  return `3 * ${group(parts.critical)} or 2 * ${group(parts.warning)} or 0 * ${group(parts.all)}`;
}

/** Names of the values of `stateExpression`. */
export const stateMappings = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  0: { text: 'OK', color: 'transparent' },
  [-1]: { text: 'expired', color: 'transparent' },
  [-2]: { text: 'no rules', color: 'transparent' },
});
