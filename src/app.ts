import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Budget } from './api/budget.ts';
import { ApiClient, type CallObserver } from './api/client.ts';
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
   * running. If only the content of an account's secret file changed, retries its collectors that failed to connect or to
   * authenticate. The listen address and the telemetry path need a restart.
   */
  reload({ accounts, web }: Config): void {
    if (this.#stopping) return;
    const { listenAddress, telemetryPath } = this.#web;
    if (web.listenAddress !== listenAddress || web.telemetryPath !== telemetryPath) {
      this.#log.warn({ ...web }, 'changed web settings take effect after a restart');
    }
    const newFingerprints = new Map(accounts.map((account) => [account.name, fingerprintsOf(account)]));
    for (const [name, { account, fingerprints }] of this.#accounts) {
      const newer = newFingerprints.get(name);
      if (newer?.config !== fingerprints.config) {
        this.#remove(name);
      } else if (newer.secret !== fingerprints.secret) {
        this.#accounts.set(name, { account, fingerprints: newer });
        account.catchUp();
      }
    }
    const added = accounts.filter(({ name }) => !this.#accounts.has(name)).map((account) => this.#add(account));
    this.#scheduler.start(added);
    this.#processMetrics.setReload(true, Date.now());
    this.#log.info({ accounts: accounts.length, started: added.length }, 'configuration reloaded');
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
    await this.web.close();
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
  }

  #add(config: AccountConfig): Account {
    const { caFile } = config.api;
    const dispatcher = this.#dispatchers.get(caFile) ?? createDispatcher(caFile);
    this.#dispatchers.set(caFile, dispatcher);
    const account = createAccount(config, dispatcher, this.page, this.#processMetrics, this.#log);
    this.#accounts.set(config.name, { account, fingerprints: fingerprintsOf(config) });
    return account;
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

/** Creates an account with its own budget, client and store, and adds it to the page. */
export function createAccount(
  config: AccountConfig,
  dispatcher: Dispatcher,
  page: Page,
  processMetrics: ProcessMetrics,
  log: Log,
): Account {
  const { name, api, credentials } = config;
  const store = new AccountStore(page.index);
  const enabled = collectors.filter((collector) => config.collectors[collector.name]?.enabled === true);
  const calls = new CallCounters(enabled.flatMap(({ methods }) => methods));
  const budget = new Budget(api.requestsPerMinute, () => store.touch());
  const observer: CallObserver = {
    onStart: (method) => {
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
  const account = new Account({
    config,
    collectors: enabled,
    client: new ApiClient(api, credentials, dispatcher, budget, observer),
    budget,
    scalars: scalarsFor(api),
    store,
    calls,
    thresholds: [...listAlertThresholds(config.alerts)],
    log,
  });
  page.add(account);
  return account;
}

interface ConfiguredAccount {
  readonly account: Account;
  readonly fingerprints: Fingerprints;
}

/** Hashes that show whether the configuration of an account changed, and whether its secret did. */
interface Fingerprints {
  /** Includes the secret itself, or only its path if it is in a file: each call reads the file again. */
  readonly config: string;
  readonly secret: string;
}

function fingerprintsOf(account: AccountConfig): Fingerprints {
  const { credentials } = account;
  const secret = credentials.kind === 'token' ? credentials.token : credentials.password;
  const text = secret.reveal();
  return { config: digest([account, secret.file ?? { text }]), secret: digest(text) };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
