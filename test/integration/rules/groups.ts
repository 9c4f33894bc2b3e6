import type { AlertingRule, Rule, RuleGroup } from '../../../src/rules/rule.ts';
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

/** The alerts that can have a result if there are only these series, and the rules that record what the alerts or `queries` read. */
export function alertsWithInput(
  series: readonly string[],
  groups: readonly RuleGroup[],
  queries: readonly string[] = [],
): readonly RuleGroup[] {
  return withRecords(rulesWithInput(series, groups), () => true, queries);
}

/** The rules of one alert, and the rules that record what they read. */
export function rulesOf(alert: AlertName, groups: readonly RuleGroup[]): readonly RuleGroup[] {
  return withRecords(groups, (rule) => rule.alert === alert);
}

/** The rules that these queries read, and the rules that these rules read. */
export function readBy(queries: readonly string[], groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const rules = groups.flatMap((group) => group.rules);
  const needed = new Set<Rule>();
  const texts = [...queries];
  for (const text of texts) {
    for (const rule of rules.filter((one) => !needed.has(one))) {
      if (!text.includes('record' in rule ? rule.record : rule.alert)) continue;
      needed.add(rule);
      texts.push(rule.expr);
    }
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }))
    .filter((group) => group.rules.length > 0);
}

function withRecords(
  groups: readonly RuleGroup[],
  isIncluded: (rule: AlertingRule) => boolean,
  furtherQueries: readonly string[] = [],
): readonly RuleGroup[] {
  const rules = groups.flatMap((group) => group.rules);
  const alerts = rules.filter((rule) => 'alert' in rule).filter(isIncluded);
  const names = new Set<string>(alerts.map(({ alert }) => alert));
  const needed = new Set<Rule>(alerts);
  const records = rules.filter((rule) => 'record' in rule);
  const queries = [...furtherQueries, ...alerts.flatMap(queriesOf)];
  for (const query of queries) {
    for (const rule of records.filter((one) => !needed.has(one))) {
      // Some queries select the thresholds of many alerts. Those of other alerts do not change their results.
      const ofAlert = rule.labels?.['alert'] ?? '';
      const isOwn = ofAlert === '' || names.has(ofAlert) || query.includes(`alert="${ofAlert}"`);
      if (!isOwn || !query.includes(rule.record)) continue;
      needed.add(rule);
      queries.push(rule.expr);
    }
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => needed.has(rule)) }))
    .filter((group) => group.rules.length > 0);
}

/** The expression of an alert and the queries in its description. */
function queriesOf({ expr, description }: AlertingRule): readonly string[] {
  const scope = { matchers: '', replicaLabels: [], window: '' };
  return [
    expr,
    ...description.flatMap((part) => (typeof part === 'object' && 'query' in part ? part.query(scope) : [])),
  ];
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
