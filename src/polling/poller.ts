import { type Method, sectionOf } from '../api/method.ts';
import { type Collector, itemOf } from '../collectors/collector.ts';
import type { CollectorConfig } from '../config/values/config.ts';
import type { FinishedPoll, PollFailure } from '../results/finished-poll.ts';
import { PollHistory, type RecentPoll } from '../results/poll-history.ts';
import { fairShare } from '../results/publishable.ts';
import type { CollectorSnapshot, RestoreReport } from '../results/snapshot.ts';
import { Moment } from '../runtime/moment.ts';
import type { TimeSlice } from '../runtime/time-slice.ts';
import { WallClockTimer } from '../runtime/wall-clock-timer.ts';
import { retryDelay } from './back-off.ts';
import type { ReportedPoll } from './failure-log.ts';
import { ItemList, type ReceivedList } from './item-list.ts';
import { futureTolerance, type PollContext, type PollTarget, pollItems, showKept } from './poll.ts';
import { Schedule } from './schedule.ts';

/** The default `max_age` is three intervals plus these milliseconds, so that results of frequent polls survive a short outage. */
const grace = 10 * 60_000;

/** Failed polls of the previous process are retried within this number of milliseconds after a start. */
const latestRetry = 60_000;

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'polling'; readonly retryOnly: boolean; readonly end: Promise<void> }
  | { readonly is: 'waiting'; readonly retry: WallClockTimer };

/** Connects a poller with the other pollers of its account. */
export interface PollerHooks {
  readonly enabled: readonly Collector[];
  readonly fanOutShare: number;
  /** Called with each received or restored payload that lists items for other collectors. */
  onList(source: Collector, list: ReceivedList): void;
  onPoll(poller: Poller, previous: FinishedPoll | undefined): void;
}

/** Polls one collector of one account. Polls never overlap. Failed polls are retried with increasing delay. */
export class Poller implements PollTarget {
  readonly collector: Collector;
  readonly items: ItemList;
  readonly onPayload: PollTarget['onPayload'];
  readonly #account: PollContext;
  readonly #config: CollectorConfig;
  readonly #schedule: Schedule;
  readonly #reported: ReportedPoll;
  readonly #hooks: PollerHooks;
  newest: FinishedPoll | undefined;
  #state: State = { is: 'idle' };
  readonly #history = new PollHistory();
  #runStart: Moment | undefined;

  constructor(account: PollContext, collector: Collector, config: CollectorConfig, hooks: PollerHooks) {
    this.collector = collector;
    this.items = new ItemList(collector, config.maxSeries, hooks.enabled);
    const isSource = hooks.enabled.some(({ itemsFrom }) => itemsFrom === collector);
    this.onPayload = isSource ? (list) => hooks.onList(collector, list) : undefined;
    this.#account = account;
    this.#config = config;
    this.#hooks = hooks;
    this.#schedule = new Schedule(config.schedule, `${account.name} ${collector.name}`);
    const section = sectionOf(collector.methods[0]);
    this.#reported = { account: account.name, collector: collector.name, server: account.server, section };
    account.signal.addEventListener('abort', () => this.#enter({ is: 'idle' }), { once: true });
  }

  get waitsForList(): boolean {
    return this.collector.itemsFrom !== undefined;
  }

  get isPolling(): boolean {
    return this.#state.is === 'polling';
  }

  /** Whether polls pause because a permission is missing. */
  get isRefused(): boolean {
    return this.#state.is === 'waiting' && this.newest?.failures[0]?.reason === 'permission';
  }

  /** Whether a complete run has started; retries do not count. */
  get hasRun(): boolean {
    return this.#runStart !== undefined;
  }

  /** True before the first run, and when the next run of the schedule is due. */
  get isDue(): boolean {
    if (this.isRefused) return false;
    if (this.#runStart === undefined) return true;
    if (this.stretch > 1) return this.#untilStretchedRun <= 0;
    const next = this.#schedule.next(this.#runStart.time);
    return next !== undefined && next <= Date.now();
  }

  /** Whether items are due, but no poll is running and no retry is planned. */
  get hasDueItems(): boolean {
    return this.#state.is === 'idle' && this.items.due().length > 0;
  }

  /** API calls per minute that the schedule requires, without stretching. */
  get callsPerMinute(): number {
    return (this.items.calls * 60_000) / this.#schedule.interval(Date.now());
  }

  /** Factor by which the interval is stretched to fit the budget. */
  get stretch(): number {
    return this.collector.stretches ? Math.max(1, this.callsPerMinute / this.#hooks.fanOutShare) : 1;
  }

  get maxSeries(): number {
    return this.items.seriesPerItem;
  }

  get droppedSeries(): number {
    return this.#account.store.droppedSeries(this.collector.name) + this.items.excludedSeries;
  }

  /** Number of listed items without a result: the result has expired, or the item is new. */
  get missingResults(): number {
    return Math.max(0, this.items.calls - this.#account.store.payloads(this.collector.name).size);
  }

  /** Milliseconds between two runs, with stretching. */
  get interval(): number {
    return this.#schedule.interval(Date.now()) * this.stretch;
  }

  /** Time of the next run in Unix milliseconds; undefined if the schedule has no more runs. */
  get nextRun(): number | undefined {
    if (this.isRefused) return this.newest?.retry;
    const now = Date.now();
    return this.stretch === 1 ? this.#schedule.next(now) : now + Math.max(this.#untilStretchedRun, 1000);
  }

  /** The scheduler's next wake-up in Unix milliseconds, at or before the next run. Undefined if the schedule has no more runs. */
  get nextWakeUp(): number | undefined {
    const run = this.#schedule.next(Date.now());
    if (run === undefined || this.isRefused) return run;
    return Math.min(run, this.nextRun ?? run);
  }

  get recentPolls(): readonly RecentPoll[] {
    return this.#history.list();
  }

  /** The methods that the newest poll was not permitted to call, if the API grants permissions per method. */
  get forbiddenMethods(): readonly Method[] {
    return [...new Set(this.newest?.failures.flatMap(({ forbiddenMethod }) => forbiddenMethod ?? []))];
  }

  /** Polls, or waits for a running poll of the same items. `retryOnly`: polls only items without a result of the newest run. */
  async poll({ retryOnly = false } = {}): Promise<void> {
    const state = this.#state;
    if (state.is === 'waiting' && this.isRefused) return;
    if (state.is === 'polling') await state.end;
    if (state.is !== 'polling' || (state.retryOnly && !retryOnly)) await this.#start(retryOnly);
  }

  /** Polls despite the missing permission, because a changed secret may have the permission. */
  async pollRefused(): Promise<void> {
    await this.#start(false);
  }

  /** Polls at a run of the schedule. Does nothing until the stretched interval has passed. */
  async scheduledRun(): Promise<void> {
    if (this.stretch === 1 || this.#untilStretchedRun <= 0) await this.poll();
  }

  maxAge(): number {
    return this.#config.maxAge ?? 3 * this.interval + grace;
  }

  /** The state that survives a reload or a restart; undefined if there is neither a result nor a finished poll. */
  snapshot(): CollectorSnapshot | undefined {
    const payloads = this.#account.store.payloads(this.collector.name);
    if (payloads.size === 0 && this.newest === undefined) return undefined;
    return { payloads, runStarted: this.#runStart?.time ?? 0, poll: this.newest };
  }

  /**
   * Shows the figures of a snapshot, and continues its schedule. Restore a collector before the collectors that use its list.
   * `retryFailed`: makes failed polls due, because their cause may be gone.
   */
  async restore(snapshot: CollectorSnapshot, retryFailed: boolean, report: RestoreReport, slice: TimeSlice) {
    const { payloads, runStarted, poll } = snapshot;
    const { size } = this.items.keys;
    const shown = new Set<string>();
    for (const [key, kept] of payloads) {
      const listed = this.items.get(key);
      if (listed === undefined) {
        // The item is not in the list. Report its key only if it does not fit the collector.
        if (itemOf(this.collector, key) === undefined) report.drop('unknown');
        continue;
      }
      const dropped = await showKept(this.#account, this, listed, kept, report, slice);
      // Aborted if a reload has removed or replaced the account.
      if (this.#account.signal.aborted) return;
      if (dropped === undefined) shown.add(key);
      else report.drop(dropped);
      if (dropped !== undefined || kept.answered < runStarted) listed.due = true;
      await slice.pause();
    }
    // After a reload, the store may still contain other results of the previous configuration.
    this.#account.store.retain(this.collector.name, shown);
    const succeeded = poll?.failures.length === 0;
    // The poll failed, but every item has a result: the list or a part of a payload failed. Poll everything again.
    if (!succeeded && this.items.due().length === 0) this.items.startRun();
    const now = Date.now();
    const planned = retryFailed ? undefined : poll?.retry;
    const retry = planned && Math.min(Math.max(planned, now), now + latestRetry);
    const hasResults = this.items.due().length < size || (size === 0 && succeeded);
    const isFounded = hasResults || poll?.isFromEarlierProcess === false;
    this.newest = poll && { ...withPastTimes(poll, now), succeeded: succeeded && isFounded, retry };
    if (runStarted > 0 && runStarted <= now && (hasResults || retry !== undefined)) {
      this.#runStart = new Moment(runStarted);
    }
    if (retry !== undefined) this.#waitUntil(retry, poll?.failures[0]);
  }

  /** Milliseconds until the next stretched run; 0 or negative if it is due. */
  get #untilStretchedRun(): number {
    return this.#runStart === undefined ? 0 : this.interval - this.#runStart.elapsed;
  }

  async #start(retryOnly: boolean): Promise<void> {
    if (this.#state.is === 'polling') return this.#state.end;
    const end = this.#run(retryOnly);
    this.#enter({ is: 'polling', retryOnly, end });
    await end;
  }

  async #run(retryOnly: boolean): Promise<void> {
    if (!retryOnly) {
      this.#runStart = new Moment(Date.now());
      this.items.startRun();
    }
    const started = performance.now();
    const { failures, calls } = await pollItems(this.#account, this);
    if (this.#account.signal.aborted) return;
    const previous = this.newest;
    const [decisive] = failures;
    const ended = Date.now();
    const failedPolls = decisive === undefined ? 0 : (previous?.failedPolls ?? 0) + 1;
    const isRetried = decisive !== undefined && this.#account.trial === undefined;
    const delay = isRetried ? retryDelay(failedPolls, this.interval, decisive.reason) : undefined;
    const newest: FinishedPoll = {
      ended,
      succeeded: decisive === undefined,
      seconds: (performance.now() - started) / 1000,
      calls,
      failures,
      accepted: decisive === undefined && calls === 0 ? undefined : failures.every(({ accepted }) => accepted),
      failedPolls,
      lastSuccess: decisive === undefined ? ended : previous?.lastSuccess,
      droppedSeries: this.droppedSeries,
      retry: delay === undefined ? undefined : ended + delay,
      isFromEarlierProcess: false,
    };
    this.newest = newest;
    this.#history.add(newest);
    if (newest.retry === undefined) this.#enter({ is: 'idle' });
    else this.#waitUntil(newest.retry, decisive);
    this.#report(newest, previous);
    this.#hooks.onPoll(this, previous);
  }

  /** Waits until `time`, in Unix milliseconds, and then retries the failed poll. */
  #waitUntil(time: number, decisive: PollFailure | undefined): void {
    // After a missing permission, start a complete run, because the runs during the pause polled nothing.
    const retryOnly = decisive?.reason !== 'permission';
    this.#enter({ is: 'waiting', retry: new WallClockTimer(time, () => void this.#start(retryOnly)) });
  }

  #enter(state: State): void {
    if (this.#state.is === 'waiting') this.#state.retry.stop();
    this.#state = state;
  }

  /** Logs the poll at level debug if the failure log writes no line for it. */
  #report(newest: FinishedPoll, previous: FinishedPoll | undefined): void {
    const { log, failureLog, name: account } = this.#account;
    const fields = { account, collector: this.collector.name, seconds: Number(newest.seconds.toFixed(3)) };
    const { droppedSeries, failures } = newest;
    const [decisive] = failures;
    if (droppedSeries > 0 && (previous?.droppedSeries ?? 0) === 0) {
      const limit = { dropped: droppedSeries, max_series: this.#config.maxSeries };
      log.warn({ ...fields, ...limit }, 'series limit reached, dropping the least important series');
    }
    if (decisive === undefined) {
      if (!failureLog.succeeded(this.#reported)) log.debug(fields, 'poll succeeded');
      return;
    }
    const details = { ...fields, reason: decisive.reason, failures: failures.length, error: decisive.message };
    if (!failureLog.failed(this.#reported, decisive)) log.debug(details, 'poll failed again');
  }
}

/** Limits the times of a poll to now, because the clock may have been set back. Omits the last success if it is far in the future. */
function withPastTimes(poll: FinishedPoll, now: number): FinishedPoll {
  const { ended, lastSuccess = Number.POSITIVE_INFINITY } = poll;
  const isKnown = lastSuccess <= now + futureTolerance;
  return { ...poll, ended: Math.min(ended, now), lastSuccess: isKnown ? Math.min(lastSuccess, now) : undefined };
}

/** Share of the budget that scheduled runs may use. The rest is for retries. */
const usableShare = 0.9;

/** Maximum calls per minute of each fan-out; infinite if `budget` covers all calls. */
export function fanOutShare(pollers: readonly Poller[], budget: number): number {
  let left = budget * usableShare;
  for (const { collector, callsPerMinute } of pollers) if (!collector.stretches) left -= callsPerMinute;
  const required = pollers.filter(({ collector }) => collector.stretches).map((poller) => poller.callsPerMinute);
  return fairShare(required, Math.max(left, budget * (1 - usableShare)));
}
