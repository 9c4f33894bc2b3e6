import type { Scope } from '../../src/rules/figures.ts';
import type { AlertName } from '../../src/rules/thresholds.ts';
import { hasSeverity, pastThreshold, type Query } from './query.ts';
import { colours } from './theme.ts';

/** Expressions that select the series of a figure that are critical, and those that are at least warning. */
export interface SeverityConditions {
  readonly critical?: string;
  readonly warning?: string;
}

/** The conditions of an alert for each severity, with the thresholds of each account. */
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
 * One query per severity; each series matches exactly one. Static threshold steps cannot do this, because thresholds
 * differ between accounts.
 */
export function queriesBySeverity(
  subject: string,
  { critical, warning }: SeverityConditions,
  legend: Readonly<Record<'ok' | 'warning' | 'critical', string>>,
): Query[] {
  const notCritical = critical === undefined ? '' : ` unless ${critical}`;
  const notWarning = warning === undefined ? '' : ` unless ${warning}`;
  return [
    { expr: `${subject}${notCritical}${notWarning}`, legend: legend.ok, colour: colours.neutral },
    ...(warning === undefined
      ? []
      : [{ expr: `${subject} and ${warning}${notCritical}`, legend: legend.warning, colour: colours.warning }]),
    ...(critical === undefined
      ? []
      : [{ expr: `${subject} and ${critical}`, legend: legend.critical, colour: colours.critical }]),
  ];
}

/** Legends that name the severity. */
export const severityLegends = { ok: 'OK', warning: 'warning', critical: 'critical' } as const;

/** Legends of a count. Panels show 0 as "none", which after "OK" would read as "none are OK". */
export const countLegends = { ...severityLegends, ok: 'all OK' } as const;

/** The same legend for every severity, for panels that show which item it is. */
export function sameLegend(name: string): Record<'ok' | 'warning' | 'critical', string> {
  return { ok: name, warning: name, critical: name };
}

/** Returns `unlimitedValue` for a known figure without a limit. */
export function unlimitedQuery(figure: string, limit: string, legend: string): Query {
  return { expr: `${unlimitedValue} * group without () (${figure}) unless ${limit}`, legend, colour: colours.neutral };
}

/** Stands for "no limit"; lower than any real value. */
export const unlimitedValue = -1_000_000_000_000_000;

/** The number of series of each severity, each counted once. `all` are the series with a known value. */
export function countsBySeverity(
  { critical, warning }: SeverityConditions,
  all: string,
  legend: Readonly<Record<'ok' | 'warning' | 'critical', string>> = countLegends,
): Query[] {
  const either = [critical, warning].filter((part) => part !== undefined).join(' or ');
  const notCritical = critical === undefined ? '' : ` unless ${critical}`;
  return [
    { expr: `0 * count(${all}) unless count(${either})`, legend: legend.ok, colour: colours.neutral },
    ...(critical === undefined
      ? []
      : [{ expr: `count(${critical})`, legend: legend.critical, colour: colours.critical }]),
    ...(warning === undefined
      ? []
      : [{ expr: `count(${warning}${notCritical})`, legend: legend.warning, colour: colours.warning }]),
  ];
}

/** The state as a number to sort by: see `stateMappings`. */
export function stateExpression(
  by: readonly string[],
  parts: {
    readonly critical: readonly string[];
    readonly warning: readonly string[];
    readonly failing?: string;
    readonly all: string;
  },
): string {
  const group = (expression: string): string => `group by (${by.join(', ')}) (${expression})`;
  return [
    ...parts.critical.map((expression) => `3 * ${group(expression)}`),
    ...parts.warning.map((expression) => `2 * ${group(expression)}`),
    ...(parts.failing === undefined ? [] : [group(parts.failing)]),
    `0 * ${group(parts.all)}`,
  ].join(' or ');
}
