import type { FastifyInstance } from 'fastify';
import type { Family } from '../src/collectors/family.ts';
import { collectors } from '../src/collectors/list.ts';
import { accountFamilies, type ObservedAccount } from '../src/exposition/account-metrics.ts';
import { AccountStore } from '../src/exposition/account-store.ts';
import { CallCounters } from '../src/exposition/call-counters.ts';
import { Page, type PageAccount } from '../src/exposition/page.ts';
import { ProcessMetrics } from '../src/exposition/process-metrics.ts';
import { createWebServer } from '../src/web/server.ts';
import { metricsOnly } from '../test/fixtures/metrics-only.ts';
import { accountName, type Result } from './fleet.ts';

/** The part of the exporter that answers scrapes. It calls no API. */
export interface FleetExporter {
  readonly accounts: ReadonlyMap<string, FleetAccount>;
  readonly page: Page;
  readonly web: FastifyInstance;
}

/** Calls per minute of each account. */
export const budget = 30;

const hour = 3_600_000;

/** An account with generated results instead of polls. */
export class FleetAccount implements PageAccount {
  readonly name: string;
  readonly store: AccountStore;
  readonly #calls = new CallCounters();
  readonly #pollers: Map<string, ObservedAccount['pollers'][number]>;

  constructor(name: string, page: Page) {
    this.name = name;
    this.store = new AccountStore(page.index);
    const state = { newest: undefined, interval: hour, droppedSeries: 0, items: { refused: 0 } };
    this.#pollers = new Map(collectors.map((collector) => [collector.name, { collector, ...state }]));
  }

  get revision(): string {
    return String(this.store.revision);
  }

  ownFamilies(): readonly Family[] {
    const { name, store } = this;
    return accountFamilies({
      name,
      store,
      up: true,
      budget: { requestsPerMinute: budget, queueLength: 0 },
      pollers: [...this.#pollers.values()],
      calls: this.#calls,
      thresholds: [],
      labels: {},
    });
  }

  /** Publishes a result and updates the counters, as a poll does. */
  poll({ collector, item, families, payload }: Result): void {
    this.#calls.sent += 1;
    this.store.publish(collector, item, families, hour, payload);
    const chunks = this.store.index.of(collector);
    while (item === '' && chunks.refreshNext());
    void payload.compress();
    const poller = this.#pollers.get(collector);
    if (poller === undefined) return;
    this.#pollers.set(collector, { ...poller, newest: { succeeded: true, failures: [], lastSuccess: Date.now() } });
  }
}

/** Creates an exporter with accounts without results. `hasRuntime`: whether to export the metrics of Node.js. */
export function createFleetExporter(size: number, { hasRuntime } = { hasRuntime: true }): FleetExporter {
  const build = { version: '0', revision: 'bench', nodeVersion: process.version };
  const page = new Page(collectors, new ProcessMetrics(build, { hasRuntime }));
  const accounts = new Map<string, FleetAccount>();
  for (let index = 0; index < size; index += 1) {
    const account = new FleetAccount(accountName(index), page);
    page.add(account);
    accounts.set(account.name, account);
  }
  const web = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(page));
  return { accounts, page, web };
}
