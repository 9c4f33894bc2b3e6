import type { Budget } from '../api/budget.ts';
import type { CallOutcome } from '../api/client.ts';
import type { Connections } from '../api/connections.ts';
import { sectionOf } from '../api/method.ts';
import type { ApiSession } from '../api/session.ts';
import { type Collector, itemOf } from '../collectors/collector.ts';
import type { Family } from '../collectors/family.ts';
import { collectors, memoryName } from '../collectors/list.ts';
import { listAlertThresholds } from '../config/file/alert-thresholds.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { formatDuration } from '../config/values/duration.ts';
import { type AlertThreshold, accountFamilies } from '../exposition/account-metrics.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import { CallCounters } from '../exposition/call-counters.ts';
import type { PageAccount } from '../exposition/page.ts';
import type { ProcessMetrics } from '../exposition/process-metrics.ts';
import type { ReceivedList } from '../polling/item-list.ts';
import { type PollContext, updateItems } from '../polling/poll.ts';
import { fanOutShare, Poller, type PollerHooks } from '../polling/poller.ts';
import { timeZoneReporter } from '../polling/time-zone-doubt.ts';
import { AccountMemory } from '../results/account-memory.ts';
import type { FinishedPoll } from '../results/finished-poll.ts';
import type { AccountSnapshot, RestoreReport } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import { WallClockTimer } from '../runtime/wall-clock-timer.ts';
import { currentSecretOf } from './identity.ts';

/** Milliseconds from the start of an account to `#confirmUp`. */
const confirmDelay = 60_000;

/** Receives the durations of all calls and polls, in seconds. */
export type PollObserver = Pick<ProcessMetrics, 'observeRequest' | 'observePoll'>;

/** Objects that an account does not create itself. The session survives a reload and may be shared by accounts. */
interface AccountDependencies extends Pick<PollContext, 'store' | 'log' | 'failureLog' | 'trial'> {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly observer?: PollObserver;
  /** Called after each call and each poll. */
  readonly onChange?: () => void;
  /** Saves the state before a call with an unproven secret, and after a call that failed with `auth` or `limit`. Takes at most 5 s. */
  readonly saveNow?: () => Promise<void>;
}

/** Polls one account, and derives its state from the newest polls. */
export class Account implements PageAccount, PollerHooks {
  readonly name: string;
  readonly enabled: readonly Collector[];
  readonly pollers: readonly Poller[];
  readonly store: AccountStore;
  readonly calls = new CallCounters();
  /** Accounts with the same login and API URL share one budget. */
  readonly budget: Budget;
  readonly settlingTime: number;
  readonly timeZone: string;
  readonly memory = new AccountMemory();
  thresholds: readonly AlertThreshold[];
  labels: AccountConfig['labels'];
  readonly #dependencies: AccountDependencies;
  readonly #context: PollContext;
  readonly #secret: () => string | undefined;
  readonly #stop = new AbortController();
  /** Number of polls, restores and changes of settings. Each of these events may change `ownFamilies`. */
  #changes = 0;
  #isRestoring = false;
  #stretchIsReported = false;
  /** The timer of the next attempt with rejected credentials. */
  #probe: WallClockTimer | undefined;
  #probes = 0;
  #confirm: WallClockTimer | undefined;
  readonly #accountPoller: Poller | undefined;
  readonly #reportTimeZone: () => void;

  constructor(config: AccountConfig, dependencies: AccountDependencies) {
    const { name, api, credentials } = config;
    const { connections, session, store } = dependencies;
    this.name = name;
    const enabled = collectors.flatMap((collector) => {
      const settings = config.collectors[collector.name];
      return settings?.enabled === true ? [{ collector, settings }] : [];
    });
    this.enabled = enabled.map(({ collector }) => collector);
    this.store = store;
    this.budget = session.budget;
    this.settlingTime = api.settlingTime;
    this.timeZone = api.timeZone;
    this.thresholds = listAlertThresholds(config.alerts);
    this.labels = config.labels;
    this.#dependencies = dependencies;
    this.#secret = () => currentSecretOf(config);
    this.#context = {
      ...dependencies,
      name,
      client: { api, credentials, connections, session, onCall: this.#onCall, saveNow: dependencies.saveNow },
      settlingTime: api.settlingTime,
      calls: this.calls,
      server: new URL(api.baseUrl).origin,
      signal: this.#stop.signal,
    };
    this.pollers = enabled.map(({ collector, settings }) => new Poller(this.#context, collector, settings, this));
    this.#reportTimeZone = timeZoneReporter(this.#context, api.timeZone);
    this.#accountPoller = this.pollers.find(({ collector }) => collector.name === 'account');
  }

  get revision(): string {
    const { queueLength, requestsPerMinute } = this.budget;
    return `${this.store.revision} ${this.#changes} ${this.calls.revision} ${queueLength} ${requestsPerMinute}`;
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
    const isShown = ({ newest, isDue, collector: { name } }: Poller) =>
      newest !== undefined && (!isDue || this.store.payloads(name).size > 0);
    return this.pollers.some(({ newest }) => newest?.isFromEarlierProcess === false) || this.pollers.every(isShown);
  }

  /** Calls per minute: the number that the schedules require, and the budget. A fan-out without a list counts as one call. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    const required = this.pollers.reduce((sum, { callsPerMinute }) => sum + callsPerMinute, 0);
    return { callsPerMinute: Number(required.toFixed(2)), budget: this.budget.requestsPerMinute };
  }

  /** Largest factor by which the interval of a fan-out is stretched. */
  get stretch(): number {
    return Math.max(1, ...this.pollers.map((poller) => poller.stretch));
  }

  get fanOutShare(): number {
    return fanOutShare(this.pollers, this.budget.requestsPerMinute);
  }

  /** Time of the next attempt with rejected credentials, in Unix milliseconds. If none is planned, time of the next retry. */
  get nextAttempt(): number | undefined {
    if (this.#probe?.isPending === true) return this.#probe.time;
    return this.pollers.flatMap(({ newest }) => newest?.retry ?? []).toSorted((a, b) => a - b)[0];
  }

  ownFamilies(): readonly Family[] {
    return accountFamilies(this);
  }

  /** Polls everything once: the lists first, then the listed items. */
  async pollOnce(): Promise<void> {
    await Promise.all(this.pollers.filter(({ waitsForList }) => !waitsForList).map((poller) => poller.poll()));
    // Most fan-outs were polled when their list arrived. The other fan-outs are still being polled, or received no list.
    const others = this.pollers.filter((poller) => poller.waitsForList && poller.newest === undefined);
    await Promise.all(others.map((poller) => poller.poll()));
  }

  snapshot(): AccountSnapshot {
    const collectors = this.pollers.flatMap((poller) => {
      const snapshot = poller.snapshot();
      return snapshot === undefined ? [] : [[poller.collector.name, snapshot] as const];
    });
    return { collectors: new Map([...collectors, ...this.memory.collectors]) };
  }

  /** Shows the figures of a snapshot, and continues its schedules. Call it before `start`. */
  async restore({ collectors }: AccountSnapshot, retryFailed: boolean, report: RestoreReport, slice = new TimeSlice()) {
    const { store } = this;
    this.#isRestoring = true;
    this.memory.kept = collectors.get(memoryName)?.payloads.get('');
    const enabled = new Set([memoryName, ...this.pollers.map(({ collector }) => collector.name)]);
    for (const [name, { payloads }] of collectors) {
      if (enabled.has(name)) continue;
      report.drop('unknown', payloads.size);
      store.retain(name, new Set());
    }
    for (const { collector, items } of this.pollers) {
      const keys = [...(collectors.get(collector.name)?.payloads.keys() ?? [])];
      items.addPolled(keys.map((key) => itemOf(collector, key)).filter((item) => item !== undefined));
    }
    for (const poller of this.pollers) {
      const snapshot = collectors.get(poller.collector.name);
      if (snapshot === undefined) continue;
      await poller.restore(snapshot, retryFailed, report, slice);
      if (this.#stop.signal.aborted) return;
    }
    for (const { collector, items } of this.pollers) {
      const source = this.pollers.find((poller) => poller.collector === collector.itemsFrom)?.items ?? items;
      if (collector.itemsFrom !== undefined) source.guard.protect(collector, items.keys.size);
    }
    this.#changes += 1;
    this.#isRestoring = false;
  }

  /** Polls the due collectors, such as collectors without restored figures. Then logs how many calls the schedules require. */
  async start(): Promise<void> {
    if (this.up === undefined) this.#confirm = new WallClockTimer(Date.now() + confirmDelay, () => this.#confirmUp());
    await this.#pollDue();
    if (this.#stop.signal.aborted) return;
    const { callsPerMinute, budget } = this.load;
    const intervals = this.pollers.map(({ collector, interval }) => `${collector.name} ${formatDuration(interval)}`);
    const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, intervals: intervals.join(', ') };
    const { log } = this.#dependencies;
    const overload = 'account polled for the first time, but its schedules require more calls than the budget allows';
    if (callsPerMinute > budget && this.stretch === 1) log.warn(fields, overload);
    else log.debug(fields, 'account polled for the first time');
  }

  /** Applies settings that need no restart of the account. */
  configure({ alerts, labels }: AccountConfig): void {
    this.thresholds = listAlertThresholds(alerts);
    this.labels = labels;
    this.#changes += 1;
  }

  /** Retries polls that were not accepted or lacked a permission. Call it when the secret or the ca_file has changed. */
  retryUnaccepted(): void {
    for (const poller of this.pollers) {
      if (poller.isRefused) void poller.pollRefused();
      else if (poller.newest?.accepted === false) void poller.poll({ retryOnly: true });
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#probe?.stop();
    this.#confirm?.stop();
    this.#dependencies.failureLog.forget(this.name);
  }

  async #pollDue(): Promise<void> {
    const pollDue = (pollers: readonly Poller[]) => {
      const due = pollers.filter((poller) => poller.isDue || poller.hasDueItems);
      return Promise.all(due.map((poller) => poller.poll({ retryOnly: !poller.isDue })));
    };
    await pollDue(this.pollers.filter(({ waitsForList }) => !waitsForList));
    await pollDue(this.pollers.filter(({ waitsForList }) => waitsForList));
  }

  /** Polls one collector if `up` is undefined. Alerts need hosting_up within five minutes, and intervals may be longer. */
  #confirmUp(): void {
    const poller = this.#accountPoller ?? this.pollers.find(({ collector }) => !collector.stretches) ?? this.pollers[0];
    if (this.up === undefined) void poller?.poll();
  }

  readonly #onCall = ({ method, wasSent, seconds, error }: CallOutcome) => {
    if (wasSent) this.calls.sent += 1;
    if (seconds === undefined) return;
    const { observer, onChange, saveNow, log } = this.#dependencies;
    observer?.observeRequest(method, seconds);
    if (error !== undefined) this.calls.countFailure(error.reason);
    if (error?.reason === 'auth' || error?.reason === 'limit') void saveNow?.();
    else onChange?.();
    const fields = { account: this.name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason };
    log.debug(fields, 'API call');
  };

  onPoll(poller: Poller, previous: FinishedPoll | undefined): void {
    const { collector, newest } = poller;
    const { observer, onChange } = this.#dependencies;
    this.#changes += 1;
    observer?.observePoll(collector.name, newest?.seconds ?? 0);
    onChange?.();
    if (this.#context.trial !== undefined) return;
    if (collector.stretches) this.#reportStretch();
    if (collector.stretches) this.#reportTimeZone();
    const isRejected = newest?.failures[0]?.reason === 'auth';
    if (isRejected) this.#scheduleProbe();
    if (isRejected || newest?.accepted !== true) return;
    // Retry the polls whose credentials were rejected. After an outage, retry all polls that the API did not accept.
    const wasDown = poller === this.#accountPoller && previous?.accepted === false;
    for (const other of this.pollers) {
      const { accepted, failures } = other.newest ?? {};
      if (wasDown ? accepted === false : failures?.[0]?.reason === 'auth') void other.poll({ retryOnly: true });
    }
    this.#probe?.stop();
  }

  /** Applies a newer list to the collectors that poll its items, and polls the new items. */
  onList(source: Collector, list: ReceivedList): void {
    const followers = this.pollers.filter(({ collector }) => collector.itemsFrom === source);
    const updated = followers.map((poller) => ({ poller, added: updateItems(this.#context, poller, list) }));
    if (this.#isRestoring || this.#context.trial !== undefined) return;
    this.#reportStretch();
    for (const { poller, added } of updated) {
      if (!poller.hasRun || added > 0) void poller.poll({ retryOnly: poller.hasRun });
    }
  }

  /** Tries rejected credentials again. Each attempt calls another section, because the cause may be a missing permission. */
  #scheduleProbe(): void {
    // If the secret cannot be read, the probe starts immediately, fails without a call, and is retried like other polls.
    const wait = this.#dependencies.session.gate.nextAttemptIn(this.#secret() ?? '');
    if (wait === undefined || this.#probe?.isPending === true) return;
    this.#probe = new WallClockTimer(Date.now() + wait, () => {
      this.#probes += 1;
      const pollers = onePerSection(this.pollers);
      void pollers[(this.#probes - 1) % pollers.length]?.poll();
    });
  }

  #reportStretch(): void {
    const isStretched = this.stretch > 1;
    if (isStretched && !this.#stretchIsReported) {
      const { callsPerMinute, budget } = this.load;
      const factor = Number(this.stretch.toFixed(2));
      const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, factor };
      const message = 'the schedules require more calls than the budget allows, stretching intervals';
      this.#dependencies.log.warn(fields, message);
    }
    this.#stretchIsReported = isStretched;
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
