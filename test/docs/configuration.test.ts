import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { accountJsonSchema, configurationJsonSchema, configurationMarkdown } from '../../docs/src/configuration.ts';
import { agencyExample, fleetExample, singleExample } from '../../docs/src/examples.ts';
import { collectors } from '../../src/collectors/list.ts';
import { loadConfig } from '../../src/config/file/load.ts';
import { printedFor } from '../fixtures/command-line.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const docs = join(import.meta.dirname, '../../docs');

const commands = ' init serve once check report history rules sandbox demo hash-password healthy'.split(' ');

const helpPages = new Map(
  await Promise.all(
    commands.map(async (name) => {
      const { stdout } = await printedFor([...(name === '' ? [] : [name]), '--help']);
      return [['hosting-account-exporter', name].join(' ').trimEnd(), stdout] as const;
    }),
  ),
);

test('docs/configuration.md is up to date: run npx vitest run test/docs -u', async () => {
  await expect(configurationMarkdown(helpPages)).toMatchFileSnapshot(join(docs, 'configuration.md'));
});

test('docs/configuration.schema.json is up to date: run npx vitest run test/docs -u', async () => {
  await expect(configurationJsonSchema()).toMatchFileSnapshot(join(docs, 'configuration.schema.json'));
});

test('docs/account.schema.json is up to date: run npx vitest run test/docs -u', async () => {
  await expect(accountJsonSchema()).toMatchFileSnapshot(join(docs, 'account.schema.json'));
});

test('the page lists every collector, and every key with a description and an example', () => {
  const page = configurationMarkdown(helpPages);

  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` \| .* \| .* \| .* \| .* \|$/.test(line));
  expect(rows.filter((row) => !/\| `[^|]*` \|$/.test(row) || /\|\s+\| `[^|]*` \|$/.test(row))).toEqual([]);
  expect(rows).toHaveLength(10 + 11 + 3 + 5 + 2 + 1);
  expect(collectors.filter(({ name, help }) => !page.includes(`| \`${name}\` |`) || !page.includes(help))).toEqual([]);
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
  ['one account', singleExample, ['shop']],
  ['many accounts', agencyExample, ['bakery', 'gallery', 'newspaper']],
])('the example of %s loads without a warning and matches the JSON Schema', async (_, example, names) => {
  const { config, warnings } = await load({ 'config.yml': example });

  expect(config.accounts.map(({ name }) => name)).toEqual(names);
  expect(warnings).toEqual([]);
  expect(issuesOf(configurationJsonSchema(), parse(example))).toEqual([]);
});

test('the example with one file per account loads without a warning and matches the JSON Schemas', async () => {
  const { config, warnings } = await load(fleetExample);

  expect(config.accounts.map(({ name }) => name)).toEqual(['bakery']);
  expect(warnings).toEqual([]);
  expect(issuesOf(configurationJsonSchema(), parse(fleetExample['config.yml']))).toEqual([]);
  expect(issuesOf(accountJsonSchema(), parse(fleetExample['accounts/bakery.yml']))).toEqual([]);
});

/** Where a value breaks a JSON Schema, and which rule. */
function issuesOf(schema: string, value: unknown): readonly string[] {
  const { error } = z.fromJSONSchema(JSON.parse(schema)).safeParse(value);
  return error?.issues.map(({ path, code }) => `${path.join('.')}: ${code}`) ?? [];
}

const login = { name: 'shop', login: 'u1', password: 'hunter2' };

test.each([
  ['no accounts', { web: {} }, [': invalid_union']],
  ['an empty list of accounts', { accounts: [] }, ['accounts: too_small']],
  ['an unknown key', { api: { timout: '30s' }, accounts: [login] }, ['api: unrecognized_keys']],
  ['a duration without a unit', { api: { timeout: '30' }, accounts: [login] }, ['api.timeout: invalid_format']],
  ['an unknown choice', { api: { size_units: 'octal' }, accounts: [login] }, ['api: invalid_union']],
  ['two secrets', { accounts: [{ ...login, token: 'hunter2' }] }, ['accounts.0: invalid_union']],
])('the JSON Schema refuses %s', (_, file, issues) => {
  expect(issuesOf(configurationJsonSchema(), file)).toEqual(issues);
});
