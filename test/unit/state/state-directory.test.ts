import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiSession } from '../../../src/api/session.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { FolderInUseError } from '../../../src/state/folder-lock.ts';
import { fileNameOf } from '../../../src/state/read-state.ts';
import { type SavedAccount, StateDirectory } from '../../../src/state/state-directory.ts';
import { LockProcess } from '../../fixtures/lock-process.ts';
import { fakeClock } from '../../fixtures/polled-account.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const start = '2026-06-03T12:00:00Z';
const second = 1000;
const minute = 60_000;
const day = 86_400_000;

async function openDirectory(directory = join(temporaryFolder(), 'state'), shard = '') {
  fakeClock(start);
  const { log, lines } = recordedLog();
  const state = await StateDirectory.open({ directory, shard, versions: new Map(), log });
  onTestFinished(() => state.close());
  const outcomes: (number | 'failed')[] = [];
  state.observe((time) => outcomes.push(time ?? 'failed'));
  const path = (account: string) => join(directory, fileNameOf(account));
  const logged = () => lines.map((line) => JSON.parse(line));
  return {
    directory,
    state,
    outcomes,
    path,
    logged,
    messages: () => logged().map(({ msg }) => msg),
    /** The accounts that have a file. */
    saved: (...names: readonly string[]) => names.filter((name) => existsSync(path(name))),
  };
}

function account(name: string, parts: Partial<SavedAccount> = {}): SavedAccount {
  const session = new ApiSession(30);
  onTestFinished(() => session.budget.close());
  return {
    name,
    identity: 'server and login',
    secret: () => 'password',
    polls: () => ({ collectors: new Map() }),
    session: () => session.snapshot(),
    ...parts,
  };
}

/** The files of a directory, without the sockets of its locks. */
function withoutSockets(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => !/^lock.*\./.test(name))
    .toSorted();
}

describe('an account that changes', () => {
  it('is saved half a minute after its first change, once', async () => {
    const { state, outcomes, saved } = await openDirectory();
    const shop = account('shop');

    state.changed(shop);
    await vi.advanceTimersByTimeAsync(20 * second);
    state.changed(shop);
    const timers = vi.getTimerCount();
    await vi.advanceTimersByTimeAsync(10 * second - 1);
    const before = outcomes.length;
    await vi.advanceTimersByTimeAsync(1);
    await until(() => outcomes.length > 0);
    await vi.advanceTimersByTimeAsync(minute);

    expect(before).toBe(0);
    // The other one gives the signs of life of the lock.
    expect([timers, vi.getTimerCount()]).toEqual([2, 1]);
    expect(outcomes).toEqual([Date.parse(start) + 30 * second]);
    expect(saved('shop')).toEqual(['shop']);
  });

  it('is saved again after the next change', async () => {
    const { state, outcomes } = await openDirectory();
    const shop = account('shop');
    for (let save = 1; save <= 2; save += 1) {
      state.changed(shop);
      await vi.advanceTimersByTimeAsync(30 * second);
      await until(() => outcomes.length === save);
    }

    expect(outcomes).toEqual([Date.parse(start) + 30 * second, Date.parse(start) + 60 * second]);
  });

  it('keeps its place and its figures when a reload removes it before it is saved', async () => {
    const { state, outcomes, path } = await openDirectory();
    let payloads = new Map([['', new KeptPayload('shown', { answered: 1, providerTime: 1, complete: true })]]);
    const poll = { runStarted: 1, poll: undefined };
    const shop = account('shop', { polls: () => ({ collectors: new Map([['sites', { ...poll, payloads }]]) }) });
    state.changed(shop);

    state.keep(shop);
    payloads = new Map();
    const { loaded } = await state.load(account('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);

    expect(loaded?.polls.collectors.get('sites')?.payloads.size).toBe(1);
    expect(gunzipSync(readFileSync(path('shop'))).toString()).toContain('shown');
  });

  it('is saved again if it changes while it is saved', async () => {
    const { state, path } = await openDirectory();
    const shop = account('shop');
    // The hash of the secret takes time, so that the first save is still in progress.
    const rejection = { secret: 'wrong', count: 1, rejected: Date.now(), nextAttempt: Date.now() + minute };
    state.changed({ ...shop, session: () => ({ ...shop.session(), rejection }) });
    await vi.advanceTimersByTimeAsync(30 * second);

    state.changed({ ...shop, session: () => ({ ...shop.session(), dialect: 'provider' }) });
    await state.close();

    expect(gunzipSync(readFileSync(path('shop'))).toString()).toContain('"dialect":"provider"');
  });

  it('is saved although nothing observes it', async () => {
    fakeClock(start);
    const directory = temporaryFolder();
    const { log, lines } = recordedLog();
    const state = await StateDirectory.open({ directory, shard: '', versions: new Map(), log });

    state.changed(account('shop'));
    await state.close();

    expect([readdirSync(directory), lines]).toEqual([[fileNameOf('shop')], []]);
  });

  it('is saved half a minute later if the save failed, which is logged once, and so is its end', async () => {
    const { directory, state, outcomes, path, logged } = await openDirectory();
    // A folder in place of the file cannot be replaced.
    mkdirSync(path('shop'));
    state.changed(account('shop'));
    for (let failed = 1; failed <= 3; failed += 1) {
      await vi.advanceTimersByTimeAsync(30 * second);
      await until(() => outcomes.length === failed);
    }

    rmdirSync(path('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 4);

    expect(outcomes).toEqual(['failed', 'failed', 'failed', Date.parse(start) + 120 * second]);
    expect(logged()).toMatchObject([
      { directory, error: expect.stringMatching(/^EISDIR/), msg: 'saving the state failed, trying again' },
      { directory, msg: 'state can be saved again' },
    ]);
  });

  it('is not saved while another process has the lock, and then again', async () => {
    const { directory, state, outcomes, saved } = await openDirectory();
    rmSync(join(directory, 'lock'));
    const other = new LockProcess();
    await other.take(directory);

    state.changed(account('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 1);
    const before = saved('shop');
    await other.kill();
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 2);

    expect(outcomes).toEqual(['failed', Date.parse(start) + 60 * second]);
    expect([before, saved('shop')]).toEqual([[], ['shop']]);
  });

  it('is saved without another look at the lock within half a second', async () => {
    const { directory, state } = await openDirectory();
    const isLocked = () => existsSync(join(directory, 'lock'));
    await state.saveNow(account('shop'));
    rmSync(join(directory, 'lock'));

    vi.advanceTimersByTime(499);
    await state.saveNow(account('shop'));
    const early = isLocked();
    vi.advanceTimersByTime(1);
    await state.saveNow(account('shop'));

    expect([early, isLocked()]).toEqual([false, true]);
  });

  it('is saved again with all others after the directory was deleted', async () => {
    const { directory, state, saved } = await openDirectory();
    const [shop, blog] = [account('shop'), account('blog')];
    state.observe(
      () => {},
      () => [shop, blog],
    );
    state.changed(blog);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => saved('blog').length === 1);

    rmSync(directory, { recursive: true });
    state.changed(shop);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => saved('shop').length === 1);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => saved('blog').length === 1);

    expect(existsSync(join(directory, 'lock'))).toBe(true);
  });
});

describe('an urgent save', () => {
  it('is awaited for five seconds', async () => {
    const { state, saved } = await openDirectory();
    let hasEnded = false;
    const urgent = state.saveNow(account('shop')).then(() => {
      hasEnded = true;
    });
    // Without a turn of the event loop, no file is written, as on a slow disk.
    const endedAfter = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      return hasEnded;
    };

    const ended = [await endedAfter(4999), await endedAfter(1)];

    expect(ended).toEqual([false, true]);
    expect(saved('shop')).toEqual([]);
    await urgent;
    await until(() => saved('shop').length === 1);
  });

  it('ends as soon as the file is written', async () => {
    const { state, saved } = await openDirectory();

    await state.saveNow(account('shop'));

    expect(saved('shop')).toEqual(['shop']);
  });
});

describe('a process that stops', () => {
  it('saves the accounts that have changed, and no others', async () => {
    const { directory, state, saved, path } = await openDirectory();
    const shop = account('shop');
    state.changed({ ...shop, session: () => ({ ...shop.session(), dialect: 'provider' }) });

    const closed = state.close();
    state.changed(account('blog'));
    await closed;

    expect(vi.getTimerCount()).toBe(0);
    expect(saved('shop', 'blog')).toEqual(['shop']);
    expect(gunzipSync(readFileSync(path('shop'))).toString()).toContain('"dialect":"provider"');
    expect(readdirSync(directory)).toEqual([fileNameOf('shop')]);
  });

  it('finishes a save that is under way before it releases its lock', async () => {
    const { directory, state, outcomes } = await openDirectory();
    const shop = account('shop');
    // The hash of the secret takes time, so that the save is still under way.
    const rejection = { secret: 'wrong', count: 1, rejected: Date.now(), nextAttempt: Date.now() + minute };
    state.changed({ ...shop, session: () => ({ ...shop.session(), rejection }) });
    await vi.advanceTimersByTimeAsync(30 * second);

    const locked = existsSync(join(directory, 'lock'));
    await state.close();

    expect(locked).toBe(true);
    expect(outcomes).toEqual([Date.parse(start) + 30 * second]);
    expect(existsSync(join(directory, 'lock'))).toBe(false);
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('does not wait for an exporter on another machine that has taken the lock', async () => {
    const directory = join(temporaryFolder(), 'state');
    const { state, outcomes, messages } = await openDirectory(directory);
    const owner = { token: 'aaaaaaaaaaaa', replaces: '', host: 'elsewhere', pid: 7, boot: 'other' };
    writeFileSync(join(directory, 'lock'), JSON.stringify(owner));
    state.changed(account('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    const started = process.hrtime.bigint();

    await state.close();

    // It would have observed the other exporter for 15 seconds.
    expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(10);
    expect(outcomes).toEqual(['failed', 'failed']);
    expect(messages()).toEqual([
      'saving the state failed, trying again',
      'stopped before the state of all accounts was saved',
    ]);
    expect(withoutSockets(directory)).toEqual(['lock']);
  });

  it('gives up after five seconds, and logs how many accounts it did not save', async () => {
    fakeClock(start);
    const directory = temporaryFolder();
    const { log, lines } = recordedLog();
    const state = await StateDirectory.open({ directory, shard: '', versions: new Map(), log });
    // Five seconds pass until the end of the first save, and a millisecond until the end of each other one.
    let saves = 0;
    state.observe(() => {
      saves += 1;
      vi.advanceTimersByTime(saves === 1 ? 5 * second : 1);
    });
    const names = Array.from({ length: 20 }, (_, index) => `account-${index}`);
    for (const name of names) state.changed(account(name));

    await state.close();

    const files = readdirSync(directory);
    // Four started at once, and another one when the first of them had ended.
    expect(files).toHaveLength(5);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        accounts: names.length - 5,
        msg: 'stopped before the state of all accounts was saved',
      }),
    ]);
  });

  it('tells whether the previous process closed it', async () => {
    const { directory, state } = await openDirectory();
    await state.close();
    const reopened = await openDirectory(directory);
    const afterClose = reopened.state.wasKilled;
    await reopened.state.close();
    writeFileSync(join(directory, 'lock'), '');
    const afterKill = await openDirectory(directory);

    expect([state.wasKilled, afterClose, afterKill.state.wasKilled]).toEqual([false, false, true]);
  });
});

describe('a directory', () => {
  it('is created with its parents, for its owner only', async () => {
    const directory = join(temporaryFolder(), 'lib', 'state');
    await openDirectory(directory);

    expect([directory, dirname(directory)].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('is refused while another process uses it', async () => {
    const directory = temporaryFolder();
    await new LockProcess().take(directory);

    await expect(openDirectory(directory)).rejects.toThrow(FolderInUseError);
  });

  it('is shared by shards, each with its own lock', async () => {
    const { directory } = await openDirectory();
    const shards = [await openDirectory(directory, '1of2'), await openDirectory(directory, '2of2')];

    expect(shards.map(({ state }) => state.wasKilled)).toEqual([false, false]);
    expect(withoutSockets(directory)).toEqual(['lock', 'lock-1of2', 'lock-2of2']);
  });

  it('is only read until it can be locked, which is logged and counts as a failed save', async () => {
    const writer = await openDirectory();
    const { directory, path } = writer;
    writer.state.changed(account('shop'));
    await writer.state.close();
    // A folder in place of the lock cannot be replaced.
    mkdirSync(join(directory, 'lock'));
    utimesSync(path('shop'), 0, 0);

    const { state, outcomes, logged } = await openDirectory(directory);
    const { loaded } = await state.load(account('shop'));
    state.changed(account('blog'));
    await state.removeOld([]);
    const files = withoutSockets(directory);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 2);
    rmdirSync(join(directory, 'lock'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 3);

    expect(loaded).toMatchObject({ session: { dialect: 'specification', rejection: undefined } });
    expect(state.wasKilled).toBe(true);
    expect(files).toEqual([fileNameOf('shop'), 'lock'].toSorted());
    expect(outcomes).toEqual(['failed', 'failed', Date.parse(start) + 60 * second]);
    expect(logged()).toMatchObject([
      {
        level: 'warn',
        directory,
        error: expect.stringMatching(/^E/),
        msg: 'state directory is not writable, figures will not survive a restart',
      },
      { directory, msg: 'state can be saved again' },
    ]);
    expect(existsSync(path('blog'))).toBe(true);
  });
});

describe('the files of accounts', () => {
  it('are looked at during a stop without leaving a lock in a directory that was deleted', async () => {
    const { directory, state } = await openDirectory();
    rmSync(directory, { recursive: true });
    const removing = state.removeOld([]);

    await state.close();
    await removing;

    expect(existsSync(directory)).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('are looked at once a day, for the accounts of that day', async () => {
    const { state } = await openDirectory();
    // A fake day would contain thousands of signs of life of the lock. Vitest would restore a spy on a fake function even after the test.
    vi.useRealTimers();
    const interval = vi.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => {}, 0));
    onTestFinished(() => interval.mockRestore());
    const removeOld = vi.spyOn(state, 'removeOld').mockResolvedValue();
    let names = ['shop'];

    state.removeOldDaily(() => names);
    names = ['blog'];
    const [[look = () => {}, wait] = []] = interval.mock.calls;
    look();

    expect(wait).toBe(day);
    expect(removeOld.mock.calls.flat()).toEqual([['shop'], ['blog']]);
  });

  it('are deleted without an error if there is no directory any more', async () => {
    const { directory, state, logged } = await openDirectory();
    rmSync(directory, { recursive: true });

    await state.removeOld([]);

    expect(logged()).toEqual([]);
  });

  it('are deleted seven days after the last save, unless the account is in the configuration', async () => {
    const { directory, state, logged } = await openDirectory();
    const now = Date.now();
    const create = (name: string, age: number) => {
      const time = new Date(now - age);
      writeFileSync(join(directory, name), '');
      utimesSync(join(directory, name), time, time);
    };
    create(fileNameOf('used'), 30 * day);
    create(fileNameOf('removed'), 7 * day - 1);
    create(fileNameOf('long removed'), 7 * day);
    create(`${fileNameOf('interrupted')}.tmp`, 7 * day + minute);
    create(`${fileNameOf('used')}.tmp`, 30 * day);
    create('notes.txt', 30 * day);
    create('notes.jsonl.gz', 30 * day);
    create(`old-${fileNameOf('removed')}`, 30 * day);
    create(`${fileNameOf('removed')}.old`, 30 * day);

    await state.removeOld(['used']);

    expect(withoutSockets(directory)).toEqual(
      [
        fileNameOf('used'),
        `${fileNameOf('used')}.tmp`,
        fileNameOf('removed'),
        'notes.txt',
        'notes.jsonl.gz',
        `old-${fileNameOf('removed')}`,
        `${fileNameOf('removed')}.old`,
        'lock',
      ].toSorted(),
    );
    const msg = 'deleted the state of a removed account';
    const deleted = [fileNameOf('long removed'), `${fileNameOf('interrupted')}.tmp`];
    expect(logged()).toHaveLength(2);
    expect(logged()).toEqual(
      expect.arrayContaining(deleted.map((name) => expect.objectContaining({ file: join(directory, name), msg }))),
    );
  });
});

describe('a rejected secret', () => {
  it('is still known to be rejected as long as it is the same', async () => {
    const { state, outcomes, path } = await openDirectory();
    let secret: string | undefined = 'wrong password';
    const rejection = { secret, count: 2, rejected: Date.now(), nextAttempt: Date.now() + minute };
    const shop = account('shop');
    const rejected = { ...shop, secret: () => secret, session: () => ({ ...shop.session(), rejection }) };
    state.changed(rejected);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);
    const load = async () => (await state.load(rejected)).loaded?.session.rejection;

    const same = await load();
    secret = 'right password';
    const changed = await load();
    secret = undefined;

    expect([same, changed, await load()]).toEqual([rejection, undefined, undefined]);
    expect(gunzipSync(readFileSync(path('shop'))).toString()).not.toContain('wrong');
  });
});

describe('a secret that is only presumed to be rejected', () => {
  it('is saved without a hash, and the rejection holds for any secret of the next process', async () => {
    const { state, outcomes, path } = await openDirectory();
    const rejection = { count: 1, rejected: Date.now(), nextAttempt: Date.now() + minute };
    const shop = account('shop');
    const presumed = { ...rejection, secret: 'password', isPresumed: true as const };
    state.changed({ ...shop, session: () => ({ ...shop.session(), rejection: presumed }) });
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);

    const { loaded } = await state.load({ ...shop, secret: () => 'changed' });

    expect(gunzipSync(readFileSync(path('shop'))).toString()).not.toMatch(/secret|salt|hash/);
    expect(loaded?.session.rejection).toEqual({ ...rejection, secret: 'changed' });
  });
});

describe('the hash of a rejected secret', () => {
  const rejection = { secret: 'wrong password', count: 2, rejected: 0, nextAttempt: minute };

  function rejectedAccount(secret = rejection.secret): SavedAccount {
    const shop = account('shop', { secret: () => secret });
    return { ...shop, session: () => ({ ...shop.session(), rejection: { ...rejection, secret } }) };
  }

  async function saltAfter(action: (state: StateDirectory) => Promise<unknown>, directory?: string) {
    const opened = await openDirectory(directory);
    await action(opened.state);
    await opened.state.close();
    const [, salt] = /"salt":"(.+?)"/.exec(gunzipSync(readFileSync(opened.path('shop'))).toString()) ?? [];
    return { salt, directory: opened.directory, path: opened.path('shop') };
  }

  it('is computed again only for another secret', async () => {
    const first = await saltAfter(async (state) => state.changed(rejectedAccount()));
    const loaded = await saltAfter(async (state) => {
      await state.load(rejectedAccount());
      state.changed(rejectedAccount());
    }, first.directory);
    const changed = await saltAfter(async (state) => {
      await state.load(rejectedAccount('other password'));
      state.changed(rejectedAccount('other password'));
    }, first.directory);

    expect(first.salt).toMatch(/^.{22}==$/);
    expect(loaded.salt).toBe(first.salt);
    expect(changed.salt).not.toBe(first.salt);
  });

  it('matches no secret if it has another length', async () => {
    const { directory, path } = await saltAfter(async (state) => state.changed(rejectedAccount()));
    const text = gunzipSync(readFileSync(path)).toString();
    writeFileSync(path, gzipSync(text.replace(/"hash":".+?"/, '"hash":"AAAA"')));
    const { state } = await openDirectory(directory);

    const { loaded } = await state.load(rejectedAccount());

    expect(loaded).toMatchObject({ session: { dialect: 'specification', rejection: undefined } });
  });
});

describe('the file of an account', () => {
  it.each([
    ['another identity', { identity: 'another login' }, { foreign: 1 }],
    ['the same identity', {}, {}],
  ])('is used by an account of %s: %j', async (_what, parts, dropped) => {
    const { state, outcomes } = await openDirectory();
    state.changed(account('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);

    const result = await state.load(account('shop', parts));

    expect(result.dropped).toEqual(dropped);
    expect(result.loaded === undefined).toBe('foreign' in dropped);
  });

  it.each([
    ['is not compressed', Buffer.from('text')],
    ['contains no lines', gzipSync('text')],
    ['contains more than 64 MiB', gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '))],
  ])('is dropped if it %s', async (_what, content) => {
    const { state, path } = await openDirectory();
    writeFileSync(path('shop'), content);

    expect(await state.load(account('shop'))).toEqual({ loaded: undefined, dropped: { damaged: 1 } });
  });

  it('is dropped if it cannot be read', async () => {
    const { state, path } = await openDirectory();
    mkdirSync(path('shop'));

    expect(await state.load(account('shop'))).toEqual({ loaded: undefined, dropped: { damaged: 1 } });
  });

  it('may be missing', async () => {
    const { state } = await openDirectory();

    expect(await state.load(account('blog'))).toEqual({ loaded: undefined, dropped: {} });
  });

  it('is not used by an account with another name', async () => {
    const { state, path } = await openDirectory();
    state.changed(account('shop'));
    await state.close();
    renameSync(path('shop'), path('blog'));

    expect(await state.load(account('blog'))).toEqual({ loaded: undefined, dropped: { foreign: 1 } });
  });
});
