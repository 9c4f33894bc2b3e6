import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forHistory, writeHistory } from '../../../src/cli/history.ts';
import { run } from '../../../src/cli/run.ts';
import type { Config } from '../../../src/config/values/config.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { incarnate } from '../../fixtures/restart.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const minute = 60_000;
const day = 86_400_000;
const targetLabels = { job: 'hosting', instance: 'exporter:10380' };
const loads = ['site_load', 'database_load', 'site_load_detail', 'database_load_detail'];

function dateOf(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * day).toISOString().slice(0, 10);
}

const twoSites: Readonly<Record<string, ScriptedAnswer>> = {
  'stat/getSitesListLoad': { result: [1, 2].map((id) => ({ id, name: `site${id}` })) },
  'stat/getSiteLoad': { result: { days: [{ date: dateOf(3), value: 7 }] } },
};

/** Writes a history, and returns what was printed and the file. */
async function written(settings: Config, changed: Partial<Parameters<typeof writeHistory>[1]> = {}) {
  const output = join(temporaryFolder(), 'history.om');
  const range = { fromState: false, days: 30, until: undefined, step: 4 * minute, targetLabels, output, ...changed };
  const context = recordedContext();
  const code = await writeHistory(forHistory(settings), range, context);
  const text = existsSync(output) ? readFileSync(output, 'utf8') : undefined;
  const sites = [...new Set(text?.match(/site="[^"]+"/g))];
  return { code, printed: context.printed.stderr.replaceAll(output, 'FILE'), text, sites };
}

describe('the history', () => {
  it('calls only the load methods', async () => {
    const api = await scriptedApi(twoSites);
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl } }));

    const { code, printed, sites } = await written(settings);

    expect(code).toBe(0);
    expect(printed).toMatch(
      /^Reading the sites and databases of 1 account, then the load of each site and database, within the call budget\.\nWrote FILE: 2160 samples of 6 series, from .* UTC to .* UTC\.\n$/,
    );
    expect(sites).toEqual(['site="site1"', 'site="site2"']);
    expect(api.newCalls().toSorted()).toEqual([
      'stat/getDbListLoad',
      'stat/getSiteLoad 1',
      'stat/getSiteLoad 2',
      'stat/getSitesListLoad',
    ]);
  });

  it('contains what the API answered if one call fails, names the failure, and exits with 1', async () => {
    const api = await scriptedApi({
      ...twoSites,
      'stat/getSiteLoad 2': { refuse: 'METHOD_FAILED', text: 'no such site' },
    });
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl } }));

    const { code, printed, sites } = await written(settings);

    expect(code).toBe(1);
    expect(printed).toMatch(/^shop: site_load_detail: .*no such site.*\n {2}-> \w/m);
    expect(sites).toEqual(['site="site1"']);
  });

  it.each(['stat/getSitesListLoad', 'stat/getSiteLoad 2'])('repeats %s once if it fails', async (call) => {
    const api = await scriptedApi({ ...twoSites, [call]: { status: 500 } });
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl } }));

    const { code } = await written(settings);

    expect(code).toBe(1);
    expect(api.newCalls().filter((name) => name === call)).toHaveLength(2);
  });

  it('is not written without any value, and keeps the previous file', async () => {
    const api = await scriptedApi({ 'stat/getSitesListLoad': { refuse: 'AUTH_ERROR', text: 'wrong password' } });
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['site_load_detail'] }));
    const output = join(temporaryFolder(), 'history.om');
    writeFileSync(output, 'previous\n');

    const { code, printed } = await written(settings, { output });

    expect(code).toBe(1);
    expect(printed).toContain('shop: site_load_detail: stat/getSitesListLoad: AUTH_ERROR: wrong password\n  -> Check');
    expect(printed).toMatch(new RegExp(`^No values from .* to .* UTC: ${output} is not written\\.$`, 'm'));
    expect(readFileSync(output, 'utf8')).toBe('previous\n');
  });
});

describe('with --from-state', () => {
  it('uses the saved answers, and calls no method', async () => {
    const days = [{ date: dateOf(3), value: 8 }];
    const apis = {
      shop: await scriptedApi(twoSites),
      blog: await scriptedApi({ ...twoSites, 'stat/getSiteLoad': { result: { days } } }),
    };
    const directory = temporaryFolder();
    const settings = config(
      ...Object.entries(apis).map(([name, { baseUrl }]) =>
        accountConfig({ name, api: { baseUrl }, collectors: loads }),
      ),
    );
    const exporter = await incarnate(settings, directory);
    exporter.app.start();
    await Promise.all(exporter.app.accounts.map((account) => account.pollOnce()));
    await exporter.app.stop();
    const called = await written(settings);
    for (const api of Object.values(apis)) api.newCalls();

    const { code, text, printed } = await written({ ...settings, stateDirectory: directory }, { fromState: true });

    expect(code).toBe(0);
    expect(text).toBe(called.text);
    expect(printed).toMatch(/^Wrote /);
    expect([...apis.shop.newCalls(), ...apis.blog.newCalls()]).toEqual([]);
  });

  it('names each account that the directory lacks', async () => {
    const accounts = ['shop', 'blog'].map((name) => accountConfig({ name }));
    const settings = { ...config(...accounts), stateDirectory: temporaryFolder() };

    const { code, printed } = await written(settings, { fromState: true });

    expect(code).toBe(1);
    for (const { name } of accounts)
      expect(printed).toContain(`${name}: ${settings.stateDirectory} has no load of this account`);
  });

  it('needs a state directory', async () => {
    await expect(written(config(accountConfig()), { fromState: true })).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining('state.directory'),
    });
  });
});

it('is refused if both collectors are disabled', async () => {
  const configFile = join(temporaryFolder(), 'config.yml');
  const settings = {
    api: { base_url: 'http://127.0.0.1:9/api' },
    accounts: [{ name: 'shop', login: 'u1', password: 'secret-of-shop' }],
    collectors: { site_load_detail: { enabled: false }, database_load_detail: { enabled: false } },
  };
  writeFileSync(configFile, JSON.stringify(settings), { mode: 0o600 });
  const context = recordedContext();

  const code = await run(['history', `--config.file=${configFile}`, '--output=/nowhere'], context);

  expect(code).toBe(2);
  expect(context.printed.stderr).toBe(
    'error: nothing to write, because the collectors site_load_detail and database_load_detail are disabled\n',
  );
});
