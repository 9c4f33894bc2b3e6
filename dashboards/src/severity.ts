import type { Scope } from '../../src/rules/figures.ts';
import type { AlertName } from '../../src/rules/thresholds.ts';
import { hasSeverity, pastThreshold, type Query } from './query.ts';
import { colours } from './theme.ts';

/** Which part of a figure is in which state: selections of the figure's own series. */
export interface SeverityConditions {
  readonly critical?: string;
  readonly warning?: string;
}

/** The states of a figure as its alert sees them, an account's own thresholds included. */
export function severityConditions(
  scope: Scope,
  alert: AlertName,
  subject: string,
  ...detail: string[]
): SeverityConditions {
  return {
    ...(hasSeverity(alert, 'critical') && { critical: pastThreshold(scope, alert, 'critical', subject, ...detail) }),
    ...(hasSeverity(alert, 'warning') && { warning: pastThreshold(scope, alert, 'warning', subject, ...detail) }),
  };
}

/**
 * One query for each state, of which a series answers exactly one: so the colour follows thresholds that
 * differ from account to account, which no static step could.
 */
export function queriesBySeverity(
  subject: string,
  { critical, warning }: SeverityConditions,
  legend: Readonly<Record<'fine' | 'warning' | 'critical', string>>,
): Query[] {
  const notCritical = critical === undefined ? '' : ` unless ${critical}`;
  const notWarning = warning === undefined ? '' : ` unless ${warning}`;
  return [
    { expr: `${subject}${notCritical}${notWarning}`, legend: legend.fine, colour: colours.neutral },
    ...(warning === undefined
      ? []
      : [{ expr: `${subject} and ${warning}${notCritical}`, legend: legend.warning, colour: colours.warning }]),
    ...(critical === undefined
      ? []
      : [{ expr: `${subject} and ${critical}`, legend: legend.critical, colour: colours.critical }]),
  ];
}

/** The state in words: for a tile of one thing. */
export const severityLegends = { fine: 'fine', warning: 'warning', critical: 'critical' } as const;

/** The same name in every state: for a tile that says who it is. */
export function sameLegend(name: string): Record<'fine' | 'warning' | 'critical', string> {
  return { fine: name, warning: name, critical: name };
}

/** One more state: the figure has no limit to be measured by, which is not the same as not known. Its value is `unlimited`. */
export function unlimitedQuery(figure: string, limit: string, legend: string): Query {
  return { expr: `${unlimitedValue} * group without () (${figure}) unless ${limit}`, legend, colour: colours.neutral };
}

/** What stands for "no limit", below every real value. */
export const unlimitedValue = -1_000_000_000_000_000;

/** How many are in each state, each counted once; `all` are those of which it is known. */
export function countsBySeverity(
  { critical, warning }: SeverityConditions,
  all: string,
  legend: Readonly<Record<'fine' | 'warning' | 'critical', string>> = severityLegends,
): Query[] {
  const either = [critical, warning].filter((part) => part !== undefined).join(' or ');
  const notCritical = critical === undefined ? '' : ` unless ${critical}`;
  return [
    { expr: `0 * count(${all}) unless count(${either})`, legend: legend.fine, colour: colours.neutral },
    ...(critical === undefined
      ? []
      : [{ expr: `count(${critical})`, legend: legend.critical, colour: colours.critical }]),
    ...(warning === undefined
      ? []
      : [{ expr: `count(${warning}${notCritical})`, legend: legend.warning, colour: colours.warning }]),
  ];
}

/** How much somebody is needed, as a number that sorts: see `stateMappings`. */
export function stateExpression(
  by: readonly string[],
  parts: {
    readonly critical: readonly string[];
    readonly warning: readonly string[];
    readonly silent?: string;
    readonly all: string;
  },
): string {
  const group = (expression: string): string => `group by (${by.join(', ')}) (${expression})`;
  return [
    ...parts.critical.map((expression) => `3 * ${group(expression)}`),
    ...parts.warning.map((expression) => `2 * ${group(expression)}`),
    ...(parts.silent === undefined ? [] : [group(parts.silent)]),
    `0 * ${group(parts.all)}`,
  ].join(' or ');
}
