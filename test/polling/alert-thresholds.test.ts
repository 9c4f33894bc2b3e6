import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/file/load.ts';
import type { AccountConfig } from '../../src/config/values/config.ts';
import { reportAccounts } from '../../src/pages/report.ts';
import { summarize } from '../../src/pages/view/account-summary.ts';
import { thresholds } from '../../src/rules/thresholds.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { viewedAccount } from '../fixtures/viewed-account.ts';

/** The only account of a configuration file, with these `alerts`, and with these `alerts` for all accounts. */
async function accountWith(alerts: readonly string[], forAll: readonly string[] = []): Promise<AccountConfig> {
  const path = join(temporaryFolder(), 'config.yml');
  const written = '{ name: shop, token: hunter2, api: { base_url: http://127.0.0.1:9 }, alerts: ';
  const text = `alerts: { ${forAll.join(', ')} }\naccounts:\n  - ${written}{ ${alerts.join(', ')} } }\n`;
  writeFileSync(path, text, { mode: 0o600 });
  const { config } = await loadConfig(path, {});
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  return account;
}

async function thresholdsOnPage(...alerts: readonly string[]): Promise<readonly string[]> {
  const { series } = polledAccount(await accountWith(alerts));
  const samples = await series('hosting_account_alert_threshold');
  return samples.map(({ labels: { account, alert, severity }, value }) => `${account} ${alert} ${severity} ${value}`);
}

test('the page shows the default thresholds, and the ones that an account overrides', async () => {
  const shown = await thresholdsOnPage(
    'HostingDiskAlmostFull: { warning: 0.9 }',
    'HostingAccountBlockedSoon: { warning: 14, critical: 0 }',
  );

  expect(shown).toEqual(
    expect.arrayContaining([
      'shop HostingDiskAlmostFull critical 0.95',
      'shop HostingDiskAlmostFull warning 0.9',
      'shop HostingAccountBlockedSoon warning 14',
      'shop HostingAccountBlockedSoon critical 0',
      'shop HostingDatabaseGrewFast info 1.5',
    ]),
  );
  expect(shown).toHaveLength(23);
});

test('an alert or a severity that is off has no threshold', async () => {
  const shown = await thresholdsOnPage('HostingDiskAlmostFull: off', 'HostingDomainExpiring: { warning: false }');

  expect(shown.filter((one) => /AlmostFull|DomainExpiring/.test(one))).toEqual([
    'shop HostingDomainExpiring critical 7',
  ]);
});

test('thresholds of the account win over those for all accounts, and these over the defaults', async () => {
  const forAll = ['HostingDiskAlmostFull: { warning: 0.7, critical: 0.8 }', 'HostingSiteLoadUnusual: off'];
  const own = ['HostingDiskAlmostFull: { warning: 0.9 }', 'HostingSiteLoadUnusual: { info: 9 }'];

  const { alerts } = await accountWith(own, forAll);

  const of = (name: string) =>
    alerts.flatMap(({ alert, severity, value }) => (alert === name ? [[severity, value]] : []));
  expect(of('HostingDiskAlmostFull')).toEqual([
    ['critical', 0.8],
    ['warning', 0.9],
  ]);
  expect(of('HostingSiteLoadUnusual')).toEqual([['info', 9]]);
});

test('a changed default changes the metric, the page and the report, which show the same number', async () => {
  const { warning }: { warning: { value: number } } = thresholds.HostingDiskAlmostFull.levels;
  const before = warning.value;
  onTestFinished(() => {
    warning.value = before;
  });
  const figures = {
    account: [
      ['hosting_account_disk_usage_bytes', 60],
      ['hosting_account_disk_limit_bytes', 100],
    ],
  } as const;
  const shown = async () => {
    const account = await accountWith([]);
    const viewed = viewedAccount({ figures, thresholds: account.alerts });
    const { series } = polledAccount(account);
    const [metric] = (await series('hosting_account_alert_threshold')).filter(
      ({ labels }) => labels['alert'] === 'HostingDiskAlmostFull' && labels['severity'] === 'warning',
    );
    const report = await reportAccounts(pageContext(), [viewed], false);
    return [metric?.value, summarize(viewed, Date.now()).disk?.level, report.problems.map(({ text }) => text)];
  };

  const usual = await shown();
  warning.value = 0.5;

  expect([usual, await shown()]).toEqual([
    [before, 'ok', []],
    [0.5, 'warning', ['Disk 60% full']],
  ]);
});
