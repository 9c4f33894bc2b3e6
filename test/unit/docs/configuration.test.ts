import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { accountJsonSchema, configurationJsonSchema, configurationMarkdown } from '../../../docs/src/configuration.ts';
import { agencyExample, fleetExample, ownerExample } from '../../../docs/src/examples.ts';
import { parseArguments } from '../../../src/cli/arguments.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { overridableAlerts } from '../../../src/rules/thresholds.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const docs = join(import.meta.dirname, '../../../docs');

function helpPage(): string {
  const parsed = parseArguments(['--help']);
  return parsed.command === 'help' ? parsed.text : '';
}

test('docs/configuration.md is what the schema says', async () => {
  await expect(configurationMarkdown(helpPage())).toMatchFileSnapshot(join(docs, 'configuration.md'));
});

test('docs/configuration.schema.json is what the schema says', async () => {
  await expect(configurationJsonSchema()).toMatchFileSnapshot(join(docs, 'configuration.schema.json'));
});

test('docs/account.schema.json is what the schema says', async () => {
  await expect(accountJsonSchema()).toMatchFileSnapshot(join(docs, 'account.schema.json'));
});

test('the page names every collector and every key with its meaning and an example', () => {
  const page = configurationMarkdown(helpPage());

  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` \| .* \| .* \| .* \| .* \|$/.test(line));
  expect(rows.filter((row) => !/\| `[^|]*` \|$/.test(row) || /\|\s+\| `[^|]*` \|$/.test(row))).toEqual([]);
  expect(rows).toHaveLength(7 + 9 + 5 + 2);
  expect(collectors.filter(({ name, help }) => !page.includes(`| \`${name}\` |`) || !page.includes(help))).toEqual([]);
});

test('the page has a row for every alert that an account may override', () => {
  const page = configurationMarkdown(helpPage());

  expect(page).toContain(
    '| `HostingDiskAlmostFull` | Share of the disk quota that is used. | ratio | at it and above | `critical: 0.95`, `warning: 0.85` |',
  );
  expect(page).toContain('| days | below it | `warning: 14` |');
  expect(
    overridableAlerts.filter(
      ({ alert, description, unit }) => !page.includes(`| \`${alert}\` | ${description} | ${unit} |`),
    ),
  ).toEqual([]);
});

const secrets = ['bakery', 'newspaper', 'shop'];

function load(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const name of ['secrets', 'accounts']) mkdirSync(join(folder, name));
  for (const name of secrets) writeFileSync(join(folder, 'secrets', name), 'hunter2', { mode: 0o600 });
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(join(folder, path), text.replace('/run/secrets/', 'secrets/'));
  }
  return loadConfig(join(folder, 'config.yml'), { GALLERY_PASSWORD: 'hunter2' });
}

test.each([
  ['owner', ownerExample, ['shop']],
  ['agency', agencyExample, ['bakery', 'gallery', 'newspaper']],
])('the example of the %s loads without a warning, and editors take it', (_, example, names) => {
  const { config, warnings } = load({ 'config.yml': example });

  expect(config.accounts.map(({ name }) => name)).toEqual(names);
  expect(warnings).toEqual([]);
  expect(complaintsOf(configurationJsonSchema(), parse(example))).toBeUndefined();
});

test('the example with a file for each account loads without a warning, and editors take its files', () => {
  const { config, warnings } = load(fleetExample);

  expect(config.accounts.map(({ name }) => name)).toEqual(['bakery']);
  expect(warnings).toEqual([]);
  expect(complaintsOf(configurationJsonSchema(), parse(fleetExample['config.yml']))).toBeUndefined();
  expect(complaintsOf(accountJsonSchema(), parse(fleetExample['accounts/bakery.yml']))).toBeUndefined();
});

function complaintsOf(schema: string, value: unknown): readonly z.core.$ZodIssue[] | undefined {
  return z.fromJSONSchema(JSON.parse(schema)).safeParse(value).error?.issues;
}

test.each([
  ['no accounts', { web: {} }],
  ['an empty list of accounts', { accounts: [] }],
  ['an empty list of files', { accounts_from: [] }],
  ['a number for files', { accounts_from: 5 }],
])('editors mark %s', (_, file) => {
  expect(complaintsOf(configurationJsonSchema(), file)).toBeDefined();
});

test.each([
  ['an unknown key', { name: 'shop', token: 'hunter2', api: { timout: '30s' } }],
  ['two secrets', { name: 'shop', token: 'hunter2', token_file: 'token' }],
  ['a list', [{ name: 'shop', token: 'hunter2' }]],
  ['an alert that does not exist', { name: 'shop', token: 'hunter2', alerts: { HostingDiskFull: 'off' } }],
  [
    'a severity that the alert has not',
    { name: 'shop', token: 'hunter2', alerts: { HostingBackupTooOld: { info: 1 } } },
  ],
  ['a share of 90', { name: 'shop', token: 'hunter2', alerts: { HostingPlanLoadHigh: { warning: 90 } } }],
])('editors mark %s in the file of an account', (_, file) => {
  expect(complaintsOf(accountJsonSchema(), file)).toBeDefined();
});

test.each([
  ['an unknown key', { timout: '30s' }],
  ['a duration without a unit', { timeout: '30' }],
  ['an unknown choice', { size_units: 'octal' }],
])('editors mark %s', (_, api) => {
  const file = { api, accounts: [{ name: 'shop', login: 'u1', password: 'hunter2' }] };

  expect(complaintsOf(configurationJsonSchema(), file)).toBeDefined();
});

test.each([
  ['two secrets', { name: 'shop', login: 'u1', password: 'hunter2', token: 'hunter2' }],
  ['no secret', { name: 'shop', login: 'u1' }],
  ['no name', { login: 'u1', password: 'hunter2' }],
])('editors mark an account with %s', (_, account) => {
  const complaints = complaintsOf(configurationJsonSchema(), { accounts: [account] });

  expect(new Set(complaints?.map(({ path }) => path.slice(0, 2).join()))).toEqual(new Set(['accounts,0']));
});
