import type { FastifyInstance } from 'fastify';
import type { Dispatcher } from './api/transport.ts';
import { createDispatcher } from './api/transport.ts';
import { collectors } from './collectors/list.ts';
import type { Config } from './config/config.ts';
import type { AccountStore } from './exposition/account-store.ts';
import { Page } from './exposition/page.ts';
import { type Build, ProcessMetrics } from './exposition/process-metrics.ts';
import type { Log } from './log.ts';
import { AccountWatch } from './polling/account-watch.ts';
import { Scheduler } from './polling/scheduler.ts';
import { createWebServer } from './web/server.ts';

/** The exporter, put together from top to bottom in the order in which data flows. */
export interface App {
  readonly web: FastifyInstance;
  readonly page: Page;
  readonly watches: readonly AccountWatch[];
  /** Starts to poll: everything at once, and then by schedule. */
  start(): void;
  /** Stops to be ready, aborts the calls under way, and lets the scrapes under way end. */
  stop(): Promise<void>;
}

export function createApp(config: Config, build: Build, log: Log): App {
  const processMetrics = new ProcessMetrics(build);
  const dispatchers = new Map<string | undefined, Dispatcher>();
  const watches = config.accounts.map((account) => {
    const { caFile } = account.api;
    const dispatcher = dispatchers.get(caFile) ?? createDispatcher(caFile);
    dispatchers.set(caFile, dispatcher);
    return new AccountWatch(account, { collectors, dispatcher, processMetrics, log });
  });
  const stores = new Map<string, AccountStore>(watches.map(({ name, store }) => [name, store]));
  const page = new Page(collectors, stores, processMetrics);
  const scheduler = new Scheduler();
  let stopping = false;

  const web = createWebServer(config.web.telemetryPath, {
    page,
    accountNames: () => new Set(stores.keys()),
    collectorNames: new Set(collectors.map(({ name }) => name)),
    notReady: () => {
      if (stopping) return 'stopping';
      return watches.every(({ polled }) => polled) ? undefined : 'the first poll has not ended';
    },
    alive: () => scheduler.alive,
    landingPage: () => ({
      version: build.version,
      telemetryPath: config.web.telemetryPath,
      now: Date.now(),
      accounts: watches.map((watch) => ({ name: watch.name, collectors: watch.status() })),
    }),
  });

  return {
    web,
    page,
    watches,
    start: () => scheduler.start(watches),
    stop: async () => {
      stopping = true;
      scheduler.stop();
      for (const watch of watches) watch.stop();
      await web.close();
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
