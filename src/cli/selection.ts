import type { AccountConfig, Config } from '../config/config.ts';
import { type ConfigOverrides, type LoadOptions, loadConfig } from '../config/load.ts';
import { closest } from '../config/suggestion.ts';
import type { Log } from '../log.ts';
import type { Host } from './host.ts';
import type { Shard } from './shard.ts';
import { isInShard } from './shard-membership.ts';
import { UsageError } from './usage-error.ts';

/** The accounts that a command is limited to; undefined means no limit. */
export interface Selection {
  readonly shard?: Shard | undefined;
  readonly accounts?: readonly string[] | undefined;
}

/** The configuration with only the selected accounts. Throws UsageError for an unknown account. */
export function select(config: Config, { shard, accounts }: Selection): Config {
  const names = config.accounts.map(({ name }) => name);
  const unknown = accounts?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`error: unknown account '${unknown}'${suggest(unknown, names)}`);
  const isSelected = ({ name }: AccountConfig) =>
    (shard === undefined || isInShard(name, shard)) && (accounts === undefined || accounts.includes(name));
  const otherAccounts = config.accounts.filter((account) => !isSelected(account)).map(({ name }) => name);
  return {
    ...config,
    accounts: config.accounts.filter(isSelected),
    ...(otherAccounts.length > 0 && { otherAccounts }),
  };
}

interface Source extends Selection, ConfigOverrides {
  readonly configFile: string | undefined;
}

/** Loads the configuration with only the selected accounts, and logs warnings. Rejects as `loadConfig` and `select`. */
export async function loadSelected(
  source: Source,
  { environment }: Host,
  log: Log,
  options?: LoadOptions,
): Promise<Config> {
  const { config, warnings } = await loadConfig(source.configFile, environment, source, options);
  logWarnings(log, warnings);
  const selected = select(config, source);
  if (source.shard !== undefined && selected.accounts.length === 0) {
    log.warn({ configured: config.accounts.length }, 'shard is empty, polling nothing');
  }
  return selected;
}

/** Logs warnings about flags and configuration. */
export function logWarnings(log: Log, warnings: readonly string[]): void {
  for (const warning of warnings) log.warn({ warning }, 'configuration warning');
}

function suggest(unknown: string, names: readonly string[]): string {
  const suggestion = closest(unknown, names);
  return suggestion === undefined ? '' : `\n(Did you mean ${suggestion}?)`;
}
