import { fstatSync } from 'node:fs';
import { type ConfigInputs, loadConfig } from '../config/file/load.ts';
import type { AccountConfig, Config, WebConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { closest } from '../config/values/wording.ts';
import { createLog, type Log, type LogOptions, listNames, logFormats, logLevels } from '../log.ts';
import { type CommandContext, ExitError, Option } from './command.ts';
import type { ServeFlags } from './serve.ts';
import { isInShard } from './shard.ts';

export function logLevel(level: LogOptions['level'] = 'info') {
  const description = 'lowest level of messages to log, to stderr';
  return new Option('--log.level <level>', description).choices(logLevels).default(level);
}

export function logFormat() {
  return new Option('--log.format <format>', 'format of log messages').choices(logFormats).default('logfmt');
}

export function openLog(flags: Pick<ServeFlags, 'log.level' | 'log.format'>, { stderr }: CommandContext): Log {
  return createLog({ level: flags['log.level'], format: flags['log.format'], hasPriority: goesToJournal() }, stderr);
}

/** Whether systemd has connected stderr to the journal. */
function goesToJournal(): boolean {
  const { dev, ino } = fstatSync(2);
  return process.env['JOURNAL_STREAM'] === `${dev}:${ino}`;
}

type Warn = (warning: string) => void;

export function logWarning(log: Log): Warn {
  return (warning) => log.warn({ warning }, 'configuration warning');
}

export function printWarning({ stderr }: CommandContext): Warn {
  return (warning) => stderr.write(`warning: ${warning}\n`);
}

/** Commands other than serve have the flag --account and some flags of serve. */
type ConfigFlags = { readonly [Name in keyof ServeFlags]?: ServeFlags[Name] | undefined } & {
  readonly account?: readonly string[] | undefined;
};

/** Ends an error message about an unknown account with the names of accounts that exist. */
export function knownAccounts(names: readonly string[]): string {
  return `; known accounts: ${listNames(names, 20)}`;
}

/** Selects accounts and overrides web settings. Throws ExitError for an unknown account. */
export function applyFlags(config: Config, flags: ConfigFlags): Config {
  const { shard, account: given } = flags;
  const names = config.accounts.map(({ name }) => name);
  const unknown = given?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const suggestion = closest(unknown, names);
    const hint = suggestion === undefined ? knownAccounts(names) : `\n(Did you mean ${suggestion}?)`;
    throw new ExitError(2, `error: unknown account '${unknown}'${hint}`);
  }
  const isSelected = ({ name }: AccountConfig) =>
    (shard === undefined || isInShard(name, shard)) && (given === undefined || given.includes(name));
  const otherAccounts = config.accounts.filter((account) => !isSelected(account)).map(({ name }) => name);
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

export async function loadWithFlags(flags: ConfigFlags, context: CommandContext, warn: Warn, inputs?: ConfigInputs) {
  const { config, warnings } = await loadConfig(flags['config.file'], context.environment, inputs);
  const ignored = '--web.listen-address is ignored, because --web.systemd-socket is given';
  if (flags['web.systemdSocket'] && flags['web.listenAddress'] !== undefined) warn(ignored);
  for (const warning of warnings) warn(warning);
  return applyFlags(config, flags);
}

/** Waits for `loading` and the web configuration. Rejects with one ConfigError for the problems of both, or with the first other error. */
export async function withWebConfig<Loaded>(loading: Promise<Loaded>, path: string | undefined) {
  const [config, web] = await Promise.allSettled([loading, openWebConfig(path)]);
  if (config.status === 'fulfilled' && web.status === 'fulfilled') return [config.value, web.value] as const;
  const errors: readonly unknown[] = [config, web].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  throw errors.every((error) => error instanceof ConfigError)
    ? new ConfigError(errors.flatMap(({ problems }) => problems))
    : errors.find((error) => !(error instanceof ConfigError));
}

async function openWebConfig(path: string | undefined) {
  if (path === undefined) return undefined;
  // Most exporters run without TLS and login, and do not need this code.
  const { WatchedWebConfig } = await import('../web/config/watched-web-config.ts');
  return new WatchedWebConfig(path);
}
