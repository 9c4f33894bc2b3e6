import { createHash } from 'node:crypto';
import type { Environment } from '../config/file/environment.ts';
import { InvalidArgumentError } from './command.ts';
import { nonEmpty } from './flags.ts';

/** One of several exporters that share a configuration. The second of five is `{ index: 2, count: 5 }`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads the value of --shard, such as `2/5` or `auto`. Throws InvalidArgumentError for any other text. */
export function readShard(written: string, environment: Environment): Shard {
  if (written === 'auto') return shardOfEnvironment(environment);
  const parsed = parseShard(nonEmpty(written));
  if (parsed !== undefined) return parsed;
  throw new InvalidArgumentError('It is not a shard; write i/n with i from 1 to n, such as 2/5, or auto.');
}

function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/** Computes the shard. SHARD_INDEX is a number from 0, or the name of a StatefulSet's pod, which ends in the number of the pod. */
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

/** Whether an account belongs to a shard, by a hash of the account's name, so that other accounts do not affect the result. */
export function isInShard(account: string, { index, count }: Shard): boolean {
  return (createHash('sha256').update(account).digest().readUInt32BE() % count) + 1 === index;
}
