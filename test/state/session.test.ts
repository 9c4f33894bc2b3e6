import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const minute = 60_000;

function contentOf(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json.gz'));
  return files.map((name) => gunzipSync(readFileSync(join(directory, name))).toString()).join('');
}

describe('over restarts', () => {
  it('a rejected password is not repeated before its time, and is not in the state', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const api = await scriptedApi({ 'mysql/getList': { refuse: 'AUTH_ERROR' } });
    const withPassword = (password: string) =>
      config(
        accountConfig({
          api: { baseUrl: api.baseUrl },
          collectors: ['databases'],
          credentials: { kind: 'password', login: 'shop', password: inlineSecret(password) },
        }),
      );
    for (let restart = 0; restart < 10; restart += 1) {
      const { app, idle } = await incarnate(withPassword('rejected-password'), directory);
      app.start();
      if (restart === 0) await until(() => api.calls.length === 1);
      await idle();
      await app.stop();
    }
    const callsWhileClosed = api.calls.length;
    const content = contentOf(directory);

    const { app } = await incarnate(withPassword('changed-password'), directory);
    app.start();
    await until(() => api.calls.length === 2);

    expect(callsWhileClosed).toBe(1);
    expect(content).toContain('"rejection":{"secret":"scrypt ');
    expect(content).not.toContain('rejected-password');
    expect(content).not.toContain(createHash('sha256').update('rejected-password').digest('hex'));
  });

  it('a pause that the API asked for continues, but only for the login that has to pause', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const api = await scriptedApi({ 'mysql/getList': { refuse: 'LIMIT_ERROR' } });
    const account = (login: string, collector: string) =>
      accountConfig({
        name: login,
        credentials: { kind: 'password', login, password: inlineSecret('secret') },
        api: { baseUrl: api.baseUrl },
        collectors: [collector],
      });
    const settings = config(account('blog', 'sites'), account('shop', 'databases'));
    const first = await incarnate(settings, directory);
    await Promise.all(first.app.accounts.map((one) => one.pollOnce()));
    await first.app.stop();
    await vi.advanceTimersByTimeAsync(10_000);

    const second = await incarnate(settings, directory);

    expect(second.app.accounts.map(({ session }) => session.budget.pauseRemaining)).toEqual([0, minute - 10_000]);
  });
});

it('a directory that cannot be written is used as soon as it can be written, and again after it was deleted and could not be created', async () => {
  fakeClock('2026-06-03T12:00:00Z');
  const folder = join(temporaryFolder(), 'folder');
  const directory = join(folder, 'state');
  // A file in place of the folder: the directory cannot be created, not even by root.
  writeFileSync(folder, '');
  const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'base', size: '1 MB' }] } });
  const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
  const { app, value } = await incarnate(settings, directory);
  app.start();
  const saves: (number | undefined)[] = [await value('hosting_exporter_state_save_success')];
  const savesAfter = async (outcome: 0 | 1) => {
    await app.accounts[0]?.pollOnce();
    await vi.advanceTimersByTimeAsync(minute);
    await until(async () => (await value('hosting_exporter_state_save_success')) === outcome);
    saves.push(outcome);
  };

  rmSync(folder);
  await savesAfter(1);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  await savesAfter(0);
  rmSync(folder);
  const failed = Date.now() / 1000;
  await savesAfter(1);
  const saved = await value('hosting_exporter_state_last_save_timestamp_seconds');
  const now = Date.now() / 1000;
  await app.stop();
  const next = await incarnate(settings, directory);

  expect(saves).toEqual([0, 1, 0, 1]);
  expect(saved).toBeGreaterThan(failed);
  expect(saved).toBeLessThanOrEqual(now);
  expect(await next.value('hosting_databases')).toBe(1);
});

function rejectionIn(directory: string) {
  const content = contentOf(directory);
  return content === '' ? undefined : JSON.parse(content).rejection;
}

it('the end of a rejection is saved with the figures', async () => {
  fakeClock('2026-06-03T12:00:00Z');
  const directory = temporaryFolder();
  const api = await scriptedApi({ 'mysql/getList': { refuse: 'AUTH_ERROR' } });
  const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
  const { app, idle } = await incarnate(settings, directory);
  app.start();
  const rejected = await until(() => rejectionIn(directory));
  await idle();

  api.answer('mysql/getList', { result: [] });
  await vi.advanceTimersByTimeAsync(6000);
  await until(() => api.calls.length === 2);
  await idle();
  await vi.advanceTimersByTimeAsync(32_000);

  expect(rejected.count).toBe(1);
  await until(() => rejectionIn(directory) === undefined);
});
