import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fleetAccounts } from '../../../sandbox/src/accounts/fleet.ts';
import { isInShard } from '../../../src/cli/shard.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import type { Shard } from '../../../src/config/values/config.ts';
import type { Page } from '../../../src/store/page.ts';
import { createWebServer } from '../../../src/web/server.ts';
import { parseCommandLine } from '../../fixtures/command-line.ts';
import { metricsOnly } from '../../fixtures/metrics-only.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { documentedCommands, documentedFile, documentedFiles } from './documented-files.ts';

function writeFiles(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

const prometheusFiles = [...documentedFiles.keys()].filter((name) => name.startsWith('prometheus'));

test.each(prometheusFiles)('%s passes promtool', (name) => {
  const folder = writeFiles({ [name]: documentedFile(name) });
  copyFileSync(join(import.meta.dirname, '../../../alerts/hosting.rules.yml'), join(folder, 'hosting.rules.yml'));

  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(folder, name)], {
    encoding: 'utf8',
  });

  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
});

test('the example of /sd is the output of the exporter', async () => {
  const page = { accounts: new Map([['bakery', undefined]]) } as unknown as Page;
  const server = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(page));

  const answer = await server.inject({ url: '/sd', headers: { host: 'exporter:10380' } });

  expect(JSON.parse(documentedFile('sd.json'))).toEqual(answer.json());
});

test.each(['config.yml', 'config-pair.yml'])('%s loads without a warning', async (name) => {
  const folder = writeFiles({
    [name]: documentedFile(name),
    'accounts/bakery.yml': documentedFile('accounts/bakery.yml'),
    'secrets/bakery': 'hunter2',
  });

  const { config, warnings } = await loadConfig(join(folder, name), {});

  expect(config.accounts.map((account) => account.name)).toEqual(['bakery']);
  expect(warnings).toEqual([]);
  // A pair stays below the 60 calls per minute of the provider.
  if (name === 'config-pair.yml') expect(config.accounts[0]?.api.requestsPerMinute).toBe(15);
});

test('the documented shards together poll each account exactly once', async () => {
  const parsed = await Promise.all(documentedCommands.map((argv) => parseCommandLine(argv)));
  const shards = parsed.flatMap(({ shard }) => (shard === undefined ? [] : [shard as Shard]));

  const pollers = fleetAccounts(1000).map(({ login }) => shards.filter((shard) => isInShard(login, shard)).length);

  expect(shards).toHaveLength(3);
  expect(pollers).toEqual(pollers.map(() => 1));
});
