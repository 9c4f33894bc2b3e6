import { type LoadOptions, loadConfig } from '../config/file/load.ts';
import type { AccountConfig, Config, WebConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { closest } from '../config/values/wording.ts';
import { createLog, type Log, type LogOptions, logFormats, logLevels } from '../log.ts';
import type { WebConfigObserver } from '../web/config/watched-web-config.ts';
import { type CommandContext, Option, printWarnings } from './command.ts';
import { ExitError } from './exit-code.ts';
import type { ServeFlags } from './serve.ts';
import { isInShard } from './shard.ts';

// Flags for the configuration and the log, and what commands make of them.

export function logLevel(level: LogOptions['level'] = 'info') {
  const description = 'lowest level of messages to log, to stderr';
  return new Option('--log.level <level>', description).choices(logLevels).default(level);
}

export function logFormat() {
  return new Option('--log.format <format>', 'format of log messages').choices(logFormats).default('logfmt');
}

type LogFlags = Pick<ServeFlags, 'log.level' | 'log.format' | 'warnings'>;

/** Creates the log, and logs the warnings about the flags. */
export function openLog(flags: LogFlags, { stderr }: CommandContext): Log {
  const log = createLog({ level: flags['log.level'], format: flags['log.format'] }, stderr);
  logWarnings(log, flags.warnings);
  return log;
}

export function logWarnings(log: Log, warnings: readonly string[]): void {
  for (const warning of warnings) log.warn({ warning }, 'configuration warning');
}

/** Commands other than serve have the flag --account, and a few of the flags of serve. */
type ConfigFlags = { readonly [Name in keyof ServeFlags]?: ServeFlags[Name] | undefined } & {
  readonly account?: readonly string[] | undefined;
};

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
  if (shard !== undefined && changed.accounts.length === 0) {
    log.warn({ configured: config.accounts.length }, 'shard is empty, polling nothing');
  }
  return changed;
}

/** Loads a configuration for a command that writes no log, prints its warnings and applies the flags. */
export async function loadAndPrint(flags: ConfigFlags & Pick<ServeFlags, 'warnings'>, context: CommandContext) {
  const { config, warnings } = await loadConfig(flags['config.file'], context.environment);
  printWarnings(context, [...flags.warnings, ...warnings]);
  return applyFlags(config, flags);
}

/** Waits for `loading` and the web configuration. Rejects with one ConfigError for the problems of both, or with any other error. */
export async function withWebConfig<Loaded>(loading: Promise<Loaded>, path: string | undefined) {
  const [config, web] = await Promise.allSettled([loading, openWebConfig(path)]);
  if (config.status === 'fulfilled' && web.status === 'fulfilled') return [config.value, web.value] as const;
  const errors: readonly unknown[] = [config, web].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw errors.every((error) => error instanceof ConfigError)
    ? new ConfigError(errors.flatMap(({ problems }) => problems))
    : errors.find((error) => !(error instanceof ConfigError));
}

/** `requiresLogin`: whether every client needs a password or a verified certificate. */
async function openWebConfig(path: string | undefined) {
  if (path === undefined) return { watch: undefined, warnings: [], requiresLogin: false };
  // Most exporters run without TLS and login, and do not need this code.
  const { loadWebConfig } = await import('../web/config/load.ts');
  const { WatchedWebConfig } = await import('../web/config/watched-web-config.ts');
  const loaded = loadWebConfig(path);
  const { access, tls, warnings } = loaded;
  const requiresLogin = access.users.size > 0 || tls?.clientAuth === 'RequireAndVerifyClientCert';
  const watch = (observer: WebConfigObserver) => new WatchedWebConfig(path, loaded, observer);
  return { watch, warnings, requiresLogin };
}
