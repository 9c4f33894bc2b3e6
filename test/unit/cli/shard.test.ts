import { expect, test } from 'vitest';
import { parseCommandLine, printedFor } from '../../fixtures/command-line.ts';

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
