import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/file/load.ts';
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
