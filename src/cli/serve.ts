import { setFlagsFromString } from 'node:v8';
import type { Command } from '@commander-js/extra-typings';
import { App } from '../app.ts';
import { formatEffectiveConfig } from '../config/file/effective-config.ts';
import { ConfigInputs } from '../config/file/load.ts';
import type { LoadConfig } from '../config/reload.ts';
import type { Config } from '../config/values/config.ts';
import * as validators from '../config/values/validators.ts';
import { countOf } from '../config/values/wording.ts';
import type { Log } from '../log.ts';
import { FolderInUseError } from '../state/lock.ts';
import { inheritedSockets, type Listeners } from '../web/door/listeners.ts';
import {
  type CommandContext,
  defineCommand,
  type ExitCode,
  ExitError,
  type FlagsOf,
  listenError,
  untilStopped,
} from './command.ts';
import { loadWithFlags, logFormat, logLevel, logWarning, openLog, withWebConfig } from './config-flags.ts';
import { collected, configFile, nonEmpty, validated } from './flags.ts';
import { openHealthSocket } from './healthy.ts';
import { readShard } from './shard.ts';

export type ServeFlags = FlagsOf<typeof addFlags>;

const addFlags = (command: Command, { environment }: CommandContext) =>
  command
    .addOption(configFile())
    .option('--config.check', 'validate the configuration without calling the API, print it with its defaults and exit')
    .option('--config.auto-reload', 'reload the configuration when one of its files changes')
    .option(
      '--web.listen-address <address>',
      'address to listen on; repeat the flag for more addresses; overrides the configuration file (default: ":10380", on all interfaces)',
      collected(validated(validators.validateListenAddress)),
    )
    .option(
      '--web.telemetry-path <path>',
      'path of the metrics page; overrides the configuration file (default: "/metrics")',
      validated(validators.validateTelemetryPath),
    )
    .option(
      '--web.external-url <url>',
      'URL at which users reach the exporter, such as the URL of a reverse proxy; its path precedes all paths and links',
      validated(validators.validateExternalUrl),
    )
    .option(
      '--web.route-prefix <path>',
      'path that precedes all paths of requests (default: path of --web.external-url)',
      validated(validators.validateRoutePrefix),
    )
    .option('--web.disable-exporter-metrics', 'omit the metrics process_* and nodejs_*')
    .option(
      '--web.config.file <file>',
      'YAML file with TLS, logins and headers, as in other exporters; see docs/security.md',
      nonEmpty,
    )
    .option(
      '--web.allowed-hosts <names>',
      'host names that requests may use, separated by commas; localhost and IP addresses are always allowed; see docs/security.md (default: any name)',
      collected((written) => written.split(',').map(validated(validators.validateHostName))),
    )
    .option('--web.enable-lifecycle', 'reload the configuration on POST /-/reload')
    .option('--web.systemd-socket', 'listen on sockets of systemd instead of addresses')
    .option(
      '--web.health-address <address>',
      'additional address with only /-/healthy and /-/ready, without TLS and login, for probes',
      validated(validators.validateListenAddress),
    )
    .option(
      '--shard <i/n>',
      'poll only shard i of n shards, such as 2/5; auto reads n from SHARD_COUNT, and i from SHARD_INDEX: a number from 0, or a pod name that ends in this number',
      (written: string) => readShard(written, environment),
    )
    .addOption(logLevel())
    .addOption(logFormat());

export const command = defineCommand(
  'Poll the accounts and serve their metrics. SIGHUP reloads the configuration.',
  addFlags,
  (flags, context) => (flags['config.check'] ? checkConfiguration : pollAndServe)(flags, context),
);

/** Prints the configuration with all defaults, and the warnings. Rejects with ConfigError if the configuration is invalid. */
async function checkConfiguration(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const warnings: string[] = [];
  const loading = loadWithFlags(flags, context, (warning) => warnings.push(warning));
  const [config, webConfig] = await withWebConfig(loading, flags['web.config.file']);
  warnings.push(...(webConfig?.warnings ?? []));
  const { accounts, otherAccounts = [] } = config;
  const all = countOf(accounts.length + otherAccounts.length, 'account');
  const selected = otherAccounts.length === 0 ? all : `the flags select ${accounts.length} of ${all}`;
  context.stdout.write(await formatEffectiveConfig(config));
  context.stdout.write(`The configuration is valid: ${selected}, ${countOf(warnings.length, 'warning')}.\n`);
  for (const warning of warnings) context.stdout.write(`warning: ${warning}\n`);
  return 0;
}

async function pollAndServe(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const log = openLog(flags, context);
  const starting = start(flags, context, log);
  context.onReload(() => void starting.then((app) => app.reloads.request()).catch(() => {}));
  const app = await starting;
  const health = await openHealthSocket(() => app.fleet.isAlive);
  await untilStopped(context);
  log.info({}, 'stopping');
  await app.stop();
  health?.close();
  log.info({}, 'stopped');
  return 0;
}

async function openState({ stateDirectory: directory, shard }: Config, log: Log) {
  if (directory === undefined) return undefined;
  // Only exporters that save figures load this module.
  const { StateDirectory } = await import('../state/state-directory.ts');
  try {
    return await StateDirectory.open({ directory, shard, log });
  } catch (error) {
    throw error instanceof FolderInUseError ? new ExitError(3, error.message, error) : error;
  }
}

const openToAll =
  'everyone who reaches the port can read all pages, because the exporter listens on all interfaces without a login; ' +
  'set --web.listen-address=127.0.0.1:10380 (in a container, publish the port on 127.0.0.1 instead), ' +
  'or add users with --web.config.file; see docs/security.md';

/** Starts to poll and serve. */
async function start(flags: ServeFlags, context: CommandContext, log: Log): Promise<App> {
  const warn = logWarning(log);
  const load: LoadConfig = async (inputs) => {
    const config = await loadWithFlags(flags, context, warn, inputs);
    const configured = config.otherAccounts?.length;
    if (flags.shard && config.accounts.length === 0) log.warn({ configured }, 'shard is empty, polling nothing');
    return config;
  };
  const inputs = new ConfigInputs();
  const [config, webConfig] = await withWebConfig(load(inputs), flags['web.config.file']);
  for (const warning of webConfig?.warnings ?? []) warn(warning);
  const plan = listenPlan(flags, config, context);
  const configFile = flags['config.file'];
  const app = new App(config, context.build, log, {
    load,
    webConfig,
    enableLifecycle: flags['web.enableLifecycle'] ?? false,
    disableExporterMetrics: flags['web.disableExporterMetrics'] ?? false,
    allowedHosts: flags['web.allowedHosts']?.flat(),
    configFile,
    state: await openState(config, log),
  });
  await startApp(app, plan, config, log, { version: context.build.version, config: configFile ?? 'environment' });
  if (app.listeners.isOnAllInterfaces && !webConfig?.requiresLogin) warn(openToAll);
  if (flags['config.autoReload']) app.reloads.watch(inputs);
  return app;
}

/** `pages`: addresses, or file descriptors of systemd's sockets. `health`: address for probes only. `flag`: the flag that errors name. */
interface ListenPlan {
  readonly pages: readonly (string | number)[];
  readonly health?: string | undefined;
  readonly flag?: string;
}

/** The sockets that the flags and the configuration require. Throws ExitError if systemd should pass sockets, but passes none. */
export function listenPlan(
  flags: Pick<ServeFlags, 'web.systemdSocket' | 'web.healthAddress'>,
  { web }: Config,
  { environment, pid }: CommandContext,
): ListenPlan {
  const { 'web.systemdSocket': usesSystemd, 'web.healthAddress': health } = flags;
  if (!usesSystemd) return { pages: web.listenAddresses, health };
  const pages = inheritedSockets(environment, pid);
  if (pages.length > 0) return { pages, health };
  const advice = 'start the exporter through its socket unit, or remove the flag';
  throw new ExitError(2, `error: --web.systemd-socket: systemd passed no sockets; ${advice}`);
}

/** Starts to listen and poll. Logs `fields`. Returns the URL of the landing page. Stops the app and rejects if the start fails. */
export async function startApp(app: App, plan: ListenPlan, config: Config, log: Log, fields: object = {}) {
  // Let V8's heap grow by only half at a time, which saves memory. Set this only now, because it would slow down the loading of modules.
  setFlagsFromString('--heap-growing-percent=50');
  try {
    await app.web.ready();
    const [local = '', ...others] = await listen(app.listeners, plan.pages, plan.flag);
    const [health] = await listen(app.healthListeners, [plan.health ?? []].flat(), '--web.health-address');
    await app.restore();
    app.start();
    const { externalUrl = '', linkPrefix = '', telemetryPath } = config.web;
    const url = (URL.parse(externalUrl)?.origin ?? local) + linkPrefix;
    const urls = { metrics: url + telemetryPath, others: others.join(' ') || undefined, health };
    log.info({ ...fields, accounts: config.accounts.length, ...urls }, 'started');
    return url;
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** Resolves with the URLs. Rejects with ExitError if an address or socket cannot be opened. */
async function listen(listeners: Listeners, targets: ListenPlan['pages'], flag = '--web.listen-address') {
  const urls: string[] = [];
  for (const target of targets) {
    try {
      urls.push(await listeners.open(target));
    } catch (error) {
      throw typeof target === 'number'
        ? listenError(`socket ${target} of systemd`, error, 'check the socket unit')
        : listenError(target, error, `choose another address with ${flag}`);
    }
  }
  return urls;
}
