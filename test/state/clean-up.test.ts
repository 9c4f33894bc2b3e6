import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { fileNameOf } from '../../src/state/state-file.ts';
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

it('the state of a removed account is deleted while the exporter runs, but not that of another shard after a reload', async () => {
  const directory = temporaryFolder();
  const removed = join(directory, `${'f'.repeat(32)}.json.gz`);
  const paths = [join(directory, fileNameOf('elsewhere')), removed];
  const saved = new Date(Date.parse('2026-06-03T12:00:00Z') - 6.5 * day);
  for (const path of paths) {
    writeFileSync(path, '');
    utimesSync(path, saved, saved);
  }
  const older = join(directory, `${'e'.repeat(32)}.json.gz`);
  writeFileSync(older, '');
  utimesSync(older, 0, 0);
  const { app, settings, settle } = await runningExporter(directory);
  const before = paths.map((path) => existsSync(path));

  await app.apply({ ...settings('shop'), otherAccounts: ['elsewhere'] });
  // The first clean-up ends before the clock jumps to the second one.
  await vi.advanceTimersByTimeAsync(minute);
  await until(() => !existsSync(older));
  await settle();
  vi.setSystemTime(Date.now() + day - 3 * minute);
  await vi.advanceTimersByTimeAsync(minute);
  await settle();
  const early = existsSync(removed);
  await vi.advanceTimersByTimeAsync(minute);
  await until(() => !existsSync(removed));

  expect([...before, early]).toEqual([true, true, true]);
  expect(paths.map((path) => existsSync(path))).toEqual([true, false]);
});
