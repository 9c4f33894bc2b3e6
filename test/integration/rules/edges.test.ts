import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateBundle, ruleGroups } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { type Edge, edges, failureAt, failureOf } from './edges.ts';

const settings = settingsSchema.parse({});
const bundle = generateBundle(settings);

interface GrafanaFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly for: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly data: readonly { readonly model: { readonly expr?: string } }[];
    }[];
  }[];
}

/** The rule of an alert in the Grafana file, for Prometheus. */
function grafanaRule({ alert, severity }: Edge): string {
  const { groups } = parse(bundle.get('grafana-alerts.yml') ?? '') as GrafanaFile;
  const found = groups
    .flatMap(({ rules }) => rules)
    .find(({ labels }) => labels['alert'] === alert && labels['severity'] === severity);
  const rule = { alert, expr: found?.data[0]?.model.expr ?? 'missing(', for: found?.for, labels: { severity } };
  return JSON.stringify({ groups: [{ name: 'grafana', rules: [rule] }] });
}

test.concurrent.each(edges)(
  '$alert ($severity) fires at its threshold, after its wait, and not before',
  async (edge) => {
    expect(await failureAt(edge, ruleGroups(settings))).toBe('');
  },
);

test.concurrent.each(edges)('$alert ($severity) fires at the same minute in Grafana', async (edge) => {
  expect(await failureOf(edge, grafanaRule(edge), ['grafana'])).toBe('');
});
