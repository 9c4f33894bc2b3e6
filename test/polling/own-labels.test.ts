import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/file/load.ts';
import { ConfigError } from '../../src/config/values/config-error.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Loads a configuration whose only account has these labels, written as in YAML. */
async function load(labels: string) {
  const path = join(temporaryFolder(), 'config.yml');
  const account = `{ name: shop, token: hunter2, api: { base_url: http://127.0.0.1:9 }, labels: ${labels} }`;
  writeFileSync(path, `accounts:\n  - ${account}\n`, { mode: 0o600 });
  return (await loadConfig(path, { CUSTOMER: 'from "the" environment' })).config;
}

async function seriesWith(labels: string) {
  const [account] = (await load(labels)).accounts;
  return account === undefined ? [] : polledAccount(account).series('hosting_account_labels');
}

test('the page shows the own labels of an account, with a prefix', async () => {
  const series = await seriesWith(`{ customer: acme, team: "Веб, 2-я линия", plan: "\${CUSTOMER}" }`);

  expect(series).toEqual([
    {
      name: 'hosting_account_labels',
      labels: {
        account: 'shop',
        label_customer: 'acme',
        label_team: 'Веб, 2-я линия',
        label_plan: 'from "the" environment',
      },
      value: 1,
    },
  ]);
});

test('an own label cannot replace the label account', async () => {
  expect(await seriesWith('{ account: other }')).toMatchObject([
    { labels: { account: 'shop', label_account: 'other' } },
  ]);
});

test.each(['{}', 'null'])('without labels (%s) there is no series', async (labels) => {
  expect(await seriesWith(labels)).toEqual([]);
});

test.each([
  ['{ 1st: x }', 'labels: has a key that is not a label name; write up to 50 letters'],
  ['{ "a-b": x }', 'labels: has a key that is not a label name'],
  ['{ __name__: x }', 'labels: has a key that is not a label name'],
  ['{ "имя": x }', 'labels: has a key that is not a label name'],
  ['{ customer: "" }', 'labels: is empty; write a value, or remove the label'],
  ['{ customer: 5 }', 'labels: is not text; put it in quotes'],
  ['{ customer: [a] }', 'is not text; write a single value'],
  [`{ customer: ${'x'.repeat(101)} }`, 'is longer than 100 characters; shorten it'],
  ['{ customer: "a\\nb" }', 'contains an invisible character; remove it'],
  ['[customer]', 'is not a mapping; write lines of "name: value"'],
])('%s is an error that says what to do', async (labels, message) => {
  const error: unknown = await load(labels).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(message);
});
