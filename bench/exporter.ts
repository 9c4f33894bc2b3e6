import { setTimeout } from 'node:timers/promises';
import { type EventLoopReport, monitorEventLoop } from './event-loop.ts';
import { generateResults } from './fleet.ts';
import { budget, createFleetExporter } from './fleet-exporter.ts';
import { memoryInUse } from './memory.ts';

// The exporter as a separate process. Argument: number of accounts.

/** Measurements of the event loop during polling. */
export interface PollingReport extends EventLoopReport {
  readonly polls: number;
  readonly seconds: number;
}

/** Cost of one poll of every collector of one account, in milliseconds. */
export interface UpdateReport {
  readonly milliseconds: readonly number[];
  /** Mean CPU time. */
  readonly cpu: number;
}

/** Interval of the polls in milliseconds. */
const tick = 20;
const { accounts: fleet, web } = createFleetExporter(Number(process.argv[2]));

for (const [index, account] of [...fleet.values()].entries()) {
  for (const result of generateResults(account.name)) account.poll(result);
  if (index % 10 === 0) await setTimeout();
}

/** Polls 200 random accounts one after another. */
async function measureUpdates(): Promise<UpdateReport> {
  const accounts = [...fleet.values()];
  const milliseconds = [];
  let cpu = 0;
  for (let round = 0; round < 200; round += 1) {
    const account = accounts[Math.floor(Math.random() * accounts.length)];
    if (account === undefined) break;
    const results = generateResults(account.name);
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

/** Polls as fast as the budgets of all accounts allow, until the signal aborts. */
async function keepPolling(signal: AbortSignal): Promise<PollingReport> {
  const polls = endlessPolls();
  const report = monitorEventLoop();
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
      for (const result of generateResults(account.name)) yield account.poll(result);
    }
  }
}

let stopPolling = new AbortController();
let polling: Promise<PollingReport> | undefined;

process.on('message', async (command) => {
  if (command === 'memory in use') process.send?.(await memoryInUse());
  if (command === 'measure updates') process.send?.(await measureUpdates());
  if (command === 'start polling') {
    stopPolling = new AbortController();
    polling = keepPolling(stopPolling.signal);
    process.send?.('polling');
  }
  if (command === 'stop polling') {
    stopPolling.abort();
    process.send?.(await polling);
  }
});

process.send?.(`${await web.listen({ host: '127.0.0.1', port: 0 })}/metrics`);
