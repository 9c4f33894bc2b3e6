import { Budget } from '../api/budget.ts';
import { ApiClient } from '../api/client.ts';
import type { Dispatcher } from '../api/transport.ts';
import type { Collector } from '../collectors/collector.ts';
import type { AccountConfig } from '../config/config.ts';
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

/** One account under watch: its budget, its pollers, and what they left. */
export class AccountWatch {
  readonly name: string;
  readonly store: AccountStore;
  readonly pollers: readonly Poller[];
  readonly #stop = new AbortController();
  readonly #budget: Budget;

  constructor(config: AccountConfig, { collectors, dispatcher, processMetrics, log }: Surroundings) {
    const { name, api, credentials } = config;
    const store = new AccountStore(name, api.requestsPerMinute);
    const { metrics } = store;
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
    const account = { name, client, scalars: scalarsFor(api), store, log, signal: this.#stop.signal };
    this.pollers = makePollers(account, config, collectors);
  }

  /** Whether at least one poll has ended, well or not. */
  get polled(): boolean {
    return this.pollers.some((poller) => poller.polled);
  }

  /** Polls everything once: the account first, then the lists, then the items that they name. */
  async pollOnce(): Promise<void> {
    const follows = ({ collector }: Poller) => collector.kind === 'detail' && collector.follows !== undefined;
    const leaders = this.pollers.filter((poller) => !follows(poller));
    const followers = this.pollers.filter(follows);
    await Promise.all(leaders.map((poller) => poller.turn()));
    await Promise.all(followers.map((poller) => poller.turn('missing')));
  }

  status(): readonly CollectorStatus[] {
    return this.pollers.map((poller) => poller.status());
  }

  /** Ends all polls; calls under way are aborted. */
  stop(): void {
    this.#stop.abort();
    this.#budget.close();
  }
}

function makePollers(
  account: PolledAccount,
  config: AccountConfig,
  collectors: readonly Collector[],
): readonly Poller[] {
  const enabled = collectors.filter(({ name }) => config.collectors[name]?.enabled === true);
  const upFrom = enabled.some(({ name }) => name === 'account') ? 'account' : undefined;
  const pollers: Poller[] = [];
  const followers: { readonly follows: string | undefined; readonly work: DetailWork; readonly poller: Poller }[] = [];

  for (const collector of enabled) {
    const collectorConfig = config.collectors[collector.name];
    if (collectorConfig === undefined) continue;
    const onEnd = (failures: readonly PollFailure[]) => {
      const up = failures.every(({ accepted }) => accepted);
      if (upFrom === undefined || upFrom === collector.name) account.store.metrics.setUp(up);
    };
    if (collector.kind === 'list') {
      const onPayload = (payload: unknown) => {
        for (const { follows, work, poller } of followers) {
          if (follows === collector.name && work.follow(payload)) void poller.turn('missing');
        }
      };
      const work = new ListWork(account, collector, onPayload);
      pollers.push(new Poller(account, collector, collectorConfig, work, onEnd));
    } else {
      const work = new DetailWork(account, collector);
      const poller = new Poller(account, collector, collectorConfig, work, onEnd);
      pollers.push(poller);
      followers.push({ follows: collector.follows?.name, work, poller });
    }
  }
  return pollers;
}
