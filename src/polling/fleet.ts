import { setImmediate } from 'node:timers/promises';
import { Connections } from '../api/connections.ts';
import { ApiSession } from '../api/session.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { type Log, listNames } from '../log.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { AccountStore } from '../store/account-store.ts';
import { Clock } from '../store/clock.ts';
import type { Page } from '../store/page.ts';
import { Account, type AccountDependencies } from './account.ts';
import { FailureLog } from './failure-log.ts';
import { fingerprintOf, sessionKeyOf } from './identity.ts';
import { RestoreReport } from './restore-report.ts';
import { Ticker } from './ticker.ts';

export interface FleetDependencies {
  readonly page: Page;
  readonly observer: NonNullable<AccountDependencies['observer']>;
  readonly log: Log;
  readonly state?: StateDirectory | undefined;
  /** The names of all configured accounts, including those of other shards. The files of other accounts are deleted. */
  readonly configuredNames: () => readonly string[];
}

interface Member {
  readonly account: Account;
  /** As in `fingerprintOf`. */
  readonly fingerprint: string;
  /** The account's revision when it was last handed to the state directory. */
  savedRevision: number;
}

const maxNames = 10;

const day = 86_400_000;

/** Starts, replaces and stops the accounts of the configuration, with their sessions and connections. */
export class Fleet {
  readonly #dependencies: FleetDependencies;
  readonly #failureLog: FailureLog;
  readonly #clock = new Clock();
  readonly #ticker = new Ticker(
    this.#clock,
    () => (this.#isStarted ? this.accounts : []),
    () => this.#save(),
  );
  readonly #connections = new Map<string | undefined, Connections>();
  /** The sessions by `sessionKeyOf`. A session stays when a reload removes its accounts. */
  readonly #sessions = new Map<string, ApiSession>();
  readonly #members = new Map<string, Member>();
  #configs: readonly AccountConfig[];
  #isStarted = false;
  #isStopping = false;
  #saved: Promise<void> | undefined;
  /** When files of removed accounts are next deleted, by the exporter's clock. */
  #nextCleanUp = 0;

  constructor(configs: readonly AccountConfig[], dependencies: FleetDependencies) {
    this.#dependencies = dependencies;
    this.#failureLog = new FailureLog(dependencies.log);
    this.#configs = configs;
    for (const config of configs) this.#add(this.#create(config), config);
    this.#setBudgets();
  }

  get accounts(): readonly Account[] {
    return [...this.#members.values()].map(({ account }) => account);
  }

  account(name: string): Account | undefined {
    return this.#members.get(name)?.account;
  }

  get isAlive(): boolean {
    return this.#ticker.alive;
  }

  /** Shows the figures in the state directory, so that `start` polls only what is due. */
  async restore(): Promise<RestoreReport> {
    // Restoring many accounts may take long. Meanwhile, the fleet is alive.
    this.#ticker.start();
    const report = new RestoreReport();
    for (const member of this.#members.values()) {
      await this.#restore(member.account, report);
      member.savedRevision = member.account.revision;
      await setImmediate();
    }
    return report;
  }

  /** Starts the polls. */
  start(): void {
    this.#isStarted = true;
    for (const account of this.accounts) account.confirmUp();
    this.#ticker.start();
  }

  /**
   * Applies a new configuration: stops removed accounts, starts new accounts, and keeps unchanged ones running. A changed account continues
   * with its figures, unless they could belong to another hosting account, or would be read differently.
   */
  async apply(configs: readonly AccountConfig[]): Promise<void> {
    const names = new Set(configs.map(({ name }) => name));
    const changes: Record<'added' | 'removed' | 'changed', string[]> = { added: [], removed: [], changed: [] };
    for (const { name } of this.accounts) {
      if (names.has(name)) continue;
      this.#remove(name);
      changes.removed.push(name);
    }
    for (const connections of this.#connections.values()) connections.refresh();
    const report = new RestoreReport();
    for (const config of configs) {
      await setImmediate();
      if (this.#isStopping) return;
      const member = this.#members.get(config.name);
      if (member?.fingerprint === fingerprintOf(config, this.#connectionsOf(config))) continue;
      changes[member === undefined ? 'added' : 'changed'].push(config.name);
      await this.#replace(member?.account, config, report);
    }
    this.#configs = configs;
    this.#setBudgets();
    this.#closeUnusedConnections();
    const { log } = this.#dependencies;
    if (!report.isEmpty) log.info(report.fields, 'restored figures of added accounts');
    const fields = Object.entries(changes).flatMap(([change, list]) =>
      list.length === 0 ? [] : [[change, listNames(list, maxNames)]],
    );
    log.info({ accounts: configs.length, ...Object.fromEntries(fields) }, 'configuration reloaded');
  }

  /** Stops polling, aborts API calls, and starts to save the final state. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#ticker.stop();
    for (const account of this.accounts) {
      account.stop();
      await setImmediate();
    }
    this.#handOver();
    this.#saved = this.#dependencies.state?.close();
  }

  /** Waits for the final state, and closes all connections. */
  async close(): Promise<void> {
    await this.#saved;
    for (const { budget } of this.#sessions.values()) budget.close();
    await Promise.all([...this.#connections.values()].map((connections) => connections.destroy()));
  }

  /** The page shows the old account until the figures of the new one are restored. */
  async #replace(previous: Account | undefined, config: AccountConfig, report: RestoreReport): Promise<void> {
    const account = this.#create(config);
    if (previous !== undefined && previous.identity === account.identity) account.replace(previous);
    else {
      previous?.stop();
      await this.#restore(account, report);
    }
    if (this.#isStopping) return account.stop();
    this.#add(account, config);
    // The previous account may have had unsaved changes.
    if (previous !== undefined) this.#dependencies.state?.changed(account);
    if (this.#isStarted) account.confirmUp();
  }

  async #restore(account: Account, report: RestoreReport): Promise<void> {
    const { saved, dropped } = (await this.#dependencies.state?.load(account)) ?? {};
    if (dropped !== undefined) report.drop(dropped);
    if (saved === undefined) return;
    // A session that has made calls is newer than the saved session.
    if (!account.budget.hasRun) account.session.restore(saved);
    account.restore(saved, report);
  }

  #create(config: AccountConfig): Account {
    const { observer, log } = this.#dependencies;
    const key = sessionKeyOf(config);
    const session = this.#sessions.get(key) ?? new ApiSession(config.api.requestsPerMinute);
    this.#sessions.set(key, session);
    return new Account(config, {
      connections: this.#connectionsOf(config),
      session,
      store: new AccountStore(this.#clock),
      observer,
      log,
      failureLog: this.#failureLog,
      onBlocked: (blocked) => this.#saveBlocked(blocked),
    });
  }

  #add(account: Account, config: AccountConfig): void {
    const fingerprint = fingerprintOf(config, this.#connectionsOf(config));
    this.#members.set(account.name, { account, fingerprint, savedRevision: account.revision });
    this.#dependencies.page.add(account);
  }

  #remove(name: string): void {
    const account = this.account(name);
    if (account === undefined) return;
    account.stop();
    this.#dependencies.state?.saveNow(account);
    this.#dependencies.page.remove(name);
    this.#members.delete(name);
  }

  /** Saves what is due, and deletes the files of removed accounts once a day. */
  #save(): void {
    const { state } = this.#dependencies;
    if (state === undefined || !this.#isStarted) return;
    this.#handOver();
    state.tick();
    if (this.#clock.now < this.#nextCleanUp) return;
    this.#nextCleanUp = this.#clock.now + day;
    void state.removeOld(this.#dependencies.configuredNames());
  }

  /** Tells the state directory which accounts have changed. */
  #handOver(): void {
    for (const member of this.#members.values()) {
      const { revision } = member.account;
      if (revision === member.savedRevision) continue;
      member.savedRevision = revision;
      this.#dependencies.state?.changed(member.account);
    }
  }

  /** Saves a rejection or a pause at once, with each account that it concerns. */
  #saveBlocked(session: ApiSession): void {
    for (const account of this.accounts) if (account.session === session) this.#dependencies.state?.saveNow(account);
  }

  #connectionsOf({ api: { caFile } }: AccountConfig): Connections {
    const connections = this.#connections.get(caFile) ?? new Connections(caFile);
    this.#connections.set(caFile, connections);
    return connections;
  }

  #closeUnusedConnections(): void {
    const used = new Set(this.#configs.map(({ api }) => api.caFile));
    for (const [caFile, connections] of this.#connections) {
      if (used.has(caFile)) continue;
      this.#connections.delete(caFile);
      void connections.close();
    }
  }

  /** Sets the budget of each session to the lowest budget of its accounts, because the provider counts their calls together. */
  #setBudgets(): void {
    for (const [key, sharing] of Map.groupBy(this.#configs, sessionKeyOf)) {
      const session = this.#sessions.get(key);
      if (session === undefined) continue;
      session.budget.requestsPerMinute = Math.min(...sharing.map(({ api }) => api.requestsPerMinute));
    }
  }
}
