import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { fakeClock } from '../../fixtures/polled-account.ts';
import { listening, startProgram, writeSettings } from '../../fixtures/program.ts';
import { incarnate } from '../../fixtures/restart.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

/** The first lines of the state files, which contain the sessions. */
function savedSessions(directory: string) {
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.jsonl.gz')) : [];
  const heads = files.map(
    (name) =>
      gunzipSync(readFileSync(join(directory, name)))
        .toString()
        .split('\n')[0] ?? '',
  );
  return heads.map((line) => JSON.parse(line).session);
}

/** Seconds from the first attempt to the second, third and fourth one of a process that runs. */
const attemptsAfter = [5, 25, 85];

describe('a program that is killed again and again', () => {
  it.each<[string, ScriptedAnswer]>([
    ['during its call', 'silence'],
    ['after its call', { refuse: 'AUTH_ERROR' }],
  ])('sends a wrong password no more often than one that runs, if it is killed %s', async (_when, answer) => {
    const directory = join(temporaryFolder(cleanups), 'state');
    const api = await scriptedApi({ 'mysql/getList': answer });
    const file = writeSettings(cleanups, {
      api: { base_url: api.baseUrl },
      accounts: [{ name: 'shop', login: 'shop', password: 'wrong' }],
      collectors: Object.fromEntries(collectors.map(({ name }) => [name, { enabled: name === 'databases' }])),
      state: { directory },
    });
    const start = performance.now();
    const refused: number[] = [];

    for (let kill = 0; kill < 4; kill += 1) {
      const before = api.calls.length;
      const { program, page } = await listening(startProgram(cleanups, [`--config.file=${file}`]));
      const isRefused = async () => /collector_failing\{.*reason="auth"\} 1/.test(await page());
      await until(
        'a call or a refusal',
        async () => (answer === 'silence' && api.calls.length > before) || isRefused(),
      );
      if (api.calls.length === before) refused.push(kill);
      await program.stop('SIGKILL');
    }

    const seconds = (performance.now() - start) / 1000;
    expect(api.calls.length).toBeLessThanOrEqual(1 + attemptsAfter.filter((delay) => seconds > delay).length);
    expect(api.calls.length + refused.length).toBe(4);
  });
});

describe('without a restart, half a minute before figures are saved', () => {
  it.each<[string, ScriptedAnswer]>([
    ['rejection', { refuse: 'AUTH_ERROR' }],
    ['pausedUntil', { refuse: 'LIMIT_ERROR' }],
  ])('a %s of calls that were accepted before is saved at once', async (field, answer) => {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const api = await scriptedApi();
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
    const { app } = await incarnate(settings, directory);
    await app.accounts[0]?.pollOnce();

    api.answer('mysql/getList', answer);
    await app.accounts[0]?.pollOnce();

    await until(() => savedSessions(directory).some((session) => session[field] !== undefined));
  });

  it('the end of a rejection is saved at once', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const api = await scriptedApi({ 'mysql/getList': { refuse: 'AUTH_ERROR' } });
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
    const { app } = await incarnate(settings, directory);
    await app.accounts[0]?.pollOnce();
    const rejected = await until(() => savedSessions(directory)[0]?.rejection);

    api.answer('mysql/getList', { result: [] });
    await vi.advanceTimersByTimeAsync(5000);
    await app.accounts[0]?.pollOnce();

    expect(rejected.count).toBe(1);
    await until(() => savedSessions(directory)[0]?.rejection === undefined);
  });
});
