import { App } from '../app.ts';
import { collectors } from '../collectors/list.ts';
import type { Config } from '../config/config.ts';
import { ConfigInputs } from '../config/config-inputs.ts';
import { sizeYoungGeneration } from '../heap.ts';
import type { Listeners } from '../listeners/listeners.ts';
import { createLog, type Log } from '../log.ts';
import { FolderInUseError } from '../state/folder-in-use-error.ts';
import { allOrProblems } from './all-problems.ts';
import type { ServeArguments } from './arguments.ts';
import { BlockedError } from './blocked-error.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { ListenError } from './listen-error.ts';
import { type ListenPlan, listenPlan, type NamedTarget } from './listen-plan.ts';
import { loadSelected, logWarnings } from './selection.ts';
import type { Shard } from './shard.ts';
import { openWebConfig } from './web-config.ts';

/** Polls and serves until the process receives a signal to stop. */
export async function serve(args: ServeArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const starting = start(args, host, log);
  host.onReload(() => {
    void starting.then(
      (app) => app?.reload(),
      () => {},
    );
  });
  const app = await starting;
  if (app === undefined) return 0;
  await untilStopped(host);
  log.info({}, 'stopping');
  await app.stop();
  log.info({}, 'stopped');
  return 0;
}

/** Loads the code only where figures are saved. Rejects with BlockedError if another exporter uses the directory. */
async function openState({ stateDirectory: directory }: Config, shard: Shard | undefined, log: Log) {
  if (directory === undefined) return undefined;
  const { StateDirectory } = await import('../state/state-directory.ts');
  const versions = new Map(collectors.map(({ name, payloadVersion = 1 }) => [name, payloadVersion]));
  const name = shard === undefined ? '' : `${shard.index}-of-${shard.count}`;
  try {
    return await StateDirectory.open({ directory, shard: name, versions, log });
  } catch (error) {
    throw error instanceof FolderInUseError ? new BlockedError(error.message, { cause: error }) : error;
  }
}

/** Undefined if the process receives a signal to stop before the configuration is loaded. */
async function start(args: ServeArguments, host: Host, log: Log): Promise<App | undefined> {
  let inputs = new ConfigInputs();
  const load = (signal: AbortSignal) => {
    inputs = new ConfigInputs();
    return loadSelected(args, host, log, { signal, inputs });
  };
  try {
    const [config, webConfig] = await allOrProblems(load(host.signal), openWebConfig(args.webConfigFile));
    logWarnings(log, webConfig.warnings);
    const plan = listenPlan(args, config, host);
    sizeYoungGeneration(config.accounts.length);
    const { enableLifecycle, configFile } = args;
    const state = await openState(config, args.shard, log);
    const options = { load, watchWebConfig: webConfig.watch, enableLifecycle, configFile, state };
    const app = new App(config, host.build, log, options);
    const fields = { version: host.build.version, config: args.configFile ?? 'environment' };
    await startApp(app, plan, config, log, fields);
    if (args.autoReload) await app.reloadOnChange(() => inputs);
    return app;
  } catch (error) {
    if (host.signal.aborted) return undefined;
    throw error;
  }
}

/**
 * Listens, starts to poll, and returns the URL of the landing page. `fields` are added to the log line. Throws ListenError.
 */
export async function startApp(
  app: App,
  plan: ListenPlan,
  config: Config,
  log: Log,
  fields: object = {},
): Promise<string> {
  await app.web.ready();
  await app.restore();
  const [url = '', ...others] = await listen(app, app.listeners, plan.pages);
  const [health] = await listen(app, app.healthListeners, plan.health);
  app.start();
  log.info(
    {
      ...fields,
      accounts: config.accounts.length,
      metrics: `${url}${config.web.telemetryPath}`,
      ...(others.length > 0 && { others: others.join(' ') }),
      health,
    },
    'started',
  );
  return url;
}

async function listen(app: App, listeners: Listeners, targets: readonly NamedTarget[]): Promise<readonly string[]> {
  const urls: string[] = [];
  for (const { name, target } of targets) {
    try {
      urls.push(await listeners.open(target));
    } catch (error) {
      await app.stop();
      throw new ListenError(name, error, 'choose another address');
    }
  }
  return urls;
}
