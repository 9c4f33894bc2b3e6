import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { writeSettings } from '../fixtures/program.ts';
import { type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { get, webConfigFolder } from '../fixtures/secured-app.ts';
import { freePort, listen } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

function settingsOf({ baseUrl }: Pick<ScriptedApi, 'baseUrl'>, ...names: readonly string[]) {
  return {
    api: { base_url: baseUrl, requests_per_minute: 60_000 },
    accounts: names.map((name) => ({ name, login: name, password: 'secret' })),
  };
}

const local = '--web.listen-address=127.0.0.1:0';

/** Starts the command in this process. It is stopped at the end of the test. */
function start(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController();
  const listeners: (() => void)[] = [];
  const context = recordedContext({
    environment,
    signal: stop.signal,
    onReload: (listener) => listeners.push(listener),
  });
  const ended = run([...flags], context);
  const finish = () => {
    stop.abort();
    return ended;
  };
  cleanups.add(finish);
  const log = () => context.printed.stderr;
  return {
    ended,
    finish,
    log,
    /** Sends the signal to reload. */
    hangUp: async () => {
      await until('the listener', () => listeners.length > 0);
      for (const listener of listeners) listener();
    },
    /** Waits for a line of the log. */
    logged: (text: string) => until(text, () => log().includes(text)),
    /** The fields of the log line about the start. */
    started: async (): Promise<Readonly<Record<string, string>>> => {
      const line = await until('the start', () => /^.*msg=started.*$/m.exec(log())?.[0]);
      return Object.fromEntries(
        [...line.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, key = '', value = '']) => [key, value]),
      );
    },
  };
}

/** Starts the command with a configuration file. */
function startWith(settings: unknown, flags: readonly string[] = [], environment?: Readonly<Record<string, string>>) {
  const file = writeSettings(cleanups, settings);
  return { file, ...start([`--config.file=${file}`, local, ...flags], environment) };
}

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  return (await fetch(url, init)).status;
}

describe('serve', () => {
  it('polls and serves until the signal to stop, and logs both', async () => {
    const api = await scriptedApi();
    const exporter = startWith(settingsOf(api, 'shop', 'blog'), ['--web.telemetry-path=/m']);

    const { version, config, accounts, metrics = '', others, health } = await exporter.started();
    await until('ready', async () => (await statusOf(new URL('/-/ready', metrics).href)) === 200);
    const page = await (await fetch(metrics)).text();
    const status = await (await fetch(new URL('/status', metrics))).text();
    const code = await exporter.finish();

    expect({ version, config, accounts }).toEqual({ version: '1.2.3', config: exporter.file, accounts: '2' });
    expect([others, health]).toEqual([undefined, undefined]);
    expect(metrics).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/m$/);
    expect(page).toContain('hosting_up{account="blog"} 1\n');
    expect(page).toMatch(/^process_/m);
    expect(status).toContain(`<code>${exporter.file}</code>`);
    expect(code).toBe(0);
    expect(exporter.log()).toMatch(/level=info msg=stopping\n.*level=info msg=stopped\n$/);
    await expect(fetch(metrics)).rejects.toThrow('fetch failed');
  });

  it('omits the metrics of the process with --web.disable-exporter-metrics', async () => {
    const exporter = startWith(settingsOf(await scriptedApi(), 'shop'), ['--web.disable-exporter-metrics']);

    const { metrics = '' } = await exporter.started();

    expect(await (await fetch(metrics)).text()).not.toMatch(/^(?:process|nodejs)_/m);
  });

  it('takes one account from the environment', async () => {
    const environment = { HOSTING_BASE_URL: 'http://127.0.0.1:9/api', HOSTING_LOGIN: 'shop', HOSTING_PASSWORD: 'x' };
    const exporter = start([local], environment);

    expect(await exporter.started()).toMatchObject({ config: 'environment', accounts: '1' });
  });

  it('listens on all addresses, and on another address for probes', async () => {
    const flags = ['--web.listen-address=127.0.0.1:0', '--web.health-address=127.0.0.1:0'];
    const exporter = startWith(settingsOf(await scriptedApi(), 'shop'), flags);

    const { metrics = '', others = '', health = '' } = await exporter.started();

    expect(new Set([metrics, others, health].map((url) => new URL(url).port)).size).toBe(3);
    expect(await statusOf(metrics)).toBe(200);
    expect(await statusOf(new URL('/metrics', others).href)).toBe(200);
    expect(await statusOf(new URL('/-/healthy', health).href)).toBe(200);
    expect(await statusOf(new URL('/metrics', health).href)).toBe(404);
  });

  it('exits with 3 if one of its addresses is in use, and frees the others and the state directory', async () => {
    const taken = await listen(createServer(), cleanups);
    const free = await freePort();
    const directory = temporaryFolder(cleanups);
    const settings = { ...settingsOf(await scriptedApi(), 'shop'), state: { directory } };
    const exporter = start([
      `--config.file=${writeSettings(cleanups, settings)}`,
      ...[`--web.listen-address=127.0.0.1:${free}`, `--web.listen-address=127.0.0.1:${taken}`],
    ]);

    expect(await exporter.ended).toBe(3);
    expect(exporter.log()).toMatch(
      new RegExp(
        `^127\\.0\\.0\\.1:${taken}: cannot listen: .*EADDRINUSE.*; choose another address with --web.listen-address\n$`,
      ),
    );
    await expect(fetch(`http://127.0.0.1:${free}/`)).rejects.toThrow('fetch failed');
    expect(readdirSync(directory).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it('exits with 2 if the URL of the proxy is wrong, without its password', async () => {
    // The user name of this URL cannot be decoded.
    vi.stubEnv('HTTP_PROXY', 'http://us%er:pass@127.0.0.1:3128');
    onTestFinished(() => void vi.unstubAllEnvs());
    const exporter = startWith(settingsOf(await scriptedApi(), 'shop'));

    expect(await exporter.ended).toBe(2);
    expect(exporter.log()).toMatch(/^HTTP_PROXY: is not the URL of a proxy; (?!.*pass@).*\n$/m);
  });

  it('logs the warnings of both files', async () => {
    const webConfig = join(temporaryFolder(cleanups), 'web.yml');
    writeFileSync(webConfig, `basic_auth_users: { alice: "$2b$10$${'a'.repeat(53)}" }\n`);
    const exporter = startWith(settingsOf(await scriptedApi(), 'shop'), [`--web.config.file=${webConfig}`], {
      HOSTING_LOGIN: 'other',
    });

    const { metrics = '' } = await exporter.started();

    expect(exporter.log()).toContain('warning="HOSTING_LOGIN: ignored');
    expect(exporter.log()).toContain('basic_auth_users: are sent unencrypted');
    expect(await statusOf(metrics)).toBe(401);
  });

  it('reports the errors of both files together', async () => {
    const webConfig = join(temporaryFolder(cleanups), 'web.yml');
    writeFileSync(webConfig, 'users: {}\n');
    const exporter = startWith({ accounts: [] }, [`--web.config.file=${webConfig}`]);

    expect(await exporter.ended).toBe(2);
    expect(exporter.log()).toContain(`${exporter.file}:1:13: accounts: is empty`);
    expect(exporter.log()).toContain(`${webConfig}:1:1: has an unknown key`);
  });
});

describe('a reload', () => {
  it('happens at each signal', async () => {
    const api = await scriptedApi();
    const exporter = startWith(settingsOf(api, 'shop'));
    await exporter.started();

    writeFileSync(exporter.file, JSON.stringify(settingsOf(api, 'shop', 'blog')));
    await exporter.hangUp();

    await exporter.logged('msg="configuration reloaded" accounts=2 added=blog');
  });

  it('happens when an account appears, with --config.auto-reload', async () => {
    const { api, accounts } = settingsOf(await scriptedApi(), 'shop', 'blog');
    const folder = temporaryFolder(cleanups);
    const add = (index: number) =>
      writeFileSync(join(folder, `${index}.yml`), JSON.stringify(accounts[index]), { mode: 0o600 });
    add(0);
    const settings = { api, accounts: [], accounts_from: join(folder, '*.yml') };
    const exporter = startWith(settings, ['--config.auto-reload']);
    const { metrics = '' } = await exporter.started();

    add(1);

    await until('the new account', async () =>
      (await (await fetch(metrics)).text()).includes('hosting_up{account="blog"} 1'),
    );
  });

  it('waits for the start, and is pointless if that fails', async () => {
    const valid = startWith(settingsOf(await scriptedApi(), 'shop'));
    const invalid = startWith({ accounts: [] });

    await Promise.all([valid.hangUp(), invalid.hangUp()]);

    await valid.logged('msg="configuration reloaded"');
    expect(valid.log()).toMatch(/msg=started.*\n(?:.*\n)*.*msg="configuration reloaded"/);
    expect(await invalid.ended).toBe(2);
  });

  it.each([
    ['--web.enable-lifecycle', /^200 /],
    ['--log.level=info', /^403 .*--web\.enable-lifecycle/],
  ])('by a request: with %s, the answer is %s', async (flag, expected) => {
    const exporter = startWith(settingsOf(await scriptedApi(), 'shop'), [flag]);

    const { metrics = '' } = await exporter.started();

    const response = await fetch(new URL('/-/reload', metrics), { method: 'POST' });

    expect(`${response.status} ${await response.text()}`).toMatch(expected);
  });
});

describe('a warning that everyone can read the pages', () => {
  const openToAll = 'the exporter listens on all interfaces without a login; set --web.listen-address=127.0.0.1:10380';

  /** The number of these warnings after a start. */
  async function warningsWith(addresses: readonly string[], flags: readonly string[] = []): Promise<number> {
    const settings = writeSettings(cleanups, settingsOf(await scriptedApi(), 'shop'));
    const listening = addresses.map((address) => `--web.listen-address=${address}`);
    const exporter = start([`--config.file=${settings}`, ...listening, ...flags]);
    await exporter.started();
    // Everything that a start logs is in the log when the exporter has stopped.
    await exporter.finish();
    return exporter.log().split(openToAll).length - 1;
  }

  it.each([
    [':0', []],
    ['0.0.0.0:0', []],
    ['127.0.0.1:0 :0 0.0.0.0:0', []],
    [':0', ['--web.config.file=tls.good.yml']],
    [':0', ['--web.config.file=users-empty.good.yml']],
    [':0', ['--web.config.file=VerifyClientCertIfGiven.good.yml']],
  ])('is logged once at the address %s with the flags %j', async (address, flags) => {
    expect(await warningsWith(address.split(' '), flags.map(inFixtures))).toBe(1);
  });

  it.each([
    ['127.0.0.1:0', []],
    ['localhost:0', []],
    ['127.0.0.1:0', ['--web.health-address=:0']],
    [':0', ['--web.config.file=users.good.yml']],
    [':0', ['--web.config.file=RequireAndVerifyClientCert.good.yml']],
  ])('is not logged at the address %s with the flags %j', async (address, flags) => {
    expect(await warningsWith([address], flags.map(inFixtures))).toBe(0);
  });

  function inFixtures(flag: string): string {
    return flag.replace('config.file=', `config.file=${webConfigFolder}/`);
  }
});

it('answers only requests for the names of --web.allowed-hosts, if it is given', async () => {
  const flags = ['--web.allowed-hosts=a.example,b.example', '--web.allowed-hosts=c.example'];
  const exporter = startWith(settingsOf(await scriptedApi(), 'shop'), flags);
  const { metrics = '' } = await exporter.started();
  const statusFor = async (host: string) => (await get(metrics, { headers: { host } })).status;

  const statuses = [await statusFor('a.example'), await statusFor('b.example'), await statusFor('c.example:80')];

  expect([...statuses, await statusFor('d.example'), await statusOf(metrics)]).toEqual([200, 200, 200, 403, 200]);
});

it.each(['http://a.example', 'a.example:80', 'a.example/', '*.example', 'a.example,', '1.2.3.4.5'])(
  'refuses the allowed host name %s',
  async (name) => {
    const { ended, log } = startWith(settingsOf(await scriptedApi(), 'shop'), [`--web.allowed-hosts=${name}`]);

    expect(await ended).toBe(2);
    expect(log()).toMatch(/'--web\.allowed-hosts <names>' argument .* is invalid\. It is /);
  },
);

it('shows its shard, and the accounts of all shards, also after a reload', async () => {
  const settings = settingsOf(await scriptedApi(), 'shop', 'blog', 'forum');
  const exporter = startWith(settings, ['--shard=2/5']);
  const { metrics = '' } = await exporter.started();
  const shown = async () => (await (await fetch(metrics)).text()).match(/^hosting_exporter_(configured|shard).*/gm);

  const before = await shown();
  writeFileSync(exporter.file, JSON.stringify(settingsOf(await scriptedApi(), 'shop')));
  await exporter.hangUp();
  await exporter.logged('configuration reloaded');

  const shard = ['hosting_exporter_shard_index 2', 'hosting_exporter_shards 5'];
  expect(before).toEqual(['hosting_exporter_configured_accounts 3', ...shard]);
  expect(await shown()).toEqual(['hosting_exporter_configured_accounts 1', ...shard]);
});

it('exits with 0 if it is stopped while it starts', async () => {
  const { api } = settingsOf(await scriptedApi());
  const secret = join(temporaryFolder(cleanups), 'password');
  writeFileSync(secret, 'secret', { mode: 0o600 });
  const exporter = startWith({ api, accounts: [{ name: 'shop', login: 'shop', password_file: secret }] });

  expect(await exporter.finish()).toBe(0);
  expect(exporter.log()).toMatch(/msg=stopped\n$/);
});
