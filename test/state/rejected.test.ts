import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { listening, startProgram, writeSettings } from '../fixtures/program.ts';
import { incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

function savedAccounts(directory: string) {
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.json.gz')) : [];
  return files.map((name) => JSON.parse(gunzipSync(readFileSync(join(directory, name))).toString()));
}

/** Seconds from the first attempt to the second, third and fourth one of a process that runs. */
const attemptsAfter = [5, 25, 85];

it('a program that is killed again and again after its call sends a wrong password no more often than one that runs', async () => {
  const directory = join(temporaryFolder(cleanups), 'state');
  const api = await scriptedApi({ 'mysql/getList': { refuse: 'AUTH_ERROR' } });
  const file = writeSettings(cleanups, {
    api: { base_url: api.baseUrl },
    accounts: [{ name: 'shop', login: 'shop', password: 'wrong' }],
    collectors: Object.fromEntries(collectors.map(({ name }) => [name, { enabled: name === 'databases' }])),
    state: { directory },
  });
  const start = performance.now();

  for (let kill = 0; kill < 4; kill += 1) {
    const { program, page } = await listening(
      startProgram(cleanups, [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0']),
    );
    await until('a refusal', async () => /collector_failing\{.*reason="auth"\} 1/.test(await page()));
    await until('its save', () => savedAccounts(directory)[0]?.rejection?.count === api.calls.length);
    await program.stop('SIGKILL');
  }

  const seconds = (performance.now() - start) / 1000;
  expect(api.calls.length).toBeLessThanOrEqual(1 + attemptsAfter.filter((delay) => seconds > delay).length);
});

describe('without a restart, half a minute before figures are saved', () => {
  it('the end of a rejection is saved with the figures', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const api = await scriptedApi({ 'mysql/getList': { refuse: 'AUTH_ERROR' } });
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
    const { app, idle } = await incarnate(settings, directory);
    app.start();
    const rejected = await until(() => savedAccounts(directory)[0]?.rejection);
    await idle();

    api.answer('mysql/getList', { result: [] });
    await vi.advanceTimersByTimeAsync(6000);
    await until(() => api.calls.length === 2);
    await idle();
    await vi.advanceTimersByTimeAsync(32_000);

    expect(rejected.count).toBe(1);
    await until(() => savedAccounts(directory)[0]?.rejection === undefined);
  });
});
