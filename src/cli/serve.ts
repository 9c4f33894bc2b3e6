import { networkInterfaces } from 'node:os';
import { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import { createLog, type Log } from '../log.ts';
import type { ServeArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { ListenError } from './listen-error.ts';
import { loadSelected, logWarnings } from './selection.ts';

/** Polls and serves until the process receives a signal to stop. */
export async function serve(args: ServeArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const starting = start(args, host, log);
  host.onReload(() => {
    void starting.then(
      (app) => reload(app, args, host, log),
      () => {},
    );
  });
  const app = await starting;
  await untilStopped(host);
  log.info({}, 'stopping');
  await app.stop();
  log.info({}, 'stopped');
  return 0;
}

async function start(args: ServeArguments, host: Host, log: Log): Promise<App> {
  const config = loadSelected(args, host, log);
  const app = new App(config, host.build, log);
  await startApp(app, config, log);
  return app;
}

function reload(app: App, args: ServeArguments, host: Host, log: Log): void {
  try {
    app.reload(loadSelected(args, host, log));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    app.reloadFailed(error.message);
  }
}

/** Listens, starts to poll, and returns the URL of the landing page. Throws ListenError. */
export async function startApp(app: App, config: Config, log: Log): Promise<string> {
  const { host: interfaceName, port = 0 } = parseListenAddress(config.web.listenAddress) ?? {};
  const url = await listen(app, interfaceName, port, config.web.listenAddress);
  app.start();
  log.info({ accounts: config.accounts.length, metrics: `${url}${config.web.telemetryPath}` }, 'started');
  return url;
}

async function listen(app: App, host: string | undefined, port: number, address: string): Promise<string> {
  try {
    return await app.web.listen({ host: host ?? (hasIpv6() ? '::' : '0.0.0.0'), port });
  } catch (error) {
    await app.stop();
    throw new ListenError(address, error, 'choose another address');
  }
}

/** If the kernel has IPv6 disabled, no interface has such an address, not even loopback. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses = []) => addresses.some(({ family }) => family === 'IPv6'));
}
