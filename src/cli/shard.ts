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

/** The variables that `--shard=auto` reads. */
export const shardVariables = ['SHARD_INDEX', 'SHARD_COUNT'] as const;

/**
 * The share of a pod: SHARD_INDEX counts from 0, and can be the name of a pod of a StatefulSet, which ends in its number.
 * Returns what is wrong, as a sentence, if the variables describe no share.
 */
export function shardOfEnvironment(environment: Readonly<Record<string, string | undefined>>): Shard | string {
  const { SHARD_INDEX: name = '', SHARD_COUNT: total = '' } = environment;
  if (name === '' || total === '') return 'auto needs the environment variables SHARD_INDEX and SHARD_COUNT.';
  const [, number] = /^(?:.*-)?(\d{1,4})$/.exec(name) ?? [];
  const shard = number === undefined ? undefined : parseShard(`${Number(number) + 1}/${total}`);
  return (
    shard ??
    `SHARD_INDEX must be a number from 0, or a name that ends in one, and SHARD_COUNT a larger number; they are ${JSON.stringify(name)} and ${JSON.stringify(total)}.`
  );
}
