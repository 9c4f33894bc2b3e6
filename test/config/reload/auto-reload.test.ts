import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigInputs, loadConfig } from '../../../src/config/file/load.ts';
import { Reloader } from '../../../src/config/reload.ts';
import type { Config } from '../../../src/config/values/config.ts';
import { silentLog } from '../../../src/log.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

/** Milliseconds between two checks of the files. */
const interval = 3000;

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  write('config.yml', 'api: { base_url: https://api.example.com }\naccounts_from: accounts/*.yml\n');
  write('accounts/shop.yml', 'name: shop\nlogin: u1\npassword_file: shop.password\n');
  write('accounts/shop.password', 'one');
  write('accounts/wiki.yml', 'name: wiki\nlogin: wiki\npassword_file: shop.password\n');
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o600 });
}

/** Loads the configuration and returns its inputs, also of an invalid configuration. */
async function loadInputs(): Promise<ConfigInputs> {
  const inputs = new ConfigInputs();
  await loadConfig(join(folder, 'config.yml'), {}, inputs).catch(() => {});
  return inputs;
}

/** Lets the time pass after which files count as complete. */
function settle(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  onTestFinished(() => void vi.useRealTimers());
}

it.each([
  ['nothing', false, () => {}],
  [
    'the configuration',
    true,
    () => write('config.yml', 'api: { base_url: https://b.example.com }\naccounts_from: accounts/*.yml\n'),
  ],
  ['an account', true, () => write('accounts/shop.yml', 'name: shop\nlogin: u2\npassword_file: shop.password\n')],
  ['a password', true, () => write('accounts/shop.password', 'two')],
  ['a new account', true, () => write('accounts/blog.yml', 'name: blog\nlogin: u2\npassword_file: shop.password\n')],
  ['a new file that no pattern matches', false, () => write('accounts/notes.txt', 'two')],
  ['a removed file', true, () => rmSync(join(folder, 'accounts/shop.password'))],
  ['a removed account', true, () => rmSync(join(folder, 'accounts/wiki.yml'))],
  [
    'a replaced file',
    true,
    () => {
      write('new', 'one');
      renameSync(join(folder, 'new'), join(folder, 'accounts/shop.password'));
    },
  ],
])('notices a change of %s: %s', async (_what, isNoticed, change) => {
  const inputs = await loadInputs();

  change();
  settle();

  expect(inputs.haveChanged()).toBe(isNoticed);
  expect(await (await loadInputs()).haveChanged()).toBe(false);
});

it('waits until a file has not changed for two seconds', async () => {
  const inputs = await loadInputs();

  write('accounts/shop.password', 'two');
  const before = inputs.haveChanged();
  settle();

  expect([before, inputs.haveChanged()]).toEqual([false, true]);
});

it('notices a change during the load', async () => {
  const inputs = new ConfigInputs();
  inputs.addFile(join(folder, 'config.yml'));
  write('config.yml', 'api: {}\n');
  await loadConfig(join(folder, 'config.yml'), {}, inputs).catch(() => {});
  settle();

  expect(inputs.haveChanged()).toBe(true);
});

it('notices that a file appears that an invalid configuration names', async () => {
  write('accounts/shop.yml', 'name: shop\nlogin: u1\npassword_file: missing.password\n');
  const inputs = await loadInputs();

  write('accounts/missing.password', 'three');
  settle();

  expect(inputs.haveChanged()).toBe(true);
});

it('ignores a pipe, whose time stamps change when it is read', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const inputs = new ConfigInputs();
  inputs.addFile(join(folder, 'pipe'));

  execFileSync('touch', [join(folder, 'pipe')]);
  settle();

  expect(inputs.haveChanged()).toBe(false);
});

it('notices a new account in a volume of ConfigMaps, which the kubelet replaces by renaming a link', async () => {
  const account = (name: string) => `name: ${name}\nlogin: ${name}\npassword_file: shop.password\n`;
  rmSync(join(folder, 'accounts/shop.yml'));
  write('accounts/..v1/blog.yml', account('blog'));
  symlinkSync('..v1', join(folder, 'accounts/..data'));
  symlinkSync('..data/blog.yml', join(folder, 'accounts/blog.yml'));
  const inputs = await loadInputs();
  const before = inputs.haveChanged();

  for (const name of ['blog', 'forum']) write(`accounts/..v2/${name}.yml`, account(name));
  symlinkSync('..v2', join(folder, 'accounts/..data_tmp'));
  renameSync(join(folder, 'accounts/..data_tmp'), join(folder, 'accounts/..data'));
  symlinkSync('..data/forum.yml', join(folder, 'accounts/forum.yml'));
  settle();

  expect([before, inputs.haveChanged()]).toEqual([false, true]);
});

it('reloads once after each change of the newest files, until it is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let loads = 0;
  const load = async (inputs: ConfigInputs): Promise<Config> => {
    loads += 1;
    return (await loadConfig(join(folder, 'config.yml'), {}, inputs)).config;
  };
  const reloader = new Reloader(
    async (inputs) => void (await load(inputs)),
    () => {},
    silentLog,
  );
  reloader.watch(await loadInputs());
  const loadsAfterCheck = async () => {
    vi.advanceTimersByTime(interval * 10);
    await until('the next check is planned', () => vi.getTimerCount() === 1);
    return loads;
  };

  const counts = [await loadsAfterCheck()];
  write('accounts/blog.yml', 'name: blog\nlogin: u2\npassword_file: blog.password\n');
  counts.push(await loadsAfterCheck(), await loadsAfterCheck());
  write('accounts/blog.password', 'two');
  counts.push(await loadsAfterCheck(), await loadsAfterCheck());
  await reloader.close();

  expect(counts).toEqual([0, 1, 1, 2, 2]);
  expect(vi.getTimerCount()).toBe(0);
});
