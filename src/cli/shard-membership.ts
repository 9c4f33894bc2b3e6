import { createHash } from 'node:crypto';
import type { Shard } from './shard.ts';

/** Assigns an account by a hash of its name, so that adding or removing other accounts does not move it. */
export function isInShard(account: string, { index, count }: Shard): boolean {
  return (createHash('sha256').update(account).digest().readUInt32BE() % count) + 1 === index;
}
