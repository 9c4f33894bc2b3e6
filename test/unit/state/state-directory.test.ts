import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiSession } from '../../../src/api/session.ts';
import { fileNameOf } from '../../../src/state/read-state.ts';
import { type SavedAccount, StateDirectory } from '../../../src/state/state-directory.ts';
import { fakeClock } from '../../fixtures/polled-account.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const start = '2026-06-03T12:00:00Z';
const second = 1000;
const minute = 60_000;
const day = 86_400_000;

async function openDirectory(directory = join(temporaryFolder(), 'state')) {
  fakeClock(start);
  const { log, lines } = recordedLog();
  const state = await StateDirectory.open({ directory, shard: '', versions: new Map(), log });
  onTestFinished(() => state.close());
  const outcomes: (number | 'failed')[] = [];
  state.observe({ onSaved: (time) => outcomes.push(time), onSaveFailed: () => outcomes.push('failed') });
  const path = (account: string) => join(directory, fileNameOf(account));
  return {
    directory,
    state,
    outcomes,
    path,
    messages: () => lines.map((line) => JSON.parse(line).msg),
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

describe('an account that changes', () => {
  it('is saved half a minute after its first change, once', async () => {
    const { state, outcomes, saved } = await openDirectory();
    const shop = account('shop');

    state.changed(shop);
    await vi.advanceTimersByTimeAsync(20 * second);
    state.changed(shop);
    await vi.advanceTimersByTimeAsync(10 * second - 1);
    const before = outcomes.length;
    await vi.advanceTimersByTimeAsync(1);
    await until(() => outcomes.length > 0);
    await vi.advanceTimersByTimeAsync(minute);

    expect(before).toBe(0);
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

  it('is not saved after it was forgotten', async () => {
    const { state, outcomes, saved } = await openDirectory();
    const shop = account('shop');
    state.changed(shop);
    state.changed(account('blog'));

    state.forget(shop);
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);
    await state.take();
    await state.close();

    expect(saved('shop', 'blog')).toEqual(['blog']);
  });

  it('is saved half a minute later if the save failed, which is logged once, and so is its end', async () => {
    const { state, outcomes, path, messages } = await openDirectory();
    // A folder in place of the file cannot be replaced.
    mkdirSync(path('shop'));
    state.changed(account('shop'));
    for (let failed = 1; failed <= 2; failed += 1) {
      await vi.advanceTimersByTimeAsync(30 * second);
      await until(() => outcomes.length === failed);
    }

    rmdirSync(path('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length === 3);

    expect(outcomes).toEqual(['failed', 'failed', Date.parse(start) + 90 * second]);
    expect(messages()).toEqual(['saving the state failed, trying again', 'state can be saved again']);
  });

  it('is not saved by a process that has lost its lock', async () => {
    const { directory, state, outcomes, saved } = await openDirectory();
    rmSync(join(directory, 'lock'));

    state.changed(account('shop'));
    await vi.advanceTimersByTimeAsync(30 * second);
    await until(() => outcomes.length > 0);

    expect(outcomes).toEqual(['failed']);
    expect(saved('shop')).toEqual([]);
  });
});

describe('a process that stops', () => {
  it('saves the accounts that changed, and no others, as they were when it took their state', async () => {
    const { directory, state, saved, path } = await openDirectory();
    let dialect: 'provider' | 'specification' = 'provider';
    const shop = account('shop');
    state.changed({ ...shop, session: () => ({ ...shop.session(), dialect }) });

    await state.take();
    dialect = 'specification';
    state.changed(account('blog'));
    await state.close();

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

    await state.take();
    const locked = existsSync(join(directory, 'lock'));
    await state.close();

    expect(locked).toBe(true);
    expect(outcomes).toEqual([Date.parse(start) + 30 * second]);
    expect(existsSync(join(directory, 'lock'))).toBe(false);
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('gives up after five seconds, and logs how many accounts it did not save', async () => {
    fakeClock(start);
    const directory = temporaryFolder();
    const { log, lines } = recordedLog();
    const state = await StateDirectory.open({ directory, shard: '', versions: new Map(), log });
    // Each save takes two seconds.
    state.observe({ onSaved: () => vi.advanceTimersByTime(2 * second), onSaveFailed: () => {} });
    for (const name of ['a', 'b', 'c', 'd', 'e']) state.changed(account(name));

    await state.take();
    await state.close();

    expect(readdirSync(directory).toSorted()).toEqual(['a', 'b', 'c'].map(fileNameOf).toSorted());
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', accounts: 2, msg: 'stopped before the state of all accounts was saved' },
    ]);
  });

  it('tells whether the previous process closed it', async () => {
    const { directory, state } = await openDirectory();
    await state.close();
    const reopened = await openDirectory(directory);
    const afterClose = reopened.state.wasKilled;
    const afterKill = await openDirectory(directory);

    expect([state.wasKilled, afterClose, afterKill.state.wasKilled]).toEqual([false, false, true]);
  });
});

describe('the files of accounts', () => {
  it('are deleted seven days after the last save, unless the account is in the configuration', async () => {
    const { directory, state, messages } = await openDirectory();
    const now = Date.now();
    const create = (name: string, age: number) => {
      const time = new Date(now - age);
      writeFileSync(join(directory, name), '');
      utimesSync(join(directory, name), time, time);
    };
    create(fileNameOf('used'), 30 * day);
    create(fileNameOf('removed'), 7 * day - minute);
    create(fileNameOf('long removed'), 7 * day + minute);
    create(`${fileNameOf('interrupted')}.tmp`, 7 * day + minute);
    create(`${fileNameOf('used')}.tmp`, 30 * day);
    create('notes.txt', 30 * day);
    create('notes.jsonl.gz', 30 * day);

    await state.removeOld(['used']);

    expect(readdirSync(directory).toSorted()).toEqual(
      [
        fileNameOf('used'),
        `${fileNameOf('used')}.tmp`,
        fileNameOf('removed'),
        'notes.txt',
        'notes.jsonl.gz',
        'lock',
      ].toSorted(),
    );
    expect(messages()).toEqual(Array(2).fill('deleted the state of a removed account'));
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

  it('may be missing or damaged', async () => {
    const { state, path } = await openDirectory();
    writeFileSync(path('shop'), 'text');

    expect(await state.load(account('blog'))).toEqual({ loaded: undefined, dropped: {} });
    expect(await state.load(account('shop'))).toEqual({ loaded: undefined, dropped: { damaged: 1 } });
  });
});
