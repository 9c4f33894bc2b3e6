import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { prometheusRules } from '../../../src/rules/prometheus.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { readText } from '../../fixtures/repository.ts';

/** The examples of a settings file in docs/alerts.md. */
const examples = [...readText('docs/alerts.md').matchAll(/^```yaml\n# my-thresholds\.yml\n(.*?)^```$/gms)].map(
  ([, text = '']) => parse(text) as Readonly<Record<string, unknown>>,
);

/** The rules; undefined if the settings are refused, as without a value that is required. */
function rulesOf(settings: unknown): string | undefined {
  const { data } = settingsSchema.safeParse(settings);
  return data === undefined ? undefined : prometheusRules(ruleGroups(data), data);
}

test('docs/alerts.md has examples of settings', () => {
  expect(examples.flatMap((example) => Object.keys(example))).toEqual([
    'selector',
    'labels',
    'dashboard_base_url',
    'alerts',
    'account_labels',
  ]);
});

test('every key of the examples changes the rules', () => {
  for (const example of examples) {
    const complete = rulesOf(example);
    expect(complete).toContain('- alert: HostingDiskAlmostFull\n');
    for (const key of Object.keys(example)) expect(rulesOf({ ...example, [key]: undefined }), key).not.toBe(complete);
  }
});

test('every value of the example of thresholds changes the rules', () => {
  const [{ alerts = {} } = {}] = examples;

  const paths = pathsOf(alerts);

  expect(paths.length).toBeGreaterThan(4);
  const complete = rulesOf({ alerts });
  expect(complete).toContain('- alert: HostingDiskAlmostFull\n');
  for (const path of paths) expect(rulesOf({ alerts: without(alerts, path) }), path.join('.')).not.toBe(complete);
});

/** The paths of all values that are no objects. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]));
}

function without(value: unknown, [first = '', ...rest]: readonly string[]): unknown {
  const { [first]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...others, [first]: without(inner, rest) };
}
