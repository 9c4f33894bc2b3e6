import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
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

it('an account that a reload adds remembers a rejected password although the next reload changes it before it is restored', async () => {
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
