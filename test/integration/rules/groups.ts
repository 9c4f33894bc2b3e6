import type { RuleGroup } from '../../../src/rules/rule.ts';
import type { Scenario } from '../../../src/rules/scenarios/scenario.ts';

/** These record about the exporter what the other groups read. */
const common = ['hosting-exporter', 'hosting-provider', 'hosting-collectors'];

/**
 * The groups with the alerts that a scenario names. Most of the time of a scenario over days is the evaluation of rules
 * without input; the short scenarios run against all groups.
 */
export function groupsOf({ expected, mustNotFire }: Scenario, groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const alerts = new Set([...expected.map(({ alert }) => alert), ...mustNotFire]);
  return groups.filter(
    ({ name, rules }) => common.includes(name) || rules.some((rule) => 'alert' in rule && alerts.has(rule.alert)),
  );
}
