import type { Call, ClientOptions } from '../api/client.ts';
import type { Connections } from '../api/connections.ts';
import type { Reason } from '../api/error.ts';
import type { ApiSession } from '../api/session.ts';
import { type Excludable, Exclusion } from '../collectors/exclusion.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountConfig, AlertThreshold } from '../config/values/config.ts';
import { readOr } from '../config/values/expected-error.ts';
import { fingerprintOf, identityOf } from '../config/values/identity.ts';
import { secretOf } from '../config/values/secret.ts';
import type { Log } from '../log.ts';
import type { StateAccount } from '../state/state-directory.ts';
import type { SavedAccount } from '../state/state-file.ts';
import { AccountStore } from '../store/account-store.ts';
import type { Clock } from '../store/clock.ts';
import { type DailyMemory, dateOf, emptyMemory, rememberDay } from '../store/daily-memory.ts';
import { Figures } from '../store/figures.ts';
import type { PageAccount } from '../store/page.ts';
import type { ProcessMetrics } from '../store/process-metrics.ts';
import type { DropReason, FinishedPoll } from '../store/result.ts';
import { timeZoneDoubt } from '../store/time-zone-doubt.ts';
import { accountFamilies } from './account-metrics.ts';
import type { PollLog } from './poll-log.ts';
import { Poller } from './poller.ts';

/** If `up` is unknown at a start, a poll sets it within these milliseconds. Alerts need it within 5 minutes; intervals may be longer. */
const confirmDelay = 60_000;

/** Objects that several accounts can share. The session survives a reload. */
export interface AccountDependencies {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollLog: PollLog;
  readonly observer?: Pick<ProcessMetrics, 'requestDuration' | 'pollDuration'>;
  /** Called when the API rejects the credentials or requests a pause. Either affects all accounts of the session. */
  readonly onBlocked?: () => void;
}

/** One account: its pollers, its results, and the state that follows from them. */
export class Account implements PageAccount, StateAccount {
  readonly name: string;
  /** The result of `identityOf`. Figures of another identity are not shown. */
  readonly identity: string;
  /** The result of `fingerprintOf`. */
  readonly fingerprint: string;
  readonly pollers: readonly Poller[];
  readonly store: AccountStore;
  readonly session: ApiSession;
  readonly client: ClientOptions;
  readonly log: Log;
  readonly settlingTime: number;
  readonly timeZone: string;
  readonly labels: AccountConfig['labels'];
  readonly thresholds: readonly AlertThreshold[];
  readonly exclusion: Exclusion;
  /** Number of API calls since the account was started, and number of failed calls by reason. */
  calls = { sent: 0, failed: new Map<Reason, number>() };
  memory: DailyMemory = emptyMemory;
  /** Increases when an API call or a poll ends, because both change the saved state of the account and the metrics about it. */
  revision = 0;
  unsavedSince = Number.POSITIVE_INFINITY;
  readonly #dependencies: AccountDependencies;
  readonly #stop = new AbortController();
  /** Aborts when the account is no longer polled. */
  readonly signal = this.#stop.signal;
  readonly #accountPoller: Poller | undefined;
  /** The revisions and numbers from which the current metrics about the account were computed. */
  #shown = '';
  /** Whether the log has warned about schedules that exceed the budget (`#isStretched`), and about a doubtful time zone (`#isDoubted`). */
  #isStretched = false;
  #isDoubted = false;
  #probes = 0;

  constructor(config: AccountConfig, dependencies: AccountDependencies) {
    const { name, api, credentials } = config;
    const { connections, session, clock, log } = dependencies;
    this.name = name;
    this.identity = identityOf(config);
    this.fingerprint = fingerprintOf(config, connections.version);
    this.store = new AccountStore(clock);
    this.session = session;
    this.client = { api, credentials, connections, session };
    this.log = log;
    this.settlingTime = api.settlingTime;
    this.timeZone = api.timeZone;
    this.labels = config.labels;
    this.thresholds = config.alerts;
    this.exclusion = new Exclusion(config.exclude);
    this.#dependencies = dependencies;
    const pollers = new Map<unknown, Poller>();
    for (const collector of collectors) {
      const settings = config.collectors[collector.name];
      if (!settings?.enabled) continue;
      pollers.set(collector, new Poller(this, collector, settings, pollers.get(collector.itemsFrom)));
    }
    this.pollers = [...pollers.values()];
    this.#accountPoller = this.pollers.find(({ collector }) => collector.name === 'account');
  }

  /** Time of the next poll, by the exporter's clock. Infinite if no poll is planned, for example after the account has been stopped. */
  get dueAt(): number {
    return this.signal.aborted ? Number.POSITIVE_INFINITY : Math.min(...this.pollers.map(({ dueAt }) => dueAt));
  }

  /**
   * Whether the API accepted the newest poll of the collector `account` or, if this collector is disabled, of any collector. Ignores polls
   * without API calls. Undefined if an earlier process made the newest poll and the API accepted it.
   */
  get up(): boolean | undefined {
    const sources = this.#accountPoller === undefined ? this.pollers : [this.#accountPoller];
    const polls = sources.flatMap(({ newest }) => (newest?.accepted === undefined ? [] : newest));
    const newest = polls.sort((one, other) => one.ended - other.ended).at(-1);
    if (newest?.isFromEarlierProcess === true && newest.accepted) return undefined;
    return newest?.accepted ?? false;
  }

  /** Whether this process finished a poll, or restored all collectors. A collector with a due run counts only if it has figures. */
  get polled(): boolean {
    const isShown = ({ newest, isRunDue, collector: { name } }: Poller) =>
      newest !== undefined && (!isRunDue || this.store.results(name).size > 0);
    return this.pollers.some(({ newest }) => newest?.isFromEarlierProcess === false) || this.pollers.every(isShown);
  }

  /** The calls per minute that the schedules require, and the number that the budget allows. A fan-out run without a list counts as one. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    const required = this.pollers.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0);
    return { callsPerMinute: Number(required.toFixed(2)), budget: this.session.budget.requestsPerMinute };
  }

  /** Number of excluded domains, subdomains, sites and databases in the newest lists, by kind. */
  get excluded(): readonly (readonly [Excludable, number])[] {
    return (['domains', 'sites', 'databases'] as const).flatMap((name) => {
      const counted = this.pollers.find(({ collector }) => collector.name === name)?.excluded ?? [];
      return [...counted].filter(([kind]) => name === kind || kind === 'subdomains');
    });
  }

  /** Factor by which the intervals of all fan-outs are stretched, so that their calls fit the budget. */
  get stretch(): number {
    return Math.max(1, this.load.callsPerMinute / this.load.budget);
  }

  /** Time of the next retry of a failed poll, in Unix milliseconds; undefined if no poll failed. */
  get nextAttempt(): number | undefined {
    const times = this.pollers.flatMap(({ failure, dueAt }) => (failure && Number.isFinite(dueAt) ? dueAt : []));
    return times.length === 0 ? undefined : Math.max(this.store.clock.toWall(Math.min(...times)), Date.now());
  }

  /** The current password or token; undefined if its file cannot be read. */
  secret(): string | undefined {
    return readOr<string | undefined>(undefined, () => secretOf(this.client.credentials).reveal());
  }

  /** Called before the first poll. If `up` is unknown after a restart, plans a poll that sets it. */
  start(): void {
    this.#reportStretch();
    const source = this.#accountPoller ?? this.pollers.find(({ collector }) => !collector.stretches) ?? this.pollers[0];
    if (this.up === undefined) source?.pollWithin(confirmDelay, true);
  }

  stop(): void {
    this.#stop.abort();
    for (const poller of this.pollers) this.#dependencies.pollLog.forget(poller);
  }

  /** Starts the due polls. If credentials are rejected, starts with a different list each time: perhaps only one section is refused. */
  pollDue(): void {
    const due = this.pollers.filter(({ isDue }) => isDue);
    if (due.some(({ failure }) => failure?.reason === 'auth')) {
      const lists = this.pollers.filter(({ collector }) => !collector.stretches).reverse();
      void lists[this.#probes % lists.length]?.poll();
      this.#probes += 1;
    }
    for (const poller of due) void poller.poll({ retryOnly: !poller.isRunDue });
  }

  /** Polls all collectors once, each fan-out after its list. */
  async pollOnce(): Promise<void> {
    const pollAfter = async (poller: Poller, list: Poller) => list.poll().then(() => poller.poll());
    await Promise.all(this.pollers.map((poller) => (poller.source ? pollAfter(poller, poller.source) : poller.poll())));
  }

  /** Removes expired results. Updates the exporter's own metrics about the account, if they may have changed. */
  refresh(): void {
    this.store.expire();
    const { queueLength, requestsPerMinute } = this.session.budget;
    const state = () => [this.revision, this.store.revision, queueLength, requestsPerMinute].join();
    if (this.#shown === state()) return;
    this.store.setOwn(accountFamilies(this));
    this.#shown = state();
  }

  countCall({ method, seconds, error }: Call): void {
    this.#changed();
    if (error?.reason !== 'local') this.calls.sent += 1;
    if (seconds === undefined) return;
    this.#dependencies.observer?.requestDuration.observe({ method }, seconds);
    if (error !== undefined) this.countFailure(error.reason);
    if (error?.reason === 'auth' || error?.reason === 'limit') this.#dependencies.onBlocked?.();
    const fields = { account: this.name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason };
    this.log.debug(fields, 'API call');
  }

  countFailure(reason: Reason): void {
    this.calls.failed.set(reason, (this.calls.failed.get(reason) ?? 0) + 1);
  }

  pollEnded(poller: Poller, newest: FinishedPoll, previous: FinishedPoll | undefined): void {
    const { observer, pollLog } = this.#dependencies;
    this.#changed();
    observer?.pollDuration.observe({ collector: poller.collector.name }, newest.seconds);
    pollLog.pollEnded(poller, newest.failures[0]);
    this.#reportStretch();
    if (poller.collector.stretches && !this.#isDoubted) this.#checkTimeZone();
    // A fan-out starts after the first poll of its list. If this poll failed, the fan-out fetches the list.
    for (const follower of poller.followers) if (follower.newest === undefined) follower.pollWithin(0);
    // After a success, retries polls whose credentials were rejected. After an outage, retries all polls that the API did not accept.
    const wasDown = poller === this.#accountPoller && previous?.accepted === false;
    for (const other of newest.accepted === true ? this.pollers : []) {
      const { accepted, failures = [] } = other.newest ?? {};
      if (wasDown ? accepted === false : failures[0]?.reason === 'auth') other.pollWithin(0);
    }
    if (this.#accountPoller !== undefined) this.#remember();
    // Refresh now. Otherwise, the next scrape would render the metrics about all accounts that were polled since the previous scrape.
    this.refresh();
  }

  /** The state that survives a reload or a restart. */
  saved() {
    const saved = this.pollers.map((poller) => [poller.collector.name, poller.saved()] as const);
    return {
      account: this.name,
      identity: this.identity,
      collectors: Object.fromEntries(saved.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]]))),
      memory: this.memory,
      ...this.session.snapshot(),
    };
  }

  /**
   * Shows the saved results, and continues the schedules. `retryFailed`: makes failed polls due, because the cause of a failure may be
   * gone. Returns a reason for each result that was not restored.
   */
  restore(saved: Pick<SavedAccount, 'collectors' | 'memory'>, retryFailed = false): readonly DropReason[] {
    this.memory = saved.memory ?? emptyMemory;
    return Object.entries(saved.collectors).flatMap(([name, state]): readonly DropReason[] => {
      const poller = this.pollers.find(({ collector }) => collector.name === name);
      return poller?.restore(state, retryFailed) ?? Object.keys(state.results).map(() => 'unknown');
    });
  }

  /** Continues with the state of `previous`, which has the same identity but other settings. */
  replace(previous: Account): void {
    previous.stop();
    this.calls = previous.calls;
    this.restore(previous.saved(), true);
    this.unsavedSince = previous.unsavedSince;
    this.#changed();
  }

  #changed(): void {
    this.revision += 1;
    this.unsavedSince = Math.min(this.unsavedSince, performance.now());
  }

  /** Warns when the schedules begin to require more calls than the budget allows. */
  #reportStretch(): void {
    const { stretch, load } = this;
    if (stretch > 1 && !this.#isStretched) {
      const fields = { calls_per_minute: load.callsPerMinute, budget: load.budget, factor: Number(stretch.toFixed(2)) };
      this.log.warn({ account: this.name, ...fields }, 'the schedules require more calls than the budget allows');
    }
    this.#isStretched = stretch > 1;
  }

  /** Warns if the hours in the loads of sites and databases do not fit the configured time zone. */
  #checkTimeZone(): void {
    const doubt = timeZoneDoubt(this.store, this.timeZone);
    this.#isDoubted = doubt !== undefined;
    const fields = { account: this.name, time_zone: this.timeZone, ...doubt };
    if (doubt) this.log.warn(fields, "the newest load and the provider's clock differ by hours, check time_zone");
  }

  /** Stores the first figures of each day. Waits until all collectors were polled and no due or running poll can add missing results. */
  #remember(): void {
    const today = dateOf(Date.now(), this.timeZone);
    if (this.memory.days[today] !== undefined) return;
    const answered = this.store.results('account').get('')?.answered;
    const isPending = ({ newest, missingResults, isDue, isPolling }: Poller) =>
      newest === undefined || (missingResults > 0 && (isDue || isPolling));
    if (answered === undefined || dateOf(answered, this.timeZone) !== today || this.pollers.some(isPending)) return;
    this.memory = rememberDay(this.memory, today, new Figures(this.store.families()));
  }
}
