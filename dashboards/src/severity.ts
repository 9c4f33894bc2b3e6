import type { Scope } from '../../src/rules/figures.ts';
import type { AlertName } from '../../src/rules/thresholds.ts';
import { type Comparison, hasSeverity, pastThreshold, type Query } from './query.ts';
import { colours, valueTexts } from './theme.ts';

/** Expressions that select the critical series of a figure, and the series that are at least a warning. */
export interface SeverityConditions {
  readonly critical?: string;
  readonly warning?: string;
}

/** The conditions of an alert for each severity, with the thresholds of each account. */
export function severityConditions(
  scope: Scope,
  alert: AlertName,
  subject: string,
  comparison: Comparison = {},
): SeverityConditions {
  const past = (severity: 'critical' | 'warning'): string => pastThreshold(scope, alert, severity, subject, comparison);
  return {
    ...(hasSeverity(alert, 'critical') && { critical: past('critical') }),
    ...(hasSeverity(alert, 'warning') && { warning: past('warning') }),
  };
}

/** A named, coloured part of a query. */
export interface State {
  readonly name: string;
  readonly expr: string;
  readonly colour: string;
}

/**
 * One query for a panel that shows a value with its state. Static threshold steps cannot colour the value, because
 * thresholds differ between accounts.
 */
export function stateQuery(states: readonly State[]): Query {
  return {
    expr: states.map(({ name, expr }) => `label_replace(${expr}, "state", "${name}", "", "")`).join(' or '),
    legend: '{{state}}',
    names: Object.fromEntries(states.map(({ name, colour }) => [name, colour])),
  };
}

/** The names of the severities in a panel. */
export interface SeverityNames {
  readonly ok: string;
  readonly warning: string;
  readonly critical: string;
}

/** Names for a single value. */
const valueNames: SeverityNames = { ok: 'OK', warning: 'warning', critical: 'critical' };

/** The states of a single value. Each series has exactly one state. */
export function severityStates(
  subject: string,
  { critical, warning }: SeverityConditions,
  names: SeverityNames = valueNames,
): readonly State[] {
  const notCritical = critical === undefined ? '' : ` unless ${critical}`;
  const notWarning = warning === undefined ? '' : ` unless ${warning}`;
  return present([
    { name: names.ok, expr: `${subject}${notCritical}${notWarning}`, colour: colours.neutral },
    warning && { name: names.warning, expr: `${subject} and ${warning}${notCritical}`, colour: colours.warning },
    critical && { name: names.critical, expr: `${subject} and ${critical}`, colour: colours.critical },
  ]);
}

/** The state "last known" of a figure. It has a series only while `current`, a figure of the same poll, is missing. */
export function lastKnownState(
  figure: (scope: Scope) => string,
  scope: Scope,
  current: (scope: Scope) => string = figure,
): State {
  return {
    name: 'last known',
    expr: `(${figure({ ...scope, window: '1d' })} unless ${current(scope)})`,
    colour: colours.muted,
  };
}

/** The state of a known figure without a limit, with the value `unlimitedValue`. */
export function unlimitedState(figure: string, limit: string): State {
  return {
    name: 'unlimited',
    expr: `(${unlimitedValue} * group without () (${figure}) unless ${limit})`,
    colour: colours.neutral,
  };
}

/** The number that stands for "no limit". It is lower than any real value. */
export const unlimitedValue = -1_000_000_000_000_000;

/**
 * The number of series of each severity, and the number of series that are OK. `all` selects the series with a known value.
 * Each condition is evaluated once.
 */
export function countsBySeverity(
  { critical, warning }: SeverityConditions,
  all: string,
  names: Partial<SeverityNames> = {},
): Query {
  const named = { ...valueNames, ...names };
  const ranks = [
    critical && `2 * group without () (${critical})`,
    warning && `1 * group without () (${warning})`,
    `0 * group without () (${all})`,
  ];
  const counts = `count_values("state", ${present(ranks).join(' or ')})`;
  const rename = (expression: string, rank: string, name: string): string =>
    `label_replace(${expression}, "state", "${name}", "state", "${rank}")`;
  return {
    expr: rename(rename(rename(counts, '0', named.ok), '1', named.warning), '2', named.critical),
    legend: '{{state}}',
    names: { [named.critical]: colours.critical, [named.warning]: colours.warning, [named.ok]: colours.neutral },
  };
}

function present<T>(parts: readonly (T | '' | undefined)[]): T[] {
  return parts.filter((part): part is T => part !== undefined && part !== '');
}

/** The state as a number to sort by: see `stateMappings`. */
export function stateExpression(
  by: readonly string[],
  parts: {
    readonly critical: readonly string[];
    readonly warning: readonly string[];
    readonly all: string;
  },
): string {
  const group = (expression: string): string => `group by (${by.join(', ')}) (${expression})`;
  return [
    ...parts.critical.map((expression) => `3 * ${group(expression)}`),
    ...parts.warning.map((expression) => `2 * ${group(expression)}`),
    `0 * ${group(parts.all)}`,
  ].join(' or ');
}

/** Names of the values of `stateExpression`. */
export const stateMappings = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  0: { text: 'OK', color: 'transparent' },
  [-1]: { text: 'expired', color: 'transparent' },
});
