import { setImmediate } from 'node:timers/promises';
import { Cron } from 'croner';
import { Connections } from '../api/connections.ts';
import { ApiSession } from '../api/session.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { fingerprintOf, sessionKeyOf } from '../config/values/identity.ts';
import { type Log, listNames } from '../log.ts';
import type { StateDirectory } from '../state/state-directory.ts';
import { Clock } from '../store/clock.ts';
import type { DropReason } from '../store/result.ts';
import { Account, type AccountDependencies } from './account.ts';
import { PollLog } from './poll-log.ts';

export interface FleetDependencies {
  readonly observer: NonNullable<AccountDependencies['observer']>;
  readonly log: Log;
  readonly state?: StateDirectory | undefined;
  /** The names of all configured accounts, including those of other shards. State files of accounts that are not configured are deleted. */
  readonly configuredNames: () => readonly string[];
}

/** Milliseconds without a tick after which the process counts as hanging. */
const deadAfter = 60_000;

/** A tick starts polls of at most 10 accounts. With over 250 accounts, the limit is 1/25 of them, so that all start within 25 seconds. */
const minStarts = 10;
const maxStartSeconds = 25;

const maxNames = 10;

const day = 86_400_000;

/** Starts, replaces and stops the accounts of the configuration, with their sessions and connections. Starts the due polls each second. */
export class Fleet {
  readonly #dependencies: FleetDependencies;
  readonly #pollLog: PollLog;
  readonly #clock = new Clock();
  readonly #connections = new Map<string | undefined, Connections>();
  /** The sessions by `sessionKeyOf`. A session stays when a reload removes its accounts. */
  readonly #sessions = new Map<string, ApiSession>();
  /** The accounts by name, in the order of the configuration. */
  readonly byName = new Map<string, Account>();
  #job: Cron | undefined;
  /** Time of the last tick, in milliseconds of the monotonic clock. */
  #lastTick = performance.now();
  #isStopping = false;
  /** Next time at which a tick deletes the state files of removed accounts, by the exporter's clock. */
  #nextCleanUp = 0;

  constructor(configs: readonly AccountConfig[], dependencies: FleetDependencies) {
    this.#dependencies = dependencies;
    this.#pollLog = new PollLog(dependencies.log);
    for (const config of configs) this.byName.set(config.name, this.#create(config));
    this.#setBudgets();
  }

  get accounts(): readonly Account[] {
    return [...this.byName.values()];
  }

  /** False if the process hangs. Does not depend on the API. */
  get isAlive(): boolean {
    return performance.now() - this.#lastTick < deadAfter;
  }

  /**
   * Shows the figures from the state directory, so that `start` polls only what is due. Returns the number of restored series, and the
   * number of saved files and payloads that were not restored, by reason.
   */
  async restore() {
    const dropped: Partial<Record<DropReason, number>> = {};
    const waiting = this.accounts.values();
    const restoreWaiting = async () => {
      for (const account of waiting) {
        for (const reason of await this.#restore(account)) dropped[reason] = (dropped[reason] ?? 0) + 1;
        // Restoring many accounts may take longer than `deadAfter`.
        this.#lastTick = performance.now();
      }
    };
    // Two loops, so that one reads a file while the other restores an account.
    await Promise.all([restoreWaiting(), restoreWaiting()]);
    const series = this.accounts.reduce((sum, { store }) => sum + store.series, 0);
    const counts = Object.entries(dropped).map(([reason, count]) => [`dropped_${reason}`, count]);
    const fields = { series, ...Object.fromEntries(counts) };
    if (series + counts.length > 0) this.#dependencies.log.info(fields, 'restored figures of the previous process');
    return { series, dropped };
  }

  /** Starts the polls. */
  start(): void {
    if (this.#isStopping) return;
    for (const account of this.accounts) account.start();
    this.#job = new Cron('* * * * * *', () => this.#tick());
    this.#tick();
  }

  /**
   * Applies a new configuration: stops removed accounts, starts new accounts, and keeps unchanged ones running. A changed account keeps its
   * figures if its identity is the same.
   */
  async apply(configs: readonly AccountConfig[]): Promise<void> {
    const names = new Set(configs.map(({ name }) => name));
    const changes: Record<'added' | 'removed' | 'changed', string[]> = { added: [], removed: [], changed: [] };
    for (const account of this.accounts) {
      if (names.has(account.name)) continue;
      account.stop();
      this.#dependencies.state?.saveNow(account);
      this.byName.delete(account.name);
      changes.removed.push(account.name);
    }
    for (const config of configs) {
      await setImmediate();
      if (this.#isStopping) return;
      const account = this.byName.get(config.name);
      if (account?.fingerprint === fingerprintOf(config, this.#connectionsOf(config).version)) continue;
      changes[account === undefined ? 'added' : 'changed'].push(config.name);
      await this.#replace(account, config);
    }
    this.#setBudgets();
    const fields = Object.entries(changes).flatMap(([change, list]) =>
      list.length === 0 ? [] : [[change, listNames(list, maxNames)]],
    );
    this.#dependencies.log.info({ accounts: configs.length, ...Object.fromEntries(fields) }, 'configuration reloaded');
  }

  /** Stops polling, aborts API calls, saves the final state, and closes all connections. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#job?.stop();
    for (const account of this.accounts) account.stop();
    await this.#dependencies.state?.close(this.accounts);
    for (const { budget } of this.#sessions.values()) budget.close();
    await Promise.all([...this.#connections.values()].map((connections) => connections.destroy()));
  }

  /** Starts the polls of due accounts in the order they became due. A limit avoids bursts after a start, a suspend or an outage. */
  #tick(): void {
    this.#lastTick = performance.now();
    const { accounts } = this;
    // After the clock was set back, times that were computed from cron patterns are wrong.
    const replanned = this.#clock.wasSetBack() ? accounts : [];
    for (const poller of replanned.flatMap(({ pollers }) => pollers)) poller.replan();
    const { now } = this.#clock;
    const due = accounts.map((account) => ({ account, dueAt: account.dueAt })).filter(({ dueAt }) => dueAt <= now);
    const starts = Math.max(minStarts, Math.ceil(accounts.length / maxStartSeconds));
    for (const { account } of due.sort((a, b) => a.dueAt - b.dueAt).slice(0, starts)) account.pollDue();
    const { state, configuredNames } = this.#dependencies;
    state?.save(accounts);
    if (now < this.#nextCleanUp) return;
    this.#nextCleanUp = now + day;
    void state?.removeOld(configuredNames());
  }

  /** The page shows the old account until the figures of the new account are restored. */
  async #replace(previous: Account | undefined, config: AccountConfig): Promise<void> {
    const account = this.#create(config);
    if (previous !== undefined && previous.identity === account.identity) account.replace(previous);
    else {
      previous?.stop();
      await this.#restore(account);
    }
    if (this.#isStopping) return account.stop();
    this.byName.set(account.name, account);
    account.start();
  }

  async #restore(account: Account): Promise<readonly DropReason[]> {
    const { saved, dropped } = (await this.#dependencies.state?.load(account)) ?? {};
    if (saved === undefined) return dropped === undefined ? [] : [dropped];
    account.session.restore(saved);
    return account.restore(saved);
  }

  #create(config: AccountConfig): Account {
    const { observer, log } = this.#dependencies;
    const key = sessionKeyOf(config);
    const session = this.#sessions.get(key) ?? new ApiSession(config.api.requestsPerMinute);
    this.#sessions.set(key, session);
    // Saves a rejection or a pause immediately, in the state of every account of the session.
    const onBlocked = () => {
      for (const one of this.accounts) if (one.session === session) this.#dependencies.state?.saveNow(one);
    };
    const shared = { clock: this.#clock, observer, log, pollLog: this.#pollLog };
    return new Account(config, { connections: this.#connectionsOf(config), session, ...shared, onBlocked });
  }

  #connectionsOf({ api: { caFile } }: AccountConfig): Connections {
    const connections = this.#connections.get(caFile) ?? new Connections(caFile);
    this.#connections.set(caFile, connections);
    return connections;
  }

  /** Sets the budget of each session to the lowest budget of its accounts, because the provider counts their calls together. */
  #setBudgets(): void {
    for (const [budget, sharing] of Map.groupBy(this.accounts, ({ session }) => session.budget)) {
      budget.requestsPerMinute = Math.min(...sharing.map(({ client }) => client.api.requestsPerMinute));
    }
  }
}
