import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { canHaveResult } from '../fixtures/promql.ts';
import { repository } from '../fixtures/repository.ts';

/** A rule of alerts/hosting.rules.yml. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** The groups of alerts/hosting.rules.yml. */
export const groups = (
  parse(readFileSync(join(repository, 'alerts/hosting.rules.yml'), 'utf8')) as { readonly groups: readonly RuleGroup[] }
).groups;

export const rules = groups.flatMap((group) => group.rules);

/** The paths of promtool's tests in the repository. */
export const testFiles = readdirSync(join(repository, 'alerts/tests')).map((file) => `alerts/tests/${file}`);

/** The names of all alerts, each once, in the order of the file. */
export const alertNames = [...new Set(rules.flatMap(({ alert }) => alert ?? []))];

/** The severities of an alert. */
export function severitiesOf(name: string): readonly string[] {
  return rules.filter(({ alert }) => alert === name).map(({ labels }) => labels?.['severity'] ?? '');
}

/**
 * A file with the rules that can have a result if there are only these metrics, without texts. Evaluating the others would take most of
 * the time.
 */
export function rulesFor(metrics: readonly string[]): string {
  return withoutTexts(groupsFor(metrics));
}

function withoutTexts(of: readonly RuleGroup[]): string {
  const used = of.map((group) => ({ ...group, rules: group.rules.map(({ annotations: _, ...rule }) => rule) }));
  return stringify({ groups: used.filter((group) => group.rules.length > 0) });
}

/** The rules that can have a result if there are only these metrics. */
export function groupsFor(metrics: readonly string[]): readonly RuleGroup[] {
  const available = new Set(metrics);
  const found = new Set<Rule>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const rule of rules.filter((one) => !found.has(one))) {
      if (!canHaveResult(rule.expr, (selector) => isAvailable(selector, available))) continue;
      found.add(rule);
      available.add(rule.record ?? 'ALERTS');
    }
  }
  return groups.map((group) => ({ ...group, rules: group.rules.filter((rule) => found.has(rule)) }));
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** A duration of PromQL, such as 1h30m, in seconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)([smhdw])/g)];
  return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (units[unit] ?? Number.NaN), 0);
}

/** A selector without a name selects several metrics by a pattern. */
function isAvailable(selector: string, available: ReadonlySet<string>): boolean {
  const name = selector.replace(/[{[].*/, '');
  return name === '' || available.has(name);
}
