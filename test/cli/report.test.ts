import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/file/load.ts';
import type { LogDestination } from '../../src/log.ts';
import { StateDirectory } from '../../src/state/state-directory.ts';
import { dateOf } from '../../src/store/daily-memory.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { dailyMemory } from '../fixtures/daily-memory.ts';
import { passedTimeouts } from '../fixtures/passed-timeouts.ts';
import { accountSettings, writeSettings } from '../fixtures/program.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { httpServer } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

async function report(...flags: readonly string[]) {
  const context = recordedContext();
  const code = await run(['report', ...flags], context);
  return { code, ...context.printed };
}

/** A configuration with the account `blog`, whose password is wrong, and `shop`, whose password is right. */
async function start(settings: object = {}) {
  const sandbox = await openSandbox({}, cleanups);
  const shop = accountSettings(sandbox.account('shop'));
  const file = writeSettings(cleanups, {
    api: { base_url: sandbox.baseUrl, timeout: '60s', requests_per_minute: 60_000 },
    ...settings,
    accounts: [
      { ...accountSettings(sandbox.account('blog')), password: 'wrong' },
      { ...shop, labels: { customer: 'acme' } },
    ],
  });
  return { sandbox, file };
}

/** A running exporter with this configuration, which has polled once. */
async function startExporter(file: string, state?: StateDirectory) {
  const { config } = await loadConfig(file, {});
  const exporter = await startApp(config, { cleanups, state });
  await exporter.app.restore();
  await pollAll(exporter);
  return { app: exporter.app, url: exporter.origin };
}

const rejected = 'blog: The API rejects the login or password\n';

it('polls every account once, also if no figures are saved', async () => {
  const { file } = await start({ state: { directory: temporaryFolder(cleanups) } });

  const { code, stdout, stderr } = await report(`--config.file=${file}`, '--account=blog');

  expect([code, stdout]).toEqual([3, `Your account needs attention\n${rejected}`]);
  expect(stderr).toContain('level=error');
});

it('asks a running exporter, which calls no API for a report', async () => {
  const { file, sandbox } = await start();
  const { url } = await startExporter(file);
  const calls = sandbox.calls.length;

  const { stdout } = await report(`--url=${url}/`, '--language=ru', '--format=json');

  expect(JSON.parse(stdout)).toMatchObject({ accounts: [{ account: 'blog' }, { account: 'shop' }] });
  expect(stdout).toContain('API отклоняет логин или пароль');
  expect(sandbox.calls).toHaveLength(calls);
});

it('selects accounts by name and label', async () => {
  const { file } = await start();
  const { url } = await startExporter(file);
  const accountsOf = async (...flags: readonly string[]) => {
    const { stdout } = await report(`--url=${url}`, '--format=json', ...flags);
    return (JSON.parse(stdout) as { accounts: { account: string }[] }).accounts.map(({ account }) => account);
  };

  expect(await accountsOf('--account=shop')).toEqual(['shop']);
  expect(await accountsOf('--label=customer=acme')).toEqual(['shop']);
  expect(await report(`--url=${url}`, '--label=customer=other')).toMatchObject({
    code: 3,
    stderr: 'error: customer=other: there is no such account\n',
  });
  expect(await report(`--url=${url}`, '--account=blog', '--label=customer=acme')).toMatchObject({ code: 3 });
  expect(await report(`--url=${url}`, '--label=customer=acme', '--label=team=web')).toMatchObject({ code: 3 });
});

it('says each problem once with --new, until it has ended', async () => {
  const { file } = await start();
  const { url } = await startExporter(file);
  const memory = join(temporaryFolder(cleanups), 'report.json');
  const flags = [`--url=${url}`, '--account=blog', `--new=${memory}`];

  const first = await report(...flags);
  const second = await report(...flags);
  const open = JSON.parse(readFileSync(memory, 'utf8'));
  writeFileSync(memory, JSON.stringify([...open, { ...open[0], kind: 'domain', item: 'a', collectors: ['none'] }]));
  const third = await report(...flags);

  expect([first.code, first.stdout]).toEqual([3, `Your account needs attention\nnew: ${rejected}`]);
  expect([second.code, second.stdout]).toEqual([0, '']);
  expect([third.code, third.stdout]).toEqual([0, `Your account needs attention\nended: ${rejected}`]);
});

it('says what changed since the days that an exporter remembers', async () => {
  const directory = temporaryFolder(cleanups);
  const { sandbox, file } = await start({ state: { directory } });
  const { log } = recordedLog();
  const state = await StateDirectory.open({ directory, log });
  const { app, url } = await startExporter(file, state);
  const account = app.fleet.byName.get('shop') ?? expect.fail('there is no account shop');
  const lists = { 1: { domains: { 'gone.example': 1 } }, 7: { domains: { 'lost.example': 1 } } };
  account.memory = dailyMemory({ date: dateOf(Date.now(), account.timeZone), disk: [1, 1], lists });
  state.saveNow(account);
  const calls = sandbox.calls.length;

  const asked = await report(`--url=${url}`, '--account=shop');

  expect(asked.stdout).toMatch(/\n\nSince yesterday:\n(?:shop: .*\n)*shop: Domains: − gone.example\n/);
  expect(asked.stdout).toMatch(/\n\nSince last week:\n(?:shop: .*\n)*shop: Domains: − lost.example\n/);
  expect(sandbox.calls).toHaveLength(calls);
  expect((await report(`--config.file=${file}`)).stdout).toContain('shop: Domains: − gone.example');
});

it('says once with --new why there is no report, and when there is one again', async () => {
  const { file } = await start();
  const memory = join(temporaryFolder(cleanups), 'report.json');
  const { app, url } = await startExporter(file);
  await app.listeners.close();
  const flags = ['--account=shop', `--new=${memory}`];

  const first = await report(`--url=${url}`, ...flags);
  const second = await report(`--url=${url}`, ...flags);
  const other = await report(`--config.file=${file}.none`, ...flags);
  const again = await startExporter(file);
  const back = await report(`--url=${again.url}`, ...flags);
  const later = await report(`--url=${again.url}`, ...flags);

  expect([first.code, first.stderr]).toEqual([3, expect.stringMatching(/^error: http.*\n$/)]);
  expect(second).toEqual({ code: 0, stdout: '', stderr: '' });
  expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('does not exist')]);
  expect([back.code, back.stdout]).toEqual([0, expect.stringMatching(/\nended: .*does not exist.*\n$/)]);
  expect(later).toEqual({ code: 0, stdout: '', stderr: '' });
});

it.each(['EPIPE', 'ENOSPC'])('repeats with --new what was not delivered because of %s', async (code) => {
  const { file } = await start();
  const { url } = await startExporter(file);
  const flags = [`--url=${url}`, '--account=blog', `--new=${join(temporaryFolder(cleanups), 'report.json')}`];
  const write: LogDestination['write'] = (_, done) => done?.(Object.assign(new Error('write'), { code }));
  const context = recordedContext({ stdout: { write } });

  expect(await run(['report', ...flags], context)).toBe(3);
  expect(context.printed.stderr).toMatch(new RegExp(`^output: cannot be written: ${code}: .+; .+\n$`));
  expect(await report(...flags)).toMatchObject({ code: 3, stdout: expect.stringContaining(`new: ${rejected}`) });
});

it.each(['http://u:hunter2@127.0.0.1:1', 'u:hunter2@exporter'])('does not show the password in %s', async (url) => {
  const { code, stdout, stderr } = await report(`--url=${url}`, '--format=nagios');

  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain('hunter2');
  expect(stderr).toContain('--url: contains a login, which would be shown; write user:password in a file');
});

it('says what to do about a login file that it cannot read', async () => {
  const { stderr } = await report('--url=http://127.0.0.1:1', '--url.login-file=/none');

  expect(stderr).toBe('error: --url.login-file: /none does not exist; create it, or correct the path\n');
});

it('refuses a memory that it cannot read, and keeps it', async () => {
  const { file } = await start();
  const { url } = await startExporter(file);
  const memory = join(temporaryFolder(cleanups), 'report.json');
  writeFileSync(memory, 'other');

  const { code, stderr } = await report(`--url=${url}`, `--new=${memory}`);

  expect([code, stderr]).toEqual([
    3,
    `error: ${memory} contains no report; delete the file, or name another file for --new\n`,
  ]);
  expect(readFileSync(memory, 'utf8')).toBe('other');
});

it('sends the login of the file', async () => {
  const logins: (string | undefined)[] = [];
  const url = await httpServer((request, response) => {
    logins.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  const file = join(temporaryFolder(cleanups), 'login');
  writeFileSync(file, 'user:пароль\n');

  const { code, stderr } = await report(`--url=${url}`, `--url.login-file=${file}`);

  expect([code, stderr]).toEqual([3, `error: ${url}: status 401\n`]);
  expect(logins).toEqual([`Basic ${Buffer.from('user:пароль').toString('base64')}`]);
  expect((await report('--url=http://exporter.example', `--url.login-file=${file}`)).stderr).toContain(
    'sends the password unencrypted',
  );
});

it('gives a running exporter twenty seconds to answer', async () => {
  const url = await httpServer(() => {});
  const timeouts = passedTimeouts();

  const { code, stderr } = await report(`--url=${url}`);

  expect([code, stderr]).toEqual([3, `error: ${url}: The operation was aborted due to timeout\n`]);
  expect(timeouts).toEqual([20_000]);
});

it('is UNKNOWN for a monitoring system if the exporter does not answer', async () => {
  const { code, stdout } = await report('--url=http://127.0.0.1:1', '--format=nagios');

  expect(code).toBe(3);
  expect(stdout).toMatch(/^HOSTING UNKNOWN: error: http:\/\/127\.0\.0\.1:1: .+\n$/);
  expect(stdout.split('\n')).toHaveLength(2);
});

it('has one line for a monitoring system if the configuration has several errors', async () => {
  const file = writeSettings(cleanups, { accounts: 1, web: 2, api: 3 });

  const { code, stdout } = await report(`--config.file=${file}`, '--format=nagios');

  expect(code).toBe(3);
  expect(stdout).toMatch(/^HOSTING UNKNOWN: .*accounts.*web.*\n$|^HOSTING UNKNOWN: .*web.*accounts.*\n$/);
});
