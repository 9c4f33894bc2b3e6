import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { generateBundle } from '../../../src/rules/bundle.ts';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { type AlertName, alertNames } from '../../../src/rules/thresholds.ts';
import { codeBlocks } from '../../fixtures/markdown.ts';
import { runbook } from '../../unit/rules/pages.ts';
import { inFolder, run } from './run-tool.ts';

const defaults = generateBundle(settingsSchema.parse({}));
const testFiles = [...defaults.keys()].filter((path) => path.startsWith('tests/'));
const slow = 900_000;

/**
 * The bundle with only the groups that the scenarios of the file concern. Evaluating the other groups over days without
 * input would take most of the time; the short scenarios run against all groups.
 */
function withGroupsOf(path: string): ReadonlyMap<string, string> {
  const alerts = new Set(
    testSuites(settingsSchema.parse({}))
      .filter(({ name }) => path === `tests/${name}.yml`)
      .flatMap(({ scenarios }) =>
        scenarios.flatMap(({ expected, mustNotFire }) => [...expected.map(({ alert }) => alert), ...mustNotFire]),
      ),
  );
  const { groups } = parse(defaults.get('hosting.rules.yml') ?? '') as { groups: readonly PrometheusGroup[] };
  const needed = groups.filter(
    ({ name, rules }) =>
      // The others read what these record about the exporter.
      ['hosting-exporter', 'hosting-collectors'].includes(name) ||
      rules.some(({ alert }) => alerts.has(alert as AlertName)),
  );
  return new Map(defaults).set('hosting.rules.yml', stringify({ groups: needed }));
}

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

  it.concurrent.each(testFiles)(
    'passes %s: alerts fire at the expected times with the expected texts, and no others fire',
    { timeout: slow },
    async (path) => {
      expect(await failures(path.endsWith('-days.yml') ? withGroupsOf(path) : defaults, path)).toBe('');
    },
  );

  it('detects a changed threshold', { timeout: slow }, async () => {
    const moved = new Map(defaults);
    moved.set('hosting.rules.yml', (defaults.get('hosting.rules.yml') ?? '').replaceAll('0.85 * group', '0.8 * group'));

    expect(await failures(moved, 'tests/disk.yml')).toContain('HostingDiskAlmostFull');
  });
});

describe('the queries in the runbooks', () => {
  it('are valid', async () => {
    const rules = alertNames.flatMap((alert) =>
      codeBlocks(runbook(alert), 'promql').map((expr, index) => ({ record: `${alert}:query${index}`, expr })),
    );
    const files = new Map([['queries.yml', stringify({ groups: [{ name: 'queries', rules }] })]]);

    const { code, output } = await inFolder(files, (folder) =>
      run('promtool', 'check', 'rules', join(folder, 'queries.yml')),
    );

    expect(rules.length).toBeGreaterThan(alertNames.length);
    expect(code, output).toBe(0);
  });
});

describe('the expressions in the Grafana file', () => {
  it('fire the same alerts at the same times as the rules, in the scenarios of billing and load', {
    timeout: slow,
  }, async () => {
    const { groups } = parse(defaults.get('grafana-alerts.yml') ?? '') as { groups: readonly GrafanaGroup[] };
    const original = parse(defaults.get('hosting.rules.yml') ?? '') as { groups: readonly PrometheusGroup[] };
    const raw = new Map(
      groups.flatMap(({ rules }) =>
        rules.map((rule) => [`${rule.labels.alert} ${rule.labels.severity}`, rule.data[0]?.model.expr]),
      ),
    );
    const inlined = {
      groups: original.groups.map(({ name, rules }) => ({
        name,
        // Descriptions read recorded series.
        rules: rules.map((rule) =>
          rule.alert === undefined ? rule : { ...rule, expr: raw.get(`${rule.alert} ${rule.labels?.severity}`) },
        ),
      })),
    };
    const files = new Map(defaults).set('hosting.rules.yml', stringify(inlined));

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

interface PrometheusGroup {
  readonly name: string;
  readonly rules: readonly { readonly alert?: string; readonly labels?: { readonly severity: string } }[];
}

interface GrafanaGroup {
  readonly rules: readonly {
    readonly labels: { readonly alert: string; readonly severity: string };
    readonly data: readonly { readonly model: { readonly expr?: string } }[];
  }[];
}
