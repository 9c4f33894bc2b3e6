import { expect, test } from 'vitest';
import { isInShard } from '../../src/cli/shard.ts';
import { parseCommandLine, printedFor } from '../fixtures/command-line.ts';

test.each([
  ['a number from 0', { SHARD_INDEX: '0', SHARD_COUNT: '3' }, { index: 1, count: 3 }],
  ['the last number', { SHARD_INDEX: '2', SHARD_COUNT: '3' }, { index: 3, count: 3 }],
  ['the name of a pod', { SHARD_INDEX: 'hosting-account-exporter-1', SHARD_COUNT: '3' }, { index: 2, count: 3 }],
  [
    'the name of a pod with other numbers',
    { SHARD_INDEX: 'web-2-exporter-10', SHARD_COUNT: '12' },
    { index: 11, count: 12 },
  ],
])('--shard=auto reads %s', async (_, environment, expected) => {
  expect(await parseCommandLine(['serve', '--shard=auto'], { environment })).toMatchObject({ shard: expected });
});

test.each([
  ['no variables', {}, 'needs the environment variables SHARD_INDEX and SHARD_COUNT'],
  ['no count', { SHARD_INDEX: '1' }, 'needs the environment variables'],
  ['an empty index', { SHARD_INDEX: '', SHARD_COUNT: '3' }, 'needs the environment variables'],
  ['an index as large as the count', { SHARD_INDEX: 'exporter-3', SHARD_COUNT: '3' }, '"exporter-3" and "3"'],
  ['a name without a number', { SHARD_INDEX: 'exporter-7d9f', SHARD_COUNT: '3' }, '"exporter-7d9f"'],
  ['a count that is no number', { SHARD_INDEX: '0', SHARD_COUNT: 'three' }, '"three"'],
])('--shard=auto refuses %s', async (_, environment, message) => {
  const { stderr, exitCode } = await printedFor(['serve', '--shard=auto'], { environment });

  expect(stderr).toContain(message);
  expect(exitCode).not.toBe(0);
});

test.each([
  // A version that assigns accounts to other shards polls them without their saved figures.
  ['account-0', [1, 2, 3, 7, 7, 48, 764]],
  ['account-2', [1, 1, 1, 1, 1, 40, 553]],
  ['shop', [1, 2, 2, 2, 16, 47, 324]],
  ['café', [1, 2, 2, 6, 14, 14, 932]],
])('%s belongs to exactly one shard, the same in every version', (account, expected) => {
  const shards = [1, 2, 3, 7, 20, 51, 1000].map((count) => indicesOf(account, count));

  expect(shards).toEqual(expected.map((index) => [index]));
});

test.each([
  ['account-', 51],
  ['shop', 21],
])('one more shard takes its share of 10 000 accounts, and no other moves (%s…, up to %i shards)', (prefix, most) => {
  const accounts = Array.from({ length: 10_000 }, (_, number) => `${prefix}${number}`);
  let indices = accounts.map(() => 1);

  const shares: number[] = [];
  for (let count = 2; count <= most; count += 1) {
    const next = accounts.map((account, position) => {
      const index = indices[position] ?? 0;
      return [index, count].find((candidate) => isInShard(account, { index: candidate, count }));
    });
    shares.push((next.filter((index) => index === count).length / accounts.length) * count);
    expect(next, `${count} shards`).not.toContain(undefined);
    indices = next.map(Number);
    if (count === 20) {
      const sizes = [...Map.groupBy(indices, (index) => index).values()].map(({ length }) => length);
      expect(sizes, `${count} shards`).toHaveLength(20);
      expect(Math.max(...sizes), `${count} shards`).toBeLessThanOrEqual(1.15 * 500);
    }
  }

  // How many accounts move, as a multiple of the ideal, an equal share for the new shard.
  expect(shares).toHaveLength(most - 1);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1.1);
});

function indicesOf(account: string, count: number): readonly number[] {
  return Array.from({ length: count }, (_, position) => position + 1).filter((index) =>
    isInShard(account, { index, count }),
  );
}
