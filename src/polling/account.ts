import { sectionOf } from '../api/method.ts';
import type { ApiSession } from '../api/session.ts';
import type { Collector } from '../collectors/collector.ts';
import type { AccountConfig, CollectorConfig } from '../config/config.ts';
import { formatDuration } from '../config/duration.ts';
import { type AccountState, accountFamilies } from '../exposition/account-metrics.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Family } from '../exposition/family.ts';
import type { PageAccount } from '../exposition/page.ts';
import { ItemList, type ReceivedList } from './item-list.ts';
import { ListGuard } from './list-guard.ts';
import { type PollContext, updateItems } from './poll.ts';
import { type CollectorStatus, type FinishedPoll, Poller, type PollerTarget } from './poller.ts';
import { readTimeOf } from './read-time.ts';
import { itemOf } from './restore.ts';
import type { AccountSnapshot, DropReason, RestoreReport } from './snapshot.ts';
import { WallClockTimer } from './wall-clock-timer.ts';

/** Milliseconds after which a call tells whether the account is up, if only an earlier process knows. */
const confirmDelay = 60_000;

/** Share of the budget that scheduled runs may use; the rest is for retries. */
const usableShare = 0.9;

/** What an account is made of, apart from its pollers. */
export interface AccountParts extends Omit<PollContext, 'name' | 'server' | 'signal' | 'readTime'> {
  readonly config: AccountConfig;
  /** The enabled ones, in the order of the documentation. */
  readonly collectors: readonly Collector[];
  readonly session: ApiSession;
  readonly thresholds: AccountState['thresholds'];
  /** Called with the duration of each poll. */
  readonly observePoll: (collector: string, seconds: number) => void;
}

/** One account: its pollers, and what follows from their newest polls. */
export class Account implements PageAccount {
  readonly name: string;
  readonly pollers: readonly Poller[];
  readonly #parts: AccountParts;
  #thresholds: AccountState['thresholds'];
  #labels: AccountState['labels'];
  readonly #context: PollContext;
  readonly #stop = new AbortController();
  #stretchIsReported = false;
  /** Set while the API rejects the credentials. */
  #probe: WallClockTimer | undefined;
  #probes = 0;
  #confirm: WallClockTimer | undefined;

  constructor(parts: AccountParts) {
    const { config, collectors, session } = parts;
    this.name = config.name;
    this.#parts = parts;
    this.#thresholds = parts.thresholds;
    this.#labels = config.labels;
    const server = new URL(config.api.baseUrl).origin;
    const readTime = () => readTimeOf(session, config.api);
    this.#context = { ...parts, name: config.name, server, signal: this.#stop.signal, readTime };
    this.pollers = collectors.flatMap((collector) => {
      const collectorConfig = config.collectors[collector.name];
      return collectorConfig === undefined ? [] : [this.#createPoller(collector, collectorConfig)];
    });
  }

  get store(): AccountStore {
    return this.#parts.store;
  }

  /** Differs from an earlier value when `ownFamilies` may return something else. */
  get revision(): string {
    const { queueLength, requestsPerMinute } = this.#parts.session.budget;
    return `${this.store.revision} ${queueLength} ${requestsPerMinute}`;
  }

  /**
   * Whether the API accepted the newest poll of the `account` collector, or of any collector if that one is disabled. Unknown
   * while only an earlier process polled it, if that poll was accepted. A fan-out without items tells nothing.
   */
  get up(): boolean | undefined {
    const sources = this.#accountPoller === undefined ? this.pollers : [this.#accountPoller];
    const polls = sources.flatMap(({ newest }) => (newest?.accepted === undefined ? [] : [newest]));
    const newest = polls.toSorted((a, b) => a.ended - b.ended).at(-1);
    if (newest?.isFromEarlierProcess === true && newest.accepted) return undefined;
    return newest?.accepted ?? false;
  }

  /** The alert thresholds that the configuration overrides. */
  get thresholds(): AccountState['thresholds'] {
    return this.#thresholds;
  }

  /** Whether at least one poll has ended, or there is none to wait for because everything is fresh. */
  get polled(): boolean {
    return (
      this.pollers.some(({ newest }) => newest?.isFromEarlierProcess === false) ||
      this.pollers.every((poller) => poller.newest !== undefined && !poller.isDue)
    );
  }

  /** Calls per minute that the schedules require as far as the lists are known, and the budget. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    return {
      callsPerMinute: Number(callsPerMinute(this.pollers).toFixed(2)),
      budget: this.#parts.session.budget.requestsPerMinute,
    };
  }

  /** API calls that wait for the budget. */
  get queueLength(): number {
    return this.#parts.session.budget.queueLength;
  }

  /** Milliseconds that the API still asked to pause; 0 without a pause. */
  get pauseRemaining(): number {
    return this.#parts.session.budget.pauseRemaining;
  }

  /** Factor by which the intervals of fan-outs are stretched to fit the budget. */
  get stretch(): number {
    const { requestsPerMinute } = this.#parts.session.budget;
    const fanOuts = callsPerMinute(this.pollers.filter(({ items }) => items !== undefined));
    const lists = callsPerMinute(this.pollers.filter(({ items }) => items === undefined));
    const left = Math.max(requestsPerMinute * usableShare - lists, requestsPerMinute * (1 - usableShare));
    return Math.max(1, fanOuts / left);
  }

  status(): readonly CollectorStatus[] {
    return this.pollers.map((poller) => poller.status());
  }

  ownFamilies(): readonly Family[] {
    const { name, up } = this;
    const { session, calls } = this.#parts;
    const thresholds = this.#thresholds;
    const labels = this.#labels;
    const { requestsPerMinute, queueLength } = session.budget;
    const { series } = this.store;
    const collectors = this.pollers.map((poller) => poller.state());
    return accountFamilies({ name, up, requestsPerMinute, queueLength, series, collectors, calls, thresholds, labels });
  }

  /** Polls everything once: the lists first, then the items on them. */
  async pollOnce(): Promise<void> {
    await Promise.all(this.pollers.filter((poller) => !waitsForList(poller)).map((poller) => poller.poll()));
    // Most have been polled by now, because they start when their list arrives. The rest is in progress or has no list.
    const others = this.pollers.filter((poller) => waitsForList(poller) && poller.newest === undefined);
    await Promise.all(others.map((poller) => poller.poll({ retryOnly: poller.hasRun })));
  }

  /** What must outlive this account, in a reload or a restart. */
  snapshot(): AccountSnapshot {
    const collectors = this.pollers.flatMap((poller) => {
      const snapshot = poller.snapshot();
      return snapshot === undefined ? [] : [[poller.collector.name, snapshot] as const];
    });
    return { collectors: new Map(collectors) };
  }

  /**
   * Continues where another account stopped, before `start`: shows its figures for the rest of their `max_age`, and polls each
   * collector at its time. Yields the cost of each payload, in series, so that the caller may let other work continue.
   */
  *restore(
    { collectors }: AccountSnapshot,
    { retryFailed }: { readonly retryFailed: boolean },
  ): Generator<number, RestoreReport> {
    const { store } = this.#parts;
    store.defersEncoding = true;
    let series = 0;
    const dropped: Partial<Record<DropReason, number>> = {};
    const drop = (reason: DropReason, count: number) => {
      dropped[reason] = (dropped[reason] ?? 0) + count;
    };
    const known = new Set(this.pollers.map(({ collector }) => collector.name));
    for (const [name, { payloads }] of collectors) if (!known.has(name)) drop('unknown', payloads.size);
    const { settlingTime } = this.#parts.config.api;
    const fanOuts = this.pollers.filter(({ items }) => items !== undefined);
    for (const { collector, items } of fanOuts) {
      const keys = [...(collectors.get(collector.name)?.payloads.keys() ?? [])];
      if (collector.kind === 'fan-out')
        items?.restore(keys.map((key) => itemOf(collector, key)).filter((item) => item !== undefined));
    }
    for (const poller of [...this.pollers.filter(({ items }) => items === undefined), ...fanOuts]) {
      const snapshot = collectors.get(poller.collector.name);
      if (snapshot === undefined) continue;
      for (const outcome of poller.restore(snapshot, { retryFailed, settlingTime })) {
        if ('dropped' in outcome) drop(outcome.dropped, 1);
        else series += outcome.series;
        yield 'series' in outcome ? outcome.series + 1 : 1;
      }
    }
    store.defersEncoding = false;
    return { series, dropped };
  }

  /** Polls what is due: everything, unless figures were restored. Then logs what the schedules require. */
  async start(): Promise<void> {
    if (this.up === undefined) this.#confirm = new WallClockTimer(Date.now() + confirmDelay, () => this.#confirmUp());
    await this.#pollDue();
    if (this.#stop.signal.aborted) return;
    const { callsPerMinute, budget } = this.load;
    const intervals = this.pollers.map(({ collector, interval }) => `${collector.name} ${formatDuration(interval)}`);
    const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, intervals: intervals.join(', ') };
    if (callsPerMinute > budget && this.stretch === 1) {
      this.#parts.log.warn(
        fields,
        'account polled for the first time, but its schedules require more calls than the budget allows',
      );
    } else {
      this.#parts.log.debug(fields, 'account polled for the first time');
    }
  }

  /** Replaces the own labels of the configuration. */
  setLabels(labels: AccountState['labels']): void {
    this.#labels = labels;
    this.store.touch();
  }

  /** Replaces the alert thresholds that the configuration overrides. */
  setThresholds(thresholds: AccountState['thresholds']): void {
    this.#thresholds = thresholds;
    this.store.touch();
  }

  /** Retries what a new secret or new certificate authorities may change: rejected calls and missing permissions. */
  retryUnaccepted(): void {
    for (const poller of this.pollers) {
      if (poller.isRefused) void poller.pollRefused();
      else if (poller.newest?.accepted === false) void poller.poll({ retryOnly: true });
    }
  }

  /** Ends all polls and aborts their calls. */
  stop(): void {
    this.#stop.abort();
    this.#probe?.stop();
    this.#confirm?.stop();
    this.#parts.failureLog.forget(this.name);
  }

  /** Like `pollOnce`, without the collectors whose restored figures are fresh. */
  async #pollDue(): Promise<void> {
    await Promise.all(
      this.pollers.filter((poller) => !waitsForList(poller) && poller.isDue).map((poller) => poller.poll()),
    );
    const others = this.pollers.filter((poller) => poller.isDue || poller.hasDueItems);
    await Promise.all(others.map((poller) => poller.poll({ retryOnly: !poller.isDue })));
  }

  /** Alerts need hosting_up within five minutes, and the interval may be longer. A crash loop does not get here. */
  #confirmUp(): void {
    const lists = this.pollers.filter(({ items }) => items === undefined);
    const poller = this.#accountPoller ?? lists[0] ?? this.pollers[0];
    if (this.up === undefined) void poller?.poll();
  }

  get #accountPoller(): Poller | undefined {
    return this.pollers.find(({ collector }) => collector.name === 'account');
  }

  #createPoller(collector: Collector, config: CollectorConfig): Poller {
    const target = createTarget(collector, config, this.#parts.collectors);
    const poller: Poller = new Poller(this.#context, target, config, {
      stretch: () => (collector.kind === 'list' ? 1 : this.stretch),
      onPoll: (newest, previous) => this.#onPoll(poller, newest, previous),
      onRestoredList: (list) => this.#restoreItems(collector, list),
    });
    return poller;
  }

  #onPoll(poller: Poller, poll: FinishedPoll, previous: FinishedPoll | undefined): void {
    this.#parts.observePoll(poller.collector.name, poll.seconds);
    if (poll.list !== undefined) this.#updateItems(poller.collector, poll.list);
    this.#reportStretch();
    if (poll.decisive?.reason === 'auth') this.#scheduleProbe();
    else if (poll.accepted === true) this.#recover(poller === this.#accountPoller && previous?.accepted === false);
  }

  #restoreItems(source: Collector, list: ReceivedList): void {
    for (const { items } of this.#followersOf(source)) items.update(list);
  }

  /** The fan-outs whose items are on the list of this collector. */
  #followersOf(source: Collector) {
    return this.pollers.flatMap((poller) => {
      const { collector, items } = poller;
      if (collector.kind !== 'fan-out' || collector.itemsFrom !== source || items === undefined) return [];
      return [{ poller, collector, items }];
    });
  }

  /** Polls the items that a newer list adds. */
  #updateItems(source: Collector, list: ReceivedList): void {
    const updated = this.#followersOf(source).map(({ poller, collector, items }) => ({
      poller,
      added: updateItems(this.#context, collector, items, list),
    }));
    for (const { poller, added } of updated) {
      if (!poller.hasRun || added > 0) void poller.poll({ retryOnly: poller.hasRun });
    }
  }

  /**
   * Polls one collector when the gate of the session lets the next attempt pass. Each attempt asks another section, because
   * the API may reject a section without permission as if the credentials were wrong.
   */
  #scheduleProbe(): void {
    const { session } = this.#parts;
    const wait = session.gate.nextAttemptIn;
    if (wait === undefined || this.#probe?.isPending === true) return;
    this.#probe = new WallClockTimer(Date.now() + wait, () => {
      this.#probes += 1;
      const pollers = onePerSection(this.pollers);
      void pollers[(this.#probes - 1) % pollers.length]?.poll();
    });
  }

  /** The API accepts calls: retries what it rejected, or everything that failed during an outage. */
  #recover(wasDown: boolean): void {
    const failed = this.pollers.filter(({ newest }) =>
      wasDown ? newest?.accepted === false : newest?.decisive?.reason === 'auth',
    );
    for (const poller of failed) void poller.poll({ retryOnly: true });
    this.#probe?.stop();
  }

  #reportStretch(): void {
    const isStretched = this.stretch > 1;
    if (isStretched && !this.#stretchIsReported) {
      const { callsPerMinute, budget } = this.load;
      const factor = Number(this.stretch.toFixed(2));
      const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, factor };
      this.#parts.log.warn(fields, 'the schedules require more calls than the budget allows, stretching intervals');
    }
    this.#stretchIsReported = isStretched;
  }
}

/** Whether another collector provides the list of items. */
function waitsForList({ collector }: Poller): boolean {
  return collector.kind === 'fan-out' && collector.itemsFrom !== undefined;
}

/** The pollers for attempts, each of another section; a list collector makes only one call. */
function onePerSection(pollers: readonly Poller[]): readonly Poller[] {
  const permitted = pollers.filter((poller) => !poller.isRefused);
  const lists = permitted.filter(({ items }) => items === undefined);
  const candidates = lists.length > 0 ? lists : permitted;
  const bySection = new Map(candidates.map((poller) => [sectionOf(poller.collector.methods[0]), poller]));
  return [...bySection.values()].reverse();
}

function createTarget(
  collector: Collector,
  { maxSeries }: CollectorConfig,
  enabled: readonly Collector[],
): PollerTarget {
  if (collector.kind === 'list') return { collector, guard: new ListGuard() };
  const { itemsFrom } = collector;
  const fetchesList = itemsFrom !== undefined && !enabled.includes(itemsFrom);
  return { collector, items: new ItemList(collector, maxSeries, fetchesList) };
}

function callsPerMinute(pollers: readonly Poller[]): number {
  return pollers.reduce((sum, poller) => sum + poller.callsPerMinute, 0);
}
