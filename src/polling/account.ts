import type { Budget } from '../api/budget.ts';
import type { CallOutcome, ClientOptions } from '../api/client.ts';
import type { Connections } from '../api/connections.ts';
import { sectionOf } from '../api/method.ts';
import type { ApiSession } from '../api/session.ts';
import { itemOf } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountConfig, AlertThreshold } from '../config/values/config.ts';
import type { Log } from '../log.ts';
import type { SavedAccount } from '../state/state-file.ts';
import type { AccountStore } from '../store/account-store.ts';
import { type DailyMemory, dateOf, emptyMemory, rememberDay } from '../store/daily-memory.ts';
import { Figures } from '../store/figures.ts';
import type { PageAccount } from '../store/page.ts';
import type { ProcessMetrics } from '../store/process-metrics.ts';
import type { FinishedPoll } from '../store/result.ts';
import { accountFamilies } from './account-metrics.ts';
import { CallCounters } from './call-counters.ts';
import type { FailureLog } from './failure-log.ts';
import { currentSecretOf, identityOf } from './identity.ts';
import type { ReceivedList } from './item-list.ts';
import { PollReporter } from './poll-reporter.ts';
import { Poller } from './poller.ts';
import { RestoreReport } from './restore-report.ts';

/** Milliseconds from a start until `up` is confirmed. Alerts need hosting_up within five minutes, and intervals may be longer. */
const confirmDelay = 60_000;

/** Share of the budget that scheduled runs may use. The rest is for retries. */
const usableShare = 0.9;

/** Objects that an account does not create itself. The session survives a reload and may be shared by accounts. */
export interface AccountDependencies {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly store: AccountStore;
  readonly log: Log;
  readonly failureLog: FailureLog;
  readonly observer?: Pick<ProcessMetrics, 'observeRequest' | 'observePoll'>;
  /** Set for a trial poll, which is not retried. `first items`: the poll ends after its first successful item or three failed items. */
  readonly trial?: 'first items' | 'all items';
  /** Called when the API rejected the credentials or requested a pause, which concerns all accounts of the session. */
  readonly onBlocked?: (session: ApiSession) => void;
}

/** One account: its pollers, its results, and what they say about the account. */
export class Account implements PageAccount {
  readonly name: string;
  /** As in `identityOf`. Figures of another identity are not shown. */
  readonly identity: string;
  readonly pollers: readonly Poller[];
  readonly store: AccountStore;
  readonly session: ApiSession;
  readonly client: ClientOptions;
  readonly log: Log;
  readonly trial: AccountDependencies['trial'];
  /** The API server: scheme, host and port. */
  readonly server: string;
  readonly settlingTime: number;
  readonly timeZone: string;
  readonly labels: AccountConfig['labels'];
  readonly thresholds: readonly AlertThreshold[];
  calls = new CallCounters();
  memory: DailyMemory = emptyMemory;
  readonly #config: AccountConfig;
  readonly #dependencies: AccountDependencies;
  readonly #stop = new AbortController();
  readonly #reporter: PollReporter;
  readonly #accountPoller: Poller | undefined;
  /** Number of polls and restores. Each of these events may change the exporter's own metrics. */
  #changes = 0;
  #shownRevision = '';
  #probes = 0;

  constructor(config: AccountConfig, dependencies: AccountDependencies) {
    const { name, api, credentials } = config;
    const { connections, session, store } = dependencies;
    this.name = name;
    this.identity = identityOf(config);
    this.store = store;
    this.session = session;
    this.client = { api, credentials, connections, session };
    this.log = dependencies.log;
    this.trial = dependencies.trial;
    this.server = new URL(api.baseUrl).origin;
    this.settlingTime = api.settlingTime;
    this.timeZone = api.timeZone;
    this.labels = config.labels;
    this.thresholds = config.alerts;
    this.#config = config;
    this.#dependencies = dependencies;
    this.#reporter = new PollReporter(this, dependencies.failureLog);
    const enabled = collectors.filter((collector) => config.collectors[collector.name]?.enabled);
    this.pollers = enabled.flatMap((collector) => {
      const settings = config.collectors[collector.name];
      return settings === undefined ? [] : [new Poller(this, collector, settings, enabled)];
    });
    this.#accountPoller = this.pollers.find(({ collector }) => collector.name === 'account');
    this.refresh();
  }

  /** Aborts when the account is no longer polled. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Accounts with the same login and API URL share one budget. */
  get budget(): Budget {
    return this.session.budget;
  }

  /** When the next poll starts, by the exporter's clock. Infinite if all polls are in progress, or if the account has been stopped. */
  get dueAt(): number {
    const waiting = this.signal.aborted ? [] : this.pollers.filter(({ isPolling }) => !isPolling);
    return Math.min(...waiting.map(({ dueAt }) => dueAt));
  }

  /** Changes whenever the account should be saved. */
  get revision(): number {
    return this.store.revision + this.#changes;
  }

  /**
   * Whether the API accepted the newest poll of the collector `account`. If `account` is disabled, uses the newest poll of any collector.
   * Undefined if an earlier process made that poll and the API accepted it. Ignores polls that made no API call.
   */
  get up(): boolean | undefined {
    const sources = this.#accountPoller === undefined ? this.pollers : [this.#accountPoller];
    const polls = sources.flatMap(({ newest }) => (newest?.accepted === undefined ? [] : newest));
    const newest = polls.toSorted((a, b) => a.ended - b.ended).at(-1);
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
    return this.session.gate.nextAttemptIn(currentSecretOf(this.#config) ?? '');
  }

  /** Time of the next retry of a failed poll, in Unix milliseconds; undefined if no poll failed. */
  get nextAttempt(): number | undefined {
    const failing = this.pollers.filter(({ newest, dueAt }) => newest?.failures[0] && Number.isFinite(dueAt));
    const earliest = failing.toSorted((a, b) => a.dueAt - b.dueAt)[0];
    return earliest && Math.max(this.store.clock.toWall(earliest.dueAt), Date.now());
  }

  /** The current password or token; undefined if its file cannot be read. */
  secret(): string | undefined {
    return currentSecretOf(this.#config);
  }

  /** If a restart left open whether the API answers, makes a poll due that shows it. */
  confirmUp(): void {
    const source = this.#accountPoller ?? this.pollers.find(({ collector }) => !collector.stretches) ?? this.pollers[0];
    if (this.up === undefined) source?.runWithin(confirmDelay);
  }

  stop(): void {
    this.#stop.abort();
    this.#dependencies.failureLog.forget(this.pollers);
  }

  /** Starts the due polls. Attempts with rejected credentials begin with another section each time: its permission may be missing. */
  pollDue(): void {
    const due = this.pollers.filter(({ isDue, isPolling }) => isDue && !isPolling);
    if (due.some(({ newest }) => newest?.failures[0]?.reason === 'auth')) {
      const probes = onePerSection(this.pollers.filter(({ isPolling }) => !isPolling));
      void probes[this.#probes % probes.length]?.poll();
      this.#probes += 1;
    }
    for (const poller of due) if (!poller.isPolling) void poller.pollDue();
  }

  /** Polls everything once: each fan-out after its list. */
  async pollOnce(): Promise<void> {
    const isFanOut = ({ collector }: Poller) => Number(collector.itemsFrom !== undefined);
    const polls = this.pollers
      .toSorted((a, b) => isFanOut(a) - isFanOut(b))
      .map(async (poller) => {
        const source = this.pollers.find(({ collector }) => collector === poller.collector.itemsFrom);
        if (source !== undefined) await source.poll();
        await poller.poll();
      });
    await Promise.all(polls);
  }

  /** Updates the exporter's own metrics about the account, if they may have changed. */
  refresh(): void {
    this.store.expire();
    const { queueLength, requestsPerMinute } = this.budget;
    const revision = `${this.revision} ${this.calls.revision} ${queueLength} ${requestsPerMinute}`;
    if (revision === this.#shownRevision) return;
    this.#shownRevision = revision;
    this.store.setOwn(accountFamilies(this));
  }

  countCall({ method, wasSent, seconds, error }: CallOutcome): void {
    if (wasSent) this.calls.sent += 1;
    if (seconds === undefined) return;
    this.#dependencies.observer?.observeRequest(method, seconds);
    if (error !== undefined) this.calls.countFailure(error.reason);
    if (error?.reason === 'auth' || error?.reason === 'limit') this.#dependencies.onBlocked?.(this.session);
    const fields = { account: this.name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason };
    this.log.debug(fields, 'API call');
  }

  /** Applies a newer list to the pollers of its items. Items that are new are polled next. */
  applyList(source: Poller, list: ReceivedList): void {
    const followers = this.#followersOf(source);
    for (const follower of followers) {
      const added = follower.updateItems(list);
      if (!follower.hasRun || added > 0) follower.pollWithin(0);
    }
    if (followers.length === 0) return;
    for (const poller of this.pollers) if (poller.collector.stretches) poller.replan();
  }

  pollEnded(poller: Poller, previous: FinishedPoll | undefined): void {
    const { newest } = poller;
    if (newest === undefined) return;
    this.#changes += 1;
    this.#dependencies.observer?.observePoll(poller.collector.name, newest.seconds);
    this.#reporter.pollEnded(poller, newest, previous);
    // Without its list, a fan-out fetches the list itself.
    for (const follower of this.#followersOf(poller)) if (!follower.hasRun) follower.pollWithin(0);
    this.#retryOthers(poller, newest, previous);
    this.#remember();
    this.refresh();
  }

  /** Fan-outs are replanned when another list stretches their intervals, and cron patterns when the clock was set back. */
  clockWasSetBack(): void {
    for (const poller of this.pollers) if (poller.hasCronPattern) poller.replan();
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

  /** Shows the saved results, and continues the schedules. `retryFailed`: makes failed polls due, because their cause may be gone. */
  restore(
    { collectors: saved, memory }: Pick<SavedAccount, 'collectors' | 'memory'>,
    report: RestoreReport,
    retryFailed = false,
  ) {
    this.memory = memory ?? emptyMemory;
    for (const [name, { version, results }] of Object.entries(saved))
      if (this.#versionOf(name) !== version) report.drop('unknown', Object.keys(results).length);
    const restored = this.pollers.flatMap((poller) => {
      const state = saved[poller.collector.name];
      return state === undefined || state.version !== this.#versionOf(poller.collector.name) ? [] : [{ poller, state }];
    });
    for (const { poller, state } of restored) {
      const items = Object.keys(state.results).map((key) => itemOf(poller.collector, key));
      if (items.length > 0) poller.items.addPolled(items.filter((item) => item !== undefined));
    }
    for (const { poller, state } of restored) {
      for (const reason of poller.restore(state, retryFailed)) report.drop(reason);
    }
    report.series += this.store.series;
    this.#changes += 1;
    this.refresh();
  }

  /** Takes the place of an account with the same identity, whose other settings have changed. */
  replace(previous: Account): void {
    previous.stop();
    this.calls = previous.calls;
    this.restore(previous.saved(), new RestoreReport(), true);
    for (const poller of this.pollers) {
      const same = previous.pollers.find(({ collector }) => collector === poller.collector);
      poller.recentPolls = same?.recentPolls ?? [];
    }
  }

  #versionOf(name: string): number | undefined {
    const poller = this.pollers.find(({ collector }) => collector.name === name);
    return poller && (poller.collector.payloadVersion ?? 1);
  }

  #followersOf({ collector }: Poller): readonly Poller[] {
    return this.pollers.filter(({ collector: { itemsFrom } }) => itemsFrom === collector);
  }

  /** Retries the polls whose credentials were rejected. After an outage, retries all polls that the API did not accept. */
  #retryOthers(poller: Poller, { accepted }: FinishedPoll, previous: FinishedPoll | undefined): void {
    if (accepted !== true) return;
    const wasDown = poller === this.#accountPoller && previous?.accepted === false;
    for (const other of this.pollers) {
      const { accepted: wasAccepted, failures } = other.newest ?? {};
      if (wasDown ? wasAccepted === false : failures?.[0]?.reason === 'auth') other.pollWithin(0);
    }
  }

  /** Stores the first figures of each day, once no collector is about to get missing figures. */
  #remember(): void {
    const today = dateOf(Date.now(), this.timeZone);
    const answered = this.store.results('account').get('')?.answered;
    const isOfToday = answered !== undefined && dateOf(answered, this.timeZone) === today;
    if (this.memory.days[today] !== undefined || !isOfToday) return;
    const isPending = ({ newest, missingResults, isDue, isPolling }: Poller) =>
      newest === undefined || (missingResults > 0 && (isDue || isPolling));
    if (this.pollers.some(isPending)) return;
    this.memory = rememberDay(this.memory, today, new Figures(this.store.families()));
  }
}

/** One poller per API section, to retry rejected credentials. Omits pollers without permission and, if possible, fan-outs. */
function onePerSection(pollers: readonly Poller[]): readonly Poller[] {
  const permitted = pollers.filter((poller) => !poller.isRefused);
  const single = permitted.filter(({ collector }) => !collector.stretches);
  const candidates = single.length > 0 ? single : permitted;
  const bySection = new Map(candidates.map((poller) => [sectionOf(poller.collector.methods[0]), poller]));
  return [...bySection.values()].reverse();
}
