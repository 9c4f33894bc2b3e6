import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FolderInUseError } from '../../../src/state/folder-in-use-error.ts';
import { FolderLock } from '../../../src/state/folder-lock.ts';
import { processStart } from '../../fixtures/process-start.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

afterEach(() => void vi.useRealTimers());

/** A lock file of another process, which is replaced as a whole. */
function writeLock(folder: string, change: object): string {
  const path = join(folder, 'lock');
  const owner = { token: 'x', host: hostname(), pid: 1, started: '0', beat: 0, ...change };
  writeFileSync(`${path}.x`, JSON.stringify(owner));
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

describe('a folder', () => {
  it('is locked until the lock is released', async () => {
    const folder = temporaryFolder();

    const { lock, wasLeft } = await FolderLock.take(folder, 'lock');
    const held = await lock.isHeld();
    await lock.release();

    expect([held, wasLeft]).toEqual([true, false]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['of a process that no longer runs', { pid: 2 ** 22 + 1 }],
    ['of an earlier process with the same pid, as in a container', { pid: process.pid }],
    ['of an earlier process whose pid another process has now', { pid: process.ppid, started: 'long ago' }],
  ])('is taken over from the lock %s', async (_which, owner) => {
    const folder = temporaryFolder();
    writeLock(folder, owner);

    const { lock, wasLeft } = await FolderLock.take(folder, 'lock');

    expect([await lock.isHeld(), wasLeft]).toEqual([true, true]);
    await lock.release();
  });

  it('is taken over if the lock is damaged', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lock'), '{"token":');

    const { lock, wasLeft } = await FolderLock.take(folder, 'lock');

    expect([await lock.isHeld(), wasLeft]).toEqual([true, true]);
    await lock.release();
  });

  it('is taken over from another machine that gives no sign of life', async () => {
    const folder = temporaryFolder();
    writeLock(folder, { host: 'elsewhere' });

    const { lock } = await FolderLock.take(folder, 'lock', 10);

    expect(await lock.isHeld()).toBe(true);
    await lock.release();
  });

  it('is taken over from another machine that releases it', async () => {
    const folder = temporaryFolder();
    const path = writeLock(folder, { host: 'elsewhere' });

    const taken = FolderLock.take(folder, 'lock', 300);
    setTimeout(() => rmSync(path), 100);

    const { lock } = await taken;
    expect(await lock.isHeld()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  it('is refused if other machines take it over meanwhile', async () => {
    const folder = temporaryFolder();
    changeLockOften(folder, (count) => ({ host: 'elsewhere', token: `${count}` }));

    await expect(FolderLock.take(folder, 'lock', 1000)).rejects.toThrow(FolderInUseError);
  });

  it('cannot be taken with a folder in place of the lock, and keeps no other file', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'lock'));

    await expect(FolderLock.take(folder, 'lock')).rejects.toThrow(/^E/);

    expect(readdirSync(folder)).toEqual(['lock']);
  });

  it('is refused while another machine gives signs of life', async () => {
    const folder = temporaryFolder();
    changeLockOften(folder, (beat) => ({ host: 'elsewhere', pid: 7, beat }));

    const taken = FolderLock.take(folder, 'lock', 1000);

    await expect(taken).rejects.toThrow(FolderInUseError);
    await expect(taken).rejects.toThrow(`${folder} is in use by process 7 on elsewhere; give each exporter`);
  });

  it('is no longer held after another process has taken the lock', async () => {
    const folder = temporaryFolder();
    const first = await FolderLock.take(folder, 'lock');

    const second = await FolderLock.take(folder, 'lock');
    await first.lock.release();

    expect([await first.lock.isHeld(), await second.lock.isHeld()]).toEqual([false, true]);
    await second.lock.release();
  });

  it('is refused while its owner runs on this machine', async () => {
    const folder = temporaryFolder();
    writeLock(folder, { pid: process.ppid, started: processStart(process.ppid) });

    await expect(FolderLock.take(folder, 'lock')).rejects.toThrow(`is in use by process ${process.ppid} on`);
  });

  it('gets a sign of life every five seconds, but not after another process has taken the lock', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const folder = temporaryFolder();
    const { lock } = await FolderLock.take(folder, 'lock');
    const path = join(folder, 'lock');
    const beat = () => JSON.parse(readFileSync(path, 'utf8')).beat;

    vi.advanceTimersByTime(4999);
    const early = beat();
    vi.advanceTimersByTime(1);
    await until('the first sign of life', () => beat() === 1);
    vi.advanceTimersByTime(5000);
    await until('the second sign of life', () => beat() === 2);
    writeLock(folder, {});
    vi.advanceTimersByTime(5000);
    await lock.release();

    expect(early).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ token: 'x', beat: 0 });
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
