import { setFlagsFromString } from 'node:v8';
import { App } from '../app.ts';
import { payloadVersions } from '../collectors/list.ts';
import { ConfigInputs } from '../config/file/load.ts';
import type { Config } from '../config/values/config.ts';
import { parseListenAddress } from '../config/values/validators.ts';
import type { Log } from '../log.ts';
import type { LoadConfig } from '../reload/reloader.ts';
import { FolderInUseError } from '../state/folder-lock.ts';
import { inheritedSockets, type Listeners, type ListenTarget } from '../web/door/listeners.ts';
import { type CommandContext, untilStopped } from './command.ts';
import { loadWithFlags } from './config-flags.ts';
import { type ExitCode, ExitError, listenError } from './exit-code.ts';
import { logWarnings, openLog } from './log-flags.ts';
import type { ServeFlags } from './serve.ts';
import { withWebConfig } from './web-config.ts';

export async function pollAndServe(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const log = openLog(flags, context);
  const starting = start(flags, context, log);
  const reload = (app: App | undefined) => app?.reloads.request();
  context.onReload(() => void starting.then(reload, () => {}));
  const app = await starting;
  if (app === undefined) return 0;
  await untilStopped(context);
  log.info({}, 'stopping');
  await app.stop();
  log.info({}, 'stopped');
  return 0;
}

/** Opens the state directory, if one is configured. Rejects with ExitError if another exporter uses it. */
async function openState({ stateDirectory: directory, shard }: Config, log: Log) {
  if (directory === undefined) return undefined;
  // Only exporters that save figures load this module.
  const { StateDirectory } = await import('../state/state-directory.ts');
  const name = shard === undefined ? '' : `${shard.index}-of-${shard.count}`;
  try {
    return await StateDirectory.open({ directory, shard: name, versions: payloadVersions, log });
  } catch (error) {
    throw error instanceof FolderInUseError ? new ExitError(3, error.message, error) : error;
  }
}

const openToAll =
  'everyone who reaches the port can read all pages, because the exporter listens on all interfaces without a login; ' +
  'set --web.listen-address=127.0.0.1:10380 (in a container, publish the port on 127.0.0.1 instead), ' +
  'or add users with --web.config.file; see docs/security.md';

/** Lets V8's young generation grow with thousands of accounts. It then takes 140 MB more, and the first polls need less CPU time. */
export function sizeYoungGeneration(accounts: number): void {
  if (accounts > 2000) setFlagsFromString('--semi-space-growth-factor=2');
}

/** Starts to poll and serve. Resolves with undefined if a signal to stop interrupts the start. */
async function start(flags: ServeFlags, context: CommandContext, log: Log): Promise<App | undefined> {
  const load: LoadConfig = (signal, inputs) => loadWithFlags(flags, context, log, { signal, inputs });
  const inputs = new ConfigInputs();
  try {
    const [config, webConfig] = await withWebConfig(load(context.signal, inputs), flags['web.config.file']);
    logWarnings(log, webConfig.warnings);
    const plan = listenPlan(flags, config, context);
    sizeYoungGeneration(config.accounts.length);
    const configFile = flags['config.file'];
    const state = await openState(config, log);
    const app = new App(config, context.build, log, {
      load,
      watchWebConfig: webConfig.watch,
      enableLifecycle: flags['web.enableLifecycle'] ?? false,
      disableExporterMetrics: flags['web.disableExporterMetrics'] ?? false,
      allowedHosts: flags['web.allowedHosts']?.flat(),
      configFile,
      state,
    });
    await startApp(app, plan, config, log, { version: context.build.version, config: configFile ?? 'environment' });
    if (app.listeners.isOnAllInterfaces && !webConfig.requiresLogin) logWarnings(log, [openToAll]);
    if (flags['config.autoReload']) await app.reloads.watch(inputs);
    return app;
  } catch (error) {
    if (context.signal.aborted) return undefined;
    throw error;
  }
}

interface NamedTarget {
  readonly name: string;
  readonly target: ListenTarget;
  /** What to do if the target cannot be opened. */
  readonly advice: string;
}

/** The sockets of `health` serve only probes. */
type ListenPlan = Readonly<Record<'pages' | 'health', readonly NamedTarget[]>>;

/** The sockets that the flags and the configuration require. Throws ExitError if systemd should pass sockets, but passes none. */
export function listenPlan(
  flags: Pick<ServeFlags, 'web.systemdSocket' | 'web.healthAddress'>,
  { web }: Config,
  { environment, pid }: CommandContext,
): ListenPlan {
  const healthAddress = flags['web.healthAddress'];
  const health = healthAddress === undefined ? [] : [addressTarget(healthAddress, '--web.health-address')];
  if (flags['web.systemdSocket'] !== true)
    return { pages: web.listenAddresses.map((address) => addressTarget(address)), health };
  const sockets = inheritedSockets(environment, pid);
  if (sockets.length === 0) {
    const advice = 'start the exporter through its socket unit, or remove the flag';
    throw new ExitError(2, `error: --web.systemd-socket: systemd passed no sockets; ${advice}`);
  }
  return {
    pages: sockets.map((fd) => ({ name: `socket ${fd} of systemd`, target: { fd }, advice: 'check the socket unit' })),
    health,
  };
}

export function addressTarget(address: string, flag = '--web.listen-address'): NamedTarget {
  const { host, port = 0 } = parseListenAddress(address) ?? {};
  return { name: address, target: { host, port }, advice: `choose another address with ${flag}` };
}

/** Starts to listen and poll. Logs `fields`. Returns the URL of the landing page. Stops the app and rejects if the start fails. */
export async function startApp(app: App, plan: ListenPlan, config: Config, log: Log, fields: object = {}) {
  try {
    await app.web.ready();
    const [local = '', ...others] = await listen(app.listeners, plan.pages);
    const [health] = await listen(app.healthListeners, plan.health);
    await app.restore();
    app.start();
    const { externalUrl = '', linkPrefix = '', telemetryPath } = config.web;
    const url = (URL.parse(externalUrl)?.origin ?? local) + linkPrefix;
    const metrics = url + telemetryPath;
    const otherUrls = others.length > 0 && { others: others.join(' ') };
    log.info({ ...fields, accounts: config.accounts.length, metrics, ...otherUrls, health }, 'started');
    return url;
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** Rejects with ExitError if a target cannot be opened. */
async function listen(listeners: Listeners, targets: readonly NamedTarget[]): Promise<readonly string[]> {
  const urls: string[] = [];
  for (const { name, target, advice } of targets) {
    try {
      urls.push(await listeners.open(target));
    } catch (error) {
      throw listenError(name, error, advice);
    }
  }
  return urls;
}
