import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { generateBundle } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { themes } from '../../../src/rules/tests.ts';
import { type AlertName, alertNames } from '../../../src/rules/thresholds.ts';
import { codeBlocks } from '../../fixtures/markdown.ts';
import { runbook } from '../../unit/rules/pages.ts';
import { inFolder, run } from './promtool.ts';

const defaults = generateBundle(settingsSchema.parse({}));
const testFiles = [...defaults.keys()].filter((path) => path.startsWith('tests/'));
const slow = 300_000;

/**
 * The bundle with only those groups that the scenarios of the file are about. Evaluating the others over days, on series
 * that are not there, would take most of the time; the short scenarios run against all of them.
 */
function withGroupsOf(path: string): ReadonlyMap<string, string> {
  const about = new Set(
    themes(settingsSchema.parse({}))
      .filter(({ name }) => path === `tests/${name}.yml`)
      .flatMap(({ scenarios }) =>
        scenarios.flatMap(({ truths, tempted }) => [...truths.map(({ alert }) => alert), ...tempted]),
      ),
  );
  const { groups } = parse(defaults.get('hosting.rules.yml') ?? '') as { groups: readonly PrometheusGroup[] };
  const needed = groups.filter(({ rules }) => rules.some(({ alert }) => about.has(alert as AlertName)));
  return new Map(defaults).set('hosting.rules.yml', stringify({ groups: needed }));
}

/** All that promtool says against the tests of these files; nothing where they pass. */
function complaints(files: ReadonlyMap<string, string>, ...paths: readonly string[]): Promise<string> {
  return inFolder(files, async (folder) => {
    const outcomes = await Promise.all(paths.map((path) => run('promtool', 'test', 'rules', join(folder, path))));
    return outcomes
      .filter(({ code }) => code !== 0)
      .map(({ output }) => output)
      .join('\n');
  });
}

describe('promtool', () => {
  it('accepts the rules', async () => {
    const { code, output } = await inFolder(defaults, (folder) =>
      run('promtool', 'check', 'rules', '--lint-fatal', join(folder, 'hosting.rules.yml')),
    );

    expect(output).toContain('SUCCESS');
    expect(code, output).toBe(0);
  });

  it.concurrent.each(testFiles)(
    'passes %s: what fires, when, with which words, and that nothing else does',
    { timeout: slow },
    async (path) => {
      expect(await complaints(path.endsWith('-days.yml') ? withGroupsOf(path) : defaults, path)).toBe('');
    },
  );

  it('notices a threshold that moves', { timeout: slow }, async () => {
    const moved = new Map(defaults);
    moved.set('hosting.rules.yml', (defaults.get('hosting.rules.yml') ?? '').replaceAll('0.85 * group', '0.8 * group'));

    expect(await complaints(moved, 'tests/disk.yml')).toContain('HostingDiskAlmostFull');
  });
});

describe('the queries of the runbooks', () => {
  it('are accepted by promtool', async () => {
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

describe('the expressions of the Grafana file', () => {
  it('are accepted by promtool, and fire the same alerts at the same minutes as the rules', {
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
        rules: rules
          .filter((rule) => rule.alert !== undefined)
          .map((rule) => ({ ...rule, expr: raw.get(`${rule.alert} ${rule.labels.severity}`) })),
      })),
    };
    const files = new Map(defaults).set('hosting.rules.yml', stringify(inlined));

    expect(await complaints(files, ...['owner', 'load'].map((name) => `tests/${name}.yml`))).toBe('');
  });
});

describe('a bundle with other settings', () => {
  it('passes the tests that are written along with it', { timeout: slow }, async () => {
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
    const paths = ['disk', 'owner', 'holdings'].map((name) => `tests/${name}.yml`);

    expect(await complaints(other, ...paths)).toBe('');
  });
});

interface PrometheusGroup {
  readonly name: string;
  readonly rules: readonly { readonly alert?: string; readonly labels: { readonly severity: string } }[];
}

interface GrafanaGroup {
  readonly rules: readonly {
    readonly labels: { readonly alert: string; readonly severity: string };
    readonly data: readonly { readonly model: { readonly expr?: string } }[];
  }[];
}
