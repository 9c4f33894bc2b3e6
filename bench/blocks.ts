import { setTimeout } from 'node:timers/promises';
import { App } from '../src/app.ts';
import { accountConfig, config } from '../test/fixtures/config.ts';
import { recordedLog } from '../test/fixtures/recorded-log.ts';
import { monitorEventLoop } from './event-loop.ts';
import { startScript } from './processes.ts';
import { milliseconds, table } from './table.ts';

// How long a poll of a very long list blocks the event loop. Argument: number of elements.

const count = Number(process.argv[2] ?? 100_000);
const rounds = 5;
const api = await startScript('large-api.ts', String(count));
try {
  const rows: (readonly string[])[] = [];
  for (const names of [['databases'], ['sites'], ['domains'], ['site_load'], ['site_load', 'site_load_detail']]) {
    rows.push([names.join(', '), ...(await measurePolls(names))]);
  }
  process.stdout.write(table([`polls of ${count} elements`, 'CPU', 'longest block', 'longest GC'], rows));
} finally {
  await api.stop();
}

/** Medians of several polls of one collector, after a first poll. */
async function measurePolls(collectors: readonly string[]): Promise<readonly string[]> {
  const settings = { baseUrl: new URL('/api', api.url).href, requestsPerMinute: 60 };
  const account = accountConfig({ api: settings, collectors });
  const build = { version: '0', revision: 'bench', nodeVersion: process.version };
  const app = new App(config(account), build, recordedLog().log);
  const [poller] = app.accounts[0]?.pollers ?? [];
  const taken: number[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    // Until the budget allows a call.
    await setTimeout(1000);
    const report = monitorEventLoop();
    const before = process.threadCpuUsage();
    await poller?.poll();
    const { user, system } = process.threadCpuUsage(before);
    await setTimeout(5);
    const { longestBlock, longestCollection } = report();
    if (round > 0) taken.push([(user + system) / 1000, longestBlock, longestCollection]);
  }
  await app.stop();
  return [0, 1, 2].map((column) => milliseconds(Math.max(...taken.map((values) => values[column] ?? 0))));
}
