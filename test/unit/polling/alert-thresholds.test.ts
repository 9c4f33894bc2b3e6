import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/file/load.ts';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import { type PolledAccount, polledAccount } from '../../fixtures/polled-account.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** The only account of a configuration file, with these `alerts`. */
async function accountWith(alerts: readonly string[]): Promise<AccountConfig> {
  const path = join(temporaryFolder(), 'config.yml');
  const written = '{ name: shop, token: hunter2, api: { base_url: http://127.0.0.1:9 }, alerts: ';
  writeFileSync(path, `accounts:\n  - ${written}{ ${alerts.join(', ')} } }\n`, { mode: 0o600 });
  const { config } = await loadConfig(path, {});
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  return account;
}

async function thresholdsShownBy({ series }: PolledAccount): Promise<readonly string[]> {
  const samples = await series('hosting_account_alert_threshold');
  return samples.map(({ labels: { account, alert, severity }, value }) => `${account} ${alert} ${severity} ${value}`);
}

async function thresholdsOnPage(...alerts: readonly string[]): Promise<readonly string[]> {
  return thresholdsShownBy(polledAccount(await accountWith(alerts)));
}

test('the page shows the thresholds that an account overrides, for each severity, and no others', async () => {
  const shown = await thresholdsOnPage(
    'HostingDiskAlmostFull: { warning: 0.9 }',
    'HostingAccountBlockedSoon: { warning: 14, critical: 0 }',
    'HostingDatabaseGrewFast: { info: 3 }',
  );

  expect(new Set(shown)).toEqual(
    new Set([
      'shop HostingDiskAlmostFull warning 0.9',
      'shop HostingAccountBlockedSoon warning 14',
      'shop HostingAccountBlockedSoon critical 0',
      'shop HostingDatabaseGrewFast info 3',
    ]),
  );
});

test('a disabled alert has a threshold that is never crossed, for exactly its severities', async () => {
  const shown = await thresholdsOnPage(
    'HostingDiskAlmostFull: off',
    'HostingDomainExpiring: false',
    'HostingSiteLoadUnusual: off',
  );

  expect(new Set(shown)).toEqual(
    new Set([
      'shop HostingDiskAlmostFull critical Infinity',
      'shop HostingDiskAlmostFull warning Infinity',
      'shop HostingDomainExpiring critical -Infinity',
      'shop HostingDomainExpiring warning -Infinity',
      'shop HostingSiteLoadUnusual info Infinity',
    ]),
  );
});

test('a disabled severity does not affect the others', async () => {
  expect(await thresholdsOnPage('HostingDiskAlmostFull: { critical: off }', 'HostingDiskFillingUp: {}')).toEqual([
    'shop HostingDiskAlmostFull critical Infinity',
  ]);
});
