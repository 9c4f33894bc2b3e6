import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { PollingReport, UpdateReport } from './exporter.ts';
import { accountsFor } from './fleet.ts';
import { cpuTime, peakMemory, resetPeakMemory, type ScriptServer, type Server, startScript } from './processes.ts';
import { buildPromhttp, startPromhttp } from './promhttp.ts';
import { type Encoding, readSamples, scrape } from './scrape.ts';
import { bytes, median, milliseconds, percentile, table, times } from './table.ts';

const encodings: readonly Encoding[] = ['identity', 'gzip'];
/** All other servers are compared with this server. */
const limit = 'static';
const recompressed = 'static, level 6';
/** Milliseconds for which each server is scraped before it is measured, so that V8 has compiled its code. */
const warmUp = 2000;

/** Measurements of one server with one encoding, in milliseconds and bytes. */
interface Measurement {
  readonly times: readonly number[];
  readonly cpu: number;
  readonly bytes: number;
}

const method = `Each server is a separate process on loopback and has the same series. The servers are scraped alternately, so that other
load on the machine affects all of them equally. Before the measurement, each server is scraped for two seconds. The
client reads each response to the last byte and discards it. Times are from the request to the last byte. CPU is the time of all threads of the server, as the scheduler counts it. "static"
sends our bytes from one buffer, and "vs. static" is the value divided by that of static. "static, level 6" sends the page as
one gzip stream of level 6. Peak memory is resident memory, including garbage that is not collected yet.
Memory in use is heap and buffers after a garbage collection. The longest block is the longest time that the exporter
itself occupied the event loop, in CPU time.`;

const { values } = parseArgs({
  options: {
    series: { type: 'string', default: '1000,10000,100000,1000000' },
    /** Compares only with the static file, which is much faster. */
    'only-static': { type: 'boolean', default: false },
  },
});
const sizes = values.series.split(',').map(Number);
if (!sizes.every((size) => size > 0)) throw new Error('--series must be a list of numbers, such as 1000,10000');

const onlyStatic = values['only-static'];
const promhttp = onlyStatic ? undefined : buildPromhttp();
print(method);
print(`\nNode.js ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
if (promhttp === undefined && !onlyStatic) print('promhttp: not measured, because Go is not installed');
const base = await measureBase();
print(`Ours with one account: ${bytes(base)} in use.`);
for (const size of sizes) await measureSize(size);

/** Memory in use by our server with one account, in bytes. */
async function measureBase(): Promise<number> {
  const server = await startScript('exporter.ts', '1');
  const memory = await memoryAfterScrapes(server);
  await server.stop();
  return memory;
}

/** Memory in use in bytes, measured after a scrape with each encoding. These scrapes fill the caches. */
async function memoryAfterScrapes(ours: ScriptServer): Promise<number> {
  for (const encoding of encodings) await scrape(ours.url, encoding);
  return Number(await ours.ask('memory in use'));
}

async function measureSize(size: number): Promise<void> {
  const accounts = accountsFor(size);
  const ours = await startScript('exporter.ts', String(accounts));
  const servers = new Map<string, Server>([['ours', ours]]);
  try {
    servers.set(limit, await startScript('static.ts', ours.url));
    servers.set(recompressed, await startScript('static.ts', ours.url, '6'));
    if (!onlyStatic) servers.set('prom-client', await startScript('prom-client.ts', ours.url));
    if (promhttp !== undefined) servers.set('promhttp', await startPromhttp(promhttp, ours.url));
    const series = await sameSeries(servers);
    print(`\n## ${series.toLocaleString('en')} series of ${accounts.toLocaleString('en')} accounts\n`);
    for (const { pid } of servers.values()) resetPeakMemory(pid);
    const rounds = Math.max(10, Math.min(300, Math.round(5_000_000 / size)));
    for (const encoding of encodings) reportScrapes(encoding, await measureScrapes(servers, encoding, rounds));
    print(
      table(
        ['', 'peak memory'],
        [...servers].map(([name, { pid }]) => [name, bytes(peakMemory(pid))]),
      ),
    );
    await reportMemory(ours, series);
    for (const [name, server] of servers) if (name !== 'ours') await server.stop();
    const updates = (await ours.ask('measure updates')) as UpdateReport;
    print(
      `- Ours, one poll of all collectors of one account: median ${milliseconds(median(updates.milliseconds))}, CPU ${milliseconds(updates.cpu)}.`,
    );
    await measurePolling(ours, Math.min(50, rounds));
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

async function sameSeries(servers: ReadonlyMap<string, Server>): Promise<number> {
  const counts = [];
  for (const { url } of servers.values()) counts.push((await readSamples(url)).length);
  const [count = 0] = counts;
  if (!counts.every((other) => other === count))
    throw new Error(`the servers have different numbers of series: ${counts.join(', ')}`);
  return count;
}

/** Scrapes the servers in turn. Other load on the machine then affects all servers equally. */
async function measureScrapes(
  servers: ReadonlyMap<string, Server>,
  encoding: Encoding,
  rounds: number,
): Promise<ReadonlyMap<string, Measurement>> {
  const measurements = new Map<string, { server: Server; times: number[]; cpu: number; bytes: number }>();
  for (const [name, server] of servers) {
    if (name === recompressed && encoding === 'identity') continue;
    const end = performance.now() + warmUp;
    do await scrape(server.url, encoding);
    while (performance.now() < end);
    measurements.set(name, { server, times: [], cpu: 0, bytes: 0 });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const measurement of measurements.values()) {
      const { url, pid } = measurement.server;
      const before = cpuTime(pid);
      const result = await scrape(url, encoding);
      // Let the server close the connection. The measurement excludes work between scrapes, such as garbage collections.
      await setTimeout(2);
      measurement.cpu += (cpuTime(pid) - before) / rounds;
      measurement.times.push(result.milliseconds);
      measurement.bytes = result.bytes;
    }
  }
  return measurements;
}

function reportScrapes(encoding: Encoding, measurements: ReadonlyMap<string, Measurement>): void {
  const base = measurements.get(limit);
  const baseTime = median(base?.times ?? []);
  const rows = [...measurements].map(([name, { times: taken, cpu, bytes: size }]) => [
    `${name}, ${encoding}`,
    milliseconds(median(taken)),
    milliseconds(percentile(taken, 99)),
    times(median(taken) / baseTime),
    milliseconds(cpu),
    times(cpu / (base?.cpu ?? Number.NaN)),
    bytes(size),
  ]);
  const count = base?.times.length;
  print(table([`${count} scrapes each`, 'median', 'p99', 'vs. static', 'CPU', 'vs. static', 'body'], rows));
}

async function reportMemory(ours: ScriptServer, series: number): Promise<void> {
  const memory = await memoryAfterScrapes(ours);
  // With few series, the value would mainly show the memory of the program itself.
  const each = series < 50_000 ? '' : `, ${((memory - base) / series).toFixed(0)} bytes per series`;
  print(`- Ours: ${bytes(memory)} in use${each}.`);
}

/** Measures the event loop without and with scrapes, while all accounts are polled as fast as their budgets allow. */
async function measurePolling(ours: ScriptServer, rounds: number): Promise<void> {
  await ours.ask('start polling');
  await setTimeout(3000);
  const alone = (await ours.ask('stop polling')) as PollingReport;
  await ours.ask('start polling');
  for (const encoding of encodings) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push((await scrape(ours.url, encoding)).milliseconds);
    print(
      `- Ours, scrapes during polling, ${encoding}: median ${milliseconds(median(taken))}, p99 ${milliseconds(percentile(taken, 99))}.`,
    );
  }
  const scraped = (await ours.ask('stop polling')) as PollingReport;
  const rows = [alone, scraped].map((report, index) => [
    index === 0 ? 'without scrapes' : 'with scrapes',
    (report.polls / report.seconds).toFixed(0),
    milliseconds(report.longestDelay),
    milliseconds(report.longestBlock),
    milliseconds(report.longestCollection),
  ]);
  print(`\n${table(['Event loop', 'polls per second', 'longest delay', 'longest block (CPU)', 'longest GC'], rows)}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
