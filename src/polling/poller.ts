import { type Method, sectionOf } from '../api/method.ts';
import type { Collector, FanOutCollector, ListCollector } from '../collectors/collector.ts';
import type { CollectorConfig } from '../config/config.ts';
import type { CollectorState } from '../exposition/account-metrics.ts';
import { permissionPause, retryDelay } from './back-off.ts';
import type { PollFailure } from './failure-tracker.ts';
import { maxAgeOf } from './freshness.ts';
import type { ItemList } from './item-list.ts';
import type { ListGuard } from './list-guard.ts';
import { type PollContext, type PollLimits, type PollOutcome, pollFanOut, pollList } from './poll.ts';
import { PollHistory, type RecentPoll } from './poll-history.ts';
import { Schedule } from './schedule.ts';
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
  /** Whether the API answered every call and accepted the credentials. */
  readonly accepted: boolean;
  /** Failed polls in a row, this one included. */
  readonly failedPolls: number;
  readonly lastSuccess: number | undefined;
}

type State =
  | { readonly is: 'idle' }
  | { readonly is: 'polling'; readonly retryOnly: boolean; readonly end: Promise<void> }
  | { readonly is: 'backing off'; readonly retry: WallClockTimer }
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

  /** API calls that the schedule alone requires. */
  get callsPerMinute(): number {
    return ((this.items?.calls ?? 1) * 60_000) / this.#schedule.interval(Date.now());
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
      droppedSeries: this.items?.droppedSeries ?? newest?.droppedSeries ?? 0,
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
    const limits: PollLimits = {
      maxAge: () => maxAgeOf(this.interval, this.#config.maxAge),
      maxSeries: this.#config.maxSeries,
    };
    const target = this.#target;
    if (!('items' in target)) return pollList(this.#account, target.collector, target.guard, limits);
    if (!retryOnly) target.items.startRun();
    return pollFanOut(this.#account, target.collector, target.items, limits);
  }

  #stateAfter({ decisive, failedPolls, ended }: FinishedPoll): State {
    if (decisive === undefined || decisive.reason === 'bug') return { is: 'idle' };
    const delay = retryDelay(failedPolls, this.interval, decisive.reason);
    if (delay === undefined) return { is: 'idle' };
    if (decisive.reason !== 'permission') {
      return { is: 'backing off', retry: new WallClockTimer(ended + delay, () => void this.#start(true)) };
    }
    // A complete run, because runs that were due during the pause did nothing.
    const retry = new WallClockTimer(ended + delay, () => void this.#start(false));
    return { is: 'refused', until: ended + permissionPause, retry };
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
    accepted: outcome.failures.every(({ accepted }) => accepted),
    failedPolls: succeeded ? 0 : (previous?.failedPolls ?? 0) + 1,
    lastSuccess: succeeded ? ended : previous?.lastSuccess,
  };
}
