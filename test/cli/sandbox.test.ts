import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { listen } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/** Runs the command until the test ends. */
async function start(flags: readonly string[]) {
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });
  const ended = run(['sandbox', ...flags], context);
  const finish = () => {
    stop.abort();
    return ended;
  };
  cleanups.add(finish);
  const baseUrl = await until(
    'the address',
    () => /^The sandbox API is at (\S+)\n(?:.*\n)*Try it:\n/m.exec(context.printed.stdout)?.[1],
  );
  return { finish, baseUrl, printed: context.printed };
}

async function controlOf(baseUrl: string): Promise<unknown> {
  return (await fetch(baseUrl.replace(/\/api$/, '/sandbox'))).json();
}

it('serves HTTP until the signal to stop, and prints how to call it', async () => {
  const { finish, baseUrl, printed } = await start(['--port=0', '--dialect=provider', '--speed=60']);

  const [, login = '', passwd = '', url = ''] =
    /^ {2}curl --data-urlencode login=(\S+) --data-urlencode 'passwd=(.*)' (\S+)$/m.exec(printed.stdout) ?? [];
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ login, passwd }) });
  const answer = await response.json();
  const control = await controlOf(baseUrl);

  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(answer).toMatchObject({ status: 'success' });
  expect(control).toMatchObject({ dialect: 'provider', speed: 60 });
  expect(printed.stdout).not.toMatch(/cacert|Certificate/);
  expect(await finish()).toBe(0);
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

it('exits with 3 if its port is in use', async () => {
  const port = await listen(createServer(), cleanups);
  const context = recordedContext();

  expect(await run(['sandbox', `--port=${port}`], context)).toBe(3);
  expect(context.printed.stderr).toMatch(
    new RegExp(`^port ${port}: cannot listen: .*EADDRINUSE.*; choose another port with --port\n$`),
  );
});

it('serves a recording until the signal to stop, and prints where its configuration is', async () => {
  const folder = temporaryFolder(cleanups);
  mkdirSync(join(folder, 'account1'));
  const call = { method: 'mysql/getList', parameters: {}, body: { status: 'success', result: [] } };
  writeFileSync(join(folder, 'account1', '0001.json'), JSON.stringify(call));
  // A stranger's settings and links could reach other servers, variables and files.
  const victim = join(temporaryFolder(cleanups), 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, join(folder, 'replay.yml'));
  const api = { base_url: 'https://evil.example/api', size_units: 'binary', ca_file: '/etc/passwd' };
  const account = { name: 'account1', login: `\${NPM_TOKEN}`, password_file: '/etc/passwd', api };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify({ api, accounts: [account], state: { directory: '/' } }));
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });

  const ended = run(['sandbox', '--port=0', `--replay=${folder}`], context);
  cleanups.add(() => stop.abort());
  const baseUrl = await until('the address', () => /at (\S+),/.exec(context.printed.stdout)?.[1]);
  const response = await fetch(`${baseUrl}/mysql/getList?login=account1&passwd=any`);

  expect(await response.json()).toEqual(call.body);
  expect(context.printed.stdout).toBe(`The recording is served at ${baseUrl}, with its dates moved by 0 days.
Configuration for the exporter: ${join(folder, 'replay.yml')}
`);
  expect(JSON.parse(readFileSync(join(folder, 'replay.yml'), 'utf8'))).toEqual({
    api: { base_url: baseUrl, requests_per_minute: 600 },
    accounts: [{ name: 'account1', login: 'account1', password: 'any', api: { size_units: 'binary' } }],
  });
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  stop.abort();
  expect(await ended).toBe(0);
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

it('exits with 2 for a folder that is no recording, and with 3 if the port of a replay is in use', async () => {
  const folder = temporaryFolder(cleanups);
  const context = recordedContext();

  expect(await run(['sandbox', '--port=0', `--replay=${folder}`], context)).toBe(2);
  mkdirSync(join(folder, 'account1'));
  const port = await listen(createServer(), cleanups);
  expect(await run(['sandbox', `--port=${port}`, `--replay=${folder}`], context)).toBe(3);

  expect(context.printed.stderr).toMatch(
    /^--replay: \S+: is not a recording, because it contains no folder of an account\nport \d+: cannot listen: .*EADDRINUSE/,
  );
});

it.each(['--dialect=provider', '--speed=60', '--tls-cert-file=a.pem'])('refuses %s with --replay', async (flag) => {
  const context = recordedContext();

  expect(await run(['sandbox', flag, '--replay=recording'], context)).toBe(2);

  expect(context.printed.stderr).toContain("option '--replay <folder>' cannot be used with option '");
});
