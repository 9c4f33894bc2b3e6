import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cleanups } from '../test/fixtures/cleanups.ts';
import { startDebianServer } from '../test/fixtures/debian-server.ts';
import { until } from '../test/fixtures/waiting.ts';
import { end } from './processes.ts';
import { table } from './table.ts';

// What the series of accounts cost a Prometheus server without rules: memory, CPU and disk.

const method = `The demo polls its accounts every minute. Debian's Prometheus scrapes the whole page under several labels, every few
seconds, so that its head soon contains as many samples as after hours of scrapes every minute. A snapshot then writes the head as a
block. The memory of a second Prometheus, which scrapes nothing, is subtracted.`;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '60' },
    copies: { type: 'string', default: '12' },
    interval: { type: 'string', default: '5' },
    scrapes: { type: 'string', default: '180' },
  },
});
const accounts = Number(values.accounts);
const copies = Number(values.copies);
/** Seconds between two scrapes. */
const interval = Number(values.interval);
const scrapes = Number(values.scrapes);
if (![accounts, copies, interval, scrapes].every((number) => number > 0))
  throw new Error('the flags must be numbers above 0');

const folder = mkdtempSync(join(tmpdir(), 'bench-storage-'));
const cleanups = new Cleanups();
try {
  await measure();
} finally {
  await cleanups.end();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const target = await startDemo();
  const job = { job_name: 'hosting', scrape_interval: `${interval}s`, scrape_timeout: `${interval}s` };
  const targets = Array.from({ length: copies }, (_, copy) => ({ targets: [target], labels: { copy: `${copy}` } }));
  const empty = await startPrometheus('empty', []);
  const full = await startPrometheus('full', [{ ...job, static_configs: targets }]);
  await setTimeout(2 * interval * 1000);
  const before = await readOwnMetrics(full);
  await setTimeout(scrapes * interval * 1000);
  const after = await readOwnMetrics(full);
  const idle = await readOwnMetrics(empty);
  const scraped = (after.samples - before.samples) / after.series;
  await fetch(`http://${full}/api/v1/admin/tsdb/snapshot`, { method: 'POST' });
  const files = filesIn(join(folder, 'full/snapshots'));
  const chunks = sizeOf(files.filter((path) => path.includes('/chunks/')));
  const index = sizeOf(files.filter((path) => path.endsWith('/index')));
  process.stdout.write(
    `${method}\n\n${table(
      [`${accounts * copies} accounts`, ''],
      [
        ['series', String(after.series)],
        ['samples of a series', (after.samples / after.series).toFixed(0)],
        ['memory of a series', `${((after.memory - idle.memory) / after.series).toFixed(0)} bytes`],
        [
          'CPU to scrape a million series',
          `${((1e6 * (after.cpu - before.cpu)) / scraped / after.series).toFixed(1)} s`,
        ],
        ['disk of a sample', `${(chunks / after.samples).toFixed(2)} bytes`],
        ['index of a series, for each block', `${(index / after.series).toFixed(0)} bytes`],
      ],
    )}`,
  );
}

/** Starts the demo, and waits for its slowest collectors. Returns its address. */
async function startDemo(): Promise<string> {
  const address = `127.0.0.1:${20_000 + (process.pid % 10_000)}`;
  const argv = ['src/main.ts', 'demo', `--accounts=${accounts}`, `--web.listen-address=${address}`];
  const demo = spawn(process.execPath, argv, { cwd: join(import.meta.dirname, '..'), stdio: 'ignore' });
  cleanups.add(() => end(demo));
  await until(async () => (await fetch(`http://${address}/-/ready`)).ok);
  await setTimeout(60_000);
  return address;
}

/** Returns the address. */
async function startPrometheus(name: string, scrapeConfigs: readonly object[]): Promise<string> {
  const config = join(folder, `${name}.yml`);
  writeFileSync(config, JSON.stringify({ scrape_configs: scrapeConfigs }));
  const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, name)}`, '--web.enable-admin-api'];
  return (await startDebianServer(cleanups, 'prometheus', flags)).address;
}

async function readOwnMetrics(address: string) {
  const page = await (await fetch(`http://${address}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name}(?:\\{type="float"\\})? (.+)$`, 'm').exec(page)?.[1]);
  return {
    series: read('prometheus_tsdb_head_series'),
    samples: read('prometheus_tsdb_head_samples_appended_total'),
    memory: read('process_resident_memory_bytes'),
    cpu: read('process_cpu_seconds_total'),
  };
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((path) => join(directory, path));
}

function sizeOf(files: readonly string[]): number {
  return files.map((path) => statSync(path)).reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}
