import { setTimeout } from 'node:timers/promises';
import { App } from '../src/app.ts';
import { loadConfig } from '../src/config/file/load.ts';
import { createLog } from '../src/log.ts';
import { StateDirectory } from '../src/state/state-directory.ts';
import { statusOf } from '../test/fixtures/polled-account.ts';
import { monitorEventLoop } from './event-loop.ts';
import { cpuTime } from './processes.ts';

// One process of `restart.ts`: an exporter without a server. For each message of the parent, it executes one step.

/** Cost of one step in milliseconds. `cpu` is the CPU time of all threads. */
export interface StepReport {
  readonly time: number;
  readonly cpu: number;
  readonly longestBlock: number;
  readonly longestCollection: number;
  readonly series: number;
}

const [file] = process.argv.slice(2);
const { config } = await loadConfig(file, process.env);
const log = createLog({ level: 'warn', format: 'logfmt' }, process.stderr);
const state = await StateDirectory.open({ directory: config.stateDirectory ?? '', log });
const app = new App(config, { version: 'bench', revision: '', nodeVersion: process.version }, log, { state });

const steps: Readonly<Record<string, () => Promise<void>>> = {
  'poll everything': async () => {
    await app.restore();
    app.start();
    while (!app.accounts.every((account) => statusOf(account).every(({ lastSuccess }) => lastSuccess !== undefined))) {
      await setTimeout(1000);
    }
  },
  restore: () => app.restore(),
  'serve for 20 s': async () => {
    app.start();
    await setTimeout(20_000);
  },
  // Each account changes, and is replaced.
  'reload all accounts': async () => {
    const { config: loaded } = await loadConfig(file, process.env);
    const accounts = loaded.accounts.map((account) => ({ ...account, api: { ...account.api, settlingTime: 0 } }));
    await app.apply({ ...loaded, accounts });
  },
  stop: () => app.stop(),
};

process.on('message', async (name: string) => {
  const report = monitorEventLoop();
  const start = performance.now();
  const cpu = cpuTime(process.pid);
  await steps[name]?.();
  const { longestBlock, longestCollection } = report();
  const series = app.accounts.reduce((sum, { store }) => sum + store.series, 0);
  const step: StepReport = {
    time: performance.now() - start,
    cpu: cpuTime(process.pid) - cpu,
    longestBlock,
    longestCollection,
    series,
  };
  process.send?.(step);
});
process.send?.('ready');
