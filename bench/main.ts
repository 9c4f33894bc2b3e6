import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { PollingReport, UpdateReport } from './exporter.ts';
import { accountsFor } from './fleet.ts';
import { cpuTime, peakMemory, resetPeakMemory, type ScriptServer, type Server, startScript } from './processes.ts';
import { installPushgateway, startPushgateway } from './pushgateway.ts';
import { type Encoding, readSamples, scrape } from './scrape.ts';
import { bytes, median, milliseconds, percentile, table, times } from './table.ts';

const encodings: readonly Encoding[] = ['identity', 'gzip'];
const candidates = ['ours', 'prom-client', 'pushgateway'] as const;
type Candidate = (typeof candidates)[number];

interface Servers extends Readonly<Record<Candidate, Server>> {
  readonly ours: ScriptServer;
}

/** Measurements of one server with one encoding. Milliseconds and bytes. */
interface Measurement {
  readonly times: readonly number[];
  readonly cpu: number;
  readonly bytes: number;
}

const method = `Each server is a separate process on loopback and has the same series. The servers are scraped alternately, so that other
load on the machine affects all of them equally. The client reads each response to the last byte and discards it. Times
are from the request to the last byte. CPU is the time of all threads of the server, as the scheduler counts it. "vs.
ours" is the value divided by ours. Peak memory is resident memory, including garbage that is not collected yet.
Memory in use is heap and buffers after a garbage collection. The longest block is the longest time that the exporter
itself occupied the event loop, in CPU time.`;

const { values } = parseArgs({ options: { series: { type: 'string', default: '1000,10000,100000,1000000' } } });
const sizes = values.series.split(',').map(Number);
if (!sizes.every((size) => size > 0)) throw new Error('--series must be a list of numbers, such as 1000,10000');

const pushgatewayVersion = installPushgateway();
print(method);
print(`\nNode.js ${process.version}, pushgateway ${pushgatewayVersion}, ${new Date().toISOString().slice(0, 10)}`);
const base = await measureBase();
print(`Ours with one account: ${bytes(base)} in use.`);
for (const size of sizes) await measureSize(size);

/** Memory in use of our server with one account, in bytes. */
async function measureBase(): Promise<number> {
  const server = await startScript('exporter.ts', '1');
  const memory = await memoryAfterScrapes(server);
  await server.stop();
  return memory;
}

/** Memory in use in bytes, after a scrape with each encoding has created everything that is created lazily. */
async function memoryAfterScrapes(ours: ScriptServer): Promise<number> {
  for (const encoding of encodings) await scrape(ours.url, encoding);
  return Number(await ours.ask('memory in use'));
}

async function measureSize(size: number): Promise<void> {
  const accounts = accountsFor(size);
  const ours = await startScript('exporter.ts', String(accounts));
  const promClient = await startScript('prom-client.ts', ours.url);
  const servers: Servers = { ours, 'prom-client': promClient, pushgateway: await startPushgateway(ours.url) };
  try {
    const series = await sameSeries(servers);
    print(`\n## ${series.toLocaleString('en')} series of ${accounts.toLocaleString('en')} accounts\n`);
    for (const { pid } of Object.values(servers)) resetPeakMemory(pid);
    const rounds = Math.max(10, Math.min(300, Math.round(5_000_000 / size)));
    for (const encoding of encodings) reportScrapes(encoding, await measureScrapes(servers, encoding, rounds));
    await reportMemory(servers, series);
    await Promise.all([promClient.stop(), servers.pushgateway.stop()]);
    const updates = (await ours.ask('measure updates')) as UpdateReport;
    print(
      `- Ours, polling everything of one account once: median ${milliseconds(median(updates.milliseconds))}, CPU ${milliseconds(updates.cpu)}.`,
    );
    await measurePolling(ours, Math.min(50, rounds));
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

async function sameSeries(servers: Servers): Promise<number> {
  const counts = [];
  for (const candidate of candidates) counts.push((await readSamples(servers[candidate].url)).length);
  const [count = 0] = counts;
  if (!counts.every((other) => other === count))
    throw new Error(`the servers have different numbers of series: ${counts.join(', ')}`);
  return count;
}

/** Scrapes the servers alternately, so that other load on the machine affects all of them equally. */
async function measureScrapes(
  servers: Servers,
  encoding: Encoding,
  rounds: number,
): Promise<ReadonlyMap<Candidate, Measurement>> {
  const measurements = new Map<Candidate, { times: number[]; cpu: number; bytes: number }>();
  for (const candidate of candidates) {
    const { url, pid } = servers[candidate];
    for (let warmUp = 0; warmUp < Math.min(rounds, 20); warmUp += 1) await scrape(url, encoding);
    measurements.set(candidate, { times: [], cpu: -cpuTime(pid), bytes: 0 });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [candidate, measurement] of measurements) {
      const result = await scrape(servers[candidate].url, encoding);
      measurement.times.push(result.milliseconds);
      measurement.bytes = result.bytes;
    }
  }
  for (const [candidate, measurement] of measurements) {
    measurement.cpu = (measurement.cpu + cpuTime(servers[candidate].pid)) / rounds;
  }
  return measurements;
}

function reportScrapes(encoding: Encoding, measurements: ReadonlyMap<Candidate, Measurement>): void {
  const ours = median(measurements.get('ours')?.times ?? []);
  const ourCpu = measurements.get('ours')?.cpu ?? Number.NaN;
  const rows = [...measurements].map(([candidate, { times: taken, cpu, bytes: size }]) => [
    `${candidate}, ${encoding}`,
    milliseconds(median(taken)),
    milliseconds(percentile(taken, 99)),
    times(median(taken) / ours),
    milliseconds(cpu),
    times(cpu / ourCpu),
    bytes(size),
  ]);
  const count = measurements.get('ours')?.times.length;
  print(table([`${count} scrapes each`, 'median', 'p99', 'vs. ours', 'CPU', 'vs. ours', 'body'], rows));
}

async function reportMemory(servers: Servers, series: number): Promise<void> {
  const peaks = candidates.map((candidate) => [candidate, bytes(peakMemory(servers[candidate].pid))]);
  print(table(['', 'peak memory'], peaks));
  const memory = await memoryAfterScrapes(servers.ours);
  // With few series, the varying memory of the program itself would dominate the value.
  const each = series < 50_000 ? '' : `, ${((memory - base) / series).toFixed(0)} bytes per series`;
  print(`- Ours: ${bytes(memory)} in use${each}.`);
}

/** Measures the event loop while all accounts are polled as fast as their budgets allow, without scrapes and with them. */
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
