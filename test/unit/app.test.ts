import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { fileNameOf } from '../../src/state/read-state.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A running exporter with one account and a state directory. */
async function runningExporter(directory = temporaryFolder()) {
  fakeClock('2026-06-03T12:00:00Z');
  const api = await scriptedApi();
  const settings = (login: string, maxSeries = 10_000) =>
    config(
      accountConfig({
        api: { baseUrl: api.baseUrl },
        collectors: { databases: { maxSeries } },
        credentials: { kind: 'password', login, password: inlineSecret('secret') },
      }),
    );
  const { app, idle, logLines } = await incarnate(settings('shop'), directory);
  app.start();
  await until(() => api.calls.length === 1);
  await idle();
  const apply = async (...given: Parameters<typeof settings>) => {
    await app.apply(settings(...given));
    await idle();
  };
  return {
    app,
    settings,
    api,
    idle,
    logLines,
    apply,
    settle: () => api.settle(),
    files: () => readdirSync(directory).filter((name) => name.endsWith('.gz')),
  };
}

it('an account that reloads restart leaves no timer behind', async () => {
  const { apply } = await runningExporter();
  await apply('shop', 1);
  const before = vi.getTimerCount();

  for (let reload = 2; reload < 22; reload += 1) await apply('shop', reload);

  // The HTTP client has a few timers of its own.
  expect(vi.getTimerCount()).toBeLessThan(before + 10);
});

it('a failure that lasts is reported again after an hour', async () => {
  const { api, idle, logLines } = await runningExporter();
  api.answer('mysql/getList', { refuse: 'METHOD_FAILED' });
  for (let passed = 0; passed < 2 * hour + 2 * minute; passed += minute) {
    await vi.advanceTimersByTimeAsync(minute);
    await idle();
  }

  const messages = logLines.map((line) => JSON.parse(line).msg);

  expect(messages).toContain('poll failed');
  expect(messages).toContain('polls still fail');
});

it('the state of a removed account is deleted while the exporter runs, but not that of another shard after a reload', async () => {
  const directory = temporaryFolder();
  // The exporter looks at the files by name, so that it deletes this one last.
  const removed = join(directory, `${'f'.repeat(32)}.jsonl.gz`);
  const paths = [join(directory, fileNameOf('elsewhere')), removed];
  const saved = new Date(Date.parse('2026-06-03T12:00:00Z') - 6.5 * day);
  for (const path of paths) {
    writeFileSync(path, '');
    utimesSync(path, saved, saved);
  }
  const { app, settings, settle } = await runningExporter(directory);
  const before = paths.map((path) => existsSync(path));

  await app.apply({ ...settings('shop'), otherAccounts: ['elsewhere'] });
  await vi.advanceTimersByTimeAsync(day - 1);
  await settle();
  const early = existsSync(removed);
  await vi.advanceTimersByTimeAsync(1);
  await until(() => !existsSync(removed));

  expect([...before, early]).toEqual([true, true, true]);
  expect(paths.map((path) => existsSync(path))).toEqual([true, false]);
});

it('all accounts are saved again after the state directory was deleted', async () => {
  fakeClock('2026-06-03T12:00:00Z');
  const directory = join(temporaryFolder(), 'state');
  const api = await scriptedApi();
  const account = (name: string) => accountConfig({ name, api: { baseUrl: api.baseUrl }, collectors: ['databases'] });
  const { app } = await incarnate(config(account('a'), account('b')), directory);
  const untilSaved = async (...names: readonly string[]) => {
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => names.every((name) => existsSync(join(directory, fileNameOf(name)))));
  };
  await Promise.all(app.accounts.map((one) => one.pollOnce()));
  await untilSaved('a', 'b');

  rmSync(directory, { recursive: true });
  await app.accounts[0]?.pollOnce();
  await untilSaved('a');

  await untilSaved('b');
});
