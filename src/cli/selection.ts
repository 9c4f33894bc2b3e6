import type { AccountConfig, Config } from '../config/config.ts';
import { type ConfigOverrides, loadConfig } from '../config/load.ts';
import { closest } from '../config/suggestion.ts';
import type { Log } from '../log.ts';
import { UsageError } from './arguments.ts';
import type { Host } from './host.ts';
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

/** What is read, and which of its accounts are the command's. */
interface Source extends Selection, ConfigOverrides {
  readonly configFile: string | undefined;
}

/** Reads the configuration and gives the selected accounts; warnings go into the log. Throws as `loadConfig` and `select`. */
export function loadSelected(source: Source, { environment }: Host, log: Log): Config {
  const { config, warnings } = loadConfig(source.configFile, environment, source);
  for (const warning of warnings) log.warn({ warning }, 'the configuration is not as safe as it could be');
  const own = select(config, source);
  if (source.shard !== undefined && own.accounts.length === 0) {
    log.warn({ configured: config.accounts.length }, 'no account falls to this share; this exporter polls nothing');
  }
  return own;
}

function hint(unknown: string, names: readonly string[]): string {
  const suggestion = closest(unknown, names);
  return suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
}
