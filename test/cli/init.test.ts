import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { run } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config/file/load.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { recordedContext, terminalContext } from '../fixtures/command-context.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
});
afterAll(async () => {
  await cleanups.end();
  await sandbox.close();
});

/** The folder does not exist yet. Each answer is what the user types on a terminal, or what a pipe passes to the program. */
async function init(argv: readonly string[], answers: readonly string[], { isTTY = false, folder = newFolder() } = {}) {
  const stdin = () => Readable.from(answers, { objectMode: false });
  const context = isTTY ? terminalContext(answers) : { ...recordedContext({ stdin }), modes: [] };
  const code = await run(['init', `--directory=${folder}`, ...argv], context);
  return { code, folder, modes: context.modes, ...context.printed };
}

function newFolder(): string {
  return join(temporaryFolder(cleanups), 'etc/exporter');
}

async function accountOf(folder: string) {
  const { config, warnings } = await loadConfig(join(folder, 'config.yml'), {});
  expect(warnings).toEqual([]);
  const [account] = config.accounts;
  return account;
}

// The call budget makes a complete check take half a minute.
describe.concurrent('init with the right password', () => {
  it('asks again until the API accepts the login, then writes files that the exporter reads', async () => {
    const { login, password } = sandbox.account('blog');
    const answers = [
      'x\n',
      `${sandbox.baseUrl}/\n`,
      `${login}\n`,
      'shop\n',
      'Europe/Moskow\n',
      'Europe/Moscow\n',
      'wrong\r',
    ];
    // The dates of the sandbox are in UTC.
    const again = ['\n', '\n', '\n', '\n', `${password}\r`, '\n'];

    const { code, folder, modes, stdout, stderr } = await init([], [...answers, ...again], { isTTY: true });

    expect(code).toBe(0);
    expect(stderr).toContain('The answer is not a URL; write it in full, such as https://api.example.com/api\n');
    expect(stderr).toContain('The answer is not a time zone; did you mean "Europe/Moscow"?\n');
    expect(stderr).toMatch(/AUTH_ERROR.*Nothing was written/s);
    expect(stderr).toContain('Name of the account in metrics [shop]: ');
    expect(stderr + stdout).not.toContain(password);
    expect(stderr).toContain('The dates of the API do not fit Europe/Moscow. Time zone of the provider [UTC]: ');
    expect(stderr).toContain('\n  account: ok\n');
    expect(stdout).toMatch(/ · \d domains? · disk \d.* of \d/);
    expect(stdout).not.toContain('check time_zone');
    expect(modes).toEqual([true, false, true, false]);
    expect(stdout).toMatch(/All collectors work\..*run it with\n {2}--config\.file=\S+\/config\.yml\n$/s);
    const account = await accountOf(folder);
    expect(account).toMatchObject({ name: 'shop', api: { baseUrl: sandbox.baseUrl, timeZone: 'UTC' } });
    expect(account?.credentials).toMatchObject({ kind: 'password', login });
    expect(readFileSync(join(folder, 'shop.password'), 'utf8')).toBe(`${password}\n`);
    expect(statSync(join(folder, 'shop.password')).mode & 0o777).toBe(0o600);
  });

  it('takes the answers from flags, and the password from stdin, without a terminal', async () => {
    const { login, password } = sandbox.account('unlimited');
    const argv = [`--base-url=${sandbox.baseUrl}`, `--login=${login}`, '--account=a: "b" #c', '--time-zone=Asia/Omsk'];

    const { code, folder } = await init(argv, [`${password}\n`]);

    expect(code).toBe(0);
    expect(await accountOf(folder)).toMatchObject({ name: 'a: "b" #c', api: { timeZone: 'Asia/Omsk' } });
  });
});

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('init', () => {
  it.each([
    ['--login=shop', 'x', 'error: without a terminal, --base-url and --login are necessary\n'],
    ['--base-url=https://api.example.com', 'x', 'error: without a terminal, --base-url and --login are necessary\n'],
    [
      '--base-url=http://api.example.com',
      'x',
      "error: option '--base-url <url>' argument 'http://api.example.com' is invalid. It sends the password unencrypted",
    ],
  ])('refuses %s alone', async (flag, password, message) => {
    const { code, folder, stderr } = await init([flag], [password]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(filesIn(folder)).toEqual([]);
  });

  it.each([
    ['', 'error: the password on stdin is empty; write the password\n'],
    ['a\nb\n', 'error: the password on stdin has more than one line; write only the password\n'],
  ])('refuses the password %j', async (password, message) => {
    const { code, stderr } = await init([`--base-url=${sandbox.baseUrl}`, '--login=shop'], [password]);

    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
  });

  it('keeps an existing config.yml, and asks nothing', async () => {
    const folder = temporaryFolder(cleanups);
    const file = join(folder, 'config.yml');
    writeFileSync(file, 'old');

    const { code, stderr } = await init([], [], { isTTY: true, folder });

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: ${file} exists; name another --directory, or edit the file\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['config.yml']);
  });

  it.each([
    ['Ctrl-C', ['\u0003']],
    ['the end of the input', []],
  ])('offers the login and the time zone of the machine, and writes nothing after %s', async (_, keys) => {
    vi.stubEnv('TZ', 'Asia/Omsk');
    onTestFinished(() => void vi.unstubAllEnvs());
    const answers = [`${sandbox.baseUrl}\n`, 'shop\n', '\n', '\n', ...keys];

    const { code, folder, modes, stderr } = await init([], answers, { isTTY: true });

    expect({ code, modes }).toEqual({ code: 1, modes: [true, false] });
    expect(stderr).toContain('Name of the account in metrics [shop]: Time zone of the provider [Asia/Omsk]: ');
    expect(filesIn(folder)).toEqual([]);
  });

  it('asks in Russian', async () => {
    const { stderr } = await init(['--language=ru', '--account=Login'], ['x\n', `${sandbox.baseUrl}\n`, 'u\n'], {
      isTTY: true,
    });

    expect(
      stderr,
    ).toBe(`URL API, например https://api.example.com/api:   Ответ: не URL; напишите его целиком, например https://api.example.com/api
URL API, например https://api.example.com/api: Логин: Имя аккаунта в метриках [Login]: `);
  });

  it.each([':/etc/localtime', 'Etc/Unknown'])('offers UTC if the time zone of the machine is %s', async (zone) => {
    vi.stubEnv('TZ', zone);
    onTestFinished(() => void vi.unstubAllEnvs());

    const { stderr } = await init([], [`${sandbox.baseUrl}\n`, 'shop\n', '\n'], { isTTY: true });

    expect(stderr).toContain('Time zone of the provider [UTC]: ');
  });

  it('keeps the characters ${ of a login, and names the schema of the file', async () => {
    const { baseUrl } = await scriptedApi();
    const login = `u\${HOME}x`;

    const { folder } = await init([`--base-url=${baseUrl}`, `--login=${login}`], ['p']);

    expect((await accountOf(folder))?.credentials).toMatchObject({ login });
    const [, schema = ''] =
      /^# yaml-language-server: \$schema=(.+)\n/.exec(readFileSync(join(folder, 'config.yml'), 'utf8')) ?? [];
    expect(existsSync(schema)).toBe(true);
  });

  it('writes nothing, and removes nothing of others, if the API rejects the login', async () => {
    const folder = newFolder();
    const running = init([`--base-url=${sandbox.baseUrl}`, '--login=shop'], ['wrong'], { folder });
    await until('the folder', () => existsSync(folder));
    writeFileSync(join(folder, 'theirs'), '');

    const { code, stdout, stderr } = await running;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/\nshop {2}http.*credentials rejected.*Nothing was written\.\n$/s);
    expect(filesIn(folder)).toEqual(['theirs']);
  });

  it('says what is wrong with a folder that cannot be created', async () => {
    const folder = temporaryFolder(cleanups);
    writeFileSync(join(folder, 'file'), '');

    const below = join(folder, 'file', 'below');
    const { code, stderr } = await init([], [], { isTTY: true, folder: below });

    expect(code).toBe(2);
    expect(stderr).toMatch(/file\/below: cannot be written: ENOTDIR/);
  });
});
