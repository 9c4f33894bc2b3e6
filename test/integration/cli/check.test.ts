import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adviceFor } from '../../../src/api/reason-texts.ts';
import { checkAccount } from '../../../src/check/check.ts';
import { check } from '../../../src/cli/check.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { recordedHost } from '../../fixtures/host.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { freePort } from '../../fixtures/servers.ts';
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
  const options = { signal: new AbortController().signal, proxied: false, onProgress: () => {}, onPause: () => {} };
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

it('names the methods to permit if the API grants permissions per method, and the sections otherwise', async () => {
  const names = ['databases', 'domains', 'mailboxes', 'backups'];
  const forbidden = ['mysql', 'domain/getList', 'backup/getFileList', 'backup/getMysqlList'];
  const adviceIn = async (dialect: 'specification' | 'provider') => {
    const sandbox = await startSandbox({ dialect, speed: 0, requestsPerMinute: 0 });
    onTestFinished(() => sandbox.close());
    for (const entry of forbidden) sandbox.account('shop').forbid(entry);
    const config = accountConfig({ api: { baseUrl: sandbox.baseUrl }, collectors: ['account', ...names] });
    const options = { signal: new AbortController().signal, proxied: false, onProgress: () => {}, onPause: () => {} };
    return (await checkAccount(config, collectors, options)).advice;
  };
  const panel = 'for the API password in the control panel, or disable';

  expect(await adviceIn('specification')).toEqual([
    `Permit mysql/getList ${panel} databases in the configuration.`,
    `Permit domain/getList ${panel} domains, mailboxes in the configuration.`,
    `Permit backup/getFileList ${panel} backups in the configuration.`,
  ]);
  expect(await adviceIn('provider')).toEqual([
    `Tick "MySQL" ${panel} databases in the configuration.`,
    `Tick "domains" ${panel} domains in the configuration.`,
    `Tick "mail" ${panel} mailboxes in the configuration.`,
    `Tick "backups" ${panel} backups in the configuration.`,
  ]);
});

it('fails a collector whose figures are impossible, as a poll does', async () => {
  const api = await scriptedApi({ 'user/getAccountInfo': { result: { user_quota: 5, user_days_to_block: 1e308 } } });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] });
  const options = { signal: new AbortController().signal, proxied: false, onProgress: () => {}, onPause: () => {} };

  const { collectors: results } = await checkAccount(config, collectors, options);

  expect(results).toMatchObject([
    { state: 'failed', reason: 'payload', detail: expect.stringContaining('hosting_account_block_timestamp_seconds') },
  ]);
});

it('gives advice for every collector that does not work', async () => {
  const { result } = await checkRejected(['account', 'databases', 'domains'], ['mysql/getList']);
  const unreachable = accountConfig({ api: { baseUrl: `http://127.0.0.1:${await freePort()}/api` } });
  const options = { signal: new AbortController().signal, proxied: false, onProgress: () => {}, onPause: () => {} };
  const failed = await checkAccount(unreachable, collectors, options);

  for (const { state, advice } of [...result.collectors, ...failed.collectors]) {
    expect(advice === undefined).toBe(state === 'ok');
  }
  expect(failed.advice.join()).toContain(adviceFor('network'));
});

it('says that it waits if the API asks for a pause', async () => {
  const api = await scriptedApi({ 'user/getAccountInfo': { status: 429, headers: { 'retry-after': '1' } } });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases'] });
  const pauses: number[] = [];

  await checkAccount(config, collectors, {
    signal: new AbortController().signal,
    proxied: false,
    onProgress: () => {},
    onPause: (milliseconds) => pauses.push(milliseconds),
  });

  expect(pauses).toHaveLength(1);
  expect(pauses[0]).toBeLessThanOrEqual(1000);
});
