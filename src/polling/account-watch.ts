import { Budget } from '../api/budget.ts';
import { ApiClient } from '../api/client.ts';
import type { Dispatcher } from '../api/transport.ts';
import type { Collector } from '../collectors/collector.ts';
import { listAlertThresholds } from '../config/alert-thresholds.ts';
import type { AccountConfig, CollectorConfig } from '../config/config.ts';
import { formatDuration } from '../config/duration.ts';
import { AccountStore } from '../exposition/account-store.ts';
import type { ProcessMetrics } from '../exposition/process-metrics.ts';
import type { Log } from '../log.ts';
import { scalarsFor } from '../payloads/scalars.ts';
import type { PolledAccount, PollFailure } from './poll.ts';
import { type CollectorStatus, Poller } from './poller.ts';
import { DetailWork, ListWork } from './work.ts';

/** What all accounts share. */
export interface Surroundings {
  readonly collectors: readonly Collector[];
  readonly dispatcher: Dispatcher;
  readonly processMetrics: ProcessMetrics;
  readonly log: Log;
}

/** Share of the budget that turns may take; the rest is for what is tried again. */
const usableShare = 0.9;

/** One account under watch: its budget, its pollers, and what they left. */
export class AccountWatch {
  readonly name: string;
  readonly store: AccountStore;
  readonly pollers: readonly Poller[];
  readonly #account: PolledAccount;
  readonly #budget: Budget;
  readonly #stop = new AbortController();
  readonly #followers: { readonly follows: string | undefined; readonly work: DetailWork; readonly poller: Poller }[] =
    [];
  /** Names of the collectors that are polled. */
  readonly #enabled: ReadonlySet<string>;
  #stretch = 1;
  /** Undefined until the first poll that tells. */
  #up: boolean | undefined;

  constructor(config: AccountConfig, { collectors, dispatcher, processMetrics, log }: Surroundings) {
    const { name, api, credentials } = config;
    const store = new AccountStore(name, api.requestsPerMinute);
    const { metrics } = store;
    for (const { alert, severity, value } of listAlertThresholds(config.alerts)) {
      metrics.setAlertThreshold(alert, severity, value);
    }
    this.name = name;
    this.store = store;
    this.#budget = new Budget(api.requestsPerMinute, (waiting) => metrics.setQueueLength(waiting));
    const client = new ApiClient(api, credentials, dispatcher, this.#budget, {
      onStart: (method) => metrics.countRequest(method),
      onEnd: (method, seconds, error) => {
        processMetrics.observeRequest(method, seconds);
        if (error !== undefined) metrics.countFailure(method, error.reason);
        const fields = { account: name, method, seconds: Number(seconds.toFixed(3)), reason: error?.reason };
        log.debug(fields, 'called the API');
      },
    });
    this.#account = { name, client, scalars: scalarsFor(api), store, log, signal: this.#stop.signal };
    const enabled = collectors.filter((collector) => config.collectors[collector.name]?.enabled === true);
    this.#enabled = new Set(enabled.map((collector) => collector.name));
    const upFrom = enabled.find((collector) => collector.name === 'account');
    const onEndOf = (collector: Collector) => {
      if (upFrom === undefined) return this.#setUp;
      return upFrom === collector ? this.#setUpAndCatchUp : () => {};
    };
    this.pollers = enabled.flatMap((collector) => {
      const collectorConfig = config.collectors[collector.name];
      const onEnd = onEndOf(collector);
      return collectorConfig === undefined ? [] : [this.#makePoller(collector, collectorConfig, onEnd)];
    });
  }

  /** Whether at least one poll has ended, well or not, or there is none to wait for. */
  get polled(): boolean {
    return this.pollers.length === 0 || this.pollers.some((poller) => poller.polled);
  }

  /** Polls everything once: the account first, then the lists, then the items that they name. */
  async pollOnce(): Promise<void> {
    const follows = ({ collector }: Poller) => collector.kind === 'fan-out' && collector.itemsFrom !== undefined;
    const leaders = this.pollers.filter((poller) => !follows(poller));
    const followers = this.pollers.filter(follows);
    await Promise.all(leaders.map((poller) => poller.turn()));
    // Most of them were polled as soon as their list came.
    await Promise.all(followers.map((poller) => (poller.polled ? undefined : poller.turn('missing'))));
  }

  /** Polls everything once, and says what that showed of the account. */
  async start(): Promise<void> {
    await this.pollOnce();
    if (this.#stop.signal.aborted) return;
    const { callsPerMinute, budget } = this.load;
    const every = this.pollers.map(({ collector, interval }) => `${collector.name} ${formatDuration(interval)}`);
    const fields = { account: this.name, calls_per_minute: callsPerMinute, budget, every: every.join(', ') };
    if (callsPerMinute > budget && this.#stretch === 1) {
      this.#account.log.warn(fields, 'watching, but the schedules ask for more calls than the budget has');
    } else {
      this.#account.log.info(fields, 'watching');
    }
  }

  /** Calls a minute that the schedules ask for, as far as lists are known, and the budget that there is. */
  get load(): { readonly callsPerMinute: number; readonly budget: number } {
    const callsPerMinute = sum(this.pollers.map((poller) => poller.callsPerMinute));
    return { callsPerMinute: Number(callsPerMinute.toFixed(2)), budget: this.#budget.requestsPerMinute };
  }

  status(): readonly CollectorStatus[] {
    return this.pollers.map((poller) => poller.status());
  }

  /** Tries again at once what found no API that answers and lets it in. */
  catchUp(): void {
    for (const poller of this.pollers) void poller.catchUp();
  }

  /** Ends all polls; calls under way are aborted. */
  stop(): void {
    this.#stop.abort();
    this.#budget.close();
  }

  #makePoller(collector: Collector, config: CollectorConfig, onEnd: PollListener): Poller {
    if (collector.kind === 'list') {
      const work = new ListWork(this.#account, collector, (payload) => this.#onList(collector.name, payload));
      return new Poller(this.#account, collector, config, work, onEnd);
    }
    const listsItself = collector.itemsFrom !== undefined && !this.#enabled.has(collector.itemsFrom.name);
    const onItems = () => {
      this.#fitBudget();
      poller.reportDropped();
    };
    const work = new DetailWork(this.#account, collector, config.maxSeries, listsItself, onItems);
    const poller = new Poller(this.#account, collector, config, work, onEnd);
    this.#followers.push({ follows: collector.itemsFrom?.name, work, poller });
    return poller;
  }

  readonly #setUp = (failures: readonly PollFailure[]): void => {
    this.#up = failures.every(({ accepted }) => accepted);
    this.store.metrics.setUp(this.#up);
  };

  /**
   * Once the API answers again, nothing waits for a turn of its own that may be hours away; nor does what was refused
   * for its credentials between two polls of the account, once they are good.
   */
  readonly #setUpAndCatchUp = (failures: readonly PollFailure[]): void => {
    const wasDown = this.#up === false;
    this.#setUp(failures);
    if (!this.#up) return;
    for (const poller of this.pollers) if (wasDown || poller.refused) void poller.catchUp();
  };

  #onList(collector: string, payload: unknown): void {
    const followers = this.#followers.filter(({ follows }) => follows === collector);
    const scopes = followers.map(({ work }) => work.follow(payload));
    for (const [index, { poller }] of followers.entries()) {
      const scope = scopes[index];
      if (scope !== undefined) void poller.turn(scope);
    }
  }

  /** Stretches the intervals of the fan-outs evenly where they ask for more calls than the budget has. */
  #fitBudget(): void {
    const { requestsPerMinute } = this.#budget;
    const details = this.#followers.map(({ poller }) => poller);
    const asked = sum(details.map((poller) => poller.callsPerMinute));
    const others = this.load.callsPerMinute - asked;
    const left = Math.max(requestsPerMinute * usableShare - others, requestsPerMinute * (1 - usableShare));
    const stretch = Math.max(1, asked / left);
    if (stretch === this.#stretch) return;
    if (this.#stretch === 1) {
      const fields = { account: this.name, ...this.load, times: Number(stretch.toFixed(2)) };
      this.#account.log.warn(fields, 'the schedules ask for more calls than the budget has; intervals are stretched');
    }
    this.#stretch = stretch;
    for (const poller of details) poller.stretch(stretch);
  }
}

type PollListener = (failures: readonly PollFailure[]) => void;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
