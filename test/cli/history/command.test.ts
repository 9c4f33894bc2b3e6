import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHistory } from '../../../src/cli/history.ts';
import { run } from '../../../src/cli/run.ts';
import { identityOf } from '../../../src/config/values/identity.ts';
import { StateDirectory } from '../../../src/state/state-directory.ts';
import { cleanups } from '../../fixtures/cleanups.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';
import { writeSettings } from '../../fixtures/program.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const oneSite = { 'stat/getSitesListLoad': { result: [{ id: 1, name: 'site1' }] } } as const;

function daily(values: Readonly<Record<string, number>>): ScriptedAnswer {
  return { result: { days: Object.entries(values).map(([date, value]) => ({ date, value })) } };
}

/** Starts the command with only the history of the sites. */
async function start(answers: Readonly<Record<string, ScriptedAnswer>>, flags: readonly string[] = []) {
  const api = await scriptedApi({ ...oneSite, ...answers });
  const configFile = writeSettings(cleanups, {
    api: { base_url: api.baseUrl, requests_per_minute: 60_000 },
    accounts: ['shop', 'blog'].map((name) => ({ name, login: name, password: 'secret' })),
    collectors: { database_load_detail: { enabled: false } },
  });
  const output = join(temporaryFolder(cleanups), 'history.om');
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });
  const ended = run(
    ['history', `--config.file=${configFile}`, `--output=${output}`, '--account=shop', ...flags],
    context,
  );
  return { api, ended, stop, output, printed: context.printed };
}

describe('history', () => {
  it.each([
    [['--days=1'], 'from 2026-06-02 12:04 UTC to 2026-06-03 09:00 UTC'],
    [['--days=2'], 'from 2026-06-02 00:12 UTC to 2026-06-03 09:00 UTC'],
    [['--days=1', '--until=now'], 'from 2026-06-02 12:04 UTC to 2026-06-03 12:00 UTC'],
    [['--days=1', '--until=2026-06-03T06:00:00Z'], 'from 2026-06-02 12:04 UTC to 2026-06-03 06:00 UTC'],
  ])('with %j contains the samples %s', async (flags, range) => {
    fakeDate('2026-06-03T12:02:00Z');
    const { ended, printed } = await start({ 'stat/getSiteLoad': daily({ '2026-06-01': 7, '2026-06-02': 8 }) }, flags);

    expect(await ended).toBe(0);
    expect(printed.stderr).toContain(`${range}.\n`);
  });

  it('puts the labels job and instance first', async () => {
    fakeDate('2026-06-03T12:02:00Z');
    const flags = ['--label=env=prod', '--label=team=a=b', '--instance=a:1', '--job=web'];
    const { ended, output } = await start({ 'stat/getSiteLoad': daily({ '2026-06-01': 7 }) }, flags);

    expect(await ended).toBe(0);
    expect(readFileSync(output, 'utf8')).toContain('site="site1",job="web",instance="a:1",env="prod",team="a=b"}');
  });

  it('names each impossible value', async () => {
    fakeDate('2026-06-28T12:02:00Z');
    const { ended, printed } = await start({
      'stat/getSiteLoad': daily({ '2026-06-01': 7, '2026-06-10': 1e300, '2026-06-11': 1e300 }),
    });

    expect(await ended).toBe(1);
    // One more line is about the failure of the newest poll.
    expect(printed.stderr.match(/^(?!shop: site_load_detail).*hosting_site_load_daily.*$/gm)).toHaveLength(2);
  });

  it('writes nothing if it is stopped while it asks', async () => {
    const { ended, api, stop, output, printed } = await start({ 'stat/getSiteLoad': 'silence' });
    await until('the call', () => api.calls.some(({ name }) => name === 'stat/getSiteLoad 1'));

    stop.abort();

    expect(await ended).toBe(1);
    expect(existsSync(output)).toBe(false);
    expect(printed.stderr).not.toContain('No values');
  });
});

it('leaves out saved payloads that cannot be read, and names them', async () => {
  fakeDate('2026-06-03T12:02:00Z');
  const account = accountConfig({ collectors: ['site_load_detail'] });
  const directory = temporaryFolder(cleanups);
  const end = Date.parse('2026-06-02T00:00:00Z');
  const row = { period: { start: end - 86_400_000, end }, value: 7 };
  const saved = [
    { hours: [], days: [row] },
    { hours: [], days: 5 },
    { hours: [], days: [row, { ...row, period: { start: end, end: 'later' } }] },
    { hours: [], days: [{ ...row, value: '7' }] },
  ];
  await save(directory, identityOf(account), saved);
  const output = join(temporaryFolder(cleanups), 'history.om');
  const context = recordedContext();

  const code = await writeHistory(
    { ...config(account), stateDirectory: directory },
    { fromState: true, output, days: 30, until: undefined, step: 240_000, targetLabels: { job: 'hosting' } },
    context,
  );

  expect(code).toBe(1);
  expect(context.printed.stderr).toMatch(
    /^shop: 2 site2: the saved load cannot be read\nshop: 3 site3: the saved load cannot be read\nshop: 4 site4: the saved load cannot be read\nWrote /,
  );
  expect(new Set(readFileSync(output, 'utf8').match(/site="[^"]*"/g))).toEqual(new Set(['site="site1"']));
});

/** Saves payloads of the sites 1, 2 … of the account `shop`. */
async function save(directory: string, identity: string, sites: readonly unknown[]): Promise<void> {
  const state = await StateDirectory.open({ directory, log: recordedLog().log });
  const now = Date.now();
  const results = sites.map((payload, index) => {
    const key = JSON.stringify({ site_id: String(index + 1), site: `site${index + 1}` });
    return [key, { payload, answered: now, providerTime: now, complete: true }];
  });
  const collectors = { site_load_detail: { version: 1, runStarted: now, results: Object.fromEntries(results) } };
  state.saveNow({ name: 'shop', unsavedSince: 0, saved: () => ({ account: 'shop', identity, collectors }) });
  await state.close();
}
