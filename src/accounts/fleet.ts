import { Connections } from '../api/connections.ts';
import { ApiSession } from '../api/session.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { AccountStore } from '../exposition/account-store.ts';
import type { Page } from '../exposition/page.ts';
import { type Log, listNames } from '../log.ts';
import { FailureLog } from '../polling/failure-log.ts';
import { RestoreReport } from '../results/snapshot.ts';
import { mapInSlices, TimeSlice } from '../runtime/time-slice.ts';
import type { SavedAccount, StateDirectory } from '../state/state-directory.ts';
import { Account, type PollObserver } from './account.ts';
import { currentSecretOf, fingerprintsOf, sessionKeyOf } from './identity.ts';
import { compressPayloads, type Member, restoreAccounts } from './restore.ts';
import { Scheduler } from './scheduler.ts';

export interface FleetDependencies {
  readonly page: Page;
  readonly observer: PollObserver;
  readonly log: Log;
  readonly state?: StateDirectory | undefined;
}

const maxNames = 10;

/** Starts, replaces and stops the accounts of the configuration, with their sessions and connections. */
export class Fleet {
  readonly #dependencies: FleetDependencies;
  readonly #failureLog: FailureLog;
  readonly #scheduler = new Scheduler();
  readonly #connections = new Map<string | undefined, Connections>();
  /** The sessions by `sessionKeyOf`. A session stays when a reload removes its accounts. */
  readonly #sessions = new Map<string, ApiSession>();
  readonly #members = new Map<string, Member>();
  /** Accounts whose saved figures are not shown yet. If a reload replaces such an account, its successor gets the figures. */
  readonly #unrestored = new Set<Account>();
  #saved: Promise<void> | undefined;
  #memoryTimer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(configs: readonly AccountConfig[], dependencies: FleetDependencies) {
    this.#dependencies = dependencies;
    this.#failureLog = new FailureLog(dependencies.log);
    for (const config of configs) this.#add(this.#create(config));
    this.#setBudgets(configs);
  }

  get accounts(): readonly Account[] {
    return [...this.#members.values()].map(({ account }) => account);
  }

  account(name: string): Account | undefined {
    return this.#members.get(name)?.account;
  }

  /** The accounts whose figures a state directory should contain. */
  get saved(): readonly SavedAccount[] {
    const members = [...this.#members.values()];
    return members.filter(({ account }) => !this.#unrestored.has(account)).map(({ saved }) => saved);
  }

  get isAlive(): boolean {
    return this.#scheduler.alive;
  }

  /** Shows the figures in the state directory, so that `start` polls only what is due. */
  async restore(state: StateDirectory): Promise<RestoreReport> {
    // Restoring many accounts may take long. Meanwhile, the fleet is alive.
    this.#scheduler.start([]);
    const report = new RestoreReport();
    await this.#restoreMembers(state, [...this.#members.values()], report);
    await this.#dependencies.page.index.refresh();
    for (const { budget, gate } of state.wasKilled ? this.#sessions.values() : []) {
      // A killed process did not save the time of its last call. Delay the next call by the time between two calls.
      budget.delay(Number.POSITIVE_INFINITY);
      gate.isTrusted = false;
    }
    void compressPayloads(this.accounts);
    return report;
  }

  /** Starts the accounts. Accounts without figures start first, such as accounts that belonged to another shard. */
  start(): void {
    const accounts = this.accounts.filter((account) => !this.#unrestored.has(account));
    this.#scheduler.start(accounts.toSorted((a, b) => Number(a.polled) - Number(b.polled)));
    this.#failureLog.start();
    this.#memoryTimer = setInterval(() => void this.#remember(), 10 * 60_000).unref();
  }

  /**
   * Applies a new configuration: stops removed accounts, starts new accounts, restarts changed accounts and keeps the others running. A
   * restarted account loses its figures if its API server, login, API format or time zone changed. If only the content of a secret file
   * or ca_file changed, retries the polls that the API did not accept or permit.
   */
  async apply(configs: readonly AccountConfig[]): Promise<void> {
    const slice = new TimeSlice();
    const names = new Set(configs.map(({ name }) => name));
    const previous = this.accounts;
    const removed = [...this.#members.values()].filter(({ account }) => !names.has(account.name));
    for (const member of removed) {
      this.#stop(member);
      this.#dependencies.page.remove(member.account.name);
      this.#members.delete(member.account.name);
      await slice.pause();
    }
    for (const connections of this.#connections.values()) connections.refresh();
    const added: Member[] = [];
    const isNew = new Set<string>();
    const restarted: Account[] = [];
    const changed: string[] = [];
    for (const config of configs) {
      await slice.pause();
      if (this.#isStopping) return;
      const member = this.#members.get(config.name);
      if (member === undefined) {
        isNew.add(config.name);
        added.push(this.#add(this.#create(config)));
        continue;
      }
      const { isChanged, successor, isRestored } = await this.#update(member, config, slice);
      if (isChanged) changed.push(config.name);
      if (successor === undefined) continue;
      if (isRestored) restarted.push(successor.account);
      else added.push(successor);
    }
    this.#setBudgets(configs);
    this.#closeUnusedConnections(configs);
    this.#scheduler.start(restarted);
    // Remove old accounts only after their successors have taken their places in the queue of starts.
    for (const account of previous) if (this.account(account.name) !== account) this.#scheduler.remove(account);
    void this.#startAdded(added);
    const changes = { added: [...isNew], removed: removed.map(({ account }) => account.name), changed };
    const fields = Object.entries(changes)
      .filter(([, list]) => list.length > 0)
      .map(([change, list]) => [change, listNames(list, maxNames)]);
    this.#dependencies.log.info({ accounts: configs.length, ...Object.fromEntries(fields) }, 'configuration reloaded');
  }

  /** Stops polling, aborts API calls, and starts to save the final state. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#scheduler.stop();
    this.#failureLog.stop();
    clearInterval(this.#memoryTimer);
    await mapInSlices(this.accounts, (account) => account.stop());
    this.#saved = this.#dependencies.state?.close();
  }

  async close(): Promise<void> {
    await this.#saved;
    for (const { budget } of this.#sessions.values()) budget.close();
    await Promise.all([...this.#connections.values()].map((connections) => connections.destroy()));
  }

  /** Stores the first figures of a new day. */
  async #remember(): Promise<void> {
    const slice = new TimeSlice();
    for (const { account, saved } of this.#members.values()) {
      if (await account.memory.update(account, slice)) this.#dependencies.state?.changed(saved);
    }
  }

  /** Starts accounts that a reload has added. First restores their figures, if the state directory contains any. */
  async #startAdded(added: readonly Member[]): Promise<void> {
    const { state, log } = this.#dependencies;
    const report = new RestoreReport();
    if (state !== undefined) await this.#restoreMembers(state, added, report);
    const accounts = added.filter((member) => this.#isCurrent(member)).map(({ account }) => account);
    if (!report.isEmpty) log.info(report.fields, 'restored figures of added accounts');
    this.#scheduler.start(accounts);
    void compressPayloads(accounts);
  }

  async #restoreMembers(state: StateDirectory, members: readonly Member[], report: RestoreReport): Promise<void> {
    await restoreAccounts(state, members, (member) => this.#isCurrent(member), report);
    for (const { account } of members) this.#unrestored.delete(account);
  }

  /** False if a reload has replaced or removed the account, or if the fleet is stopping. */
  #isCurrent({ account }: Member): boolean {
    return !this.#isStopping && this.account(account.name) === account;
  }

  /** `successor`: the account that replaces the member. If `isRestored` is false, the successor still lacks its saved figures. */
  async #update(member: Member, config: AccountConfig, slice: TimeSlice) {
    const { account, fingerprints: previous } = member;
    const fingerprints = fingerprintsOf(config, this.#connectionsOf(config));
    if (fingerprints.config !== previous.config) {
      const isRestored = fingerprints.source === previous.source && !this.#unrestored.has(account);
      const snapshot = account.snapshot();
      this.#stop(member);
      const successor = this.#create(config, isRestored ? account.store : undefined);
      // The page shows the old account meanwhile, so that no scrape sees the account without its figures.
      if (isRestored) await successor.account.restore(snapshot, true, new RestoreReport(), slice);
      if (this.#isStopping) successor.account.stop();
      this.#add(successor);
      if (isRestored) this.#unrestored.delete(successor.account);
      return { isChanged: true, successor, isRestored };
    }
    this.#members.set(account.name, { ...member, fingerprints });
    account.configure(config);
    if (fingerprints.secret !== previous.secret) this.#scheduler.retry(account);
    const isSame = fingerprints.secret === previous.secret && fingerprints.annotations === previous.annotations;
    return { isChanged: !isSame };
  }

  /** `store`: the store of the replaced account, if the new account keeps its figures. */
  #create(config: AccountConfig, store = new AccountStore(this.#dependencies.page.index)): Member {
    const { observer, log, state } = this.#dependencies;
    const connections = this.#connectionsOf(config);
    const key = sessionKeyOf(config);
    const session = this.#sessions.get(key) ?? new ApiSession(config.api.requestsPerMinute);
    this.#sessions.set(key, session);
    const fingerprints = fingerprintsOf(config, connections);
    const account = new Account(config, {
      connections,
      session,
      store,
      observer,
      log,
      failureLog: this.#failureLog,
      ...(state && { onChange: () => state.changed(saved), saveNow: () => state.saveNow(saved) }),
    });
    const saved: SavedAccount = {
      name: config.name,
      identity: fingerprints.identity,
      secret: () => currentSecretOf(config),
      polls: () => account.snapshot(),
      session: () => session.snapshot(),
    };
    return { account, session, saved, fingerprints };
  }

  #add(member: Member): Member {
    const { account } = member;
    const { page, state } = this.#dependencies;
    if (state !== undefined) this.#unrestored.add(account);
    page.add(account);
    this.#members.set(account.name, member);
    return member;
  }

  /** Stops an account. Its unsaved figures are saved later. */
  #stop({ account, saved }: Member): void {
    account.stop();
    this.#dependencies.state?.keep(saved);
    this.#unrestored.delete(account);
  }

  #connectionsOf({ api: { caFile } }: AccountConfig): Connections {
    const connections = this.#connections.get(caFile) ?? new Connections(caFile);
    this.#connections.set(caFile, connections);
    return connections;
  }

  #closeUnusedConnections(configs: readonly AccountConfig[]): void {
    const used = new Set(configs.map(({ api }) => api.caFile));
    for (const [caFile, connections] of this.#connections) {
      if (used.has(caFile)) continue;
      this.#connections.delete(caFile);
      void connections.close();
    }
  }

  /** Sets the budget of each session to the lowest budget of its accounts, because the provider counts their calls together. */
  #setBudgets(configs: readonly AccountConfig[]): void {
    for (const [key, sharing] of Map.groupBy(configs, sessionKeyOf)) {
      const session = this.#sessions.get(key);
      const lowest = Math.min(...sharing.map(({ api }) => api.requestsPerMinute));
      if (session !== undefined) session.budget.requestsPerMinute = lowest;
    }
  }
}
