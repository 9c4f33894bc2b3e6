import type { Budget } from '../api/budget.ts';
import type { Collector } from '../collectors/collector.ts';
import type { AccountConfig, CollectorConfig } from '../config/config.ts';
import { formatDuration } from '../config/duration.ts';
import { type AccountState, accountFamilies } from '../exposition/account-metrics.ts';
import type { CallCounters } from '../exposition/call-counters.ts';
import type { Family } from '../exposition/family.ts';
import type { PageAccount } from '../exposition/page.ts';
import { ItemList } from './item-list.ts';
import { type PollContext, updateItems } from './poll.ts';
import { type CollectorStatus, type FinishedPoll, Poller, type PollerContext, type PollerTarget } from './poller.ts';

/** Share of the budget that scheduled runs may use; the rest is for retries. */
const usableShare = 0.9;

/** What an account is made of, apart from its pollers. */
export interface AccountParts extends Omit<PollContext, 'name' | 'signal'> {
  readonly config: AccountConfig;
  /** The enabled ones, in the order of the documentation. */
  readonly collectors: readonly Collector[];
  readonly budget: Budget;
  readonly calls: CallCounters;
  readonly thresholds: AccountState['thresholds'];
}

/** One account: its pollers, and what follows from their newest polls. */
export class Account implements PageAccount, PollerContext {
  readonly name: string;
  readonly client: PollerContext['client'];
  readonly scalars: PollerContext['scalars'];
  readonly store: PollerContext['store'];
  readonly log: PollerContext['log'];
  readonly signal: AbortSignal;
  readonly pollers: readonly Poller[];
  readonly #budget: Budget;
  readonly #calls: CallCounters;
  readonly #thresholds: AccountState['thresholds'];
  readonly #stop = new AbortController();
  #stretchIsReported = false;

  constructor({ config, collectors, client, budget, scalars, store, calls, thresholds, log }: AccountParts) {
    this.name = config.name;
    this.client = client;
    this.scalars = scalars;
    this.store = store;
    this.log = log;
    this.signal = this.#stop.signal;
    this.#budget = budget;
    this.#calls = calls;
    this.#thresholds = thresholds;
    this.pollers = collectors.flatMap((collector) => {
      const collectorConfig = config.collectors[collector.name];
      return collectorConfig === undefined ? [] : [this.#createPoller(collector, collectorConfig, collectors)];
    });
  }

  /** Whether the newest poll of the `account` collector, or of any where that is disabled, was accepted by the API. */
  get up(): boolean {
    const polls = (this.#accountPoller === undefined ? this.pollers : [this.#accountPoller])
      .map(({ newest }) => newest)
      .filter((poll) => poll !== undefined);
    const [first, ...others] = polls;
    if (first === undefined) return false;
    return others.reduce((newest, poll) => (poll.ended >= newest.ended ? poll : newest), first).accepted;
  }

  /** Whether at least one poll has ended, or there is none to wait for. */
  get polled(): boolean {
    return this.pollers.length === 0 || this.pollers.some(({ newest }) => newest !== undefined);
  }

  /** Calls per minute that the schedules require as far as the lists are known, and the budget. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    return { callsPerMinute: Number(callsPerMinute(this.pollers).toFixed(2)), budget: this.#budget.requestsPerMinute };
  }

  /** Factor by which the intervals of fan-outs are stretched to fit the budget. */
  get stretch(): number {
    const { requestsPerMinute } = this.#budget;
    const fanOuts = callsPerMinute(this.pollers.filter(({ items }) => items !== undefined));
    const lists = callsPerMinute(this.pollers.filter(({ items }) => items === undefined));
    const left = Math.max(requestsPerMinute * usableShare - lists, requestsPerMinute * (1 - usableShare));
    return Math.max(1, fanOuts / left);
  }

  status(): readonly CollectorStatus[] {
    return this.pollers.map((poller) => poller.status());
  }

  ownFamilies(): readonly Family[] {
    return accountFamilies({
      name: this.name,
      up: this.up,
      requestsPerMinute: this.#budget.requestsPerMinute,
      queueLength: this.#budget.queueLength,
      collectors: this.pollers.map((poller) => poller.state()),
      calls: this.#calls,
      thresholds: this.#thresholds,
    });
  }

  /** Polls everything once: the lists first, then the items on them. */
  async pollOnce(): Promise<void> {
    const waitsForList = ({ collector }: Poller) => collector.kind === 'fan-out' && collector.itemsFrom !== undefined;
    await Promise.all(this.pollers.filter((poller) => !waitsForList(poller)).map((poller) => poller.poll()));
    // Most were polled as soon as their list arrived; these either still are, or have no list.
    const others = this.pollers.filter((poller) => waitsForList(poller) && poller.newest === undefined);
    await Promise.all(others.map((poller) => poller.poll({ retryOnly: poller.hasRun })));
  }

  /** Polls everything once, then logs what the schedules require. */
  async start(): Promise<void> {
    await this.pollOnce();
    if (this.signal.aborted) return;
    const { callsPerMinute, budget } = this.load;
    const intervals = this.pollers.map(({ collector, interval }) => `${collector.name} ${formatDuration(interval)}`);
    const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, intervals: intervals.join(', ') };
    if (callsPerMinute > budget && this.stretch === 1) {
      this.log.warn(
        fields,
        'account polled for the first time, but its schedules require more calls than the budget allows',
      );
    } else {
      this.log.info(fields, 'account polled for the first time');
    }
  }

  /** Retries pollers that failed to connect or to authenticate. */
  catchUp(): void {
    for (const poller of this.pollers) if (poller.newest?.accepted === false) void poller.poll({ retryOnly: true });
  }

  /** Ends all polls and aborts their calls. */
  stop(): void {
    this.#stop.abort();
    this.#budget.close();
  }

  get #accountPoller(): Poller | undefined {
    return this.pollers.find(({ collector }) => collector.name === 'account');
  }

  #createPoller(collector: Collector, config: CollectorConfig, enabled: readonly Collector[]): Poller {
    const poller: Poller = new Poller(this, createTarget(collector, config, enabled), config, (poll, previous) =>
      this.#onPoll(poller, poll, previous),
    );
    return poller;
  }

  #onPoll(poller: Poller, poll: FinishedPoll, previous: FinishedPoll | undefined): void {
    if (poll.list !== undefined) this.#updateItems(poller.collector, poll.list);
    this.#reportStretch();
    if (poller === this.#accountPoller && poll.accepted) this.#recover(previous?.accepted === false);
  }

  /** Polls the items that a newer list adds. */
  #updateItems(source: Collector, list: unknown): void {
    const updated = this.pollers.flatMap((poller) => {
      const { collector, items } = poller;
      if (collector.kind !== 'fan-out' || collector.itemsFrom !== source || items === undefined) return [];
      return [{ poller, added: updateItems(this, collector, items, list) }];
    });
    for (const { poller, added } of updated) {
      if (!poller.hasRun || added > 0) void poller.poll({ retryOnly: poller.hasRun });
    }
  }

  /** The API accepts calls again: retries what it rejected, or everything that failed during an outage. */
  #recover(wasDown: boolean): void {
    if (wasDown) {
      this.catchUp();
    } else {
      const rejected = this.pollers.filter(({ newest }) => newest?.decisive?.reason === 'auth');
      for (const poller of rejected) void poller.poll({ retryOnly: true });
    }
  }

  #reportStretch(): void {
    const isStretched = this.stretch > 1;
    if (isStretched && !this.#stretchIsReported) {
      const fields = { account: this.name, ...this.load, factor: Number(this.stretch.toFixed(2)) };
      this.log.warn(fields, 'the schedules require more calls than the budget allows, stretching intervals');
    }
    this.#stretchIsReported = isStretched;
  }
}

function createTarget(
  collector: Collector,
  { maxSeries }: CollectorConfig,
  enabled: readonly Collector[],
): PollerTarget {
  if (collector.kind === 'list') return { collector };
  const { itemsFrom } = collector;
  const fetchesList = itemsFrom !== undefined && !enabled.includes(itemsFrom);
  return { collector, items: new ItemList(collector, maxSeries, fetchesList) };
}

function callsPerMinute(pollers: readonly Poller[]): number {
  return pollers.reduce((sum, poller) => sum + poller.callsPerMinute, 0);
}
