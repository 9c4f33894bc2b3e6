import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

async function rules(...flags: readonly string[]) {
  const output = join(temporaryFolder(), 'alerts');
  const context = recordedContext();
  const code = await run(['rules', `--output=${output}`, ...flags], context);
  const text = existsSync(output) ? readFileSync(join(output, 'hosting.rules.yml'), 'utf8') : '';
  return { code, output, text, ...context.printed };
}

test('writes the rules, their other forms, the Alertmanager example and the templates', async () => {
  const { code, output, stdout } = await rules();

  expect(code).toBe(0);
  expect(readdirSync(output, { recursive: true }).map(String).toSorted()).toEqual([
    'alertmanager.example.yml',
    'grafana-alerts.yml',
    'hosting.records.yml',
    'hosting.rules.ru.yml',
    'hosting.rules.yml',
    'prometheusrule.yml',
    'templates',
    'templates/hosting.ru.tmpl',
    'templates/hosting.tmpl',
  ]);
  expect(stdout.trimEnd().split('\n')).toHaveLength(8);
});

test('applies its flags', async () => {
  const { text } = await rules(
    ...['--language=ru', '--selector=job="web"', '--label=team=hosting', '--account-label=customer'],
    ...['--severity=critical=page', '--dashboards=https://grafana.example.com', '--runbooks=https://wiki.example.com'],
    ...['--off=HostingSiteLoadUnusual', '--off=HostingDiskAlmostFull:warning'],
  );

  expect(text).toMatch(/summary: .*\p{Script=Cyrillic}/u);
  for (const part of ['job="web"', 'team: hosting', 'customer: ', 'severity: page', 'https://grafana.example.com/d/']) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('alert: HostingSiteLoadUnusual\n');
});

test('says what replaces each key of the removed settings file', async () => {
  const { code, stderr, text } = await rules('--config.file=thresholds.yml');

  expect(code).toBe(2);
  expect(stderr).toMatch(/^thresholds\.yml: this settings file is no longer supported\. .*alerts.*--selector/);
  expect(text).toBe('');
});

test.each([
  ['--selector=cluster="eu"', 'must contain job'],
  ['--label=my-team=hosting', 'name=value'],
  ['--label=team={{ x }}', 'without quotes|braces'],
  ['--severity=urgent=page', 'critical, warning, info'],
  ['--account-label=my-label', 'not a label name'],
  ['--off=HostingDiskAlmostFul', 'not an alert of these rules'],
  ['--off=HostingDiskAlmostFull:info', 'not an alert of these rules'],
])('refuses %s', async (flag, message) => {
  const { code, stderr } = await rules(flag);

  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(message));
});
