import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { parseArguments } from '../../../src/cli/arguments.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { configurationJsonSchema, configurationMarkdown } from '../../../src/config/documentation.ts';
import { agencyExample, ownerExample } from '../../../src/config/example.ts';
import { loadConfig } from '../../../src/config/load.ts';

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

test('the page names every collector and every key with its meaning and an example', () => {
  const page = configurationMarkdown(helpPage());

  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` \| .* \| .* \| .* \| .* \|$/.test(line));
  expect(rows.filter((row) => !/\| `[^|]*` \|$/.test(row) || /\|\s+\| `[^|]*` \|$/.test(row))).toEqual([]);
  expect(rows).toHaveLength(7 + 9 + 2 + 5 + 2);
  expect(collectors.filter(({ name, help }) => !page.includes(`| \`${name}\` |`) || !page.includes(help))).toEqual([]);
});

const secrets = ['bakery', 'newspaper', 'shop'];

function load(example: string) {
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  mkdirSync(join(folder, 'secrets'));
  for (const name of secrets) writeFileSync(join(folder, 'secrets', name), 'hunter2', { mode: 0o600 });
  const path = join(folder, 'config.yml');
  writeFileSync(path, example.replace('/run/secrets/', 'secrets/'));
  try {
    return loadConfig(path, { GALLERY_PASSWORD: 'hunter2' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each([
  ['owner', ownerExample, ['shop']],
  ['agency', agencyExample, ['bakery', 'gallery', 'newspaper']],
])('the example of the %s loads without a warning, and editors take it', (_, example, names) => {
  const { config, warnings } = load(example);

  expect(config.accounts.map(({ name }) => name)).toEqual(names);
  expect(warnings).toEqual([]);
  expect(
    z.fromJSONSchema(JSON.parse(configurationJsonSchema())).safeParse(parse(example)).error?.issues,
  ).toBeUndefined();
});

test.each([
  ['an unknown key', { timout: '30s' }],
  ['a duration without a unit', { timeout: '30' }],
  ['an unknown choice', { size_units: 'octal' }],
])('editors mark %s', (_, api) => {
  const file = { api, accounts: [{ name: 'shop', login: 'u1', password: 'hunter2' }] };

  expect(z.fromJSONSchema(JSON.parse(configurationJsonSchema())).safeParse(file).success).toBe(false);
});

test.each([
  ['two secrets', { name: 'shop', login: 'u1', password: 'hunter2', token: 'hunter2' }],
  ['no secret', { name: 'shop', login: 'u1' }],
  ['no name', { login: 'u1', password: 'hunter2' }],
])('editors mark an account with %s', (_, account) => {
  const { error } = z.fromJSONSchema(JSON.parse(configurationJsonSchema())).safeParse({ accounts: [account] });

  expect(new Set(error?.issues.map(({ path }) => path.slice(0, 2).join()))).toEqual(new Set(['accounts,0']));
});
