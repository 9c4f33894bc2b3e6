import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateBundle, ruleGroups } from '../../../src/rules/bundle.ts';
import { prometheusRules } from '../../../src/rules/prometheus.ts';
import { testFile, testSuites } from '../../../src/rules/promtool-tests.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { groupsOf } from './groups.ts';
import { inFolder, run } from './run-tool.ts';

const settings = settingsSchema.parse({});
const defaults = generateBundle(settings);
const suites = testSuites(settings);
const shortSuites = suites.filter(({ name }) => !name.endsWith('-days'));
const daysOfScenarios = suites.filter((suite) => !shortSuites.includes(suite)).flatMap(({ scenarios }) => scenarios);
const slow = 900_000;

/** The output of the failed promtool tests; empty if all pass. */
function failures(files: ReadonlyMap<string, string>, ...paths: readonly string[]): Promise<string> {
  return inFolder(files, async (folder) => {
    const outcomes = await Promise.all(paths.map((path) => run('promtool', 'test', 'rules', join(folder, path))));
    return outcomes
      .filter(({ code }) => code !== 0)
      .map(({ output }) => output)
      .join('\n');
  });
}

describe('promtool', () => {
  it.each(['hosting.rules.yml', 'hosting.rules.ru.yml'])('accepts %s', async (file) => {
    const { code, output } = await inFolder(defaults, (folder) =>
      run('promtool', 'check', 'rules', '--lint-fatal', join(folder, file)),
    );

    expect(output).toContain('SUCCESS');
    expect(code, output).toBe(0);
  });

  it.concurrent.each(shortSuites.map(({ name }) => name))(
    'passes tests/%s.yml: alerts fire at the expected times with the expected texts, and no others fire',
    { timeout: slow },
    async (name) => {
      expect(await failures(defaults, `tests/${name}.yml`)).toBe('');
    },
  );

  it.concurrent.each(daysOfScenarios)('passes over days: $name', { timeout: slow }, async (scenario) => {
    const groups = groupsOf(scenario, ruleGroups(settings));
    const files = new Map([
      ['hosting.rules.yml', prometheusRules(groups, settings)],
      ['tests/days.yml', testFile({ name: 'days', scenarios: [scenario] }, groups, settings)],
    ]);

    expect(await failures(files, 'tests/days.yml')).toBe('');
  });

  it('detects a changed threshold', { timeout: slow }, async () => {
    const moved = new Map(defaults);
    moved.set('hosting.rules.yml', (defaults.get('hosting.rules.yml') ?? '').replaceAll('0.85 * group', '0.8 * group'));

    expect(await failures(moved, 'tests/disk.yml')).toContain('HostingDiskAlmostFull');
  });
});

describe('the expressions in the Grafana file', () => {
  it('fire the same alerts at the same times as the rules, in the scenarios of billing and load', {
    timeout: slow,
  }, async () => {
    const compared = ['hosting-billing', 'hosting-load'];
    const { groups } = parse(defaults.get('grafana-alerts.yml') ?? '') as { groups: readonly GrafanaGroup[] };
    const raw = new Map(
      groups.flatMap(({ rules }) =>
        rules.map((rule) => [`${rule.labels.alert} ${rule.labels.severity}`, rule.data[0]?.model.expr]),
      ),
    );
    // Descriptions read recorded series.
    const inlined = ruleGroups(settings).map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) =>
        'alert' in rule && compared.includes(name)
          ? { ...rule, expr: raw.get(`${rule.alert} ${rule.severity}`) ?? `no rule ${rule.alert} in the Grafana file` }
          : rule,
      ),
    }));
    const files = new Map(defaults).set('hosting.rules.yml', prometheusRules(inlined, settings));

    expect(await failures(files, ...['billing', 'load'].map((name) => `tests/${name}.yml`))).toBe('');
  });
});

describe('a bundle in Russian', () => {
  it('passes its own tests of disk, billing and load', { timeout: slow }, async () => {
    const russian = generateBundle(settingsSchema.parse({ language: 'ru' }));

    expect(await failures(russian, ...['disk', 'billing', 'load'].map((name) => `tests/${name}.yml`))).toBe('');
  });
});

describe('a bundle with other settings', () => {
  it('passes its own tests of disk, billing and inventory', { timeout: slow }, async () => {
    const other = generateBundle(
      settingsSchema.parse({
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
      }),
    );
    const paths = ['disk', 'billing', 'inventory'].map((name) => `tests/${name}.yml`);

    expect(await failures(other, ...paths)).toBe('');
  });
});

interface GrafanaGroup {
  readonly rules: readonly {
    readonly labels: { readonly alert: string; readonly severity: string };
    readonly data: readonly { readonly model: { readonly expr?: string } }[];
  }[];
}
