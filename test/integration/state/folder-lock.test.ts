import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FolderInUseError, FolderLock } from '../../../src/state/folder-lock.ts';
import { LockProcess } from '../../fixtures/lock-process.ts';
import { fakePauses } from '../../fixtures/pauses.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

afterEach(() => void vi.useRealTimers());

const token = 'aaaaaaaaaaaa';

/** A lock file of a process on another machine, which is replaced as a whole. */
function writeLock(folder: string, change: object = {}): string {
  const path = join(folder, 'lock');
  const owner = { token, replaces: '', host: 'elsewhere', pid: 7, boot: 'other', ...change };
  writeFileSync(`${path}.x`, `${JSON.stringify(owner)}\n`);
  renameSync(`${path}.x`, path);
  return path;
}

/** Writes the lock now and every 20 ms until the end of the test: the change for 0, 1, 2 and so on. */
function changeLockOften(folder: string, change: (count: number) => object): void {
  let count = 0;
  writeLock(folder, change(count));
  const changes = setInterval(() => {
    count += 1;
    writeLock(folder, change(count));
  }, 20);
  onTestFinished(() => clearInterval(changes));
}

/** Takes a lock until the end of the test. */
async function take(folder: string, wait?: number) {
  const taken = await FolderLock.take(folder, 'lock', wait === undefined ? {} : { wait });
  onTestFinished(() => taken.lock.release());
  return taken;
}

describe('a folder', () => {
  it('is locked until the lock is released', async () => {
    const folder = temporaryFolder();

    const { lock, wasLeft } = await FolderLock.take(folder, 'lock');
    const held = await lock.isHeld();
    const { mode } = statSync(join(folder, 'lock'));
    await lock.release();

    expect([held, wasLeft, mode & 0o777]).toEqual([true, false, 0o600]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused while its owner runs, even if host name and pid are the same, as in two containers', async () => {
    const folder = temporaryFolder();
    const other = new LockProcess();
    await other.take(folder);
    const path = join(folder, 'lock');
    const owner = { ...JSON.parse(readFileSync(path, 'utf8')), host: hostname(), pid: process.pid };
    writeFileSync(path, JSON.stringify(owner));

    await expect(FolderLock.take(folder, 'lock')).rejects.toThrow(
      `${folder} is in use by process ${process.pid} on ${hostname()}; give each exporter`,
    );
  });

  it('is refused while its owner is stopped', async () => {
    const folder = temporaryFolder();
    const other = new LockProcess();
    await other.take(folder);

    other.pause();

    await expect(FolderLock.take(folder, 'lock', { wait: 10 })).rejects.toThrow(FolderInUseError);
  });

  it('is taken over at once from a killed process, and loses the files that the killed process left', async () => {
    const folder = temporaryFolder();
    const killed = new LockProcess();
    await killed.take(folder);
    await killed.kill();
    const left = readdirSync(folder).length;

    const { lock, wasLeft } = await take(folder, Number.POSITIVE_INFINITY);

    expect([left, await lock.isHeld(), wasLeft]).toEqual([2, true, true]);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('loses the socket that a killed process left although the lock cannot be written again, as on a full disk', async () => {
    const folder = temporaryFolder();
    const killed = new LockProcess();
    await killed.take(folder);
    await killed.kill();
    mkdirSync(join(folder, 'lock.tmp'));

    const { lock } = await take(folder, Number.POSITIVE_INFINITY);

    expect(await lock.isHeld()).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual(['lock', expect.stringMatching(/^lock\.[0-9a-f]{12}$/), 'lock.tmp']);
  });

  it('is taken over by exactly one of many processes that find it at the same time', async () => {
    const others = Array.from({ length: 6 }, () => new LockProcess());
    const warm = temporaryFolder();
    await Promise.all(others.map((other) => other.take(warm)));
    const outcomes: string[][] = [];

    for (let round = 0; round < 8; round += 1) {
      const folder = temporaryFolder();
      const killed = new LockProcess();
      await killed.take(folder);
      await killed.kill();
      outcomes.push(await Promise.all(others.map((other) => other.take(folder))));
    }

    const once = ['held', ...Array.from({ length: 5 }, () => 'in use')];
    expect(outcomes.map((round) => round.toSorted())).toEqual(outcomes.map(() => once));
  });

  it('is taken by exactly one of many processes that start at the same time', async () => {
    const others = Array.from({ length: 6 }, () => new LockProcess());
    const outcomes: string[][] = [];

    for (let round = 0; round < 20; round += 1) {
      const folder = temporaryFolder();
      outcomes.push(await Promise.all(others.map((other) => other.take(folder))));
    }

    expect(outcomes.map((round) => round.filter((outcome) => outcome === 'held').length)).toEqual(
      outcomes.map(() => 1),
    );
  });

  it.each([
    ['empty', ''],
    ['cut off', '{"token":'],
    ['binary', '\0\n\xff'],
    ['nested deeply', '['.repeat(100_000)],
  ])('is taken over if the lock is %s', async (_what, content) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), content);

    const { lock, wasLeft } = await take(folder);

    expect([await lock.isHeld(), wasLeft]).toEqual([true, true]);
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(/^\{[^\n]*\}\n$/);
  });

  it('is taken over from another machine that gives no sign of life', async () => {
    const folder = temporaryFolder();
    writeLock(folder);

    const { lock } = await take(folder, 10);

    expect(await lock.isHeld()).toBe(true);
  });

  it('is observed for fifteen seconds, every tenth of a second, if its owner is on another machine', async () => {
    const folder = temporaryFolder();
    writeLock(folder);
    const pauses = fakePauses();

    const { lock } = await take(folder);

    expect(pauses).toEqual(Array.from({ length: 150 }, () => 100));
    expect(await lock.isHeld()).toBe(true);
  });

  it('is refused if another machine gives a sign of life at the end of the fifteen seconds', async () => {
    const folder = temporaryFolder();
    const path = writeLock(folder);
    fakePauses((paused) => {
      if (paused === 15_000) utimesSync(path, new Date(0), new Date(0));
    });

    await expect(FolderLock.take(folder, 'lock')).rejects.toThrow(FolderInUseError);
  });

  it('is taken over from another machine that releases it', async () => {
    const folder = temporaryFolder();
    const path = writeLock(folder);
    const pauses = fakePauses((paused) => {
      if (paused === 200) rmSync(path);
    });

    const { lock } = await take(folder);

    expect(pauses).toHaveLength(2);
    expect(await lock.isHeld()).toBe(true);
  });

  it('is refused if other machines take it over meanwhile', async () => {
    const folder = temporaryFolder();
    changeLockOften(folder, (count) => ({ token: String(count).padStart(12, '0') }));

    await expect(FolderLock.take(folder, 'lock', { wait: 1000 })).rejects.toThrow(FolderInUseError);
  });

  it('is refused while another machine gives signs of life', async () => {
    const folder = temporaryFolder();
    changeLockOften(folder, () => ({}));

    const taken = FolderLock.take(folder, 'lock', { wait: 1000 });

    await expect(taken).rejects.toThrow(`${folder} is in use by process 7 on elsewhere; give each exporter`);
  });

  it('belongs to the first process that replaced its owner, also if others write later', async () => {
    const folder = temporaryFolder();
    const path = writeLock(folder);
    const { lock } = await take(folder, 10);

    const late = { token: 'bbbbbbbbbbbb', replaces: token, host: 'elsewhere', pid: 8, boot: 'other' };
    appendFileSync(path, `\n${JSON.stringify(late)}\n`);

    expect(await lock.isHeld()).toBe(true);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a file of two mebibytes', (path: string) => writeFileSync(path, Buffer.alloc(2 * 1024 * 1024))],
    [
      'a socket',
      async (path: string) => {
        const server = createServer();
        await new Promise<void>((resolve) => void server.listen(path, resolve));
        onTestFinished(() => void server.close());
      },
    ],
  ])('cannot be taken with %s in place of the lock, and keeps no other file', async (_what, create) => {
    const folder = temporaryFolder();
    await create(join(folder, 'lock'));

    await expect(FolderLock.take(folder, 'lock')).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
      syscall: 'open',
    });

    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is locked by signs of life alone if its path is too long for a socket', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(120));
    mkdirSync(folder);
    const { lock } = await take(folder);

    expect(readdirSync(folder)).toEqual(['lock']);
    expect(await lock.isHeld()).toBe(true);
  });

  it('is no longer held after another process has taken the lock', async () => {
    const folder = temporaryFolder();
    const { lock } = await FolderLock.take(folder, 'lock');

    writeLock(folder);
    const held = await lock.isHeld();
    await lock.release();

    expect(held).toBe(false);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('gets a sign of life every five seconds, but not after another process has taken the lock', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const folder = temporaryFolder();
    const { lock } = await FolderLock.take(folder, 'lock');
    const path = join(folder, 'lock');
    const long = new Date(0);
    const beats: boolean[] = [];
    for (const advance of [4999, 1, 5000]) {
      utimesSync(path, long, long);
      vi.advanceTimersByTime(advance);
      if (advance !== 4999) await until('a sign of life', () => statSync(path).mtimeMs > 0);
      beats.push(statSync(path).mtimeMs > 0);
    }
    writeLock(folder);
    utimesSync(path, long, long);
    vi.advanceTimersByTime(5000);
    await lock.release();

    expect(beats).toEqual([false, true, true]);
    expect(statSync(path).mtimeMs).toBe(0);
  });

  it('is not locked by a sign of life that was under way when the lock was released', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const left: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const folder = temporaryFolder();
      const { lock } = await FolderLock.take(folder, 'lock');

      vi.advanceTimersByTime(5000);
      await lock.release();
      await setImmediate();

      left.push(...readdirSync(folder));
    }

    expect(left).toEqual([]);
  });
});
