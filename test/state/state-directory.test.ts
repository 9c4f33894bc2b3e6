import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Shard } from '../../src/config/values/config.ts';
import { type StateAccount, StateDirectory } from '../../src/state/state-directory.ts';
import { fileNameOf, type SavedAccount } from '../../src/state/state-file.ts';
import { hangDisk } from '../fixtures/hung-disk.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const start = '2026-06-03T12:00:00Z';
const second = 1000;
const minute = 60_000;
const day = 86_400_000;

async function openDirectory(directory = join(temporaryFolder(), 'state'), shard?: Shard) {
  fakeClock(start);
  const { log, lines } = recordedLog();
  const state = await StateDirectory.open({ directory, shard, log });
  onTestFinished(() => state.close());
  const outcomes: (number | 'failed')[] = [];
  state.onSave = (time) => outcomes.push(time === undefined ? 'failed' : time - Date.parse(start));
  const path = (account: string) => join(directory, fileNameOf(account));
  const accounts = new Set<StateAccount>();
  return {
    /** Lets accounts change, which is noticed at once. */
    change: (...changed: readonly StateAccount[]) => {
      for (const one of changed) {
        one.unsavedSince = Math.min(one.unsavedSince, performance.now());
        accounts.add(one);
      }
      state.save([...accounts]);
    },
    /** Stops as the exporter does. */
    close: () => state.close([...accounts]),
    directory,
    state,
    /** For each save: milliseconds since the start, or `failed`. */
    outcomes,
    path,
    content: (account: string) => gunzipSync(readFileSync(path(account))).toString(),
    logged: () => lines.map((line) => JSON.parse(line)),
    /** The accounts that have a file. */
    saved: (...names: readonly string[]) => names.filter((name) => existsSync(path(name))),
    /** Lets time pass, as the clock of the exporter does, and waits until a total number of saves has ended. */
    pass: async (milliseconds: number, saves: number) => {
      vi.advanceTimersByTime(milliseconds);
      state.save([...accounts]);
      await until(() => outcomes.length >= saves);
    },
  };
}

function stateOf(name: string, change: Partial<SavedAccount> = {}): SavedAccount {
  return { account: name, identity: 'server and login', collectors: {}, ...change };
}

function account(name: string, change: Partial<SavedAccount> = {}, saved = () => stateOf(name, change)): StateAccount {
  return { name, unsavedSince: Number.POSITIVE_INFINITY, saved };
}

/** An account as `load` takes it. */
function loadable(name: string, secret: string | undefined = 'password') {
  return { name, identity: 'server and login', secret: () => secret };
}

/** The files of a directory, with `lock` for each lock. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .map((name) => name.replace(/^(lock.*)\.[0-9a-f]{12}$/, '$1'))
    .toSorted();
}

describe('an account that changes', () => {
  it('is saved once, half a minute after the first change, with the state of that moment', async () => {
    const { change, outcomes, pass, content } = await openDirectory();
    const saved = vi.fn(() => stateOf('shop', { pausedUntil: 7 }));
    const shop = account('shop', {}, saved);

    change(shop);
    await pass(20 * second, 0);
    change(shop);
    await pass(10 * second - 1, 0);
    const before = outcomes.length;
    await pass(1, 1);
    await pass(minute, 1);
    change(shop);
    await pass(30 * second, 2);

    expect([before, saved.mock.calls.length]).toEqual([0, 2]);
    expect(outcomes).toEqual([30 * second, 120 * second]);
    expect(content('shop')).toContain('"pausedUntil":7');
  });

  it('is saved again if it changes while it is saved', async () => {
    const { state, content } = await openDirectory();
    const saved = vi.fn(() =>
      stateOf('shop', { rejection: { secret: 'wrong', count: 1, rejected: 0, nextAttempt: 0 } }),
    );
    state.saveNow(account('shop', {}, saved));
    // The hash of the secret takes time, so that the save is still in progress.
    await until(() => saved.mock.calls.length > 0);

    await state.close([account('shop'), { ...account('shop', { pausedUntil: 7 }), unsavedSince: performance.now() }]);

    expect(content('shop')).toContain('"pausedUntil":7');
  });

  it('is saved again half a minute after a failed save; the log has one line for the failure and one for its end', async () => {
    const { change, directory, outcomes, path, pass, saved, logged } = await openDirectory();
    // A folder in place of the file cannot be replaced.
    mkdirSync(path('shop'));
    change(account('shop'));
    await pass(30 * second, 1);
    await pass(30 * second - 1, 1);
    expect(outcomes).toEqual(['failed']);
    await pass(1, 2);

    rmdirSync(path('shop'));
    await pass(30 * second, 3);

    expect(outcomes).toEqual(['failed', 'failed', 90 * second]);
    expect(saved('shop')).toEqual(['shop']);
    expect(logged()).toMatchObject([
      {
        level: 'warn',
        directory,
        error: expect.stringMatching(/^EISDIR/),
        msg: 'saving the state failed, trying again',
      },
      { level: 'info', directory, msg: 'state can be saved again' },
    ]);
  });

  it('is saved although the save of another account failed, or its state cannot be collected', async () => {
    const { change, outcomes, path, pass, saved } = await openDirectory();
    mkdirSync(path('blog'));
    const broken = () => {
      throw new Error('broken');
    };

    change(account('blog'), account('wiki', {}, broken), account('shop'));
    await pass(30 * second, 3);

    expect(outcomes).toEqual(['failed', 'failed', 30 * second]);
    expect(saved('shop', 'wiki')).toEqual(['shop']);
  });

  it('is saved before it is loaded again', async () => {
    const { state, outcomes } = await openDirectory();
    state.saveNow(account('shop', { pausedUntil: 7 }));

    const { saved } = await state.load(loadable('shop'));

    expect([saved, outcomes]).toEqual([stateOf('shop', { pausedUntil: 7 }), [0]]);
    expect(await state.load(loadable('blog'))).toEqual({});
  });
});

describe('a hung disk', () => {
  it('delays no caller, and all accounts are saved when it works again', async () => {
    const { change, state, outcomes, pass, saved } = await openDirectory();
    const names = ['shop', 'blog', 'wiki', 'urgent'];
    const release = hangDisk();

    change(...names.slice(0, 3).map((name) => account(name)));
    await pass(30 * second, 0);
    await pass(30 * second, 0);
    state.saveNow(account('urgent'));
    const during = [...outcomes];
    await release();
    await until(() => outcomes.length === 4);

    expect(during).toEqual([]);
    expect(saved(...names)).toEqual(names);
  });

  it('delays the stop of the process by five seconds, and the log tells how many accounts are not saved', async () => {
    const { change, close, directory, logged } = await openDirectory();
    const release = hangDisk();
    change(...['shop', 'blog', 'wiki'].map((name) => account(name)));

    let hasEnded = false;
    const closed = close().then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(5 * second - 1);
    const early = hasEnded;
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    await release();
    await until(() => !filesIn(directory).includes('lock'));

    expect(early).toBe(false);
    expect(logged()).toMatchObject([
      { level: 'warn', accounts: 3, msg: 'stopped before the state of all accounts was saved' },
    ]);
    // The save in progress ends.
    expect(filesIn(directory)).toEqual([fileNameOf('shop')]);
  });
});

describe('a process that stops', () => {
  it('saves only accounts that have changed, and releases the lock', async () => {
    const { change, close, directory, state, outcomes } = await openDirectory();
    change(account('shop'));
    state.saveNow(account('blog'));

    await close();

    expect(outcomes).toEqual([0, 0]);
    expect(filesIn(directory)).toEqual([fileNameOf('shop'), fileNameOf('blog')].toSorted());
  });

  it('reports accounts that cannot be saved', async () => {
    const { change, close, path, logged } = await openDirectory();
    mkdirSync(path('shop'));
    change(account('shop'), account('blog'));

    await close();

    expect(logged().map(({ msg, accounts }) => [msg, accounts])).toEqual([
      ['saving the state failed, trying again', undefined],
      ['state can be saved again', undefined],
      ['stopped before the state of all accounts was saved', 1],
    ]);
  });
});

it('a directory is created with its parents, for its owner only', async () => {
  const directory = join(temporaryFolder(), 'lib', 'state');
  await openDirectory(directory);

  expect([directory, dirname(directory)].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
});

describe('the files of accounts', () => {
  it('are deleted without an error if there is no directory any more', async () => {
    const { directory, state, logged } = await openDirectory();
    rmSync(directory, { recursive: true });

    await state.removeOld([]);

    expect(logged()).toEqual([]);
  });

  it('are deleted seven days after the last save, unless the account is in the configuration', async () => {
    const { directory, state, logged } = await openDirectory();
    const create = (name: string, age: number) => {
      const time = new Date(Date.now() - age);
      writeFileSync(join(directory, name), '');
      utimesSync(join(directory, name), time, time);
      return name;
    };
    const kept = [
      create(fileNameOf('used'), 30 * day),
      create(fileNameOf('removed'), 7 * day - 1),
      ...['notes.txt', 'notes.json.gz', `old-${fileNameOf('removed')}`, `${fileNameOf('removed')}.old`].map((name) =>
        create(name, 30 * day),
      ),
    ];
    const deleted = [fileNameOf('long removed'), `${fileNameOf('used')}.0123456789ab.tmp`];
    for (const name of deleted) create(name, 7 * day);

    await state.removeOld(['used']);

    expect(filesIn(directory)).toEqual([...kept, 'lock'].toSorted());
    expect(logged().map(({ msg }) => msg)).toEqual(deleted.map(() => 'deleted the state of a removed account'));
    expect(logged().map(({ file }) => file)).toEqual(
      expect.arrayContaining(deleted.map((name) => join(directory, name))),
    );
  });
});

describe('a rejected secret', () => {
  const rejection = { secret: 'wrong password', count: 2, rejected: 1, nextAttempt: minute };

  it('stays rejected as long as the password is the same', async () => {
    const { state, content } = await openDirectory();
    for (const name of ['shop', 'blog']) state.saveNow(account(name, { rejection }));
    const rejectionOf = async (secret: string | undefined) =>
      (await state.load({ ...loadable('shop'), secret: () => secret })).saved?.rejection;

    const known = [
      await rejectionOf('wrong password'),
      await rejectionOf('right password'),
      await rejectionOf(undefined),
    ];

    expect(known).toEqual([rejection, undefined, undefined]);
    expect(content('shop')).not.toContain('wrong');
    // Each file has its own salt, so that equal passwords have different hashes.
    const hashes = ['shop', 'blog'].map((name) => /"scrypt (.{22}==) (.{43}=)"/.exec(content(name))?.slice(1));
    expect(new Set(hashes.flat()).size).toBe(4);
  });

  it('is forgotten if its hash has another length', async () => {
    const { state, path, content } = await openDirectory();
    state.saveNow(account('shop', { rejection }));
    await state.load(loadable('shop'));
    writeFileSync(path('shop'), gzipSync(content('shop').replace(/"scrypt (.+?) .+?"/, '"scrypt $1 AAAA"')));

    const { saved } = await state.load(loadable('shop', rejection.secret));

    expect(saved).toEqual(stateOf('shop'));
  });
});
