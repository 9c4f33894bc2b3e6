import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigInputs, loadConfig } from '../../../src/config/file/load.ts';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { reloadOnChange } from '../../../src/reload/auto-reload.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const environment = {};

/** Seconds between two looks at the files. */
const look = 3;

let folder: string;
let reloads: number;
/** How often the next look was scheduled. Timers of other tests of the process may come to an end meanwhile. */
let schedules: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  schedules = 0;
  const fake = setTimeout;
  // Not a spy, which vitest restores once more after the file, when this function is no longer the one to restore.
  vi.stubGlobal('setTimeout', (callback: () => void, delay: number) => {
    if (delay === look * 1000) schedules += 1;
    return fake(callback, delay);
  });
  folder = temporaryFolder();
  reloads = 0;
  write('config.yml', 'api: { base_url: https://api.example.com }\naccounts_from: accounts/*.yml\n');
  write('accounts/shop.yml', 'name: shop\nlogin: u1\npassword_file: shop.password\n');
  write('accounts/shop.password', 'one');
  write('accounts/wiki.yml', 'name: wiki\nlogin: wiki\npassword_file: shop.password\n');
});

afterEach(() => {
  // First, because it brings the fake function back.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text, { mode: 0o600 });
}

async function start(): Promise<() => void> {
  let inputs = new ConfigInputs();
  const load = async () => {
    inputs = new ConfigInputs();
    await loadConfig(join(folder, 'config.yml'), environment, { inputs }).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
    });
  };
  await load();
  const stop = await reloadOnChange(
    () => inputs,
    async () => {
      reloads += 1;
      await load();
    },
  );
  onTestFinished(stop);
  return stop;
}

/** Lets the next look at the files happen, and end. */
async function nextLook(): Promise<void> {
  const before = schedules;
  await vi.advanceTimersByTimeAsync(look * 1000);
  // Reading files is not a matter of the faked clock: the look has ended when the next one is scheduled.
  await until('the look has ended', () => schedules > before);
}

async function looks(count: number): Promise<number> {
  for (let done = 0; done < count; done += 1) await nextLook();
  return reloads;
}

it('does nothing while nothing changes', async () => {
  await start();

  expect(await looks(3)).toBe(0);
});

it.each([
  [
    'the configuration',
    () => write('config.yml', 'api: { base_url: https://b.example.com }\naccounts_from: accounts/*.yml\n'),
  ],
  ['an account', () => write('accounts/shop.yml', 'name: shop\nlogin: u2\npassword_file: shop.password\n')],
  ['a password', () => write('accounts/shop.password', 'two')],
  ['a new account', () => write('accounts/blog.yml', 'name: blog\nlogin: u2\npassword_file: shop.password\n')],
  ['a removed file', () => rmSync(join(folder, 'accounts/shop.password'))],
  ['a removed account', () => rmSync(join(folder, 'accounts/wiki.yml'))],
  [
    'a renamed file',
    () => {
      write('new', 'two');
      renameSync(join(folder, 'new'), join(folder, 'accounts/shop.password'));
    },
  ],
])('reloads once after a change of %s', async (_, change) => {
  await start();
  await nextLook();

  change();

  expect(await looks(1)).toBe(0);
  expect(await looks(1)).toBe(1);
  expect(await looks(3)).toBe(1);
});

it('ends, also during a look at the files', async () => {
  const stop = await start();
  await nextLook();
  const planned = vi.getTimerCount();
  stop();
  const stopped = vi.getTimerCount();

  const stopDuringLook = await start();
  vi.advanceTimersByTime(look * 1000);
  stopDuringLook();
  // The look ends before the same files have been read again.
  for (let round = 0; round < 3; round += 1) (await start())();

  expect([planned, stopped, vi.getTimerCount()]).toEqual([1, 0, 0]);
});

it('waits until a file has the same content for two looks', async () => {
  await start();

  for (let part = 0; part < 5; part += 1) {
    write('accounts/shop.password', `part ${part}`);
    expect(await looks(1)).toBe(0);
  }

  expect(await looks(1)).toBe(1);
});

it('ignores a file that is written again with the same content, or back to it', async () => {
  await start();

  write('accounts/shop.password', 'one');
  utimesSync(join(folder, 'config.yml'), new Date(0), new Date(0));
  await looks(2);
  write('accounts/shop.password', 'two');
  await looks(1);
  write('accounts/shop.password', 'one');

  expect(await looks(3)).toBe(0);
});

it('reloads after the symbolic link of a mounted ConfigMap changed', async () => {
  write('v1/config.yml', 'api: { base_url: https://a.example.com }\naccounts: []\n');
  write('v2/config.yml', 'api: { base_url: https://b.example.com }\naccounts: []\n');
  symlinkSync('v1', join(folder, '..data'));
  rmSync(join(folder, 'config.yml'));
  symlinkSync('..data/config.yml', join(folder, 'config.yml'));
  await start();

  symlinkSync('v2', join(folder, '..new'));
  renameSync(join(folder, '..new'), join(folder, '..data'));

  expect(await looks(2)).toBe(1);
});

it('reloads after a file of an account appeared in a volume of several ConfigMaps, which the kubelet replaces as a whole', async () => {
  const account = (name: string) => `name: ${name}\nlogin: ${name}\npassword_file: shop.password\n`;
  rmSync(join(folder, 'accounts/shop.yml'));
  write('accounts/..v1/blog.yml', account('blog'));
  symlinkSync('..v1', join(folder, 'accounts/..data'));
  symlinkSync('..data/blog.yml', join(folder, 'accounts/blog.yml'));
  await start();
  const before = await looks(2);

  for (const name of ['blog', 'forum']) write(`accounts/..v2/${name}.yml`, account(name));
  symlinkSync('..v2', join(folder, 'accounts/..data_tmp'));
  renameSync(join(folder, 'accounts/..data_tmp'), join(folder, 'accounts/..data'));
  symlinkSync('..data/forum.yml', join(folder, 'accounts/forum.yml'));

  expect([before, await looks(2), await looks(2)]).toEqual([0, 1, 1]);
});

describe('with many files', () => {
  beforeEach(() => {
    for (let index = 0; index < 1000; index += 1) {
      write(`accounts/a${index}.yml`, `name: a${index}\nlogin: a${index}\npassword_file: shop.password\n`);
    }
    utimesSync(join(folder, 'accounts'), new Date(0), new Date(0));
    // Folders that have just changed are looked at again.
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    return () => now.mockRestore();
  });

  it('looks into the files at every second look only', async () => {
    await start();
    await nextLook();

    write('accounts/a1.yml', 'name: a1\nlogin: changed\npassword_file: shop.password\n');

    expect(await looks(2)).toBe(0);
    expect(await looks(1)).toBe(1);
    expect(await looks(4)).toBe(1);
  });

  it('notices a new file at the next look', async () => {
    await start();
    await nextLook();

    write('accounts/new.yml', 'name: new\nlogin: new\npassword_file: shop.password\n');

    expect(await looks(2)).toBe(1);
  });
});

it('tries an invalid configuration once, and again when a file that it names appears', async () => {
  await start();

  write('accounts/shop.yml', 'name: shop\nlogin: u1\npassword_file: missing.password\n');
  expect(await looks(5)).toBe(1);
  write('accounts/missing.password', 'three');

  expect(await looks(2)).toBe(2);
});
