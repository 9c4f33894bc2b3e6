import { setTimeout } from 'node:timers/promises';
import { type EventLoopReport, watchEventLoop } from './event-loop.ts';
import { pollAll } from './fleet.ts';
import { budget, createFleetExporter } from './fleet-exporter.ts';

// Ours, as a process. Argument: how many accounts.

/** What the event loop went through while it was polled. */
export interface PollingReport extends EventLoopReport {
  readonly polls: number;
  readonly seconds: number;
}

/** What one round of polls of one account costs. Milliseconds. */
export interface UpdateReport {
  readonly milliseconds: readonly number[];
  /** Mean. */
  readonly cpu: number;
}

/** Milliseconds. */
const tick = 20;
const { accounts: fleet, web } = createFleetExporter(Number(process.argv[2]));

for (const [index, account] of [...fleet.values()].entries()) {
  for (const result of pollAll(account.name)) account.poll(result);
  if (index % 10 === 0) await setTimeout();
}

/** Bytes, on V8's heap and in buffers, that are left when all garbage is collected. */
function memoryHeld(): number {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** One round of polls for one account after the other; each account picked at random. */
async function measureUpdates(): Promise<UpdateReport> {
  const accounts = [...fleet.values()];
  const milliseconds = [];
  let cpu = 0;
  for (let round = 0; round < 200; round += 1) {
    const account = accounts[Math.floor(Math.random() * accounts.length)];
    if (account === undefined) break;
    const results = pollAll(account.name);
    const start = performance.now();
    const cpuStart = process.cpuUsage();
    for (const result of results) account.poll(result);
    const { user, system } = process.cpuUsage(cpuStart);
    milliseconds.push(performance.now() - start);
    cpu += (user + system) / 1000;
    await setTimeout();
  }
  return { milliseconds, cpu: cpu / milliseconds.length };
}

/** Polls as fast as the budgets of all accounts together allow, until it is stopped. */
async function keepPolling(signal: AbortSignal): Promise<PollingReport> {
  const polls = endlessPolls();
  const report = watchEventLoop();
  const start = performance.now();
  let count = 0;
  while (!signal.aborted) {
    const due = ((performance.now() - start) / 60_000) * budget * fleet.size;
    for (const end = Math.min(due, count + 100); count < end; count += 1) polls.next();
    await setTimeout(tick);
  }
  return { ...report(), polls: count, seconds: (performance.now() - start) / 1000 };
}

function* endlessPolls(): Generator<void, never> {
  for (;;) {
    for (const account of fleet.values()) {
      for (const result of pollAll(account.name)) yield account.poll(result);
    }
  }
}

let stopPolling = new AbortController();
let polling: Promise<PollingReport> | undefined;

process.on('message', async (question) => {
  if (question === 'memory held') process.send?.(memoryHeld());
  if (question === 'measure updates') process.send?.(await measureUpdates());
  if (question === 'start polling') {
    stopPolling = new AbortController();
    polling = keepPolling(stopPolling.signal);
    process.send?.('polling');
  }
  if (question === 'stop polling') {
    stopPolling.abort();
    process.send?.(await polling);
  }
});

process.send?.(`${await web.listen({ host: '127.0.0.1', port: 0 })}/metrics`);
