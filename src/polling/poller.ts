import type { Failure } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import { type Collector, itemOf } from '../collectors/collector.ts';
import type { CollectorConfig } from '../config/values/config.ts';
import type { SavedCollector } from '../state/state-file.ts';
import { readResult } from '../store/read-result.ts';
import type { Answer, DropReason, FinishedPoll } from '../store/result.ts';
import type { Account } from './account.ts';
import { ItemList, type ListedItem, type ReceivedList } from './item-list.ts';
import { Poll } from './poll.ts';
import { Schedule } from './schedule.ts';

/** The default `max_age` is three intervals plus these milliseconds, so that results of frequent polls survive a short outage. */
const grace = 10 * 60_000;

/** Failed polls of the previous process are retried within this number of milliseconds after a start. */
const latestRetry = 60_000;

/** Milliseconds by which a saved time may be in the future, for example because the clock was corrected. */
const futureTolerance = 5 * 60_000;

/** Milliseconds until the first retry of a failed poll. */
const firstDelay = 15_000;

/** Milliseconds until the next run without permission. Only the account's owner can grant the permission, which takes time. */
const permissionPause = 3_600_000;

/** Number of finished polls that the pages show. */
const shownPolls = 20;

/** Polls one collector of one account. Polls never overlap. All times are those of the exporter's clock, unless stated otherwise. */
export class Poller {
  readonly account: Account;
  readonly collector: Collector;
  readonly items: ItemList;
  newest: FinishedPoll | undefined;
  /** The newest finished polls, the newest first, each with at most one failure. */
  recentPolls: readonly FinishedPoll[] = [];
  /** When the next poll starts. The first poll comes before all others, but a fan-out waits for its first list. */
  dueAt: number;
  readonly #config: CollectorConfig;
  readonly #schedule: Schedule;
  /** Start of the newest complete run; undefined before the first one. Retries do not count. */
  #runStart: number | undefined;
  /** When the next complete run starts. Earlier polls are retries. */
  #nextRun = 0;
  /** Milliseconds between two runs, without stretching. */
  #period: number;
  #running: { readonly retryOnly: boolean; readonly end: Promise<void> } | undefined;

  /** `enabled`: all enabled collectors of the account. */
  constructor(account: Account, collector: Collector, config: CollectorConfig, enabled: readonly Collector[]) {
    this.account = account;
    this.collector = collector;
    const { itemsFrom } = collector;
    const waits = itemsFrom !== undefined && enabled.includes(itemsFrom);
    this.items = new ItemList(collector, config.maxSeries, itemsFrom !== undefined && !waits);
    this.dueAt = waits ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    this.#config = config;
    this.#schedule = new Schedule(config.schedule, `${account.name} ${collector.name}`);
    this.#period = this.#schedule.interval(Date.now());
  }

  get isPolling(): boolean {
    return this.#running !== undefined;
  }

  get isDue(): boolean {
    return this.dueAt <= this.#now;
  }

  /** Whether a complete run is due. Otherwise, the next poll is a retry. */
  get isRunDue(): boolean {
    return this.#nextRun <= this.#now;
  }

  /** Whether polls pause because a permission is missing. */
  get isRefused(): boolean {
    return this.newest?.failures[0]?.reason === 'permission';
  }

  /** Whether a complete run has started; retries do not count. */
  get hasRun(): boolean {
    return this.#runStart !== undefined;
  }

  /** API calls per minute that the schedule requires, without stretching. */
  get callsPerMinute(): number {
    return (this.items.calls * 60_000) / this.#period;
  }

  /** The configured `max_series`. */
  get seriesLimit(): number {
    return this.#config.maxSeries;
  }

  get droppedSeries(): number {
    return this.account.store.droppedSeries(this.collector.name) + this.items.excludedSeries;
  }

  /** Number of listed items without a result: the result has expired, or the item is new. */
  get missingResults(): number {
    return Math.max(0, this.items.calls - this.account.store.results(this.collector.name).size);
  }

  /** Milliseconds between two runs, with stretching. */
  get interval(): number {
    return this.#period * this.#stretch;
  }

  /** Milliseconds for which a result is shown. */
  get maxAge(): number {
    return this.#config.maxAge ?? 3 * this.interval + grace;
  }

  /** Time of the next complete run in Unix milliseconds; undefined if the schedule has no more runs. */
  get nextRun(): number | undefined {
    return Number.isFinite(this.#nextRun)
      ? this.account.store.clock.toWall(Math.max(this.#nextRun, this.#now))
      : undefined;
  }

  /** The methods that the newest poll was not permitted to call, if the API grants permissions per method. */
  get forbiddenMethods(): readonly Method[] {
    return [...new Set(this.newest?.failures.flatMap(({ forbiddenMethod }) => forbiddenMethod ?? []))];
  }

  /** Polls what is due now. */
  pollDue(): Promise<void> {
    return this.poll({ retryOnly: !this.isRunDue });
  }

  /** Polls, or waits for a running poll of the same items. `retryOnly`: polls only items without a result of the newest run. */
  async poll({ retryOnly = false } = {}): Promise<void> {
    const running = this.#running;
    if (running !== undefined) {
      await running.end;
      if (retryOnly || !running.retryOnly) return;
    }
    this.#running ??= { retryOnly, end: this.#run(retryOnly) };
    await this.#running.end;
  }

  /** Makes the next poll due, at the latest after this number of milliseconds. It may be a retry. */
  pollWithin(milliseconds: number): void {
    this.dueAt = Math.min(this.dueAt, this.#now + milliseconds);
  }

  /** Makes the next complete run due, at the latest after this number of milliseconds. */
  runWithin(milliseconds: number): void {
    this.#nextRun = Math.min(this.#nextRun, this.#now + milliseconds);
    this.pollWithin(milliseconds);
  }

  /** Plans the next run again: the intervals are stretched differently now, or the clock was set back. */
  replan(): void {
    if (this.#runStart === undefined || this.isRefused || this.isRunDue) return;
    const isNextRun = this.dueAt === this.#nextRun;
    this.#plan(this.#now);
    if (isNextRun && !this.isPolling) this.dueAt = this.#nextRun;
  }

  get hasCronPattern(): boolean {
    return this.#schedule.isCron;
  }

  /** Applies a newer list, and removes the results of removed items. Returns the number of new items. */
  updateItems(list: ReceivedList): number {
    const added = this.items.update(list);
    this.account.store.retain(this.collector.name, this.items.keys);
    return added;
  }

  /** Shows the figures of a payload for `maxAge` milliseconds. Throws if the payload has not the shape that the collector expects. */
  show({ key, item }: Pick<ListedItem, 'key' | 'item'>, answer: Answer, maxAge: number): readonly string[] {
    const { name: account, settlingTime, store } = this.account;
    const target = { account, settlingTime, maxSeries: this.items.seriesPerItem, expires: this.#now + maxAge };
    const { result, issues } = readResult(this.collector, item, answer, target);
    store.set(this.collector.name, key, result);
    return issues;
  }

  /** The state that survives a reload or a restart; undefined if there is neither a result nor a finished poll. */
  saved(): SavedCollector | undefined {
    const shown = this.account.store.results(this.collector.name);
    if (shown.size === 0 && this.newest === undefined) return undefined;
    const { clock } = this.account.store;
    const results = [...shown].map(([key, { payload, answered, providerTime, complete }]) => {
      return [key, { payload: JSON.parse(payload), answered, providerTime, complete }] as const;
    });
    const { payloadVersion: version = 1 } = this.collector;
    const retry = this.newest?.failures[0] && Number.isFinite(this.dueAt) ? clock.toWall(this.dueAt) : undefined;
    const runStarted = this.#runStart === undefined ? 0 : Math.floor(clock.toWall(this.#runStart));
    return { version, runStarted, poll: this.newest, retry, results: Object.fromEntries(results) };
  }

  /**
   * Shows the saved results, and continues the schedule. Restore a collector before the collectors that use its list. `retryFailed`: makes
   * failed polls due, because their cause may be gone. Returns why results were not restored.
   */
  restore({ results, runStarted, poll, retry }: SavedCollector, retryFailed: boolean): readonly DropReason[] {
    const { size } = this.items.keys;
    const dropped: DropReason[] = [];
    for (const [key, answer] of Object.entries(results)) {
      const listed = this.items.get(key);
      // Report the key of an item that is not in the list only if it does not fit the collector.
      if (listed === undefined) {
        if (itemOf(this.collector, key) === undefined) dropped.push('unknown');
        continue;
      }
      const problem = this.#showSaved(listed, answer);
      if (problem !== undefined) dropped.push(problem);
      if (problem !== undefined || answer.answered < runStarted) listed.due = true;
    }
    const succeeded = poll?.failures.length === 0;
    // The poll failed, but every item has a result: the list or a part of a payload failed. Poll everything again.
    if (!succeeded && this.items.due().length === 0) this.items.startRun();
    const hasResults = this.items.due().length < size || (size === 0 && succeeded);
    const isFounded = hasResults || poll?.isFromEarlierProcess === false;
    const now = Date.now();
    this.newest = poll && { ...withPastTimes(poll, now), succeeded: succeeded && isFounded };
    const isRetried = retry !== undefined && !retryFailed;
    if (runStarted > 0 && runStarted <= now && (hasResults || isRetried)) {
      this.#runStart = this.#now - (now - runStarted);
      this.#plan(this.#runStart);
    }
    const isIncomplete = isRetried || this.items.due().length > 0;
    // A changed secret is tried immediately.
    const untilAttempt = poll?.failures[0]?.reason === 'auth' ? this.account.nextAttemptIn : undefined;
    const wait = isRetried ? (untilAttempt ?? Math.min(Math.max(retry - now, 0), latestRetry)) : 0;
    // After a missing permission, the next poll is a complete run.
    if (this.isRefused) this.#nextRun = this.#now + wait;
    this.dueAt = isIncomplete ? Math.min(this.#nextRun, this.#now + wait) : this.#nextRun;
    return dropped;
  }

  get #now(): number {
    return this.account.store.clock.now;
  }

  get #stretch(): number {
    return this.collector.stretches ? this.account.stretch : 1;
  }

  #showSaved(listed: ListedItem, answer: Answer): DropReason | undefined {
    const age = Date.now() - answer.answered;
    try {
      // An expired list still tells how long a complete one is.
      listed.guard?.accept(answer.payload);
      if (age < -futureTolerance) return 'future';
      const left = this.maxAge - Math.max(0, age);
      this.account.applyList(this, { payload: answer.payload, isComplete: answer.complete });
      if (left <= 0) return 'expired';
      this.show(listed, answer, left);
      return undefined;
    } catch {
      return 'damaged';
    }
  }

  /** Plans the run after a time: at the schedule's next time or, if intervals are stretched, an interval after the start of the newest run. */
  #plan(after: number): void {
    const { clock } = this.account.store;
    const time = clock.toWall(after);
    this.#period = this.#schedule.interval(time);
    const next = this.#schedule.next(time);
    if (this.#stretch > 1) this.#nextRun = (this.#runStart ?? after) + this.interval;
    else this.#nextRun = next === undefined ? Number.POSITIVE_INFINITY : after + next - time;
  }

  async #run(retryOnly: boolean): Promise<void> {
    const started = this.#now;
    this.dueAt = Number.POSITIVE_INFINITY;
    if (!retryOnly) {
      this.#runStart = started;
      this.items.startRun();
      this.#plan(started);
    }
    const poll = new Poll(this.account, this);
    const failures = await poll.run();
    this.#running = undefined;
    if (this.account.signal.aborted) return;
    const previous = this.newest;
    const succeeded = failures.length === 0;
    const ended = Date.now();
    const newest: FinishedPoll = {
      ended,
      succeeded,
      seconds: (this.#now - started) / 1000,
      calls: poll.calls,
      failures,
      accepted: succeeded && poll.calls === 0 ? undefined : failures.every(({ accepted }) => accepted),
      failedPolls: succeeded ? 0 : (previous?.failedPolls ?? 0) + 1,
      lastSuccess: succeeded ? ended : previous?.lastSuccess,
      droppedSeries: this.droppedSeries,
      isFromEarlierProcess: false,
    };
    this.newest = newest;
    this.recentPolls = [{ ...newest, failures: failures.slice(0, 1) }, ...this.recentPolls].slice(0, shownPolls);
    this.#planNext(newest, retryOnly);
    this.account.pollEnded(this, previous);
  }

  #planNext({ failures: [decisive], failedPolls }: FinishedPoll, wasRetry: boolean): void {
    // Plan again: the run may have taken longer than its interval, or received a list that stretches the interval.
    if (!wasRetry) this.#plan(this.#now);
    const { reason } = decisive ?? {};
    if (reason === 'permission') this.#nextRun = this.#now + permissionPause;
    const untilAttempt = reason === 'auth' ? this.account.nextAttemptIn : undefined;
    this.dueAt = Math.min(this.#nextRun, this.#now + (untilAttempt ?? retryDelay(failedPolls, this.interval, reason)));
  }
}

/** Limits the times of a poll to now, because the clock may have been set back. Omits the last success if it is far in the future. */
function withPastTimes(poll: FinishedPoll, now: number): FinishedPoll {
  const { ended, lastSuccess = Number.POSITIVE_INFINITY } = poll;
  const isKnown = lastSuccess <= now + futureTolerance;
  return { ...poll, ended: Math.min(ended, now), lastSuccess: isKnown ? Math.min(lastSuccess, now) : undefined };
}

/** Milliseconds until a retry; infinite if the next run comes first. Doubles with each failed poll in a row, up to the interval, ±25 %. */
export function retryDelay(failedPolls: number, interval: number, reason: Failure['reason'] | undefined): number {
  if (reason === undefined || reason === 'bug' || reason === 'permission') return Number.POSITIVE_INFINITY;
  return Math.min(firstDelay * 2 ** (failedPolls - 1), interval) * (0.75 + Math.random() / 2);
}
