import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Config } from '../../src/config/values/config.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const second = 1000;

/** Settings of accounts with these names. Another `settlingTime` restarts an account, but keeps its figures. */
async function scriptedAccounts(names: readonly string[]) {
  fakeClock('2026-06-03T12:00:00Z');
  const directory = temporaryFolder();
  const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'base', size: '1 MB' }] } });
  const settings = (settlingTime = 0, chosen = names): Config => ({
    ...config(
      ...chosen.map((name) =>
        accountConfig({ name, api: { baseUrl: api.baseUrl, settlingTime }, collectors: ['databases'] }),
      ),
    ),
    stateDirectory: directory,
  });
  const files = () => readdirSync(directory).filter((file) => file.endsWith('.json.gz')).length;
  return { directory, api, settings, files };
}

describe('figures that are not saved yet', () => {
  it.each([
    ['changes', (names: readonly string[]) => [{ names, settlingTime: second }]],
    ['removes', () => [{ names: [], settlingTime: second }]],
    [
      'removes and adds again',
      (names: readonly string[]) => [[], names].map((some) => ({ names: some, settlingTime: second })),
    ],
    [
      'changes twice',
      (names: readonly string[]) => [second, 2 * second].map((settlingTime) => ({ names, settlingTime })),
    ],
  ])('are saved when the process stops, also of accounts that a reload %s before', async (_what, reloadsOf) => {
    const names = Array.from({ length: 20 }, (_, index) => `account-${index}`);
    const { directory, api, settings, files } = await scriptedAccounts(names);
    const { app } = await incarnate(settings(), directory);
    await Promise.all(app.accounts.map((account) => account.pollOnce()));

    for (const reload of reloadsOf(names)) await app.apply(settings(reload.settlingTime, reload.names));
    await app.stop();
    api.newCalls();
    const saved = files();
    const next = await incarnate(settings(), directory);
    next.app.start();
    await next.idle();

    expect(saved).toBe(names.length);
    for (const account of names) expect(await next.value('hosting_databases', { account })).toBe(1);
    expect(api.newCalls()).toEqual([]);
  });

  it('are saved half a minute after the poll although a reload replaces the account meanwhile', async () => {
    const { directory, settings, files } = await scriptedAccounts(['shop']);
    const { app } = await incarnate(settings(), directory);
    app.start();
    await app.accounts[0]?.pollOnce();
    await vi.advanceTimersByTimeAsync(20 * second);

    await app.apply(settings(second));
    await vi.advanceTimersByTimeAsync(12 * second);

    await until(() => files() === 1);
  });
});

describe('an account that a reload adds', () => {
  it('shows its saved figures although the next reload changes it before they are restored', async () => {
    const { directory, api, settings } = await scriptedAccounts(['shop', 'blog']);
    const first = await incarnate(settings(), directory);
    await Promise.all(first.app.accounts.map((account) => account.pollOnce()));
    await first.app.stop();
    api.newCalls();
    const { app, idle, value } = await incarnate(settings(0, []), directory);
    app.start();

    await app.apply(settings());
    await app.apply(settings(second));
    for (const account of ['shop', 'blog']) {
      await until(async () => (await value('hosting_databases', { account })) === 1);
    }
    await vi.advanceTimersByTimeAsync(second);
    await idle();

    expect(api.newCalls()).toEqual([]);
  });

  it('remembers a rejected password although the next reload changes it before it is restored', async () => {
    const { directory, api, settings } = await scriptedAccounts(['shop']);
    api.answer('mysql/getList', { refuse: 'AUTH_ERROR' });
    const first = await incarnate(settings(), directory);
    await first.app.accounts[0]?.pollOnce();
    await first.app.stop();
    api.newCalls();
    const { app, idle } = await incarnate(settings(0, []), directory);
    app.start();

    await app.apply(settings());
    await app.apply(settings(second));
    await until(() => app.accounts[0]?.pollers.some(({ newest }) => newest !== undefined));
    await vi.advanceTimersByTimeAsync(second);
    await idle();

    expect(api.newCalls()).toEqual([]);
  });
});
