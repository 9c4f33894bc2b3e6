import { createHash } from 'node:crypto';
import type { Environment } from '../config/file/environment.ts';
import type { Shard } from '../config/values/config.ts';
import { InvalidArgumentError } from './command.ts';
import { nonEmpty } from './flags.ts';

/** Reads the value of --shard, such as `2/5` or `auto`. Throws InvalidArgumentError for any other text. */
export function readShard(written: string, environment: Environment): Shard {
  const parsed = written === 'auto' ? shardOfEnvironment(environment) : parseShard(nonEmpty(written));
  if (parsed !== undefined) return parsed;
  throw new InvalidArgumentError('It is not a shard; write i/n with i from 1 to n, such as 2/5, or auto.');
}

function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/** Reads the shard from the environment. SHARD_INDEX: the shard's number, counted from 0, or a StatefulSet pod name that ends in it. */
function shardOfEnvironment({ SHARD_INDEX: name = '', SHARD_COUNT: total = '' }: Environment): Shard {
  if (name === '' || total === '') {
    throw new InvalidArgumentError('auto needs the environment variables SHARD_INDEX and SHARD_COUNT.');
  }
  const [, number] = /^(?:.*-)?(\d{1,4})$/.exec(name) ?? [];
  const shard = number === undefined ? undefined : parseShard(`${Number(number) + 1}/${total}`);
  if (shard !== undefined) return shard;
  throw new InvalidArgumentError(
    `SHARD_INDEX must be a number from 0, or a name that ends in one, and SHARD_COUNT a larger number; they are ${JSON.stringify(name)} and ${JSON.stringify(total)}.`,
  );
}

/** Uses a jump consistent hash. If the number of shards grows from n to m, (m − n) / m of the accounts move, all to new shards. */
export function isInShard(account: string, { index, count }: Shard): boolean {
  let random = createHash('sha256').update(account).digest().readBigUInt64BE();
  let last = 0;
  // `next`: the number of shards at which the account moves to the newest shard. Each iteration computes a larger number.
  for (let next = 1; next <= count; ) {
    last = next;
    random = BigInt.asUintN(64, random * 2_862_933_555_777_941_757n + 1n);
    next = Math.floor((last * 2 ** 31) / (Number(random >> 33n) + 1)) + 1;
  }
  return last === index;
}
