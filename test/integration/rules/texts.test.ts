import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { prometheusTemplate, type ValueFormat, value } from '../../../src/rules/template.ts';
import { inFolder, run } from './run-tool.ts';
import { descriptions, summaries } from './texts.ts';

/** Numbers, and how a description contains them. */
const numbers: readonly (readonly [ValueFormat, number, en: string, ru: string])[] = [
  ['percent', 0.9532, '95.32%', '95,32%'],
  ['percent', 1, '100%', '100%'],
  ['whole', 2.6, '3', '3'],
  ['tenths', 1.04, '1.0', '1,0'],
  ['number', 12.5, '12.50', '12,50'],
];

it('promtool writes numbers in the notation of each language', async () => {
  const scope = { matchers: '', replicaLabels: [] };
  const alerts = numbers.map(([format, number, en, ru], index) => ({
    alert: `Number${index}`,
    expr: `vector(${number})`,
    annotations: {
      en: prometheusTemplate([value(format)], scope, 'en'),
      ru: prometheusTemplate([value(format)], scope, 'ru'),
    },
    expected: { en, ru },
  }));
  const rules = alerts.map(({ expected: _, ...rule }) => rule);
  const tests = alerts.map(({ alert: alertname, expected }) => {
    return { alertname, eval_time: '0m', exp_alerts: [{ exp_annotations: expected }] };
  });

  expect(await problems({ groups: [{ name: 'numbers', rules }] }, { tests: [{ alert_rule_test: tests }] })).toBe('');
});

it('each severity of each alert has a description and a summary, and no text is left over', () => {
  const alerts = ruleGroups(settingsSchema.parse({})).flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));

  const texts = descriptions.flatMap(({ alert, alerts: ofAlert }) =>
    ofAlert.map(({ labels }) => `${alert} ${labels['severity']}`),
  );

  expect(new Set(texts)).toEqual(new Set(alerts.map(({ alert, severity }) => `${alert} ${severity}`)));
  expect(new Set(Object.keys(summaries))).toEqual(new Set(alerts.map(({ alert }) => alert)));
});

/** The output of promtool if a test fails; empty if not. */
async function problems(rules: unknown, tests: Readonly<Record<string, unknown>>): Promise<string> {
  const files = [
    ['rules.yml', stringify(rules)],
    ['tests.yml', stringify({ rule_files: ['rules.yml'], ...tests })],
  ] as const;
  const { code, output } = await inFolder(files, (folder) =>
    run('promtool', 'test', 'rules', join(folder, 'tests.yml')),
  );
  return code === 0 ? '' : output;
}
