import type { Rule, RuleGroup } from '../../../src/rules/rule.ts';
import type { AlertName } from '../../../src/rules/thresholds.ts';
import { canHaveResult } from '../../fixtures/promql.ts';

/**
 * All rules that can have a result if there are only these series. The others lack the series, records or alerts that they need.
 * Evaluating them would take most of the time.
 */
export function rulesWithInput(series: readonly string[], groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const available = new Set(series.map((one) => one.replace(/\{.*/, '')));
  const found = new Set<Rule>();
  const rules = groups.flatMap((group) => group.rules);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const rule of rules.filter((one) => !found.has(one))) {
      if (!canHaveResult(rule.expr, (selector) => available.has(seriesOf(selector)))) continue;
      found.add(rule);
      available.add('record' in rule ? rule.record : 'ALERTS');
    }
  }
  return groups
    .map((group) => ({ name: group.name, rules: group.rules.filter((rule) => found.has(rule)) }))
    .filter((group) => group.rules.length > 0);
}

/** The rules of one alert, and the rules that record what they read. */
export function rulesOf(alert: AlertName, groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const rules = groups.flatMap((group) => group.rules);
  const needed = new Set(rules.filter((rule) => 'alert' in rule && rule.alert === alert));
  for (const { expr } of needed) {
    for (const rule of rules) {
      if ('record' in rule && expr.includes(rule.record)) needed.add(rule);
    }
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }))
    .filter((group) => group.rules.length > 0);
}

/** The rules without their descriptions: promtool would run the queries of a description at every evaluation of a firing alert. */
export function withoutTexts({ name, rules }: RuleGroup): RuleGroup {
  return { name, rules: rules.map((rule) => ('alert' in rule ? { ...rule, description: [] } : rule)) };
}

/** The metric that a selector reads. */
function seriesOf(selector: string): string {
  const [metric = ''] = /^[\w:]+/.exec(selector) ?? [];
  if (metric === '') throw new Error(`not one metric: ${selector}`);
  return metric;
}
