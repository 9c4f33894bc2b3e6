import { parse, stringify } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { testFile, testSuites } from '../../../src/rules/promtool-tests.ts';
import { type Scenario, ScenarioBuilder } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { failuresIn, failuresOf } from './failures.ts';
import { alertsWithInput } from './groups.ts';
import { realLife } from './real-life.ts';
import { groupsWithTexts, textTests } from './texts.ts';

const settings = settingsSchema.parse({});

/** All scenarios with the default settings. Those that last days take longer than all others together, so the soak runs them. */
export const scenarios = [...testSuites(settings), realLife(new ScenarioBuilder(settings))].flatMap(
  (suite) => suite.scenarios,
);

/** Like `failuresOf` with the default settings, but also tests the texts that texts.yml has for the scenario, in both languages. */
export async function failuresWithTexts(scenario: Scenario): Promise<string> {
  const texts = textTests(scenario.name);
  if (texts.length === 0) return failuresOf([scenario], ruleGroups(settings), settings);
  const suite = { name: 'scenario', scenarios: [scenario] };
  const groups = alertsWithInput(Object.keys(scenario.series), ruleGroups(settings));
  const { tests, ...file } = parse(testFile(suite, groups, settings)) as { readonly tests: readonly object[] };
  const files = [
    ['hosting.rules.yml', stringify({ groups: groupsWithTexts(Object.keys(scenario.series)) })],
    ['tests/scenario.yml', stringify({ ...file, tests: tests.map((test) => ({ ...test, alert_rule_test: texts })) })],
  ] as const;
  return failuresIn(files, 'tests/scenario.yml');
}
