import type { RuleGroup } from '../../../src/rules/rule.ts';
import type { Scenario } from '../../../src/rules/scenarios/scenario.ts';

/** These record about the exporter what the other groups read. */
const common = ['hosting-exporter', 'hosting-collectors'];

function namedAlerts({ expected, mustNotFire }: Scenario): ReadonlySet<string> {
  return new Set([...expected.map(({ alert }) => alert), ...mustNotFire]);
}

/**
 * The groups with the alerts that a scenario names. Most of the time of a scenario over days is the evaluation of rules
 * without input; the short scenarios run against all groups.
 */
export function groupsOf(scenario: Scenario, groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const alerts = namedAlerts(scenario);
  return groups.filter(
    ({ name, rules }) => common.includes(name) || rules.some((rule) => 'alert' in rule && alerts.has(rule.alert)),
  );
}

/** Like `groupsOf`, without the other alerts of these groups. */
export function rulesOf(scenario: Scenario, groups: readonly RuleGroup[]): readonly RuleGroup[] {
  const alerts = namedAlerts(scenario);
  return groupsOf(scenario, groups).map(({ name, rules }) => ({
    name,
    rules: rules.filter((rule) => !('alert' in rule) || alerts.has(rule.alert)),
  }));
}
