import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { derive } from '../../src/rules/derive.ts';
import { inFolder, testRules } from './run-tool.ts';

const files = derive({ selector: 'job="web",cluster="eu"', accountLabels: ['customer', 'team'] });

const target = 'job="web",cluster="eu",instance="a"';

/** Firing alerts with some of their labels at a minute. */
function firing(minute: number, expected: readonly string[]) {
  return {
    expr: 'group by (alertname, account, customer, team) (ALERTS{alertstate="firing",alertname=~"HostingDiskAlmostFull|HostingAccountMissing"})',
    eval_time: `${minute}m`,
    exp_samples: expected.map((labels) => ({ labels, value: 1 })),
  };
}

/** Runs promtool on the rules. `series` by name and labels of one exporter. */
async function problems(series: Readonly<Record<string, string>>, ...tests: readonly object[]): Promise<string> {
  const input = Object.entries({ 'up{}': '1+0x200', ...series }).map(([name, values]) => ({
    series: name.replace(/\{/, `{${target},`).replace(',}', '}'),
    values,
  }));
  const suite = {
    rule_files: ['hosting.rules.yml'],
    evaluation_interval: '2m',
    tests: [{ interval: '1m', input_series: input, promql_expr_test: tests }],
  };
  return inFolder([...files, ['suite.yml', stringify(suite)]], async (folder) => {
    const { code, output } = await testRules(join(folder, 'suite.yml'));
    return code === 0 ? '' : output;
  });
}

/** An account whose disk is full. */
function full(account: string, minutes = 200): Readonly<Record<string, string>> {
  return {
    [`hosting_up{account="${account}"}`]: `1+0x${minutes}`,
    [`hosting_exporter_collector_success{account="${account}",collector="account"}`]: `1+0x${minutes}`,
    [`hosting_account_disk_usage_bytes{account="${account}"}`]: `100+0x${minutes}`,
    [`hosting_account_disk_limit_bytes{account="${account}"}`]: `100+0x${minutes}`,
    [`hosting_account_alert_threshold{account="${account}",alert="HostingDiskAlmostFull",severity="critical"}`]: `0.95+0x${minutes}`,
  };
}

test('alerts get the chosen labels of their account, and none where it lacks them', async () => {
  const output = await problems(
    {
      ...full('shop'),
      ...full('blog'),
      ...full('plain'),
      'hosting_account_labels{account="shop",label_customer="acme",label_team="web",label_other="x"}': '1+0x200',
      'hosting_account_labels{account="blog",label_customer="Кофейня \\"Зёрна\\""}': '1+0x200',
    },
    firing(60, [
      '{alertname="HostingDiskAlmostFull",account="shop",customer="acme",team="web"}',
      '{alertname="HostingDiskAlmostFull",account="blog",customer="Кофейня \\"Зёрна\\"",team="none"}',
      '{alertname="HostingDiskAlmostFull",account="plain",customer="none",team="none"}',
    ]),
  );

  expect(output).toBe('');
});

test('alerts keep the labels over failed scrapes and while no exporter reports the account', async () => {
  const output = await problems(
    {
      ...full('shop', 100),
      'hosting_account_labels{account="shop",label_customer="acme",team="none"}': '1+0x60 stale _x6 1+0x32 stale',
    },
    ...[60, 64, 70, 120].map((minute) =>
      firing(minute, ['{alertname="HostingDiskAlmostFull",account="shop",customer="acme",team="none"}']),
    ),
    firing(140, [
      '{alertname="HostingDiskAlmostFull",account="shop",customer="acme",team="none"}',
      '{alertname="HostingAccountMissing",account="shop",customer="acme",team="none"}',
    ]),
  );

  expect(output).toBe('');
});

test('a changed label takes effect at once', async () => {
  const output = await problems(
    {
      ...full('shop'),
      'hosting_account_labels{account="shop",label_customer="acme",team="none"}': '1+0x60 stale',
      'hosting_account_labels{account="shop",label_customer="globex"}': '_x61 1+0x139',
    },
    firing(60, ['{alertname="HostingDiskAlmostFull",account="shop",customer="acme",team="none"}']),
    {
      expr: 'count by (customer) (account:hosting_account_labels:group * on (account) group_left (customer) label_replace(account:hosting_account_labels:group, "customer", "$1", "label_customer", "(.+)"))',
      eval_time: '62m',
      exp_samples: [{ labels: '{customer="globex"}', value: 1 }],
    },
  );

  expect(output).toBe('');
});

test('without the setting, the rules contain neither labels of accounts nor their record', () => {
  const rules = derive().get('hosting.rules.yml') ?? '';

  expect(rules).toContain('- alert: HostingDiskAlmostFull\n');
  expect(rules).not.toContain('hosting_account_labels');
});
