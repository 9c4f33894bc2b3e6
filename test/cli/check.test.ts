import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { budgetedAccounts, onlyCollectors } from '../fixtures/budgeted-accounts.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { writeSettings } from '../fixtures/program.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

async function checked(
  configFile: string,
  overrides: Parameters<typeof recordedContext>[0] = {},
  flags: string[] = [],
) {
  const context = recordedContext(overrides);
  const code = await run(['check', `--config.file=${configFile}`, ...flags], context);
  return { code, ...context.printed };
}

it('says first what it checks', async () => {
  const api = await scriptedApi();

  const { code, stderr } = await checked(budgetedAccounts(cleanups, api.baseUrl, { budgets: [600, 600] }));

  expect([code, stderr]).toEqual([0, 'Checking 2 collectors of 2 accounts, within the call budget.\n']);
  expect(api.calls).toHaveLength(2);
});

it('prints the warnings of the configuration', async () => {
  const api = await scriptedApi();
  const file = budgetedAccounts(cleanups, api.baseUrl, { budgets: [600] });

  const { stderr } = await checked(file, { environment: { HOSTING_LOGIN: 'other' } });

  expect(stderr).toMatch(/^warning: HOSTING_LOGIN: ignored because of .*\nChecking 1 collector/);
});

it('exits with 1 if only one of two accounts works', async () => {
  const api = await scriptedApi();
  const file = writeSettings(cleanups, {
    api: { base_url: api.baseUrl },
    collectors: onlyCollectors(['databases']),
    accounts: [
      { name: 'a', login: 'a', password: 'secret' },
      { name: 'b', login: 'b', password: 'secret', api: { base_url: 'http://127.0.0.1:9/api' } },
    ],
  });

  const { code, stdout } = await checked(file);

  expect(code).toBe(1);
  expect(stdout).toContain('\n1 of 2 accounts need attention.\n');
});

it('says that it waits because the API asks for a pause', async () => {
  const api = await scriptedApi({ 'user/getAccountInfo': { status: 429, headers: { 'retry-after': '1' } } });
  const file = budgetedAccounts(cleanups, api.baseUrl, { budgets: [600], enabled: ['account', 'databases'] });

  const { stderr } = await checked(file);

  expect(stderr).toMatch(
    /\naccount0: waiting 1 s, until \d\d:\d\d:\d\d UTC, because the API reports too many calls\n$/,
  );
});

it('starts no further accounts after the signal', async () => {
  const api = await scriptedApi({ 'mysql/getList': 'silence' });
  const stop = new AbortController();
  const budgets = Array.from({ length: 25 }, () => 600);
  const checking = checked(budgetedAccounts(cleanups, api.baseUrl, { budgets }), { signal: stop.signal });
  // It checks 20 accounts at a time.
  await until('the calls of 20 accounts', () => api.calls.length === 20);

  stop.abort();
  await checking;
  await api.settle();

  expect(api.calls).toHaveLength(20);
});

describe('check --record', () => {
  const answers = {
    'stat/getDbListLoad': {
      result: ['shop_a', 'shop_b', 'shop_c', 'shop_d'].map((name) => ({ name, cp: 1, plan: 'x' })),
    },
    'stat/getDbLoad': { result: { days: [], note: 'call Ivan', status: 'rebuilding' } },
  };

  async function recordedTo(folder: string, flags: string[] = []) {
    const api = await scriptedApi(answers);
    const enabled = ['database_load', 'database_load_detail'];
    const file = budgetedAccounts(cleanups, api.baseUrl, { budgets: [600], enabled });
    return { api, ...(await checked(file, {}, [`--record=${folder}`, ...flags])) };
  }

  it('calls each item, and prints the substitutes and how to look through the files', async () => {
    const folder = join(temporaryFolder(cleanups), 'recording');

    const { api, code, stdout, stderr } = await recordedTo(folder);

    expect(code).toBe(0);
    expect(api.newCalls().slice(1)).toEqual(['a', 'b', 'c', 'd'].map((name) => `stat/getDbLoad shop_${name}`));
    expect(readdirSync(join(folder, 'account1'))).toHaveLength(5);
    expect(stderr).toContain('\nA recording takes longer: it needs one call per site, database and domain.\n');
    expect(stdout.slice(stdout.indexOf('\nRecorded'))).toBe(`
Recorded 5 answers in ${folder}, with substitutes for 9 different values.
Numbers, dates and documented words are kept.
The documentation does not name 2 fields: plan, note
Kept as words of states, because they are no name of the account elsewhere: rebuilding
If one of them is a name after all, do not send the folder.

Before you send the folder, look through the files and search them for your names:
  less ${folder}/*/*
  grep -ri example.com ${folder}
docs/project/recordings.md describes how to send the folder, and how a developer replays the recording.
`);
  });

  it('names at most 20 unknown fields, and says if an answer contained the password', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`site${index + 1}.example`, 1]));
    const api = await scriptedApi({
      'mysql/getList': { result: unknown },
      'ftp/getList': { result: [{ login: 'a', id: 25_125 }] },
    });
    const file = writeSettings(cleanups, {
      api: { base_url: api.baseUrl },
      collectors: onlyCollectors(['databases', 'ftp_accounts']),
      accounts: [{ name: 'a', login: 'a', password: '25125' }],
    });

    const { stdout } = await checked(file, {}, [`--record=${join(temporaryFolder(cleanups), 'recording')}`]);

    expect(stdout).toContain('\nThe documentation does not name 30 fields: site1.example, ');
    expect(stdout).toContain(', site20.example\n');
    expect(stdout).toContain('\n1 answer contained the password or token. Only the length of such answers is saved.\n');
  });

  it('prints the summary to stderr with --json, so that stdout is JSON', async () => {
    const { stdout, stderr } = await recordedTo(join(temporaryFolder(cleanups), 'recording'), ['--json']);

    expect(JSON.parse(stdout)).toMatchObject([{ account: 'account0' }]);
    expect(stderr).toContain('\nRecorded 5 answers in ');
  });

  it.each([
    ['a folder with files', ''],
    ['a file', 'config.yml'],
  ])('refuses %s before the first call', async (_, name) => {
    const parent = join(budgetedAccounts(cleanups, 'http://127.0.0.1:9/api', { budgets: [600] }), '..');

    const { api, code, stderr } = await recordedTo(join(parent, name));

    expect(code).toBe(2);
    expect(stderr).toContain(': cannot be written: ');
    expect(api.calls).toEqual([]);
  });

  it('refuses --record.shift without --record', async () => {
    const file = budgetedAccounts(cleanups, 'http://127.0.0.1:9/api', { budgets: [600] });

    const { code, stderr } = await checked(file, {}, ['--record.shift=-30']);

    expect([code, stderr]).toEqual([2, '--record.shift: give --record as well\n']);
  });
});
