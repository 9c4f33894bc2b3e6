import type { FastifyInstance } from 'fastify';
import { collectors } from './collectors/list.ts';
import { formatEffectiveConfig } from './config/file/effective-config.ts';
import { type LoadConfig, Reloader } from './config/reload.ts';
import type { Config } from './config/values/config.ts';
import type { Log } from './log.ts';
import { viewExporter } from './pages/exporter-page.ts';
import type { Account } from './polling/account.ts';
import { accountMetrics } from './polling/account-metrics.ts';
import { Fleet } from './polling/fleet.ts';
import type { StateDirectory } from './state/state-directory.ts';
import { Page } from './store/page.ts';
import { type Build, ProcessMetrics } from './store/process-metrics.ts';
import type { WatchedWebConfig } from './web/config/watched-web-config.ts';
import { accessControl } from './web/door/access-control.ts';
import { Listeners } from './web/door/listeners.ts';
import { createHealthServer, createWebServer } from './web/server.ts';

/** Options of commands that serve pages. Other commands omit them. */
export interface AppOptions {
  readonly load?: LoadConfig;
  /** Path of the configuration file, which the pages show; undefined if environment variables configure the exporter. */
  readonly configFile?: string | undefined;
  /** Whether a request can reload the configuration. */
  readonly enableLifecycle?: boolean;
  /** Whether to omit the `process_*` and `nodejs_*` metrics. */
  readonly disableExporterMetrics?: boolean;
  /** Host names that requests may use; undefined if all are allowed. Requests of health probes may use any host name. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Undefined for a server without TLS and without login. */
  readonly webConfig?: WatchedWebConfig | undefined;
  /** The directory for figures that survive a restart; undefined if nothing is saved. */
  readonly state?: StateDirectory | undefined;
}

/** Creates and connects the parts of the exporter, and starts and stops them. */
export class App {
  readonly fleet: Fleet;
  readonly page: Page;
  readonly reloads: Reloader;
  readonly web: FastifyInstance;
  readonly listeners: Listeners;
  /** The sockets for health probes. They serve only /-/healthy and /-/ready, without TLS and login. */
  readonly healthListeners: Listeners;
  readonly #state: StateDirectory | undefined;
  readonly #log: Log;
  readonly #processMetrics: ProcessMetrics;
  #config: Config;
  #configPage: Promise<string> | undefined;
  #isReady = false;
  readonly #restored = Promise.withResolvers<void>();
  #isStopping = false;

  constructor(config: Config, build: Build, log: Log, options: AppOptions = {}) {
    const { load = async () => config, configFile, webConfig, enableLifecycle = false, state } = options;
    this.#config = config;
    this.#log = log;
    this.#state = state;
    const started = Date.now();
    const metrics = new ProcessMetrics(build, { hasRuntime: !options.disableExporterMetrics });
    this.#processMetrics = metrics;
    this.#countAccounts();
    this.fleet = new Fleet(config.accounts, { observer: metrics, log, state, configuredNames: this.#configuredNames });
    this.page = new Page(collectors, accountMetrics, metrics, this.fleet.byName);
    this.page.isRestoring = state !== undefined;
    if (state === undefined) this.#restored.resolve();
    const observe = metrics.setReload.bind(metrics, 'config');
    this.reloads = new Reloader(async (inputs) => this.apply(await load(inputs)), observe, log);
    if (webConfig !== undefined) {
      metrics.setReload('web_config', { time: started, problems: undefined });
      webConfig.onChange = (reload) => {
        const { problems } = reload;
        metrics.setReload('web_config', reload);
        if (problems === undefined) log.info({}, 'web configuration reloaded');
        else log.error({ problems }, 'reload of the web configuration failed');
      };
    }
    const content = {
      page: this.page,
      notReady: () => this.#notReady(),
      alive: () => this.fleet.isAlive,
      reload: enableLifecycle ? () => this.reloads.request() : undefined,
      configPage: () => {
        this.#configPage ??= formatEffectiveConfig(this.#config);
        return this.#configPage;
      },
      pages: {
        accounts: () => this.accounts,
        account: (name: string) => this.fleet.byName.get(name),
        exporter: () =>
          viewExporter(this.accounts, {
            build,
            started,
            configFile,
            lastReload: this.reloads.last,
            webConfig: webConfig && { file: webConfig.path, lastReload: webConfig.last },
          }),
        reloadFailed: () => [this.reloads, webConfig].some((one) => one?.last?.problems !== undefined),
        otherAccounts: () => this.#config.otherAccounts?.length ?? 0,
      },
    };
    const access = webConfig && (() => webConfig.current.access);
    this.web = createWebServer(config.web, content, accessControl({ allowedHosts: options.allowedHosts, access }));
    this.listeners = new Listeners(this.web, () => webConfig?.current.tls);
    this.healthListeners = new Listeners(createHealthServer(content));
  }

  get accounts(): readonly Account[] {
    return this.fleet.accounts;
  }

  /** Shows the figures from the state directory, if one is configured. `start` then polls only the due collectors. */
  async restore(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const { series, dropped } = await this.fleet.restore();
    this.page.isRestoring = false;
    this.#restored.resolve();
    this.#processMetrics.setRestored(series, dropped);
    if (state.hasFailed) this.#processMetrics.setSaved(undefined);
    state.onSave = (time) => this.#processMetrics.setSaved(time);
  }

  start(): void {
    this.fleet.start();
  }

  /** Applies a new configuration, except the listen address, telemetry path and state directory, which need a restart. */
  async apply(config: Config): Promise<void> {
    await this.#restored.promise;
    this.#config = keepUntilRestart(this.#config, config, this.#log);
    this.#countAccounts();
    this.#configPage = undefined;
    await this.fleet.apply(config.accounts);
  }

  /** Becomes unready, stops polling, aborts API calls and waits for scrapes to finish. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#restored.resolve();
    const reloaded = this.reloads.close();
    await Promise.all([this.fleet.stop(), this.listeners.close(), reloaded]);
    await this.healthListeners.close();
  }

  #countAccounts(): void {
    this.#processMetrics.setAccounts(this.#configuredNames().length, this.#config.shard);
  }

  /** The names of all configured accounts, including those of other shards. */
  readonly #configuredNames = (): readonly string[] => {
    const { accounts, otherAccounts = [] } = this.#config;
    return [...accounts.map(({ name }) => name), ...otherAccounts];
  };

  #notReady(): string | undefined {
    if (this.#isStopping) return 'stopping';
    // The exporter stays ready when a reload adds an account that has not been polled yet.
    this.#isReady ||= !this.page.isRestoring && this.accounts.every(({ polled }) => polled);
    return this.#isReady ? undefined : 'waiting for the first poll of every account';
  }
}

/** Returns the loaded configuration, but with the current web settings and state directory. Warns of changes that need a restart. */
function keepUntilRestart({ web, stateDirectory }: Config, loaded: Config, log: Log): Config {
  if (
    String(loaded.web.listenAddresses) !== String(web.listenAddresses) ||
    loaded.web.telemetryPath !== web.telemetryPath
  ) {
    log.warn({ ...loaded.web }, 'changed web settings take effect after a restart');
  }
  if (loaded.stateDirectory !== stateDirectory) {
    log.warn({ directory: loaded.stateDirectory }, 'a changed state directory takes effect after a restart');
  }
  return { ...loaded, web, stateDirectory };
}
