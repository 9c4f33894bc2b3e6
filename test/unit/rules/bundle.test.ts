import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateBundle, ruleGroups } from '../../../src/rules/bundle.ts';
import { grafanaAlerts } from '../../../src/rules/grafana.ts';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import { type Scenario, ScenarioBuilder } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { settingsFile } from '../../../src/rules/settings-file.ts';
import { alertNames, severities, thresholds } from '../../../src/rules/thresholds.ts';

const folder = new URL('../../../alerts/', import.meta.url);
const settings = settingsSchema.parse({});
const bundle = new Map([...generateBundle(settings), ['thresholds.yml', settingsFile()]]);
const scenarios: readonly Scenario[] = testSuites(settings).flatMap((suite) => suite.scenarios);
const builder = new ScenarioBuilder(settings);

describe('the committed bundle', () => {
  it('contains exactly the files that the generator writes', () => {
    const committed = readdirSync(folder, { recursive: true, withFileTypes: true })
      // Written by hand: Kustomize requires the first one next to the resources; the second one configures pint.
      .filter((entry) => entry.isFile() && !['kustomization.yaml', 'pint.hcl'].includes(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`.split('/alerts/').at(-1)?.replace(/^\/+/, ''));

    expect(committed.toSorted()).toEqual([...bundle.keys()].toSorted());
  });

  it.each([...bundle])('%s is up to date; if not, run `npm run rules`', (path, text) => {
    expect(readFileSync(new URL(path, folder), 'utf8')).toBe(text);
  });

  it.each([...bundle].filter(([path]) => path.endsWith('.yml')))(
    '%s is valid YAML without tabs and trailing spaces',
    (_, text) => {
      expect(() => parse(text)).not.toThrow();
      expect(text).not.toMatch(/\t|[ ]\n/);
    },
  );
});

describe('the scenarios', () => {
  const fired = new Set(
    scenarios.flatMap((scenario) =>
      builder.firings(scenario).map(({ expected, severity }) => `${expected.alert} ${severity}`),
    ),
  );
  const mustNotFire = new Set(scenarios.flatMap((scenario) => scenario.mustNotFire));

  it.each(
    alertNames.flatMap((alert) =>
      severities.filter((level) => level in thresholds[alert].levels).map((level) => [alert, level]),
    ),
  )('fire %s with severity %s', (alert, severity) => {
    expect(fired).toContain(`${alert} ${severity}`);
  });

  it.each(alertNames)('include one in which %s must not fire', (alert) => {
    expect(mustNotFire).toContain(alert);
  });

  it.each(alertNames.filter((alert) => thresholds[alert].perAccount))(
    'fire %s, which accounts override, for accounts',
    (alert) => {
      const labels = scenarios.flatMap(({ expected }) =>
        expected.filter((one) => one.alert === alert).map((one) => one.labels),
      );

      for (const names of labels) expect(names).toHaveProperty('account');
    },
  );

  it('have unique names', () => {
    const names = scenarios.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the Grafana file', () => {
  const { apiVersion, groups } = parse(bundle.get('grafana-alerts.yml') ?? '') as GrafanaFile;
  const rules = groups.flatMap((group) => group.rules);

  it('contains every alert and severity once, with unique uid and title', () => {
    expect(apiVersion).toBe(1);
    expect(rules.map(({ labels }) => `${labels.alert} ${labels.severity}`)).toEqual(
      ruleGroups(settings).flatMap((group) =>
        group.rules.filter((rule) => 'alert' in rule).map((rule) => `${rule.alert} ${rule.severity}`),
      ),
    );
    for (const key of ['uid', 'title'] as const) {
      expect(new Set(rules.map((rule) => rule[key])).size).toBe(rules.length);
    }
  });

  it('waits before alerts begin and end as the rule file does', () => {
    const { groups: ruleFile } = parse(bundle.get('hosting.rules.yml') ?? '') as PrometheusFile;

    const expected = ruleFile.flatMap((group) =>
      group.rules.flatMap(({ alert, for: wait, keep_firing_for: keep }) =>
        alert === undefined ? [] : [{ wait, keep }],
      ),
    );

    expect(rules.map(({ for: wait, keepFiringFor: keep }) => ({ wait, keep }))).toEqual(expected);
  });

  it.each(rules)('$title has the fields that provisioning requires and queries raw series only', (rule) => {
    const [query, condition] = rule.data;

    expect(rule.uid).toMatch(/^[a-z-]{1,40}$/);
    expect(rule.condition).toBe(condition?.refId);
    expect(condition?.model.expression).toBe(`is_number($${query?.refId})`);
    expect(query?.model.expr).not.toMatch(/\baccount\w*:\w+:\w+/);
    // Grafana expands ${...} in annotations.
    expect(JSON.stringify(rule.annotations)).not.toMatch(/\$\{|\bquery\b|\$value\b/);
  });

  it('fires for any value of an instant query, and not because a query returns nothing or fails', () => {
    for (const rule of rules) {
      const [query, condition] = rule.data;

      expect(rule).toMatchObject({ isPaused: false, noDataState: 'OK' });
      expect(query).toMatchObject({ relativeTimeRange: { from: 600, to: 0 }, model: { instant: true, range: false } });
      expect(condition).toMatchObject({ datasourceUid: '__expr__', model: { type: 'math' } });
    }
    const failing = rules.filter(({ execErrState }) => execErrState !== 'KeepLast');
    expect(failing.map(({ labels, execErrState }) => `${labels.alert} ${labels.severity} ${execErrState}`)).toEqual([
      'HostingExporterAbsent critical Error',
      'HostingExporterDown critical Error',
    ]);
  });

  it('replaces an offset of a recorded series by a subquery, and keeps ranges and steps', () => {
    const records = [{ record: 'account:a:max', expr: 'max(a)' }];
    const alerts = ruleGroups(settings).flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
    const rawExpression = (expr: string) => {
      const rules = [...records, ...alerts.slice(0, 1).map((alert) => ({ ...alert, expr }))];
      const file = parse(grafanaAlerts([{ name: 'one', rules }], settings)) as GrafanaFile;
      return file.groups[0]?.rules[0]?.data[0]?.model.expr;
    };

    expect(rawExpression('account:a:max - account:a:max offset 1d')).toBe(
      '(max(a)) - last_over_time((max(a))[2m:1m] offset 1d)',
    );
    expect(rawExpression('max_over_time(account:a:max[2d] offset 3h)')).toBe(
      'max_over_time((max(a))[2d:5m] offset 3h)',
    );
    expect(rawExpression('deriv(account:a:max[30m]) + avg_over_time(account:a:max[3d:1h])')).toBe(
      'deriv((max(a))[30m:1m]) + avg_over_time((max(a))[3d:1h])',
    );
    expect(() => rawExpression('account:b:max')).toThrow('no rule records account:b:max');
  });
});

describe('the PrometheusRule resource', () => {
  it('contains the same groups as the rule file', () => {
    const resource = parse(bundle.get('prometheusrule.yml') ?? '');

    expect(resource).toMatchObject({ apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule' });
    expect(resource.spec).toEqual(parse(bundle.get('hosting.rules.yml') ?? ''));
  });
});

interface GrafanaFile {
  readonly apiVersion: number;
  readonly groups: readonly { readonly rules: readonly GrafanaRule[] }[];
}

interface PrometheusFile {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert?: string; readonly for?: string; readonly keep_firing_for?: string }[];
  }[];
}

interface GrafanaRule {
  readonly for?: string;
  readonly keepFiringFor?: string;
  readonly execErrState: string;
  readonly uid: string;
  readonly title: string;
  readonly condition: string;
  readonly labels: { readonly alert: string; readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: readonly {
    readonly refId: string;
    readonly model: { readonly expr?: string; readonly expression?: string };
  }[];
}
