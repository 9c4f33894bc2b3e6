import type { AccountConfig, Config } from '../config/config.ts';
import { closest } from '../config/suggestion.ts';
import { UsageError } from './arguments.ts';
import { isInShard, type Shard } from './shard.ts';

/** Which of the configured accounts a command is about; nothing named means all. */
export interface Selection {
  readonly shard?: Shard | undefined;
  readonly accounts?: readonly string[] | undefined;
}

/** The configuration with the selected accounts only. Throws UsageError for the name of an account that there is not. */
export function select(config: Config, { shard, accounts }: Selection): Config {
  const names = config.accounts.map(({ name }) => name);
  const unknown = accounts?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`no account '${unknown}' is configured${hint(unknown, names)}`);
  const isSelected = ({ name }: AccountConfig) =>
    (shard === undefined || isInShard(name, shard)) && (accounts === undefined || accounts.includes(name));
  return { ...config, accounts: config.accounts.filter(isSelected) };
}

function hint(unknown: string, names: readonly string[]): string {
  const suggestion = closest(unknown, names);
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}
