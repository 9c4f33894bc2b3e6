import type { Budget } from '../api/budget.ts';
import type { Call, ClientOptions } from '../api/client.ts';
import type { Connections } from '../api/connections.ts';
import type { Reason } from '../api/error.ts';
import { sectionOf } from '../api/method.ts';
import type { ApiSession } from '../api/session.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountConfig, AlertThreshold } from '../config/values/config.ts';
import { readOr } from '../config/values/expected-error.ts';
import { secretOf } from '../config/values/secret.ts';
import type { Log } from '../log.ts';
import type { SavedAccount } from '../state/state-file.ts';
import { AccountStore } from '../store/account-store.ts';
import type { Clock } from '../store/clock.ts';
import { type DailyMemory, dateOf, emptyMemory, rememberDay } from '../store/daily-memory.ts';
import { Figures } from '../store/figures.ts';
import type { PageAccount } from '../store/page.ts';
import type { ProcessMetrics } from '../store/process-metrics.ts';
import type { DropReason, FinishedPoll } from '../store/result.ts';
import { accountFamilies } from './account-metrics.ts';
import { fingerprintOf, identityOf } from './identity.ts';
import type { PollLog } from './poll-log.ts';
import { Poller } from './poller.ts';

/** Milliseconds from a start until `up` is confirmed. Alerts need hosting_up within five minutes, and intervals may be longer. */
const confirmDelay = 60_000;

/** Share of the budget that scheduled runs may use. The rest is for retries. */
const usableShare = 0.9;

/** Objects that accounts share. The session survives a reload and may be shared by accounts. */
export interface AccountDependencies {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly clock: Clock;
  readonly log: Log;
  readonly pollLog: PollLog;
  readonly observer?: Pick<ProcessMetrics, 'requestDuration' | 'pollDuration'>;
  /** Called when the API rejected the credentials or requested a pause, which concerns all accounts of the session. */
  readonly onBlocked?: () => void;
}

/** One account: its pollers, its results, and what they say about the account. */
export class Account implements PageAccount {
  readonly name: string;
  /** As in `identityOf`. Figures of another identity are not shown. */
  readonly identity: string;
  /** As in `fingerprintOf`. */
  readonly fingerprint: string;
  readonly pollers: readonly Poller[];
  readonly store: AccountStore;
  readonly session: ApiSession;
  readonly client: ClientOptions;
  readonly log: Log;
  /** The API server: scheme, host and port. */
  readonly server: string;
  readonly settlingTime: number;
  readonly timeZone: string;
  readonly labels: AccountConfig['labels'];
  readonly thresholds: readonly AlertThreshold[];
  /** API calls since the start, and those that failed by reason. */
  calls = { sent: 0, failed: new Map<Reason, number>() };
  memory: DailyMemory = emptyMemory;
  /** Changes whenever the account should be saved. */
  revision = 0;
  readonly #dependencies: AccountDependencies;
  readonly #stop = new AbortController();
  /** Aborts when the account is no longer polled. */
  readonly signal = this.#stop.signal;
  readonly #accountPoller: Poller | undefined;
  /** What the exporter's own metrics on the page depend on. */
  #shown = { key: '', revision: 0 };
  #isDoubted = false;
  #probes = 0;

  constructor(config: AccountConfig, dependencies: AccountDependencies) {
    const { name, api, credentials } = config;
    const { connections, session, clock, log } = dependencies;
    this.name = name;
    this.identity = identityOf(config);
    this.fingerprint = fingerprintOf(config, connections);
    this.store = new AccountStore(clock);
    this.session = session;
    this.client = { api, credentials, connections, session };
    this.log = log;
    this.server = new URL(api.baseUrl).origin;
    this.settlingTime = api.settlingTime;
    this.timeZone = api.timeZone;
    this.labels = config.labels;
    this.thresholds = config.alerts;
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

  /** Accounts with the same login and API URL share one budget. */
  get budget(): Budget {
    return this.session.budget;
  }

  /** When the next poll starts, by the exporter's clock. Infinite if all polls are in progress, or if the account has been stopped. */
  get dueAt(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { dueAt, isPolling } of this.pollers) if (!isPolling && dueAt < earliest) earliest = dueAt;
    return this.signal.aborted ? Number.POSITIVE_INFINITY : earliest;
  }

  /**
   * Whether the API accepted the newest poll of the collector `account`. If `account` is disabled, uses the newest poll of any collector.
   * Undefined if an earlier process made that poll and the API accepted it. Ignores polls that made no API call.
   */
  get up(): boolean | undefined {
    const sources = this.#accountPoller === undefined ? this.pollers : [this.#accountPoller];
    let newest: FinishedPoll | undefined;
    for (const { newest: poll } of sources) {
      if (poll?.accepted !== undefined && poll.ended >= (newest?.ended ?? 0)) newest = poll;
    }
    if (newest?.isFromEarlierProcess === true && newest.accepted) return undefined;
    return newest?.accepted ?? false;
  }

  /** Whether a poll of this process has ended. Also true if the figures of all due collectors were restored. */
  get polled(): boolean {
    const isShown = ({ newest, isRunDue, collector: { name } }: Poller) =>
      newest !== undefined && (!isRunDue || this.store.results(name).size > 0);
    return this.pollers.some(({ newest }) => newest?.isFromEarlierProcess === false) || this.pollers.every(isShown);
  }

  /** Calls per minute: the number that the schedules require, and the budget. A fan-out without a list counts as one call. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    const required = this.pollers.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0);
    return { callsPerMinute: Number(required.toFixed(2)), budget: this.budget.requestsPerMinute };
  }

  /** Factor by which the intervals of all fan-outs are stretched, so that their calls fit the budget. */
  get stretch(): number {
    const { requestsPerMinute } = this.budget;
    let fanOuts = 0;
    let left = requestsPerMinute * usableShare;
    for (const { collector, callsPerMinute } of this.pollers) {
      if (collector.stretches) fanOuts += callsPerMinute;
      else left -= callsPerMinute;
    }
    return Math.max(1, fanOuts / Math.max(left, requestsPerMinute * (1 - usableShare)));
  }

  /** Milliseconds until a call with the current secret may be sent; undefined if nothing blocks it. */
  get nextAttemptIn(): number | undefined {
    return this.session.gate.nextAttemptIn(this.secret() ?? '');
  }

  /** Time of the next retry of a failed poll, in Unix milliseconds; undefined if no poll failed. */
  get nextAttempt(): number | undefined {
    const failing = this.pollers.filter(({ failure, dueAt }) => failure && Number.isFinite(dueAt));
    const earliest = Math.min(...failing.map(({ dueAt }) => dueAt));
    return failing.length === 0 ? undefined : Math.max(this.store.clock.toWall(earliest), Date.now());
  }

  /** The current password or token; undefined if its file cannot be read. */
  secret(): string | undefined {
    return readOr<string | undefined>(undefined, () => secretOf(this.client.credentials).reveal());
  }

  /** Called before the first poll. If a restart left open whether the API answers, makes a poll due that shows it. */
  start(): void {
    this.#dependencies.pollLog.reportStretch(this);
    const source = this.#accountPoller ?? this.pollers.find(({ collector }) => !collector.stretches) ?? this.pollers[0];
    if (this.up === undefined) source?.runWithin(confirmDelay);
  }

  stop(): void {
    this.#stop.abort();
    for (const poller of this.pollers) this.#dependencies.pollLog.forget(poller);
  }

  /** Starts the due polls. Attempts with rejected credentials begin with another section each time: its permission may be missing. */
  pollDue(): void {
    const due = this.pollers.filter(({ isDue }) => isDue);
    if (due.some(({ failure }) => failure?.reason === 'auth')) {
      const probes = onePerSection(this.pollers.filter(({ isPolling }) => !isPolling));
      void probes[this.#probes % probes.length]?.poll();
      this.#probes += 1;
    }
    for (const poller of due) void poller.poll({ retryOnly: !poller.isRunDue });
  }

  /** Polls everything once: each fan-out after its list. */
  async pollOnce(): Promise<void> {
    const pollAfter = async (poller: Poller, list: Poller) => list.poll().then(() => poller.poll());
    await Promise.all(this.pollers.map((poller) => (poller.source ? pollAfter(poller, poller.source) : poller.poll())));
  }

  /** Removes expired results. Updates the exporter's own metrics about the account, if they may have changed. */
  refresh(): void {
    this.store.expire();
    const { queueLength, requestsPerMinute } = this.session.budget;
    const key = `${this.revision} ${queueLength} ${requestsPerMinute}`;
    if (this.#shown.key === key && this.#shown.revision === this.store.revision) return;
    this.store.setOwn(accountFamilies(this));
    this.#shown = { key, revision: this.store.revision };
  }

  countCall({ method, seconds, error }: Call): void {
    this.revision += 1;
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

  /** The number of calls of a fan-out has changed, and with it the stretching of all fan-outs. */
  itemsChanged(): void {
    for (const poller of this.pollers) if (poller.collector.stretches) poller.replan();
    this.#dependencies.pollLog.reportStretch(this);
  }

  pollEnded(poller: Poller, newest: FinishedPoll, previous: FinishedPoll | undefined): void {
    const { observer, pollLog } = this.#dependencies;
    this.revision += 1;
    observer?.pollDuration.observe({ collector: poller.collector.name }, newest.seconds);
    pollLog.pollEnded(poller, newest.failures[0]);
    if (poller.collector.stretches && !this.#isDoubted) this.#isDoubted = pollLog.reportTimeZone(this);
    // Without its list, a fan-out fetches the list itself.
    for (const follower of poller.followers) if (!follower.hasRun) follower.pollWithin(0);
    // Retries the polls whose credentials were rejected. After an outage, retries all polls that the API did not accept.
    const wasDown = poller === this.#accountPoller && previous?.accepted === false;
    for (const other of newest.accepted === true ? this.pollers : []) {
      const { accepted, failures = [] } = other.newest ?? {};
      if (wasDown ? accepted === false : failures[0]?.reason === 'auth') other.pollWithin(0);
    }
    if (this.#accountPoller !== undefined) this.#remember();
    // Otherwise, a scrape would have to render the own metrics of all accounts that were polled.
    this.refresh();
  }

  /** The state that survives a reload or a restart. */
  saved() {
    const saved = this.pollers.map((poller) => [poller.collector.name, poller.saved()] as const);
    return {
      account: this.name,
      identity: this.identity,
      written: Date.now(),
      collectors: Object.fromEntries(saved.flatMap(([name, state]) => (state === undefined ? [] : [[name, state]]))),
      memory: this.memory,
      ...this.session.snapshot(),
    };
  }

  /**
   * Shows the saved results, and continues the schedules. `retryFailed`: makes failed polls due, because their cause may be gone. Returns why
   * results were not restored.
   */
  restore(saved: Pick<SavedAccount, 'collectors' | 'memory'>, retryFailed = false): readonly DropReason[] {
    this.memory = saved.memory ?? emptyMemory;
    const left = new Map(Object.entries(saved.collectors));
    const dropped: DropReason[] = [];
    for (const poller of this.pollers) {
      const state = left.get(poller.collector.name);
      if (state !== undefined) dropped.push(...poller.restore(state, retryFailed));
      left.delete(poller.collector.name);
    }
    for (const { results } of left.values()) for (const _ of Object.keys(results)) dropped.push('unknown');
    return dropped;
  }

  /** Takes the place of an account with the same identity, whose other settings have changed. */
  replace(previous: Account): void {
    previous.stop();
    this.calls = previous.calls;
    this.restore(previous.saved(), true);
    this.revision += 1;
    for (const poller of this.pollers) {
      const same = previous.pollers.find(({ collector }) => collector === poller.collector);
      poller.recentPolls = same?.recentPolls ?? [];
    }
  }

  /** Stores the first figures of each day, once no collector is about to get missing figures. */
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

/** One poller per API section, to retry rejected credentials. Omits pollers without permission and, if possible, fan-outs. */
function onePerSection(pollers: readonly Poller[]): readonly Poller[] {
  const permitted = pollers.filter(({ failure }) => failure?.reason !== 'permission');
  const single = permitted.filter(({ collector }) => !collector.stretches);
  const candidates = single.length > 0 ? single : permitted;
  const bySection = new Map(candidates.map((poller) => [sectionOf(poller.collector.methods[0]), poller]));
  return [...bySection.values()].reverse();
}
