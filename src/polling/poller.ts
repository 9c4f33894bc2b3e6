import type { Method } from '../api/method.ts';
import type { Collector } from '../collectors/collector.ts';
import type { CollectorConfig } from '../config/config.ts';
import { permissionPause, retryDelay } from './back-off.ts';
import { maxAgeOf } from './freshness.ts';
import { Poll, type PolledAccount, type PollFailure } from './poll.ts';
import { Turns } from './schedule.ts';
import { Stopwatch } from './stopwatch.ts';
import type { Scope, Work } from './work.ts';

/** What is known of the polls of one collector, for people. Times in unix milliseconds. */
export interface CollectorStatus {
  readonly collector: string;
  readonly methods: readonly Method[];
  readonly interval: number;
  readonly polling: boolean;
  readonly lastSuccess: number | undefined;
  readonly nextTurn: number | undefined;
  /** Why the newest poll failed; undefined where it did not. */
  readonly failure: PollFailure | undefined;
}

/**
 * The polls of one collector of one account: never two at once, tried again with growing delay after a failure, and
 * told of in the metrics and the log.
 */
export class Poller {
  readonly collector: Collector;
  readonly #turns: Turns;
  readonly #account: PolledAccount;
  readonly #config: CollectorConfig;
  readonly #work: Work;
  readonly #onEnd: (failures: readonly PollFailure[]) => void;
  #stretch = 1;
  #dropped = 0;
  #running: { readonly scope: Scope; readonly end: Promise<void> } | undefined;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  /** Of the newest poll of everything. */
  #sinceStart: Stopwatch | undefined;
  #lastEnd = 0;
  #lastSuccess: number | undefined;
  #failure: PollFailure | undefined;

  /** `onEnd` is told how each poll went. */
  constructor(
    account: PolledAccount,
    collector: Collector,
    config: CollectorConfig,
    work: Work,
    onEnd: (failures: readonly PollFailure[]) => void,
  ) {
    this.#account = account;
    this.collector = collector;
    this.#config = config;
    this.#work = work;
    this.#onEnd = onEnd;
    this.#turns = new Turns(config.schedule, `${account.name} ${collector.name}`);
    account.store.metrics.declare(collector.name, collector.methods, this.interval / 1000);
    account.signal.addEventListener('abort', () => clearTimeout(this.#retry), { once: true });
  }

  /**
   * Polls, unless a poll is under way: then that one's end is awaited. After a refusal by permission turns pass without
   * a call until the pause is over.
   */
  async turn(scope: Scope = 'all'): Promise<void> {
    if (this.#isPaused) return;
    const running = this.#running;
    if (running !== undefined) await running.end;
    if (running === undefined || (scope === 'all' && running.scope === 'missing')) await this.#run(scope);
  }

  /** Polls out of turn where the newest poll found no API that answers and lets it in. */
  async catchUp(): Promise<void> {
    if (this.#failure?.accepted === false) await this.turn('missing');
  }

  /** Whether the newest poll was refused for its credentials. */
  get refused(): boolean {
    return this.#failure?.reason === 'auth';
  }

  get polled(): boolean {
    return this.#lastEnd > 0;
  }

  /** What the schedule alone would ask of the budget. */
  get callsPerMinute(): number {
    return (this.#work.calls * 60_000) / this.#turns.interval(Date.now());
  }

  /** Makes the interval so many times as long, so that the polls fit the budget; 1 is as configured. */
  stretch(factor: number): void {
    this.#stretch = factor;
    this.#account.store.metrics.setInterval(this.collector.name, this.interval / 1000);
  }

  /** Milliseconds between two turns, as the schedule and the budget have it. */
  get interval(): number {
    return this.#turns.interval(Date.now()) * this.#stretch;
  }

  /**
   * When to look whether it is its turn, in unix milliseconds: a stretch may be over before the turn that it puts off.
   * Undefined where the schedule has no more turns.
   */
  nextLook(): number | undefined {
    const turn = this.#turns.next(Date.now());
    return turn === undefined ? undefined : Math.min(turn, this.#nextTurn() ?? turn);
  }

  #nextTurn(): number | undefined {
    const now = Date.now();
    return this.#stretch === 1 ? this.#turns.next(now) : now + Math.max(this.#untilStretchedTurn, 1000);
  }

  /** Milliseconds; negative where it is due. */
  get #untilStretchedTurn(): number {
    return this.#sinceStart === undefined ? 0 : this.interval - this.#sinceStart.elapsed;
  }

  /** A refusal by permission is asked about again by its retry alone. */
  get #isPaused(): boolean {
    return this.#failure?.reason === 'permission';
  }

  /** A turn of the schedule; it passes where the interval has been stretched since it was set. */
  async scheduledTurn(): Promise<void> {
    if (this.#stretch === 1 || this.#untilStretchedTurn <= 0) await this.turn();
  }

  status(): CollectorStatus {
    return {
      collector: this.collector.name,
      methods: this.collector.methods,
      interval: this.interval,
      polling: this.#running !== undefined,
      lastSuccess: this.#lastSuccess,
      nextTurn: this.#isPaused ? this.#lastEnd + permissionPause : this.#nextTurn(),
      failure: this.#failure,
    };
  }

  /** Says how many series the cap leaves out now: of a fan-out that is known long before its poll ends. */
  reportDropped(): void {
    const { log, name: account, store } = this.#account;
    const { dropped } = this.#work;
    const fields = { account, collector: this.collector.name, dropped, max_series: this.#config.maxSeries };
    if (dropped > 0 && this.#dropped === 0)
      log.warn(fields, 'more series than max_series allows; those that matter most are kept');
    this.#dropped = dropped;
    store.metrics.setDropped(this.collector.name, dropped);
  }

  async #run(scope: Scope): Promise<void> {
    if (this.#running !== undefined) return this.#running.end;
    const end = this.#poll(scope);
    this.#running = { scope, end };
    await end;
    this.#running = undefined;
  }

  async #poll(scope: Scope): Promise<void> {
    clearTimeout(this.#retry);
    if (scope === 'all') this.#sinceStart = new Stopwatch();
    const started = performance.now();
    const poll = new Poll(this.#account, this.collector, {
      maxAge: () => maxAgeOf(this.interval, this.#config.maxAge),
      maxSeries: this.#config.maxSeries,
    });
    await poll.attempt((attempt) => this.#work.run(poll, scope, attempt));
    if (this.#account.signal.aborted) return;
    this.reportDropped();
    this.#conclude(poll, (performance.now() - started) / 1000);
    this.#scheduleRetry();
  }

  #conclude({ failures, failure }: Poll, seconds: number): void {
    const former = this.#failure;
    const ended = Date.now();
    const success = failures.length === 0;
    this.#failure = failure;
    this.#attempts = success ? 0 : this.#attempts + 1;
    this.#lastEnd = ended;
    if (success) this.#lastSuccess = ended;
    const { metrics } = this.#account.store;
    metrics.setOutcome(this.collector.name, { success, seconds, ended });
    metrics.setInterval(this.collector.name, this.interval / 1000);
    this.#onEnd(failures);
    this.#report(former, failures.length, seconds);
  }

  /** A change is worth a line at warn or info; more of the same is for debugging. */
  #report(former: PollFailure | undefined, failures: number, seconds: number): void {
    const { log, name: account } = this.#account;
    const fields = { account, collector: this.collector.name, seconds: Number(seconds.toFixed(3)) };
    const now = this.#failure;
    if (now === undefined) {
      if (former === undefined) log.debug(fields, 'polled');
      else log.info(fields, 'polling works again');
      return;
    }
    const details = { ...fields, reason: now.reason, failures, error: now.message };
    if (former?.reason === now.reason) log.debug(details, 'polling still fails');
    else log.warn(details, 'polling failed');
  }

  #scheduleRetry(): void {
    const reason = this.#failure?.reason;
    if (reason === undefined || reason === 'bug') return;
    const delay = retryDelay(this.#attempts, this.interval, reason);
    if (delay === undefined) return;
    // Turns that passed in a pause are made up for.
    const scope = this.#isPaused ? 'all' : 'missing';
    this.#retry = setTimeout(() => void this.#run(scope), delay);
  }
}
