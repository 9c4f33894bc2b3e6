import type { Scope } from '../../src/rules/figures.ts';
import type { AlertName } from '../../src/rules/thresholds.ts';
import { colours } from './look.ts';
import { hasLevel, passed, type Query } from './query.ts';

/** Which part of a figure is in which state: selections of the figure's own series. */
export interface Levels {
  readonly critical?: string;
  readonly warning?: string;
}

/** The states of a figure as its alert sees them, an account's own thresholds included. */
export function levelsOf(scope: Scope, alert: AlertName, subject: string, ...detail: string[]): Levels {
  return {
    ...(hasLevel(alert, 'critical') && { critical: passed(scope, alert, 'critical', subject, ...detail) }),
    ...(hasLevel(alert, 'warning') && { warning: passed(scope, alert, 'warning', subject, ...detail) }),
  };
}

/**
 * One query for each state, of which a series answers exactly one: so the colour follows thresholds that
 * differ from account to account, which no static step could.
 */
export function inLevelColours(
  subject: string,
  { critical, warning }: Levels,
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
export const stateWords = { fine: 'fine', warning: 'warning', critical: 'critical' } as const;

/** The same name in every state: for a tile that says who it is. */
export function named(name: string): Record<'fine' | 'warning' | 'critical', string> {
  return { fine: name, warning: name, critical: name };
}

/** One more state: the figure has no limit to be measured by, which is not the same as not known. Its value is `unlimited`. */
export function withoutLimit(figure: string, limit: string, legend: string): Query {
  return { expr: `${unlimited} * group without () (${figure}) unless ${limit}`, legend, colour: colours.neutral };
}

/** What stands for "no limit", below every real value. */
export const unlimited = -1_000_000_000_000_000;

/** How many are in each state, each counted once; `all` are those of which it is known. */
export function countInLevelColours(
  { critical, warning }: Levels,
  all: string,
  legend: Readonly<Record<'fine' | 'warning' | 'critical', string>> = stateWords,
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
export function state(
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
