import { createHash } from 'node:crypto';

/** One of several exporters that share a configuration: the second of five is `{ index: 2, count: 5 }`. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** Parses `2/5`; undefined for any other text. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

/** Assigns an account by a hash of its name, so that adding or removing other accounts does not move it. */
export function isInShard(account: string, { index, count }: Shard): boolean {
  return (createHash('sha256').update(account).digest().readUInt32BE() % count) + 1 === index;
}
