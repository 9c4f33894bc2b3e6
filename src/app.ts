import type { FastifyInstance } from 'fastify';
import { currentSecretOf, type Fingerprints, fingerprintsOf, sessionKeyOf } from './account-identity.ts';
import { type ExporterView, type ReloadResult, readBudgets, slowestMethods } from './account-view/exporter-view.ts';
import { Connections } from './api/connections.ts';
import { ApiSession } from './api/session.ts';
import { AutoReload } from './auto-reload.ts';
import { collectors } from './collectors/list.ts';
import { listAlertThresholds } from './config/alert-thresholds.ts';
import type { AccountConfig, Config, WebConfig } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import type { ConfigInputs } from './config/config-inputs.ts';
import { formatEffectiveConfig } from './config/effective-config.ts';
import { createAccount } from './create-account.ts';
import { AccountStore } from './exposition/account-store.ts';
import { Page } from './exposition/page.ts';
import { type Build, ProcessMetrics } from './exposition/process-metrics.ts';
import { inTurns, runToEnd, type Steps } from './in-turns.ts';
import { Listeners } from './listeners/listeners.ts';
import { type Log, listNames } from './log.ts';
import type { Account } from './polling/account.ts';
import { FailureLog } from './polling/failure-log.ts';
import { Scheduler } from './polling/scheduler.ts';
import type { RestoreReport } from './polling/snapshot.ts';
import { type ReloadOutcome, ReloadQueue } from './reload-queue.ts';
import { compressPayloads, type RestorableAccount, restoreAccounts } from './restore-accounts.ts';
import type { SavedAccount, StateDirectory } from './state/state-directory.ts';
import { Guard } from './web/guard.ts';
import { createHealthServer } from './web/health.ts';
import { createWebServer } from './web/server.ts';
import type { WatchedWebConfig, WebConfigObserver } from './web-config/watched-web-config.ts';

/** The exporter, wired in the order in which data flows. It does nothing before `start`. */
export class App {
  readonly web: FastifyInstance;
  /** Where the pages are served. */
  readonly listeners: Listeners;
  /** Where only the pages for probes are served, without a login. */
  readonly healthListeners: Listeners;
  readonly page: Page;
  readonly #web: WebConfig;
  #config: Config;
  #configPage: Promise<string> | undefined;
  readonly #build: Build;
  readonly #started = Date.now();
  readonly #configFile: string | undefined;
  #lastReload: ReloadResult | undefined;
  readonly #webConfigFile: string | undefined;
  #lastWebReload: ReloadResult | undefined;
  readonly #log: Log;
  readonly #processMetrics: ProcessMetrics;
  /** By ca_file. */
  readonly #connections = new Map<string | undefined, Connections>();
  /** By base URL and login. They survive every reload, even without an account that uses them. */
  readonly #sessions = new Map<string, ApiSession>();
  readonly #accounts = new Map<string, ConfiguredAccount>();
  readonly #scheduler = new Scheduler();
  readonly #reloads: ReloadQueue;
  readonly #guard: Guard | undefined;
  readonly #failureLog: FailureLog;
  readonly #state: StateDirectory | undefined;
  #cleanup: NodeJS.Timeout | undefined;
  #autoReload: AutoReload | undefined;
  #ready = false;
  #stopping = false;

  constructor(
    config: Config,
    build: Build,
    log: Log,
    { load = async () => config, watchWebConfig, enableLifecycle = false, configFile, state }: AppOptions = {},
  ) {
    const { telemetryPath } = config.web;
    this.#web = config.web;
    this.#config = config;
    this.#build = build;
    this.#configFile = configFile;
    this.#log = log;
    this.#state = state;
    this.#failureLog = new FailureLog(log);
    this.#reloads = new ReloadQueue((signal) => this.#reload(load, signal));
    this.#processMetrics = new ProcessMetrics(build);
    this.page = new Page(collectors, this.#processMetrics);
    for (const account of config.accounts) this.#add(account);
    this.#setBudgets(config.accounts);
    const webConfig = watchWebConfig?.(this.#webConfigObserver());
    const guard = webConfig && new Guard(() => webConfig.access);
    this.#guard = guard;
    const content = {
      page: this.page,
      notReady: () => this.#notReady(),
      alive: () => this.#scheduler.alive,
      reload: enableLifecycle ? () => this.reload() : undefined,
      configPage: () => this.#formatConfig(),
      pages: {
        accounts: () => this.accounts,
        account: (name: string) => this.#accounts.get(name)?.account,
        exporter: () => this.#viewExporter(),
        reloadFailed: () => [this.#lastReload, this.#lastWebReload].some((reload) => reload?.problems !== undefined),
      },
    };
    this.web = createWebServer(telemetryPath, content, guard && ((pages) => guard.protect(pages)));
    this.listeners = new Listeners(this.web.server, webConfig?.currentTls);
    this.healthListeners = new Listeners(createHealthServer(this.web.routing));
    this.#processMetrics.setReload(true, Date.now());
    this.#webConfigFile = webConfig?.path;
    if (webConfig !== undefined) this.#processMetrics.setWebReload(true, Date.now());
  }

  get accounts(): readonly Account[] {
    return [...this.#accounts.values()].map(({ account }) => account);
  }

  /** Shows what an earlier process saved, so that `start` polls only what is due. Does nothing without a state directory. */
  async restore(): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    const accounts = [...this.#accounts.values()].map((configured) => this.#restorable(configured, true));
    const report = await restoreAccounts(state, accounts);
    await this.page.index.refresh();
    // The last calls of a killed process are unknown.
    if (state.wasKilled) for (const { budget } of this.#sessions.values()) budget.delay(Number.POSITIVE_INFINITY);
    this.#processMetrics.setRestored(report.series, report.dropped);
    state.observe({
      onSaved: (time) => this.#processMetrics.setSaved(time),
      onSaveFailed: () => this.#processMetrics.setSaved(undefined),
    });
    this.#log.info(reportFields(report), 'restored figures of the previous process');
    void compressPayloads(this.accounts);
    this.#removeOldState();
    this.#cleanup = setInterval(() => this.#removeOldState(), day).unref();
  }

  /** Starts accounts that a reload has added: they may have been removed before, and their files are kept for a week. */
  async #startAdded(state: StateDirectory, added: readonly Account[]): Promise<void> {
    for (const account of added) {
      const configured = this.#accounts.get(account.name);
      if (configured?.account !== account) continue;
      const report = await restoreAccounts(state, [this.#restorable(configured, configured.isNewSession)]);
      if (!this.#isCurrent(account)) continue;
      if (report.series > 0 || Object.keys(report.dropped).length > 0) {
        this.#log.info({ account: account.name, ...reportFields(report) }, 'restored figures of an added account');
      }
      this.#scheduler.start([account]);
      void compressPayloads([account]);
    }
  }

  #restorable({ account, session, saved }: ConfiguredAccount, restoresSession: boolean): RestorableAccount {
    return { account, session, saved, restoresSession, isCurrent: () => this.#isCurrent(account) };
  }

  /** Whether the account is still polled. */
  #isCurrent(account: Account): boolean {
    return !this.#stopping && this.#accounts.get(account.name)?.account === account;
  }

  /** Polls every account once, then by schedule. */
  start(): void {
    this.#scheduler.start(this.accounts);
    this.#failureLog.start();
  }

  /**
   * Reads the configuration again and applies it. All requests during a reload share the next one. The outcome is already
   * in the log and the metrics.
   */
  reload(): Promise<ReloadOutcome> {
    return this.#reloads.request();
  }

  /**
   * Applies a new configuration: stops removed accounts, starts new ones, restarts changed ones and leaves the others
   * running. A restarted account keeps its figures, and polls only what is due or has failed, unless its server, login or
   * notation changed. If only the content of an account's secret file or ca_file changed, retries its collectors that failed
   * to connect or to authenticate, or lacked a permission. The listen address and the telemetry path need a restart.
   */
  apply(config: Config): void {
    if (this.#stopping) return;
    const { accounts, web } = config;
    const { listenAddresses, telemetryPath } = this.#web;
    if (String(web.listenAddresses) !== String(listenAddresses) || web.telemetryPath !== telemetryPath) {
      this.#log.warn({ ...web }, 'changed web settings take effect after a restart');
    }
    const names = new Set(accounts.map(({ name }) => name));
    const removed = [...this.#accounts.keys()].filter((name) => !names.has(name));
    const added = accounts.map(({ name }) => name).filter((name) => !this.#accounts.has(name));
    for (const name of removed) this.#remove(name);
    for (const connections of this.#connections.values()) connections.refresh();
    if (config.stateDirectory !== this.#config.stateDirectory) {
      this.#log.warn({ directory: config.stateDirectory }, 'a changed state directory takes effect after a restart');
    }
    const updates = accounts.map((account) => this.#update(account));
    this.#setBudgets(accounts);
    this.#closeUnusedConnections(accounts);
    this.#scheduler.start(updates.flatMap(({ started }) => started ?? []));
    const newAccounts = updates.flatMap(({ added: account }) => account ?? []);
    if (this.#state === undefined) this.#scheduler.start(newAccounts);
    else void this.#startAdded(this.#state, newAccounts);
    const changed = updates.flatMap(({ change }) => change ?? []);
    this.#config = { ...config, web: this.#web };
    this.#configPage = undefined;
    this.#processMetrics.setReload(true, Date.now());
    this.#log.info(
      {
        accounts: accounts.length,
        ...nameList('added', added),
        ...nameList('removed', removed),
        ...nameList('changed', changed),
      },
      'configuration reloaded',
    );
  }

  /** Becomes unready, stops polling, aborts API calls and waits for scrapes to finish. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#cleanup);
    this.#autoReload?.stop();
    const reloaded = this.#reloads.close();
    this.#scheduler.stop();
    this.#failureLog.stop();
    await this.#state?.take();
    const saved = this.#state?.close();
    await inTurns(stopAll(this.accounts), accountsPerTurn);
    for (const { budget } of this.#sessions.values()) budget.close();
    await this.listeners.stopAccepting();
    await Promise.all([this.web.close(), reloaded, saved]);
    await this.healthListeners.stopAccepting();
    for (const listeners of [this.listeners, this.healthListeners]) listeners.destroyConnections();
    await this.#guard?.stop();
    await Promise.all([...this.#connections.values()].map((connections) => connections.destroy()));
  }

  /** Reloads when the content of a file changes. `inputs` returns the files of the newest attempt to load. */
  async reloadOnChange(inputs: () => ConfigInputs): Promise<void> {
    this.#autoReload = new AutoReload(inputs, () => this.reload());
    await this.#autoReload.start();
  }

  #formatConfig(): Promise<string> {
    this.#configPage ??= formatEffectiveConfig(this.#config);
    return this.#configPage;
  }

  async #viewExporter(): Promise<ExporterView> {
    const { accounts } = this;
    const webConfigFile = this.#webConfigFile;
    const { rss, heapUsed } = process.memoryUsage();
    return {
      build: this.#build,
      started: this.#started,
      configFile: this.#configFile,
      lastReload: this.#lastReload,
      webConfig: webConfigFile === undefined ? undefined : { file: webConfigFile, lastReload: this.#lastWebReload },
      memory: { resident: rss, heap: heapUsed },
      accounts: accounts.length,
      budgets: await readBudgets(accounts),
      methods: slowestMethods(await this.#processMetrics.methodDurations()),
    };
  }

  async #reload(load: LoadConfig, signal: AbortSignal): Promise<ReloadOutcome> {
    try {
      const config = await load(signal);
      signal.throwIfAborted();
      this.apply(config);
      this.#lastReload = { time: Date.now(), problems: undefined };
      return { kind: 'applied' };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const problems = error.message;
      this.#processMetrics.setReload(false, Date.now());
      this.#lastReload = { time: Date.now(), problems };
      this.#log.error({ problems }, 'reload failed, keeping the previous configuration');
      return { kind: 'failed', problems };
    }
  }

  /** Applies the new configuration of one account. */
  #update(config: AccountConfig): AccountUpdate {
    const { name, alerts, labels } = config;
    const current = this.#accounts.get(name);
    if (current === undefined) return { added: this.#add(config) };
    const { account, saved, fingerprints: previous } = current;
    const fingerprints = fingerprintsOf(config, this.#connectionsOf(config));
    if (fingerprints.config !== previous.config) {
      const snapshot = fingerprints.source === previous.source ? account.snapshot() : undefined;
      account.stop();
      this.#state?.forget(saved);
      this.#scheduler.remove(account);
      const started = this.#add(config);
      if (snapshot !== undefined) runToEnd(started.restore(snapshot, { retryFailed: true }));
      return { started, change: name };
    }
    this.#accounts.set(name, { ...current, fingerprints });
    account.setThresholds(listAlertThresholds(alerts));
    account.setLabels(labels);
    if (fingerprints.secret !== previous.secret) account.retryUnaccepted();
    const isSame = fingerprints.secret === previous.secret && fingerprints.notes === previous.notes;
    return isSame ? {} : { change: name };
  }

  /** Adds an account in place of one with the same name. */
  #add(config: AccountConfig): Account {
    const store = new AccountStore(this.page.index);
    const connections = this.#connectionsOf(config);
    const isNewSession = !this.#sessions.has(sessionKeyOf(config));
    const session = this.#sessionFor(config);
    const account = createAccount(config, {
      connections,
      session,
      store,
      processMetrics: this.#processMetrics,
      log: this.#log,
      failureLog: this.#failureLog,
      onChange: () => this.#state?.changed(saved),
    });
    const fingerprints = fingerprintsOf(config, connections);
    const saved: SavedAccount = {
      name: config.name,
      identity: fingerprints.source,
      secret: () => currentSecretOf(config),
      polls: () => account.snapshot(),
      session: () => session.snapshot(),
    };
    this.page.add(account);
    this.#accounts.set(config.name, { account, session, isNewSession, saved, fingerprints });
    return account;
  }

  #webConfigObserver(): WebConfigObserver {
    return {
      onReload: () => {
        this.#processMetrics.setWebReload(true, Date.now());
        this.#lastWebReload = { time: Date.now(), problems: undefined };
        this.#log.info({}, 'web configuration reloaded');
      },
      onFailure: (problems) => {
        this.#processMetrics.setWebReload(false, Date.now());
        this.#lastWebReload = { time: Date.now(), problems };
        this.#log.error({ problems }, 'reload of the web configuration failed');
      },
    };
  }

  #connectionsOf({ api: { caFile } }: AccountConfig): Connections {
    const connections = this.#connections.get(caFile) ?? new Connections(caFile);
    this.#connections.set(caFile, connections);
    return connections;
  }

  #closeUnusedConnections(accounts: readonly AccountConfig[]): void {
    const used = new Set(accounts.map(({ api }) => api.caFile));
    for (const [caFile, connections] of this.#connections) {
      if (used.has(caFile)) continue;
      this.#connections.delete(caFile);
      void connections.close();
    }
  }

  #sessionFor(config: AccountConfig): ApiSession {
    const key = sessionKeyOf(config);
    const session = this.#sessions.get(key) ?? new ApiSession(config.api.requestsPerMinute);
    this.#sessions.set(key, session);
    return session;
  }

  /** Accounts that share a session share the lowest of their budgets, because the provider counts their calls together. */
  #setBudgets(accounts: readonly AccountConfig[]): void {
    for (const [key, sharing] of Map.groupBy(accounts, sessionKeyOf)) {
      const session = this.#sessions.get(key);
      const lowest = Math.min(...sharing.map(({ api }) => api.requestsPerMinute));
      if (session !== undefined) session.budget.requestsPerMinute = lowest;
    }
  }

  #remove(name: string): void {
    const configured = this.#accounts.get(name);
    if (configured === undefined) return;
    configured.account.stop();
    this.#state?.forget(configured.saved);
    this.#scheduler.remove(configured.account);
    this.page.remove(name);
    this.#accounts.delete(name);
  }

  #removeOldState(): void {
    const { accounts, otherAccounts = [] } = this.#config;
    void this.#state?.removeOld([...accounts.map(({ name }) => name), ...otherAccounts]);
  }

  #notReady(): string | undefined {
    if (this.#stopping) return 'stopping';
    // An account that a reload adds does not end readiness.
    this.#ready ||= this.accounts.every(({ polled }) => polled);
    return this.#ready ? undefined : 'waiting for the first poll of every account';
  }
}

/** Reads TLS settings and logins, and follows their changes. */
export type WatchWebConfig = (observer: WebConfigObserver) => WatchedWebConfig;

/** What a program that serves pages needs in addition. */
export interface AppOptions {
  /** Reads the configuration again for a reload. */
  readonly load?: LoadConfig;
  /** Shown to people; undefined if environment variables configure the exporter. */
  readonly configFile?: string | undefined;
  /** Whether a request can reload the configuration. */
  readonly enableLifecycle?: boolean;
  /** Undefined: no TLS and no login. */
  readonly watchWebConfig?: WatchWebConfig | undefined;
  /** Undefined: figures do not survive a restart. */
  readonly state?: StateDirectory | undefined;
}

/** Reads the configuration again. Rejects with a ConfigError, or with the signal's reason when that aborts. */
export type LoadConfig = (signal: AbortSignal) => Promise<Config>;

/** What the new configuration of an account changes. */
interface AccountUpdate {
  /** The account, if it replaces another one and has to be started. */
  readonly started?: Account;
  /** The account, if it is new. */
  readonly added?: Account;
  /** The name of the account, if it existed and something changed. */
  readonly change?: string;
}

function reportFields({ series, dropped }: RestoreReport): Readonly<Record<string, number>> {
  const counts = Object.entries(dropped).map(([reason, count]) => [`dropped_${reason}`, count]);
  return { series, ...Object.fromEntries(counts) };
}

const day = 86_400_000;

/** Accounts to stop before other work continues: a few milliseconds. */
const accountsPerTurn = 50;

function* stopAll(accounts: readonly Account[]): Steps<void> {
  for (const account of accounts) {
    account.stop();
    yield 1;
  }
}

/** Names in one log line. */
const maxNames = 10;

/** A log field with names; no field without names. */
function nameList(field: string, names: readonly string[]): Readonly<Record<string, string>> {
  if (names.length === 0) return {};
  return { [field]: listNames(names, maxNames) };
}

interface ConfiguredAccount {
  readonly account: Account;
  readonly session: ApiSession;
  /** Whether no account had this session before. */
  readonly isNewSession: boolean;
  readonly saved: SavedAccount;
  readonly fingerprints: Fingerprints;
}
