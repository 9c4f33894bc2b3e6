import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** The errors of a settings file that the command refuses. Fails if the command writes rules. */
async function errorsOf(settings: string): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const configFile = join(folder, 'thresholds.yml');
  const bundle = join(folder, 'alerts');
  writeFileSync(configFile, settings);
  const context = recordedContext();
  expect(await run(['rules', `--config.file=${configFile}`, `--output=${bundle}`], context)).toBe(2);
  expect(existsSync(bundle)).toBe(false);
  return context.printed.stderr.replaceAll(`${folder}/`, '').trimEnd().split('\n');
}

/** The error messages for the settings of one alert, without the path up to the alert's name. */
async function alertErrors(alert: string, settings: string): Promise<readonly string[]> {
  const start = /^thresholds\.yml:\d+:\d+: alerts[.:] ?/;
  return (await errorsOf(`alerts:\n  ${alert}: ${settings}\n`)).map((line) => line.replace(start, ''));
}

test('reports all errors at once with line, column and key, and writes nothing', async () => {
  const errors = await errorsOf(`selector: { cluster: eu }
replica_labels: instance
labels: { my-team: hosting }
severities: { critical: 'a"b' }
runbook_base_url: 5
time_factor: 0
alerts:
  HostingDiskAlmostFull:
    warning: 0.9
    critical: { above: 95% }
  HostingPlanLoadHigh: 0.9
`);

  expect(errors).toEqual([
    'thresholds.yml:1:11: selector: must contain job: without it no alert detects a missing exporter',
    'thresholds.yml:2:17: replica_labels: is not a list; write one such as [instance]',
    'thresholds.yml:3:11: labels: has a key that is not a label name; use letters, digits and _, and do not start with a digit',
    'thresholds.yml:4:25: severities.critical: "a\\"b" is not a valid label value; use text without quotes, backslashes and braces',
    'thresholds.yml:5:19: runbook_base_url: is not a string; put it in quotes',
    'thresholds.yml:6:14: time_factor: "0" is not a number above 0; write one such as 0.02',
    'thresholds.yml:9:14: alerts.HostingDiskAlmostFull.warning: is not a threshold; write one such as { above: 0.85, for: 30m }, or off',
    'thresholds.yml:10:24: alerts.HostingDiskAlmostFull.critical.above: is not a number; write one in the unit of the alert',
    'thresholds.yml:11:24: alerts.HostingPlanLoadHigh: is neither off nor a mapping; write off, or thresholds such as { warning: { above: 0.8, for: 2h } }',
  ]);
});

test.each([
  ['HostingDiskAlmostfull', 'off', 'did you mean "HostingDiskAlmostFull"?'],
  ['HostingNothing', 'off', 'remove it'],
])('reports %s as an unknown alert', async (alert, settings, advice) => {
  expect(await alertErrors(alert, settings)).toEqual([`has an unknown key; ${advice}`]);
});

test.each([
  ['HostingDiskAlmostFull', '{ warning: { abov: 1 } }', 'warning: has an unknown key; did you mean "above"?'],
  ['HostingDiskFillingUp', '{ floor: -1 }', 'floor: "-1" is not a number of 0 or more; write one such as 0.6'],
  [
    'HostingDiskFillingUp',
    '{ warning: two weeks }',
    'warning: is not a threshold; write one such as { below: 14, for: 6h }, or off',
  ],
  [
    'HostingExporterDown',
    '{ warning: 1 }',
    'warning: is neither off nor a mapping; write one such as { for: 15m }, or off',
  ],
  [
    'HostingDiskAlmostFull',
    '{ warning: { for: 30 minutes } }',
    'warning.for: "30 minutes" is not a duration; use Prometheus notation, for example 90m or 1h30m',
  ],
  [
    'HostingDiskAlmostFull',
    '{ keep_firing_for: 15 }',
    'keep_firing_for: is not a duration; use Prometheus notation, for example 15m, or off',
  ],
])('rejects %s: %s with advice', async (alert, settings, message) => {
  expect(await alertErrors(alert, settings)).toEqual([`${alert}.${message}`]);
});

test.each([
  ['HostingDiskAlmostFull', '{ warn: off }', 'warning'],
  ['HostingDiskFillingUp', '{ flor: 0.5 }', 'floor'],
])('suggests a key for %s: %s', async (alert, settings, suggestion) => {
  expect(await alertErrors(alert, settings)).toEqual([`${alert}: has an unknown key; did you mean "${suggestion}"?`]);
});

test('reports thresholds in the wrong order at their alert', async () => {
  expect(await alertErrors('HostingDiskAlmostFull', '{ warning: { above: 0.99 } }')).toEqual([
    'HostingDiskAlmostFull: critical must be above warning, and warning above info',
  ]);
});

test('rejects a list instead of a mapping', async () => {
  expect(await errorsOf('- alerts\n')).toEqual(['thresholds.yml:1:1: is not a mapping; write lines of "key: value"']);
});

test.each([
  ['time_factor: 1\ntime_factor: 2\n', 2],
  ['labels: { team: &a hosting, owner: *b }\n', 1],
])('refuses a file with an error of notation: %j', async (settings, line) => {
  expect(await errorsOf(settings)).toEqual([expect.stringMatching(new RegExp(`^thresholds\\.yml:${line}:\\d+: `))]);
});

/** Runs the command with these settings, if any, and returns what it wrote to a folder that does not exist. */
async function written(settings: string | undefined, flags: readonly string[] = []) {
  const folder = temporaryFolder();
  const output = join(folder, 'one/two/three');
  const configFile = join(folder, 'thresholds.yml');
  if (settings !== undefined) writeFileSync(configFile, settings);
  const context = recordedContext();
  const code = await run(
    ['rules', `--output=${output}`, ...(settings === undefined ? [] : [`--config.file=${configFile}`]), ...flags],
    context,
  );
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return {
    code,
    ...context.printed,
    paths: paths.toSorted(),
    rules: readFileSync(join(output, 'hosting.rules.yml'), 'utf8'),
    hasTemplate: paths.includes(join(output, 'thresholds.yml')),
  };
}

test('prints the path of each file, and writes a template of thresholds', async () => {
  const { code, stdout, stderr, paths, hasTemplate } = await written(undefined);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n').toSorted()).toEqual(paths);
  expect(hasTemplate).toBe(true);
});

test.each([
  ['an empty file', ''],
  ['a long file', `${'# A comment of 32 characters ...\n'.repeat(1000)}time_factor: 1\n`],
])('accepts %s, and writes no template', async (_, settings) => {
  const { code, rules: text, hasTemplate } = await written(settings);

  expect(code).toBe(0);
  expect(text).toContain('alert: HostingDiskAlmostFull');
  expect(hasTemplate).toBe(false);
});

test.each([
  [undefined, [], false],
  ['language: ru\n', [], true],
  ['language: ru\n', ['--language=en'], false],
  ['language: en\n', ['--language=ru'], true],
  [undefined, ['--language=ru'], true],
])('with the settings %j and the flags %j, the texts are in Russian: %s', async (settings, flags, isRussian) => {
  expect(/summary: .*\p{Script=Cyrillic}/u.test((await written(settings, flags)).rules)).toBe(isRussian);
});
