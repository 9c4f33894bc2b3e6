import type { Rule, RuleGroup } from '../../../src/rules/rule.ts';
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
      available.add('record' in rule ? rule.record : firing(rule.alert));
    }
  }
  return groups
    .map((group) => ({ name: group.name, rules: group.rules.filter((rule) => found.has(rule)) }))
    .filter((group) => group.rules.length > 0);
}

/** The rules without their descriptions: promtool would run the queries of a description at every evaluation of a firing alert. */
export function withoutTexts({ name, rules }: RuleGroup): RuleGroup {
  return { name, rules: rules.map((rule) => ('alert' in rule ? { ...rule, description: [] } : rule)) };
}

/** The key of the series `ALERTS` of an alert. */
function firing(alert: string): string {
  return `ALERTS of ${alert}`;
}

/** What a selector reads: a metric, or an alert. */
function seriesOf(selector: string): string {
  const [metric = ''] = /^[\w:]+/.exec(selector) ?? [];
  const [, alert] = /alertname="(\w+)"/.exec(selector) ?? [];
  if (metric === '' || (metric === 'ALERTS' && alert === undefined)) throw new Error(`not one metric: ${selector}`);
  return alert === undefined ? metric : firing(alert);
}
