import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Shard } from '../../src/config/values/config.ts';
import { FolderInUseError, takeLock } from '../../src/state/lock.ts';
import { LockProcess } from '../fixtures/lock-process.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Takes a lock until the end of the test, in this process. */
async function take(folder: string, shard?: Shard) {
  const { log, lines } = recordedLog();
  const { release } = await takeLock(folder, shard, log);
  onTestFinished(release);
  return { release, messages: lines.map((line) => JSON.parse(line)) };
}

/** A folder whose owner was killed. */
async function abandonedFolder(shard?: Shard): Promise<string> {
  const folder = temporaryFolder();
  const killed = new LockProcess();
  await killed.take(folder, shard);
  await killed.kill();
  return folder;
}

const one = { index: 1, count: 1 };
const first = { index: 1, count: 2 };
const third = { index: 3, count: 3 };
const [tenth, eleventh] = [10, 11].map((index) => ({ index, count: 12 }));

describe('a folder', () => {
  it('is locked until the lock is released', async () => {
    const folder = temporaryFolder();

    const { release, messages } = await take(folder);
    const files = readdirSync(folder);
    await release();

    expect(files).toEqual([expect.stringMatching(/^lock\.[0-9a-f]{12}$/)]);
    expect([readdirSync(folder), messages]).toEqual([[], []]);
  });

  it('is refused while another process holds the directory, even with the same host name and pid, as in two containers', async () => {
    const folder = temporaryFolder();
    await take(folder);

    const taken = take(folder);

    const owner = `process ${process.pid} on ${hostname()}`;
    const message = `state.directory: ${folder} is in use by ${owner}; give each exporter its own directory`;
    await expect(taken).rejects.toThrow(new FolderInUseError(message));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is refused while its owner is suspended', async () => {
    const folder = temporaryFolder();
    const other = new LockProcess();
    await other.take(folder);

    other.pause();

    await expect(take(folder)).rejects.toThrow(`${folder} is in use by another process; give each exporter`);
  });

  it('is taken over at once from a killed process, whose socket is removed', async () => {
    const folder = await abandonedFolder();
    const left = readdirSync(folder);

    await take(folder);

    expect([left, readdirSync(folder)]).toEqual([
      [expect.stringMatching(/^lock\./)],
      [expect.not.stringContaining(`${left}`)],
    ]);
  });

  it('is taken over by exactly one of many processes that find it at the same time', async () => {
    const others = Array.from({ length: 6 }, () => new LockProcess());
    const warm = temporaryFolder();
    await Promise.all(others.map((other) => other.take(warm)));
    const outcomes: string[][] = [];

    for (let round = 0; round < 8; round += 1) {
      const folder = await abandonedFolder();
      outcomes.push(await Promise.all(others.map((other) => other.take(folder))));
    }

    expect(outcomes.map((round) => round.filter((outcome) => outcome === 'held').length)).toEqual(
      outcomes.map(() => 1),
    );
  });

  it('is taken by exactly one of many processes that start at the same time, also as different shards', async () => {
    const others = Array.from({ length: 6 }, () => new LockProcess());
    const outcomes: string[][] = [];

    for (let round = 0; round < 20; round += 1) {
      const folder = temporaryFolder();
      // All of them exclude each other.
      const shards = [undefined, undefined, one, one, third, third];
      outcomes.push(await Promise.all(others.map((other, index) => other.take(folder, shards[index]))));
    }

    expect(outcomes.map((round) => round.filter((outcome) => outcome === 'held').length)).toEqual(
      outcomes.map(() => 1),
    );
  });

  it.each([
    ['the same shard', first, first],
    ['the same shard of many', tenth, tenth],
    ['an exporter without shards', undefined, one],
    ['the only shard', one, undefined],
    ['a shard of another count', third, first],
  ])('is refused while it belongs to %s, and then taken over', async (_what, shard, other) => {
    const folder = temporaryFolder();
    const owner = new LockProcess();
    await owner.take(folder, shard);

    await expect(take(folder, other)).rejects.toThrow(FolderInUseError);

    await owner.kill();
    await take(folder, other);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is shared by the shards of one count', async () => {
    const folder = temporaryFolder();

    await take(folder, tenth);
    await take(folder, eleventh);

    expect(readdirSync(folder).toSorted()).toEqual([
      expect.stringMatching(/^lock-10-of-12\.[0-9a-f]{12}$/),
      expect.stringMatching(/^lock-11-of-12\.[0-9a-f]{12}$/),
    ]);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a file', (path: string) => writeFileSync(path, '{"token":')],
    ['a socket that does not listen yet', (path: string) => writeFileSync(`${path}.0123456789ab.tmp`, '')],
  ])('is taken although it contains %s with the name of a lock', async (_what, create) => {
    const folder = temporaryFolder();
    create(join(folder, 'lock'));

    await take(folder);

    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('is used without a lock, with a warning, if its path is too long for a socket', async () => {
    const folder = join(temporaryFolder(), 'x'.repeat(120));
    mkdirSync(folder);

    const { messages } = await take(folder);

    expect(messages).toEqual([
      expect.objectContaining({
        level: 'warn',
        directory: folder,
        reason: 'no sockets, or the path is too long for a socket',
        msg: 'state directory is not protected from a second exporter',
      }),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('cannot be taken if it is missing', async () => {
    await expect(take(join(temporaryFolder(), 'missing'))).rejects.toMatchObject({ syscall: 'listen' });
  });
});
