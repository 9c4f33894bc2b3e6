import { type LoadOptions, loadConfig } from '../config/file/load.ts';
import type { AccountConfig, Config, WebConfig } from '../config/values/config.ts';
import { closest } from '../config/values/suggestion.ts';
import type { Log } from '../log.ts';
import { type CommandContext, printWarnings, type Warned } from './command.ts';
import { ExitError } from './exit-code.ts';
import { logWarnings } from './log-flags.ts';
import type { ServeFlags } from './serve.ts';
import { isInShard } from './shard.ts';

/** Commands other than serve have the flag --account, and a few of the flags of serve. */
type ConfigFlags = Optional<ServeFlags & { readonly account: readonly string[] }>;
type Optional<Flags> = { readonly [Name in keyof Flags]?: Flags[Name] | undefined };

/** Selects accounts and overrides web settings. Throws ExitError for an unknown account. */
export function applyFlags(config: Config, flags: ConfigFlags): Config {
  const { shard, account: given } = flags;
  const names = config.accounts.map(({ name }) => name);
  const unknown = given?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const suggestion = closest(unknown, names);
    const hint = suggestion === undefined ? '' : `\n(Did you mean ${suggestion}?)`;
    throw new ExitError(2, `error: unknown account '${unknown}'${hint}`);
  }
  const isSelected = ({ name }: AccountConfig) =>
    (shard === undefined || isInShard(name, shard)) && (given === undefined || given.includes(name));
  const excluded = config.accounts.filter((account) => !isSelected(account)).map(({ name }) => name);
  const otherAccounts = [...(config.otherAccounts ?? []), ...excluded];
  return {
    ...config,
    accounts: config.accounts.filter(isSelected),
    ...(otherAccounts.length > 0 && { otherAccounts }),
    ...(shard !== undefined && { shard }),
    web: {
      listenAddresses: flags['web.listenAddress'] ?? config.web.listenAddresses,
      telemetryPath: flags['web.telemetryPath'] ?? config.web.telemetryPath,
      ...externalAddress(flags),
    },
  };
}

/** As in Prometheus, the route prefix is by default the path of the external URL. */
function externalAddress({ 'web.externalUrl': url, 'web.routePrefix': prefix }: ConfigFlags): Partial<WebConfig> {
  const path = url === undefined ? prefix : URL.parse(url, 'http://localhost')?.pathname;
  return { externalUrl: url, linkPrefix: path?.replace(/\/$/, ''), routePrefix: (prefix ?? path)?.replace(/\/$/, '') };
}

/** Loads a configuration, logs its warnings and applies the flags. Rejects like `loadConfig` and `applyFlags`. */
export async function loadWithFlags(flags: ConfigFlags, context: CommandContext, log: Log, options?: LoadOptions) {
  const { shard } = flags;
  const isOwn = shard && ((name: string) => isInShard(name, shard));
  const { config, warnings } = await loadConfig(flags['config.file'], context.environment, { ...options, isOwn });
  logWarnings(log, warnings);
  const changed = applyFlags(config, flags);
  if (flags.shard !== undefined && changed.accounts.length === 0) {
    log.warn({ configured: config.accounts.length }, 'shard is empty, polling nothing');
  }
  return changed;
}

/** Loads a configuration for a command that writes no log, prints its warnings and applies the flags. */
export async function loadAndPrint(flags: ConfigFlags & Warned, context: CommandContext) {
  const { config, warnings } = await loadConfig(flags['config.file'], context.environment);
  printWarnings(context, [...flags.warnings, ...warnings]);
  return applyFlags(config, flags);
}
