import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings, startExporter } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';
import { parsePage, seriesValue } from '../oracle/exposition.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

/** Writes files as the kubelet does: into a new folder. Then the link `..data` is replaced by a link to this folder. */
function mount(
  folder: string,
  version: string,
  files: Readonly<Record<string, string>>,
  added: readonly string[],
): void {
  mkdirSync(join(folder, version));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, version, name), text, { mode: 0o600 });
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  for (const name of added) symlinkSync(`..data/${name}`, join(folder, name));
}

it('an account that the kubelet adds to a mounted folder shows its first figures without a restart', async () => {
  const sandbox = await startSandbox({ accounts: fleetAccounts(3), requestsPerMinute: 0 });
  cleanups.add(() => sandbox.close());
  const folder = temporaryFolder(cleanups);
  const [a = '', b = '', c = ''] = sandbox.accounts.map((account) => JSON.stringify(accountSettings(account)));
  mount(folder, '..v1', { 'a.yml': a, 'b.yml': b }, ['a.yml', 'b.yml']);
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 60_000 },
    accounts: [],
    accounts_from: join(folder, '*.yml'),
  };
  const exporter = await startExporter(cleanups, settings, ['--config.auto-reload']);
  const value = async (name: string, labels = {}) =>
    seriesValue(parsePage(await exporter.page('/metrics'), 'text'), name, labels);
  await until('the first polls', async () => expect(await exporter.status('/-/ready')).toBe(200));
  const reloaded = 'hosting_exporter_config_last_reload_success_timestamp_seconds';
  const before = { start: await value('process_start_time_seconds'), reload: await value(reloaded) };
  const account = { account: sandbox.accounts[2]?.login ?? '' };

  mount(folder, '..v2', { 'a.yml': a, 'b.yml': b, 'c.yml': c }, ['c.yml']);
  await until('the new account', async () => expect(await value('hosting_up', account)).toBe(1));

  const reload = (await value(reloaded)) ?? 0;
  const success = await value('hosting_exporter_collector_last_success_timestamp_seconds', {
    ...account,
    collector: 'account',
  });
  expect(reload).toBeGreaterThan(before.reload ?? 0);
  expect(success).toBeGreaterThanOrEqual(Math.floor(reload));
  expect(await value('hosting_account_disk_usage_bytes', account)).toBeGreaterThan(0);
  expect(await value('hosting_exporter_configured_accounts')).toBe(3);
  expect(await value('process_start_time_seconds')).toBe(before.start);
});
