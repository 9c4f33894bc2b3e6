import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createDispatcher, type Dispatcher } from './api/transport.ts';
import { collectors } from './collectors/list.ts';
import type { AccountConfig, Config, WebConfig } from './config/config.ts';
import type { AccountStore } from './exposition/account-store.ts';
import { Page } from './exposition/page.ts';
import { type Build, ProcessMetrics } from './exposition/process-metrics.ts';
import type { Log } from './log.ts';
import { AccountWatch } from './polling/account-watch.ts';
import { Scheduler } from './polling/scheduler.ts';
import { createWebServer } from './web/server.ts';

/** The exporter, put together from top to bottom in the order in which data flows; it does nothing before `start`. */
export class App {
  readonly web: FastifyInstance;
  readonly page: Page;
  readonly #web: WebConfig;
  readonly #build: Build;
  readonly #log: Log;
  readonly #processMetrics: ProcessMetrics;
  readonly #dispatchers = new Map<string | undefined, Dispatcher>();
  readonly #stores = new Map<string, AccountStore>();
  readonly #watches = new Map<string, WatchedAccount>();
  readonly #scheduler = new Scheduler();
  #ready = false;
  #stopping = false;

  constructor(config: Config, build: Build, log: Log) {
    const { telemetryPath } = config.web;
    this.#web = config.web;
    this.#build = build;
    this.#log = log;
    this.#processMetrics = new ProcessMetrics(build);
    for (const account of config.accounts) this.#add(account);
    this.page = new Page(collectors, this.#stores, this.#processMetrics);
    this.web = createWebServer(telemetryPath, {
      page: this.page,
      notReady: () => this.#notReady(),
      alive: () => this.#scheduler.alive,
      landingPage: () => ({
        version: this.#build.version,
        telemetryPath,
        now: Date.now(),
        accounts: this.watches.map((watch) => ({ name: watch.name, collectors: watch.status() })),
      }),
    });
    this.#processMetrics.setReload(true, Date.now());
  }

  get watches(): readonly AccountWatch[] {
    return [...this.#watches.values()].map(({ watch }) => watch);
  }

  /** Polls everything at once, and then by schedule. */
  start(): void {
    this.#scheduler.start(this.watches);
  }

  /**
   * Takes a newer configuration: accounts that are gone end, new ones start, those that changed start anew, and the
   * others go on as if nothing had happened; where only the file of a secret changed, what failed is tried again. What
   * the web server listens on stays as it was.
   */
  reload({ accounts, web }: Config): void {
    if (this.#stopping) return;
    const { listenAddress, telemetryPath } = this.#web;
    if (web.listenAddress !== listenAddress || web.telemetryPath !== telemetryPath) {
      this.#log.warn({ ...web }, 'what the web server listens on takes effect at the next start');
    }
    const wanted = new Map(accounts.map((account) => [account.name, fingerprints(account)]));
    for (const [name, { watch, prints }] of this.#watches) {
      const newer = wanted.get(name);
      if (newer?.account !== prints.account) {
        this.#remove(name);
      } else if (newer.secret !== prints.secret) {
        this.#watches.set(name, { watch, prints: newer });
        watch.catchUp();
      }
    }
    const added = accounts.filter(({ name }) => !this.#watches.has(name)).map((account) => this.#add(account));
    this.#scheduler.start(added);
    this.#processMetrics.setReload(true, Date.now());
    this.#log.info({ accounts: accounts.length, started: added.length }, 'took the new configuration');
  }

  /** Says that a newer configuration could not be taken; the former one goes on. */
  reloadFailed(problems: string): void {
    this.#processMetrics.setReload(false, Date.now());
    this.#log.error({ problems }, 'the new configuration is wrong; the former one goes on');
  }

  /** Stops to be ready, aborts the calls under way, and lets the scrapes under way end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#scheduler.stop();
    for (const watch of this.watches) watch.stop();
    await this.web.close();
    await Promise.all([...this.#dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
  }

  #add(config: AccountConfig): AccountWatch {
    const { caFile } = config.api;
    const dispatcher = this.#dispatchers.get(caFile) ?? createDispatcher(caFile);
    this.#dispatchers.set(caFile, dispatcher);
    const surroundings = { collectors, dispatcher, processMetrics: this.#processMetrics, log: this.#log };
    const watch = new AccountWatch(config, surroundings);
    this.#watches.set(config.name, { watch, prints: fingerprints(config) });
    this.#stores.set(config.name, watch.store);
    return watch;
  }

  #remove(name: string): void {
    const watched = this.#watches.get(name);
    if (watched === undefined) return;
    watched.watch.stop();
    this.#scheduler.forget(watched.watch);
    this.#watches.delete(name);
    this.#stores.delete(name);
  }

  #notReady(): string | undefined {
    if (this.#stopping) return 'stopping';
    // It stays ready for all others when a newer configuration brings an account.
    this.#ready ||= this.watches.every(({ polled }) => polled);
    return this.#ready ? undefined : 'the first poll has not ended';
  }
}

interface WatchedAccount {
  readonly watch: AccountWatch;
  readonly prints: Fingerprints;
}

/** They tell whether an account's configuration changed, and whether its secret did. */
interface Fingerprints {
  /** A secret counts by its file where it has one, which is read again by itself. */
  readonly account: string;
  readonly secret: string;
}

function fingerprints(account: AccountConfig): Fingerprints {
  const { credentials } = account;
  const secret = credentials.kind === 'token' ? credentials.token : credentials.password;
  const text = secret.reveal();
  return { account: digest([account, secret.file ?? { text }]), secret: digest(text) };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
