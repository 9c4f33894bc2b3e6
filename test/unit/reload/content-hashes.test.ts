import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigInputs } from '../../../src/config/file/load.ts';
import { ContentHashes } from '../../../src/reload/content-hashes.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A configuration with a secret and a pattern of account files. */
function createInputs() {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ['config.yml', 'secret', 'a.account', 'b.account']) writeFileSync(path(name), name);
  // The clock of a file system may be too coarse to distinguish two changes of a test.
  utimesSync(folder, new Date(0), new Date(0));
  const inputs = new ConfigInputs();
  inputs.files.add(path('config.yml')).add(path('secret'));
  inputs.patterns.push({ pattern: '*.account', from: path('config.yml') });
  const hashes = new ContentHashes();
  /** The hashes by name. */
  const read = async () =>
    Object.fromEntries([...(await hashes.of(inputs))].map(([file, hash]) => [file.replace(`${folder}/`, ''), hash]));
  return { path, inputs, hashes, read };
}

describe.each([
  ['that just changed', 0],
  ['that did not change for an hour', 3_600_000],
])('the hashes of files of a configuration %s', (_what, age) => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.now() + age, toFake: ['Date'] });
    return () => vi.useRealTimers();
  });

  it('are those of the named files and of the files that match its patterns', async () => {
    const { read } = createInputs();

    expect(await read()).toEqual(
      Object.fromEntries(['config.yml', 'secret', 'a.account', 'b.account'].map((name) => [name, sha256(name)])),
    );
  });

  it('do not wait for the writer of a pipe, such as a configuration file that a shell provides', async () => {
    const { path, inputs, read } = createInputs();
    execFileSync('mkfifo', [path('pipe')]);
    inputs.files.add(path('pipe'));

    expect((await read())['pipe']).toBe('unreadable ENOTSUP');
  });

  it('are the same as long as no file changes, also for a file that is named twice', async () => {
    const { inputs, path, read } = createInputs();
    inputs.files.add(path('a.account'));

    const first = await read();

    expect(await read()).toEqual(first);
    expect(Object.keys(first)).toHaveLength(4);
  });

  it.each([
    ['of another length', 'a longer secret'],
    ['of the same length', 'SECRET'],
  ])('follow a change to a text %s, with the time stamp of before', async (_what, text) => {
    const { path, read } = createInputs();
    const old = new Date('2020-01-01');
    utimesSync(path('secret'), old, old);
    await read();

    writeFileSync(path('secret'), text);
    utimesSync(path('secret'), old, old);

    expect((await read())['secret']).toBe(sha256(text));
  });

  it('follow new, replaced and removed files', async () => {
    const { path, read } = createInputs();
    await read();

    writeFileSync(path('c.account'), 'new');
    writeFileSync(path('other'), 'replaced');
    renameSync(path('other'), path('a.account'));
    rmSync(path('b.account'));
    rmSync(path('secret'));
    const hashes = await read();

    expect(hashes).toEqual({
      'config.yml': sha256('config.yml'),
      secret: 'unreadable ENOENT',
      'a.account': sha256('replaced'),
      'c.account': sha256('new'),
    });
  });

  it('know that a file was renamed in the folder of a named file, without the patterns', async () => {
    const { path, inputs, hashes, read } = createInputs();
    mkdirSync(path('secrets'));
    writeFileSync(path('secrets/token'), 'one');
    utimesSync(path('secrets'), new Date(0), new Date(0));
    inputs.files.add(path('secrets/token'));
    await read();
    const before = await hashes.haveFoldersChanged();

    writeFileSync(path('secrets/new'), 'two');
    renameSync(path('secrets/new'), path('secrets/token'));

    expect([before, await hashes.haveFoldersChanged()]).toEqual([age === 0, true]);
  });

  it('follow a file that was missing', async () => {
    const { path, read } = createInputs();
    rmSync(path('secret'));
    const missing = await read();

    writeFileSync(path('secret'), 'again');

    expect([missing['secret'], (await read())['secret']]).toEqual(['unreadable ENOENT', sha256('again')]);
  });
});

it('are those of all matches of a pattern with several folders', async () => {
  const { inputs, path, read } = createInputs();
  mkdirSync(path('new'));
  inputs.patterns.push({ pattern: '*/*.account', from: path('config.yml') });
  await read();

  writeFileSync(path('new/d.account'), 'd');

  expect((await read())['new/d.account']).toBe(sha256('d'));
});

describe('the hash of a file whose content changes without a new time stamp', () => {
  // The kernel gives another text to each reader.
  const path = '/proc/sys/kernel/random/uuid';

  /** Reads the hash as if the file had changed this long ago, in milliseconds. `forget` reads another configuration. */
  function hashesAfter(age: number) {
    // As long as the file is open, the kernel keeps its time stamps.
    const handle = openSync(path, 'r');
    vi.useFakeTimers({ now: Math.floor(statSync(path).ctimeMs) + age, toFake: ['Date'] });
    onTestFinished(() => {
      closeSync(handle);
      vi.useRealTimers();
    });
    const inputs = new ConfigInputs();
    inputs.files.add(path);
    const hashes = new ContentHashes();
    return {
      read: async () => (await hashes.of(inputs)).get(path),
      forget: () => hashes.of(new ConfigInputs()),
    };
  }

  it.each([
    [1999, false],
    [2000, true],
    [-2001, true],
  ])('is remembered %d ms after the change: %s', async (age, isRemembered) => {
    const { read } = hashesAfter(age);

    const hashes = [await read(), await read()];

    expect(hashes[0] === hashes[1]).toBe(isRemembered);
  });

  it('is forgotten if the file does not belong to the configuration any more', async () => {
    const { read, forget } = hashesAfter(5000);
    const before = await read();

    await forget();

    expect(await read()).not.toBe(before);
  });
});
