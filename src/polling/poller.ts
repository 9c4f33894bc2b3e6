import type { Failure } from '../api/error.ts';
import { type Collector, itemOf } from '../collectors/collector.ts';
import type { Excludable } from '../collectors/exclusion.ts';
import type { CollectorConfig } from '../config/values/config.ts';
import type { SavedCollector } from '../state/state-file.ts';
import type { Clock } from '../store/clock.ts';
import { readResult } from '../store/read-result.ts';
import type { Answer, DropReason, FinishedPoll } from '../store/result.ts';
import type { Account } from './account.ts';
import { ItemList, type ListedItem } from './item-list.ts';
import { Poll } from './poll.ts';
import { scheduleOf } from './schedule.ts';

/** The default `max_age` is three intervals plus this number of milliseconds, so that results of frequent polls survive a short outage. */
const grace = 10 * 60_000;

/** Failed polls of the previous process are retried within this number of milliseconds after a start. */
const latestRetry = 60_000;

/** Milliseconds by which a saved time may be in the future, for example because the clock was corrected. */
const futureTolerance = 5 * 60_000;

/** Milliseconds until the first retry of a failed poll. */
const firstDelay = 15_000;

/** Milliseconds until the next run if a permission is missing. Only the account's owner can grant the permission, which takes time. */
const permissionPause = 3_600_000;

/** Polls one collector of one account. Polls never overlap. Times are by the exporter's clock, unless stated otherwise. */
export class Poller {
  readonly account: Account;
  readonly collector: Collector;
  readonly #config: CollectorConfig;
  /** The poller that provides the list of items; undefined if the items are fixed, or if runs fetch the list. */
  readonly source: Poller | undefined;
  /** The pollers whose items this poller lists. */
  readonly followers: Poller[] = [];
  readonly items: ItemList;
  newest: FinishedPoll | undefined;
  /** Number of elements that the configuration excludes from the newest result, by kind. */
  excluded: ReadonlyMap<Excludable, number> = new Map();
  /** Time of the next poll; infinite during a poll. Before the first poll: minus infinity, or infinite if a fan-out waits for its list. */
  dueAt: number;
  readonly #clock: Clock;
  readonly #runAfter: ReturnType<typeof scheduleOf>;
  /** Start of the newest complete run; undefined before the first one. Retries do not count. */
  #runStart: number | undefined;
  /** Start of the next complete run. Polls before this time are retries. */
  #nextRun = 0;
  /** Milliseconds between two runs, without stretching. */
  #period: number;
  /** Whether the log has warned that `max_series` is exceeded. */
  #isLimited = false;
  #running: Promise<void> | undefined;

  constructor(account: Account, collector: Collector, config: CollectorConfig, source: Poller | undefined) {
    this.account = account;
    this.collector = collector;
    this.#config = config;
    this.source = source;
    source?.followers.push(this);
    this.items = new ItemList(collector, config.maxSeries, collector.itemsFrom !== undefined && source === undefined);
    this.dueAt = source === undefined ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.#clock = account.store.clock;
    this.#runAfter = scheduleOf(config.schedule, `${account.name} ${collector.name}`);
    this.#period = this.#runAfter(Date.now()).interval;
  }

  get isPolling(): boolean {
    return this.#running !== undefined;
  }

  get isDue(): boolean {
    return this.dueAt <= this.#clock.now;
  }

  /** Whether a complete run is due. Otherwise, the next poll is a retry. */
  get isRunDue(): boolean {
    return this.#nextRun <= this.#clock.now;
  }

  /** Why the newest poll failed; undefined if it succeeded. */
  get failure(): Failure | undefined {
    return this.newest?.failures[0];
  }

  /** API calls per minute that the schedule requires, without stretching. */
  get callsPerMinute(): number {
    return (this.items.calls * 60_000) / this.#period;
  }

  /** Number of series that `max_series` removes, including all series of items that are not polled because of `max_series`. */
  get droppedSeries(): number {
    const { collector, items } = this;
    const excludedItems = (items.listed ?? 0) - items.all.size;
    return this.account.store.droppedSeries(collector.name) + excludedItems * collector.metrics.length;
  }

  /** Number of listed items without a result, because the result has expired or the item is new. */
  get missingResults(): number {
    return Math.max(0, this.items.calls - this.account.store.results(this.collector.name).size);
  }

  /** Milliseconds between two runs, with stretching. */
  get interval(): number {
    return this.collector.stretches ? this.#period * this.account.stretch : this.#period;
  }

  /** Milliseconds for which a result is shown. */
  get maxAge(): number {
    return this.#config.maxAge ?? 3 * this.interval + grace;
  }

  /** Time of the next complete run in Unix milliseconds; undefined if the schedule has no more runs. */
  get nextRun(): number | undefined {
    const next = this.#clock.toWall(Math.max(this.#nextRun, this.#clock.now));
    return Number.isFinite(next) ? next : undefined;
  }

  /**
   * Polls, or waits for the running poll. `retryOnly`: polls only items without a result of the newest run. `isTrial`: ends the poll after
   * its first successful item or three failed items.
   */
  poll({ retryOnly = false, isTrial = false } = {}): Promise<void> {
    this.#running ??= this.#run(retryOnly, isTrial);
    return this.#running;
  }

  /** Makes the next poll start within this number of milliseconds. `isRun`: makes it a complete run; otherwise, it may be a retry. */
  pollWithin(milliseconds: number, isRun = false): void {
    if (this.isPolling) return;
    const time = this.#clock.now + milliseconds;
    if (isRun) this.#nextRun = Math.min(this.#nextRun, time);
    this.dueAt = Math.min(this.dueAt, time);
  }

  /** Plans the next run again, because the clock was set back. */
  replan(): void {
    if (this.isRunDue) return;
    const isNextRun = this.dueAt === this.#nextRun;
    this.#planRun(Date.now());
    if (isNextRun) this.dueAt = this.#nextRun;
  }

  /** Applies a newer list. Removes the results of removed items. If there are new items, or if there was no run yet, makes a poll due. */
  updateItems(list: unknown, isComplete: boolean): void {
    const { itemsFrom = this.collector } = this.collector;
    const hasNew = this.items.update(this.account.exclusion.apply(itemsFrom, list).payload, isComplete);
    this.account.store.retain(this.collector.name, this.items.all);
    if (hasNew || this.#runStart === undefined) this.pollWithin(0);
  }

  /** Shows an answer for `maxAge` milliseconds. Returns an issue for each impossible value. Throws if the payload has the wrong shape. */
  show({ key, item }: ListedItem, answer: Answer, maxAge: number): readonly string[] {
    const { name: account, settlingTime, store, exclusion } = this.account;
    const { payload, excluded } = exclusion.apply(this.collector, answer.payload);
    this.excluded = excluded;
    const maxSeries = Math.floor(this.#config.maxSeries / this.items.all.size);
    const target = { account, settlingTime, maxSeries, expires: this.#clock.now + maxAge };
    const { result, issues } = readResult(this.collector, item, answer, target, payload);
    store.set(this.collector.name, key, result);
    const { dropped } = result;
    if (dropped > 0 && !this.#isLimited) {
      const fields = { account, collector: this.collector.name, dropped, max_series: this.#config.maxSeries };
      this.account.log.warn(fields, 'series limit reached, dropping the least important series');
    }
    this.#isLimited ||= dropped > 0;
    return issues;
  }

  /** The state that survives a reload or a restart; undefined if there is neither a result nor a finished poll. */
  saved(): SavedCollector | undefined {
    const shown = this.account.store.results(this.collector.name);
    if (shown.size === 0 && this.newest === undefined) return undefined;
    const results = [...shown].map(([key, { payload, answered, providerTime, complete }]) => {
      return [key, { payload: JSON.parse(payload), answered, providerTime, complete }] as const;
    });
    const { payloadVersion: version = 1 } = this.collector;
    const runStarted = this.#runStart === undefined ? 0 : Math.floor(this.#clock.toWall(this.#runStart));
    return { version, runStarted, poll: this.newest, results: Object.fromEntries(results) };
  }

  /**
   * Shows the saved results, and continues the schedule. Restore a collector before the collectors that use its list. `retryFailed`: makes
   * failed polls due, because the cause of a failure may be gone. Returns a reason for each result that was not restored.
   */
  restore({ version, results, runStarted, poll }: SavedCollector, retryFailed: boolean): readonly DropReason[] {
    const { items } = this;
    const entries = Object.entries(results);
    if (version !== (this.collector.payloadVersion ?? 1)) return entries.map(() => 'unknown');
    const { exclusion } = this.account;
    const saved = entries.map(([key]) => itemOf(this.collector, key)).filter((item) => item !== undefined);
    items.restore(saved.filter((item) => !exclusion.hasItem(item)));
    const dropped = entries.flatMap(([key, answer]) => this.#restoreResult(key, answer, runStarted) ?? []);
    const hasSucceeded = poll?.failures.length === 0;
    const hasResults = items.hasResult || (hasSucceeded && items.all.size === 0);
    // If the poll failed although every item has a result, the list or a part of a payload failed. Poll everything again.
    if (!hasSucceeded && items.due.length === 0) items.startRun();
    const now = Date.now();
    // If the clock was set back, saved times may be in the future.
    const { lastSuccess = Number.POSITIVE_INFINITY } = poll ?? {};
    this.newest = poll && {
      ...poll,
      ended: Math.min(poll.ended, now),
      lastSuccess: lastSuccess > now + futureTolerance ? undefined : Math.min(lastSuccess, now),
      succeeded: hasSucceeded && hasResults,
    };
    const hasFailed = poll !== undefined && !hasSucceeded;
    if (runStarted <= now && (hasResults || hasFailed)) {
      this.#runStart = this.#clock.now - (now - runStarted);
      this.#planRun(runStarted);
    }
    this.dueAt = this.#nextRun;
    // After a missing permission, the next poll is a complete run.
    const delay = hasFailed && !retryFailed ? Math.min(this.#retryDelay(poll), latestRetry) : 0;
    if (hasFailed || items.due.length > 0) this.pollWithin(delay, poll?.failures[0]?.reason === 'permission');
    return dropped;
  }

  #restoreResult(key: string, answer: Answer, runStarted: number): DropReason | undefined {
    const item = this.items.all.get(key);
    // Either the newest list lacks the item, or the key does not fit the collector.
    if (item === undefined) return itemOf(this.collector, key) === undefined ? 'unknown' : undefined;
    const age = Date.now() - answer.answered;
    try {
      // Check an expired list as well, because the guard compares the next list with it.
      item.guard?.check(answer.payload);
      if (age < -futureTolerance) return 'future';
      const left = this.maxAge - Math.max(0, age);
      for (const follower of this.followers) follower.updateItems(answer.payload, answer.complete);
      if (left <= 0) return 'expired';
      this.show(item, answer, left);
      item.isDue = answer.answered < runStarted;
      return undefined;
    } catch {
      return 'damaged';
    }
  }

  /**
   * Plans the next run. Without stretching, it is the first run of the schedule after the given time in Unix milliseconds. With stretching,
   * it starts one stretched interval after the start of the newest run.
   */
  #planRun(after: number): void {
    const { now } = this.#clock;
    const { next, interval } = this.#runAfter(after);
    this.#period = interval;
    const stretched = this.interval;
    this.#nextRun = stretched > interval ? (this.#runStart ?? now) + stretched : now + next - Date.now();
  }

  async #run(retryOnly: boolean, isTrial: boolean): Promise<void> {
    const started = this.#clock.now;
    this.dueAt = Number.POSITIVE_INFINITY;
    if (!retryOnly) {
      this.#runStart = started;
      this.items.startRun();
    }
    const poll = new Poll(this);
    await poll.run(isTrial);
    this.#running = undefined;
    if (this.account.signal.aborted) return;
    const { failures, calls } = poll;
    const previous = this.newest;
    const succeeded = failures.length === 0;
    const ended = Date.now();
    const newest: FinishedPoll = {
      ended,
      succeeded,
      seconds: (this.#clock.now - started) / 1000,
      calls,
      failures,
      accepted: succeeded && calls === 0 ? undefined : failures.every(({ accepted }) => accepted),
      failedPolls: succeeded ? 0 : (previous?.failedPolls ?? 0) + 1,
      lastSuccess: succeeded ? ended : previous?.lastSuccess,
      isFromEarlierProcess: false,
    };
    this.newest = newest;
    // Plan from the end of the run, because it may have taken longer than the interval.
    if (!retryOnly) this.#planRun(ended);
    // After a missing permission, the next poll is a complete run.
    const retry = this.#clock.now + this.#retryDelay(newest);
    if (failures[0]?.reason === 'permission') this.#nextRun = retry;
    this.dueAt = Math.min(this.#nextRun, retry);
    this.account.pollEnded(this, newest, previous);
  }

  /** Milliseconds until a retry; infinite after a success or bug. Usually doubles with each failure, up to the interval; varies by 25 %. */
  #retryDelay({ failures: [failure], failedPolls }: FinishedPoll): number {
    if (failure === undefined || failure.reason === 'bug') return Number.POSITIVE_INFINITY;
    if (failure.reason === 'permission') return permissionPause;
    const { session } = this.account;
    const untilAttempt =
      failure.reason === 'auth' ? session.gate.nextAttemptIn(this.account.secret() ?? '') : undefined;
    return untilAttempt ?? Math.min(firstDelay * 2 ** (failedPolls - 1), this.interval) * (0.75 + Math.random() / 2);
  }
}
