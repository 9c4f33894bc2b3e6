import { join } from 'node:path';
import { prometheusRules } from '../../../src/rules/prometheus.ts';
import { testFile } from '../../../src/rules/promtool-tests.ts';
import type { RuleGroup } from '../../../src/rules/rule.ts';
import type { Scenario } from '../../../src/rules/scenarios/scenario.ts';
import type { Settings } from '../../../src/rules/settings.ts';
import { alertsWithInput, withoutTexts } from './groups.ts';
import { inFolder, run } from './run-tool.ts';

/** The output of promtool if a test file of the bundle fails; empty if it passes. */
export async function failuresIn(bundle: Iterable<readonly [string, string]>, path: string): Promise<string> {
  const { code, output } = await inFolder(bundle, (folder) => run('promtool', 'test', 'rules', join(folder, path)));
  return code === 0 ? '' : output;
}

/** The output of promtool for each scenario that fails. It tests only those rules that can have a result in the scenario. */
export async function failuresOf(
  scenarios: readonly Scenario[],
  rules: readonly RuleGroup[],
  ofSettings: Settings,
): Promise<string> {
  const outcomes = await Promise.all(
    scenarios.map((scenario) => {
      const groups = alertsWithInput(Object.keys(scenario.series), rules).map(withoutTexts);
      const files = [
        ['hosting.rules.yml', prometheusRules(groups, ofSettings)],
        ['tests/scenario.yml', testFile({ name: 'scenario', scenarios: [scenario] }, groups, ofSettings)],
      ] as const;
      return failuresIn(files, 'tests/scenario.yml');
    }),
  );
  return outcomes.join('');
}
