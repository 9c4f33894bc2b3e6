import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiClient, type CallObserver } from './api/client.ts';
import { ApiSession } from './api/session.ts';
import { createDispatcher, type Dispatcher } from './api/transport.ts';
import { collectors } from './collectors/list.ts';
import { listAlertThresholds } from './config/alert-thresholds.ts';
import type { AccountConfig, Config, WebConfig } from './config/config.ts';
import { AccountStore } from './exposition/account-store.ts';
import { CallCounters } from './exposition/call-counters.ts';
import { Page } from './exposition/page.ts';
import { type Build, ProcessMetrics } from './exposition/process-metrics.ts';
import type { Log } from './log.ts';
import { scalarsFor } from './payloads/scalars.ts';
import { Account } from './polling/account.ts';
import { Scheduler } from './polling/scheduler.ts';
import { createWebServer } from './web/server.ts';

/** The exporter, wired in the order in which data flows. It does nothing before `start`. */
export class App {
  readonly web: FastifyInstance;
  readonly page: Page;
  readonly #web: WebConfig;
  readonly #log: Log;
  readonly #processMetrics: ProcessMetrics;
  readonly #dispatchers = new Map<string | undefined, Dispatcher>();
  /** By base URL and login. They survive every reload, even without an account that uses them. */
  readonly #sessions = new Map<string, ApiSession>();
  readonly #accounts = new Map<string, ConfiguredAccount>();
  readonly #scheduler = new Scheduler();
  #ready = false;
  #stopping = false;

  constructor(config: Config, build: Build, log: Log) {
    const { telemetryPath } = config.web;
    this.#web = config.web;
    this.#log = log;
    this.#processMetrics = new ProcessMetrics(build);
    this.page = new Page(collectors, this.#processMetrics);
    for (const account of config.accounts) this.#add(account);
    this.web = createWebServer(telemetryPath, {
      page: this.page,
      notReady: () => this.#notReady(),
      alive: () => this.#scheduler.alive,
      landingPage: () => ({
        version: build.version,
        telemetryPath,
        now: Date.now(),
        accounts: this.accounts.map((account) => ({ name: account.name, collectors: account.status() })),
      }),
    });
    this.#processMetrics.setReload(true, Date.now());
  }

  get accounts(): readonly Account[] {
    return [...this.#accounts.values()].map(({ account }) => account);
  }

  /** Polls every account once, then by schedule. */
  start(): void {
    this.#scheduler.start(this.accounts);
  }

  /**
   * Applies a new configuration: stops removed accounts, starts new ones, restarts changed ones and leaves the others
   * running. A restarted account keeps its figures unless its server, login or notation changed. If only the content of an
   * account's secret file changed, retries its collectors that failed to connect or to authenticate. The listen address
   * and the telemetry path need a restart.
   */
  reload({ accounts, web }: Config): void {
    if (this.#stopping) return;
    const { listenAddress, telemetryPath } = this.#web;
    if (web.listenAddress !== listenAddress || web.telemetryPath !== telemetryPath) {
      this.#log.warn({ ...web }, 'changed web settings take effect after a restart');
    }
    const names = new Set(accounts.map(({ name }) => name));
    for (const name of this.#accounts.keys()) if (!names.has(name)) this.#remove(name);
    const started = accounts.flatMap((account) => this.#update(account) ?? []);
    this.#scheduler.start(started);
    this.#processMetrics.setReload(true, Date.now());
    this.#log.info({ accounts: accounts.length, started: started.length }, 'configuration reloaded');
  }

  /** Reports a failed reload in the log and the metrics. The previous configuration stays in use. */
  reloadFailed(problems: string): void {
    this.#processMetrics.setReload(false, Date.now());
    this.#log.error({ problems }, 'reload failed, keeping the previous configuration');
  }

  /** Becomes unready, stops polling, aborts API calls and waits for scrapes to finish. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#scheduler.stop();
    for (const account of this.accounts) account.stop();
    for (const { budget } of this.#sessions.values()) budget.close();
    await this.web.close();
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
  }

  /** Applies the new configuration of one account. Returns the account if it has to be started. */
  #update(config: AccountConfig): Account | undefined {
    const { name, alerts } = config;
    const current = this.#accounts.get(name);
    if (current === undefined) return this.#add(config);
    const { account, fingerprints: previous } = current;
    const fingerprints = fingerprintsOf(config);
    if (fingerprints.config !== previous.config) {
      account.stop();
      this.#scheduler.remove(account);
      return this.#add(config, fingerprints.source === previous.source ? account.store : undefined);
    }
    this.#accounts.set(name, { account, fingerprints });
    account.setThresholds(listAlertThresholds(alerts));
    if (fingerprints.secret !== previous.secret) account.retryUnaccepted();
    return undefined;
  }

  /** Adds an account in place of one with the same name. `store` contains figures that are still valid. */
  #add(config: AccountConfig, store = new AccountStore(this.page.index)): Account {
    const { caFile } = config.api;
    const dispatcher = this.#dispatchers.get(caFile) ?? createDispatcher(caFile);
    this.#dispatchers.set(caFile, dispatcher);
    const session = this.#sessionFor(config);
    const account = createAccount(config, {
      dispatcher,
      session,
      store,
      processMetrics: this.#processMetrics,
      log: this.#log,
    });
    this.page.add(account);
    this.#accounts.set(config.name, { account, fingerprints: fingerprintsOf(config) });
    return account;
  }

  #sessionFor({ name, api, credentials }: AccountConfig): ApiSession {
    const login = credentials.kind === 'password' ? ['login', credentials.login] : ['account', name];
    const key = JSON.stringify([api.baseUrl, ...login]);
    const session = this.#sessions.get(key) ?? new ApiSession(api.requestsPerMinute);
    session.budget.requestsPerMinute = api.requestsPerMinute;
    this.#sessions.set(key, session);
    return session;
  }

  #remove(name: string): void {
    const configured = this.#accounts.get(name);
    if (configured === undefined) return;
    configured.account.stop();
    this.#scheduler.remove(configured.account);
    this.page.remove(name);
    this.#accounts.delete(name);
  }

  #notReady(): string | undefined {
    if (this.#stopping) return 'stopping';
    // An account that a reload adds does not end readiness.
    this.#ready ||= this.accounts.every(({ polled }) => polled);
    return this.#ready ? undefined : 'waiting for the first poll of every account';
  }
}

/** What an account shares with others, or keeps over a reload. */
export interface AccountDependencies {
  readonly dispatcher: Dispatcher;
  readonly session: ApiSession;
  readonly store: AccountStore;
  readonly processMetrics: ProcessMetrics;
  readonly log: Log;
}

/** Wires one account. The figures of collectors that it does not poll leave its store. */
export function createAccount(
  config: AccountConfig,
  { dispatcher, session, store, processMetrics, log }: AccountDependencies,
): Account {
  const { name, api, credentials } = config;
  const enabled = collectors.filter((collector) => config.collectors[collector.name]?.enabled === true);
  store.retainCollectors(new Set(enabled.map((collector) => collector.name)));
  const calls = new CallCounters(enabled.flatMap(({ methods }) => methods));
  const observer: CallObserver = {
    onSent: (method) => {
      calls.countCall(method);
      store.touch();
    },
    onEnd: (method, seconds, error) => {
      processMetrics.observeRequest(method, seconds);
      if (error !== undefined) calls.countFailure(method, error.reason);
      store.touch();
      log.debug({ account: name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason }, 'API call');
    },
  };
  return new Account({
    config,
    collectors: enabled,
    client: new ApiClient(api, credentials, dispatcher, session, observer),
    session,
    scalars: scalarsFor(api),
    store,
    calls,
    thresholds: listAlertThresholds(config.alerts),
    log,
  });
}

interface ConfiguredAccount {
  readonly account: Account;
  readonly fingerprints: Fingerprints;
}

/** Hashes that show which part of an account's configuration a reload changes. */
interface Fingerprints {
  /** Everything but alert thresholds. A secret in a file counts by its path: each call reads the file again. */
  readonly config: string;
  /** What the meaning of figures depends on: server, login and notation. */
  readonly source: string;
  readonly secret: string;
}

function fingerprintsOf(account: AccountConfig): Fingerprints {
  const { alerts: _alerts, ...config } = account;
  const { api, credentials, name } = account;
  const { baseUrl, inputFormat, sizeUnits, timeZone } = api;
  const secret = credentials.kind === 'token' ? credentials.token : credentials.password;
  const text = secret.reveal();
  const login = credentials.kind === 'password' ? credentials.login : (secret.file ?? text);
  return {
    config: digest([config, secret.file ?? { text }]),
    source: digest([name, baseUrl, inputFormat, sizeUnits, timeZone, login]),
    secret: digest(text),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
