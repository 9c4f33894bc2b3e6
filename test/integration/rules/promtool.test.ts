import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateBundle, ruleGroups } from '../../../src/rules/bundle.ts';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import type { Scenario } from '../../../src/rules/scenarios/scenario.ts';
import { type Settings, settingsSchema } from '../../../src/rules/settings.ts';
import { failuresIn, failuresOf } from './failures.ts';
import { inFolder, run } from './run-tool.ts';
import { failuresWithTexts, scenarios } from './scenarios.ts';
import { descriptions } from './texts.ts';

const settings = settingsSchema.parse({});
const defaults = generateBundle(settings);
function scenariosOf(ofSettings: Settings, ...names: readonly string[]): readonly Scenario[] {
  return testSuites(ofSettings)
    .filter(({ name }) => names.includes(name))
    .flatMap(({ scenarios }) => scenarios);
}

describe('promtool', () => {
  it.each(['hosting.rules.yml', 'hosting.rules.ru.yml'])('accepts %s', async (file) => {
    const { code, output } = await inFolder(defaults, (folder) =>
      run('promtool', 'check', 'rules', '--lint-fatal', join(folder, file)),
    );

    expect(output).toContain('SUCCESS');
    expect(code, output).toBe(0);
  });

  it.concurrent.each(scenarios.filter(({ overDays }) => !overDays))(
    'finds that alerts fire at the expected times with the expected labels and texts, and no others fire: $name',
    async (scenario) => {
      expect(await failuresWithTexts(scenario)).toBe('');
    },
  );

  it('knows each scenario of texts.yml', () => {
    const names = scenarios.map(({ name }) => name);

    expect(descriptions.filter(({ scenario }) => !names.includes(scenario))).toEqual([]);
  });

  it('passes a generated test file with all rules', async () => {
    expect(await failuresIn(defaults, 'tests/collectors-days.yml')).toBe('');
  });

  it('detects a changed threshold', async () => {
    const moved = ruleGroups(settings).map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ({ ...rule, expr: rule.expr.replaceAll('0.8 * group', '0.99 * group') })),
    }));

    expect(await failuresOf(scenariosOf(settings, 'load'), moved, settings)).toContain('HostingPlanLoadHigh');
  });
});

describe('a bundle with other settings', () => {
  it('passes its own tests of disk, billing and inventory', async () => {
    const other = settingsSchema.parse({
      selector: { job: 'web', cluster: 'eu' },
      replica_labels: ['replica'],
      labels: { team: 'hosting' },
      severities: { critical: 'page', warning: 'ticket' },
      dashboard_base_url: 'https://grafana.example',
      alerts: {
        HostingExporterDown: { critical: { for: '2m' } },
        HostingProviderUnreachable: { critical: { above: 0.9, for: '20m' }, accounts: 5 },
        HostingPollFailing: { warning: { above: 4 } },
        HostingDiskAlmostFull: { warning: { above: 0.7, for: '10m' }, critical: 'off', keep_firing_for: 'off' },
        HostingAccountBlockedSoon: { warning: { below: 20 }, critical: { below: 5, for: '15m' } },
        HostingDomainExpiring: { warning: 'off' },
        HostingBackupTooOld: { critical: { above: 20, for: '2h' } },
        HostingPlanLoadHigh: { warning: { above: 0.9, for: '30m' } },
        HostingInventoryCollapsed: { warning: { below: 0.2 } },
        HostingSiteLoadUnusual: 'off',
      },
    });
    const scenarios = scenariosOf(other, 'disk', 'billing', 'inventory');

    expect(await failuresOf(scenarios, ruleGroups(other), other)).toBe('');
  });
});
