import { createHash } from 'node:crypto';

/** The second of five exporters that share one configuration: `{ index: 2, count: 5 }`. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** `2/5`; undefined where it is no shard. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/** Whether an account is one of the shard's: by a hash of its name, so that others come and go without moving it. */
export function isInShard(account: string, { index, count }: Shard): boolean {
  return (createHash('sha256').update(account).digest().readUInt32BE() % count) + 1 === index;
}
