import type { FastifyInstance } from 'fastify';
import { collectors } from '../src/collectors/list.ts';
import { AccountStore } from '../src/exposition/account-store.ts';
import { Page } from '../src/exposition/page.ts';
import { ProcessMetrics } from '../src/exposition/process-metrics.ts';
import { createWebServer } from '../src/web/server.ts';
import { accountName, type Result } from './fleet.ts';

/** The exporter from its stores to the wire; only the API is missing. */
export interface FleetExporter {
  readonly stores: ReadonlyMap<string, AccountStore>;
  readonly page: Page;
  readonly web: FastifyInstance;
}

/** Calls per minute of each account. */
export const budget = 30;

/** An exporter of accounts that have not been polled yet. */
export function createFleetExporter(accounts: number): FleetExporter {
  const stores = new Map<string, AccountStore>();
  for (let index = 0; index < accounts; index += 1) {
    const store = new AccountStore(accountName(index), budget);
    for (const { name, methods } of collectors) store.metrics.declare(name, methods, 3600);
    stores.set(store.account, store);
  }
  const build = { version: '0', revision: 'bench', nodeVersion: process.version };
  const page = new Page(collectors, stores, new ProcessMetrics(build));
  const web = createWebServer('/metrics', {
    page,
    notReady: () => undefined,
    alive: () => true,
    landingPage: () => ({ version: '0', telemetryPath: '/metrics', now: 0, accounts: [] }),
  });
  return { stores, page, web };
}

/** What a poll does to a store. */
export function poll(store: AccountStore, { collector, item, families }: Result): void {
  const method = collectors.find(({ name }) => name === collector)?.methods[0] ?? 'user/getAccountInfo';
  store.metrics.countRequest(method);
  store.publish(collector, item, families, Date.now() + 3_600_000);
  store.metrics.setOutcome(collector, { success: true, seconds: 0.2, ended: Date.now() });
}
