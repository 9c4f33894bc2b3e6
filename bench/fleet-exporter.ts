import type { FastifyInstance } from 'fastify';
import { Connections } from '../src/api/connections.ts';
import { ApiSession } from '../src/api/session.ts';
import { collectors } from '../src/collectors/list.ts';
import { createLog } from '../src/log.ts';
import { Account } from '../src/polling/account.ts';
import { accountMetrics } from '../src/polling/account-metrics.ts';
import { FailureLog } from '../src/polling/failure-log.ts';
import { AccountStore } from '../src/store/account-store.ts';
import { Clock } from '../src/store/clock.ts';
import { Page } from '../src/store/page.ts';
import { ProcessMetrics } from '../src/store/process-metrics.ts';
import { createWebServer } from '../src/web/server.ts';
import { accountConfig } from '../test/fixtures/config.ts';
import { finishedPoll } from '../test/fixtures/finished-poll.ts';
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

const log = createLog({ level: 'error', format: 'logfmt' }, process.stderr);
const clock = new Clock();
const shared = { connections: new Connections(undefined), log, failureLog: new FailureLog(log) };

/** An account with generated results instead of polls. */
export class FleetAccount extends Account {
  constructor(name: string) {
    super(accountConfig({ name }), { ...shared, session: new ApiSession(budget), store: new AccountStore(clock) });
  }

  /** Shows a result and updates the counters, as a poll does. */
  poll({ collector, item, families, payload }: Result): void {
    const answered = Date.now();
    const expires = clock.now + hour;
    this.calls.sent += 1;
    this.store.set(collector, item, {
      ...{ families, payload, answered, providerTime: answered, complete: true, dropped: 0, expires },
    });
    const poller = this.pollers.find((candidate) => candidate.collector.name === collector);
    if (poller !== undefined) poller.newest = finishedPoll();
  }
}

/** Creates an exporter with accounts without results. `hasRuntime`: whether to export the metrics of Node.js. */
export function createFleetExporter(size: number, { hasRuntime } = { hasRuntime: true }): FleetExporter {
  const build = { version: '0', revision: 'bench', nodeVersion: process.version };
  const page = new Page(collectors, accountMetrics, new ProcessMetrics(build, { hasRuntime }));
  const accounts = new Map<string, FleetAccount>();
  for (let index = 0; index < size; index += 1) {
    const account = new FleetAccount(accountName(index));
    page.add(account);
    accounts.set(account.name, account);
  }
  const web = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(page));
  return { accounts, page, web };
}
