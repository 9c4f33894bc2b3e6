import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkAccount } from '../../../src/check/check.ts';
import { check } from '../../../src/cli/check.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { recordedHost } from '../../fixtures/host.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('shows progress on a terminal, and clears the line at the end', async () => {
  const sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
  onTestFinished(() => sandbox.close());
  const configFile = join(temporaryFolder(), 'config.yml');
  const { login, password } = sandbox.account('blog');
  // JSON is YAML.
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 60_000 },
    accounts: [{ name: login, login, password }],
  };
  writeFileSync(configFile, JSON.stringify(settings), { mode: 0o600 });
  const shown: string[] = [];

  const code = await check(
    { command: 'check', accounts: undefined, json: false, configFile, warnings: [] },
    recordedHost({ stderr: { isTTY: true, write: (text) => shown.push(text) } }),
  );

  const [begin = '', ...lines] = shown;
  const [, total = 'none'] = /^Checking (\d+) collectors/.exec(begin) ?? [];
  const bars = lines.slice(0, -1);
  expect(code).toBe(0);
  expect(bars.map((line) => /^\r\[[#.]{24}\] (\d+)\//.exec(line)?.[1])).toEqual(
    Array.from({ length: Number(total) }, (_, index) => String(index + 1)),
  );
  expect(bars.at(-1)).toContain(`[${'#'.repeat(24)}] ${total}/${total} blog `);
  expect(lines.at(-1)).toMatch(/^\r +\r$/);
});

const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;

/** Checks an account with these collectors, whose API rejects these methods. */
async function checkRejected(names: readonly string[], methods: readonly string[]) {
  const api = await scriptedApi(Object.fromEntries(methods.map((method) => [method, rejected])));
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: names });
  const options = { signal: new AbortController().signal, proxied: false, onProgress: () => {} };
  return { api, result: await checkAccount(config, collectors, options) };
}

it('takes rejections of some sections for missing permissions if another section accepts the credentials', async () => {
  const { result } = await checkRejected(
    ['account', 'databases', 'site_load', 'database_load', 'sites', 'domains', 'ftp_accounts', 'cron_tasks'],
    ['user/getAccountInfo', 'mysql/getList', 'stat/getSitesListLoad', 'stat/getDbListLoad'],
  );

  expect(result.credentials).toBe('accepted');
  expect(result.collectors.map(({ collector, state }) => [collector, state])).toEqual([
    ['account', 'not permitted'],
    ['databases', 'not permitted'],
    ['site_load', 'not permitted'],
    ['database_load', 'not permitted'],
    ['sites', 'ok'],
    ['domains', 'ok'],
    ['ftp_accounts', 'ok'],
    ['cron_tasks', 'ok'],
  ]);
});

it('gives up after three calls if every section rejects the credentials', async () => {
  const { api, result } = await checkRejected(
    ['account', 'databases', 'domains', 'ftp_accounts', 'cron_tasks'],
    ['user/getAccountInfo', 'mysql/getList', 'domain/getList', 'ftp/getList', 'cron/getList'],
  );

  expect(api.newCalls()).toHaveLength(3);
  expect(result.credentials).toBe('rejected');
  expect(result.collectors.filter(({ state }) => state === 'skipped')).toHaveLength(2);
});
