import { type Method, sectionOf } from '../api/method.ts';
import type { Collector, FanOutCollector, ListCollector } from '../collectors/collector.ts';
import type { CollectorConfig } from '../config/config.ts';
import type { CollectorState } from '../exposition/account-metrics.ts';
import { retryDelay } from './back-off.ts';
import type { PollFailure } from './failure-tracker.ts';
import { maxAgeOf } from './freshness.ts';
import type { ItemList, ReceivedList } from './item-list.ts';
import type { ListGuard } from './list-guard.ts';
import { type PollContext, type PollLimits, type PollOutcome, pollFanOut, pollList } from './poll.ts';
import { PollHistory, type RecentPoll } from './poll-history.ts';
import { itemOf, type RestoredPayload, restorePayload } from './restore.ts';
import { Schedule } from './schedule.ts';
import type { CollectorSnapshot, PollSnapshot } from './snapshot.ts';
import { Stopwatch } from './stopwatch.ts';
import { WallClockTimer } from './wall-clock-timer.ts';

/** The state of one collector, for people. Times in Unix milliseconds. */
export interface CollectorStatus {
  readonly collector: string;
  readonly methods: readonly Method[];
  /** Milliseconds. */
  readonly interval: number;
  readonly polling: boolean;
  readonly lastSuccess: number | undefined;
  /** Whether an earlier process made the newest poll, because this one has not polled yet. */
  readonly isFromEarlierProcess: boolean;
  readonly nextRun: number | undefined;
  /** Why the newest poll failed; undefined if it succeeded. */
  readonly failure: PollFailure | undefined;
  /** The methods to permit after the newest poll, if the API grants permissions per method. */
  readonly forbiddenMethods: readonly Method[];
}

/** A finished poll, with what is remembered of those before it. Times in Unix milliseconds. */
export interface FinishedPoll extends PollOutcome {
  readonly ended: number;
  readonly seconds: number;
  /** Whether the API answered every call and accepted the credentials; undefined if a fan-out had no items to ask for. */
  readonly accepted: boolean | undefined;
  /** Failed polls in a row, this one included. */
  readonly failedPolls: number;
  readonly lastSuccess: number | undefined;
  /** Whether an earlier process made it. */
  readonly isFromEarlierProcess: boolean;
}

/** Failures of one poll that are remembered. */
const maxRemembered = 20;

/** Milliseconds after a start until failed polls of the previous process are retried, at the latest. */
const latestRetry = 60_000;

/** How to continue after a snapshot. */
export interface RestoreOptions {
  /** Whether failed polls are due, because their cause may be gone. */
  readonly retryFailed: boolean;
  /** Milliseconds after its end until an hour or day is complete. */
  readonly settlingTime: number;
}

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'polling'; readonly retryOnly: boolean; readonly end: Promise<void> }
  | { readonly is: 'backing off'; readonly until: number; readonly retry: WallClockTimer }
  | { readonly is: 'refused'; readonly until: number; readonly retry: WallClockTimer };

/** What a poller polls. */
export type PollerTarget =
  | { readonly collector: ListCollector; readonly guard: ListGuard }
  | { readonly collector: FanOutCollector; readonly items: ItemList };

/** What a poller needs of its account. */
interface PollerHooks {
  /** Factor by which the interval is stretched to fit the budget; 1 means as configured. */
  stretch(): number;
  /** Called after each poll, with the one before it. */
  onPoll(newest: FinishedPoll, previous: FinishedPoll | undefined): void;
  /** Called when the payload of a list is restored. */
  onRestoredList(list: ReceivedList): void;
}

/** The polls of one collector of one account. Polls never overlap; failed ones are retried with increasing delay. */
export class Poller {
  readonly #target: PollerTarget;
  readonly #account: PollContext;
  readonly #config: CollectorConfig;
  readonly #schedule: Schedule;
  readonly #hooks: PollerHooks;
  #state: State = { is: 'idle' };
  #newest: FinishedPoll | undefined;
  readonly #history = new PollHistory();
  /** Since the start of the newest run. */
  #sinceRun: Stopwatch | undefined;

  constructor(account: PollContext, target: PollerTarget, config: CollectorConfig, hooks: PollerHooks) {
    this.#account = account;
    this.#target = target;
    this.#config = config;
    this.#hooks = hooks;
    this.#schedule = new Schedule(config.schedule, `${account.name} ${target.collector.name}`);
    account.signal.addEventListener('abort', () => this.#enter({ is: 'idle' }), { once: true });
  }

  get collector(): Collector {
    return this.#target.collector;
  }

  /** The items of a fan-out; undefined for a list collector. */
  get items(): ItemList | undefined {
    return 'items' in this.#target ? this.#target.items : undefined;
  }

  get newest(): FinishedPoll | undefined {
    return this.#newest;
  }

  /** Whether it pauses because it lacks a permission. */
  get isRefused(): boolean {
    return this.#state.is === 'refused';
  }

  /** Whether a run, and not only retries, has started. */
  get hasRun(): boolean {
    return this.#sinceRun !== undefined;
  }

  /** Whether no run has started, or the newest one was so long ago that another should have started since. */
  get isDue(): boolean {
    if (this.#state.is === 'refused') return false;
    if (this.#sinceRun === undefined) return true;
    if (this.#hooks.stretch() > 1) return this.#untilStretchedRun <= 0;
    const next = this.#schedule.next(this.#sinceRun.started);
    return next !== undefined && next <= Date.now();
  }

  /** Whether items have no result of the newest run, and no retry is planned. */
  get hasDueItems(): boolean {
    return this.#state.is === 'idle' && (this.items?.due().length ?? 0) > 0;
  }

  /** API calls that the schedule alone requires. */
  get callsPerMinute(): number {
    return ((this.items?.calls ?? 1) * 60_000) / this.#schedule.interval(Date.now());
  }

  /** Series that max_series leaves out. */
  get droppedSeries(): number {
    return this.items?.droppedSeries ?? this.#newest?.droppedSeries ?? 0;
  }

  /** Milliseconds between two runs, as stretched. */
  get interval(): number {
    return this.#schedule.interval(Date.now()) * this.#hooks.stretch();
  }

  /**
   * Polls. A poll that is under way is awaited instead, unless it only retries and this is a run. Does nothing while the
   * permission is missing. `retryOnly` polls only the items without a result of the newest run.
   */
  async poll({ retryOnly = false } = {}): Promise<void> {
    const state = this.#state;
    if (state.is === 'refused') return;
    if (state.is === 'polling') await state.end;
    if (state.is !== 'polling' || (state.retryOnly && !retryOnly)) await this.#start(retryOnly);
  }

  /** Polls although the permission was missing, because another secret may have it. */
  async pollRefused(): Promise<void> {
    await this.#start(false);
  }

  /** Polls when the schedule fires; does nothing if the interval has been stretched since. */
  async scheduledRun(): Promise<void> {
    if (this.#hooks.stretch() === 1 || this.#untilStretchedRun <= 0) await this.poll();
  }

  /** Next wake-up in Unix milliseconds; may be earlier than the next run. Undefined if the schedule has no more runs. */
  nextWakeUp(): number | undefined {
    const run = this.#schedule.next(Date.now());
    return run === undefined ? undefined : Math.min(run, this.#nextRun() ?? run);
  }

  status(): CollectorStatus {
    return {
      collector: this.collector.name,
      methods: this.collector.methods,
      interval: this.interval,
      polling: this.#state.is === 'polling',
      lastSuccess: this.#newest?.lastSuccess,
      isFromEarlierProcess: this.#newest?.isFromEarlierProcess ?? false,
      nextRun: this.#state.is === 'refused' ? this.#state.until : this.#nextRun(),
      failure: this.#newest?.decisive,
      forbiddenMethods: [...new Set(this.#newest?.failures.flatMap(({ forbiddenMethod }) => forbiddenMethod ?? []))],
    };
  }

  /** The newest polls, the newest first. */
  recentPolls(): readonly RecentPoll[] {
    return this.#history.list();
  }

  /** What the exporter's own metrics show. */
  state(): CollectorState {
    const { newest } = this;
    const { name } = this.collector;
    return {
      name,
      success: newest?.failures.length === 0,
      failing: newest?.decisive?.reason,
      lastSuccessSeconds: newest?.lastSuccess && newest.lastSuccess / 1000,
      intervalSeconds: this.interval / 1000,
      droppedSeries: this.droppedSeries,
    };
  }

  /** What must outlive this poller; undefined if there is nothing. */
  snapshot(): CollectorSnapshot | undefined {
    const payloads = this.#account.store.payloads(this.collector.name);
    const poll = this.#pollSnapshot();
    if (payloads.size === 0 && poll === undefined) return undefined;
    // The items of an interrupted run continue where they stopped.
    const isInterrupted = this.#state.is === 'polling' && this.items === undefined;
    return { payloads, runStarted: isInterrupted ? 0 : (this.#sinceRun?.started ?? 0), poll };
  }

  /**
   * Continues after another poller of this collector, before the first poll: shows its figures, and remembers when it polled.
   * Yields what became of each payload, so that the caller may let other work continue in between. The items of a fan-out must
   * be listed before, and lists must be restored before the fan-outs that follow them.
   */
  *restore(
    { payloads, runStarted, poll }: CollectorSnapshot,
    { retryFailed, settlingTime }: RestoreOptions,
  ): Generator<RestoredPayload, void> {
    const target = this.#target;
    const limits = this.#limits();
    let isComplete: boolean;
    if ('items' in target) {
      const { collector, items } = target;
      const { keys } = items;
      for (const [key, kept] of payloads) {
        const item = itemOf(collector, key);
        // The newest list may lack the item.
        if (item !== undefined && !keys.has(key)) continue;
        const restored: RestoredPayload =
          item === undefined
            ? { dropped: 'unknown' }
            : restorePayload(this.#account, { collector, item }, kept, limits, settlingTime);
        if ('dropped' in restored || kept.answered < runStarted) items.markDue(key);
        yield restored;
      }
      isComplete = poll?.failures.length === 0 || items.due().length > 0;
    } else {
      const { collector } = target;
      const kept = payloads.get('');
      if (kept !== undefined) {
        const restored = restorePayload(this.#account, { collector }, kept, limits, settlingTime, (payload) =>
          this.#restoreList(payload, kept.complete),
        );
        isComplete = !('dropped' in restored) && poll?.failures.length === 0;
        yield restored;
      } else {
        isComplete = false;
      }
    }
    this.#continueAfter(runStarted, poll, isComplete, retryFailed);
  }

  /** `isComplete`: nothing is missing but what a retry provides. */
  #continueAfter(runStarted: number, poll: PollSnapshot | undefined, isComplete: boolean, retryFailed: boolean): void {
    const now = Date.now();
    const [decisive] = poll?.failures ?? [];
    if (poll !== undefined) this.#newest = { ...poll, decisive, seconds: 0, calls: 0 };
    const waits = !retryFailed && decisive !== undefined && poll?.retry !== undefined;
    if (runStarted <= now && (isComplete || waits)) this.#sinceRun = new Stopwatch(now - runStarted);
    if (waits) this.#enter(this.#retryState(decisive, Math.min(Math.max(poll.retry, now), now + latestRetry)));
    this.#account.store.touch();
  }

  #restoreList(payload: unknown, isComplete: boolean): void {
    if (!('guard' in this.#target)) return;
    this.#target.guard.check(payload);
    this.#hooks.onRestoredList({ payload, isComplete });
  }

  #pollSnapshot(): PollSnapshot | undefined {
    const { newest } = this;
    if (newest === undefined) return undefined;
    const { decisive, failures, ended, lastSuccess, failedPolls, accepted, droppedSeries, isFromEarlierProcess } =
      newest;
    const others = failures.filter((failure) => failure !== decisive);
    return {
      ended,
      lastSuccess,
      failedPolls,
      failures: decisive === undefined ? [] : [decisive, ...others.slice(0, maxRemembered - 1)],
      accepted,
      droppedSeries,
      retry: 'until' in this.#state ? this.#state.until : undefined,
      isFromEarlierProcess,
    };
  }

  #nextRun(): number | undefined {
    const now = Date.now();
    return this.#hooks.stretch() === 1 ? this.#schedule.next(now) : now + Math.max(this.#untilStretchedRun, 1000);
  }

  /** Milliseconds; not positive when the run is due. */
  get #untilStretchedRun(): number {
    return this.#sinceRun === undefined ? 0 : this.interval - this.#sinceRun.elapsed;
  }

  async #start(retryOnly: boolean): Promise<void> {
    if (this.#state.is === 'polling') return this.#state.end;
    const end = this.#run(retryOnly);
    this.#enter({ is: 'polling', retryOnly, end });
    await end;
  }

  async #run(retryOnly: boolean): Promise<void> {
    if (!retryOnly) this.#sinceRun = new Stopwatch();
    const started = performance.now();
    const outcome = await this.#poll(retryOnly);
    if (this.#account.signal.aborted) return;
    const previous = this.#newest;
    const newest = finish(outcome, previous, (performance.now() - started) / 1000);
    this.#newest = newest;
    this.#history.add({ ...newest, failure: newest.decisive });
    this.#enter(this.#stateAfter(newest));
    this.#account.store.touch();
    this.#report(newest, previous);
    this.#hooks.onPoll(newest, previous);
  }

  #poll(retryOnly: boolean): Promise<PollOutcome> {
    const limits = this.#limits();
    const target = this.#target;
    if (!('items' in target)) return pollList(this.#account, target.collector, target.guard, limits);
    if (!retryOnly) target.items.startRun();
    return pollFanOut(this.#account, target.collector, target.items, limits);
  }

  #limits(): PollLimits {
    return {
      maxAge: () => maxAgeOf(this.interval, this.#config.maxAge),
      maxSeries: this.#config.maxSeries,
    };
  }

  #stateAfter({ decisive, failedPolls, ended }: FinishedPoll): State {
    if (decisive === undefined || decisive.reason === 'bug') return { is: 'idle' };
    const delay = retryDelay(failedPolls, this.interval, decisive.reason);
    return delay === undefined ? { is: 'idle' } : this.#retryState(decisive, ended + delay);
  }

  /** `until`: when the failed poll is retried, in Unix milliseconds. */
  #retryState({ reason }: PollFailure, until: number): State {
    if (reason !== 'permission') {
      return { is: 'backing off', until, retry: new WallClockTimer(until, () => void this.#start(true)) };
    }
    // A complete run, because runs that were due during the pause did nothing.
    return { is: 'refused', until, retry: new WallClockTimer(until, () => void this.#start(false)) };
  }

  #enter(state: State): void {
    if ('retry' in this.#state) this.#state.retry.stop();
    this.#state = state;
  }

  /** Logs every poll at debug, unless it changes what the failure log reports. */
  #report(newest: FinishedPoll, previous: FinishedPoll | undefined): void {
    const { log, failureLog, name: account, server } = this.#account;
    const fields = { account, collector: this.collector.name, seconds: Number(newest.seconds.toFixed(3)) };
    const { decisive, droppedSeries, failures } = newest;
    if (droppedSeries > 0 && (previous?.droppedSeries ?? 0) === 0) {
      const limit = { dropped: droppedSeries, max_series: this.#config.maxSeries };
      log.warn({ ...fields, ...limit }, 'series limit reached, dropping the least important series');
    }
    const section = sectionOf(this.collector.methods[0]);
    const poll = { account, collector: this.collector.name, server, section };
    if (decisive === undefined) {
      if (!failureLog.succeeded(poll)) log.debug(fields, 'poll succeeded');
      return;
    }
    const details = { ...fields, reason: decisive.reason, failures: failures.length, error: decisive.message };
    if (!failureLog.failed(poll, decisive)) log.debug(details, 'poll failed again');
  }
}

function finish(outcome: PollOutcome, previous: FinishedPoll | undefined, seconds: number): FinishedPoll {
  const ended = Date.now();
  const succeeded = outcome.failures.length === 0;
  return {
    ...outcome,
    ended,
    seconds,
    accepted: succeeded && outcome.calls === 0 ? undefined : outcome.failures.every(({ accepted }) => accepted),
    failedPolls: succeeded ? 0 : (previous?.failedPolls ?? 0) + 1,
    lastSuccess: succeeded ? ended : previous?.lastSuccess,
    isFromEarlierProcess: false,
  };
}
