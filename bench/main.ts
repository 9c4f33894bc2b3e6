import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { PollingReport, UpdateReport } from './exporter.ts';
import { accountsFor } from './fleet.ts';
import { cpuTime, forgetPeakMemory, peakMemory, type ScriptServer, type Server, startScript } from './processes.ts';
import { installPushgateway, startPushgateway } from './pushgateway.ts';
import { type Encoding, readSamples, scrape } from './scrape.ts';
import { bytes, median, milliseconds, percentile, table, times } from './table.ts';

const encodings: readonly Encoding[] = ['identity', 'gzip'];
const candidates = ['ours', 'prom-client', 'pushgateway'] as const;
type Candidate = (typeof candidates)[number];

interface Servers extends Readonly<Record<Candidate, Server>> {
  readonly ours: ScriptServer;
}

/** What was measured of one server in one encoding. Milliseconds and bytes. */
interface Measurement {
  readonly times: readonly number[];
  readonly cpu: number;
  readonly bytes: number;
}

const method = `Each server is a process of its own on loopback and has the same series. They are scraped in turn, so that what else
the machine does hits all alike; the client reads to the last byte and throws it away. Times are from the request to
the last byte. CPU is that of all threads of the server, by the scheduler's count. Ratios are medians to our median.
Peak memory is resident, with the garbage that no one has collected yet; memory held is what is left on the heap and in
buffers after a collection. A turn of the event loop is what the program does without letting others go on.`;

const { values } = parseArgs({ options: { series: { type: 'string', default: '1000,10000,100000,1000000' } } });
const sizes = values.series.split(',').map(Number);
if (!sizes.every((size) => size > 0)) throw new Error('--series wants numbers, such as 1000,10000');

const pushgatewayVersion = installPushgateway();
print(method);
print(`\nNode.js ${process.version}, pushgateway ${pushgatewayVersion}, ${new Date().toISOString().slice(0, 10)}`);
const base = await measureBase();
print(`Ours with one account: ${bytes(base)} held.`);
for (const size of sizes) await measureSize(size);

/** Of ours with one account only. */
async function measureBase(): Promise<number> {
  const server = await startScript('exporter.ts', '1');
  const memory = await heldAfterScrapes(server);
  await server.stop();
  return memory;
}

/** Bytes held once pages were sent in both encodings, so that all that is made when first needed is there. */
async function heldAfterScrapes(ours: ScriptServer): Promise<number> {
  for (const encoding of encodings) await scrape(ours.url, encoding);
  return Number(await ours.ask('memory held'));
}

async function measureSize(size: number): Promise<void> {
  const accounts = accountsFor(size);
  const ours = await startScript('exporter.ts', String(accounts));
  const promClient = await startScript('prom-client.ts', ours.url);
  const servers: Servers = { ours, 'prom-client': promClient, pushgateway: await startPushgateway(ours.url) };
  try {
    const series = await sameSeries(servers);
    print(`\n## ${series.toLocaleString('en')} series of ${accounts.toLocaleString('en')} accounts\n`);
    for (const { pid } of Object.values(servers)) forgetPeakMemory(pid);
    const rounds = Math.max(10, Math.min(300, Math.round(5_000_000 / size)));
    for (const encoding of encodings) reportScrapes(encoding, await measureScrapes(servers, encoding, rounds));
    await reportMemory(servers, series);
    await Promise.all([promClient.stop(), servers.pushgateway.stop()]);
    const updates = (await ours.ask('measure updates')) as UpdateReport;
    print(
      `- One round of polls of one account, ours: median ${milliseconds(median(updates.milliseconds))}, CPU ${milliseconds(updates.cpu)}.`,
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
  if (!counts.every((other) => other === count)) throw new Error(`not the same series: ${counts.join(', ')}`);
  return count;
}

/** Scrapes the servers in turn, so that what else the machine does hits all of them alike. */
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
  print(table([`${count} scrapes each`, 'median', 'p99', 'to ours', 'CPU', 'to ours', 'body'], rows));
}

async function reportMemory(servers: Servers, series: number): Promise<void> {
  const peaks = candidates.map((candidate) => [candidate, bytes(peakMemory(servers[candidate].pid))]);
  print(table(['', 'peak memory'], peaks));
  const held = await heldAfterScrapes(servers.ours);
  // Of few series the program's own share, which is never quite the same, would be most of it.
  const each = series < 50_000 ? '' : `, ${((held - base) / series).toFixed(0)} bytes a series over one account's`;
  print(`- Ours: ${bytes(held)} held${each}.`);
}

/** Holds of the event loop while all accounts are polled as fast as their budgets allow, without scrapes and with them. */
async function measurePolling(ours: ScriptServer, rounds: number): Promise<void> {
  await ours.ask('start polling');
  await setTimeout(3000);
  const alone = (await ours.ask('stop polling')) as PollingReport;
  await ours.ask('start polling');
  for (const encoding of encodings) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push((await scrape(ours.url, encoding)).milliseconds);
    print(
      `- Scrapes while polls go on, ${encoding}: median ${milliseconds(median(taken))}, p99 ${milliseconds(percentile(taken, 99))}.`,
    );
  }
  const scraped = (await ours.ask('stop polling')) as PollingReport;
  const rows = [alone, scraped].map((report, index) => [
    index === 0 ? 'without scrapes' : 'with scrapes',
    (report.polls / report.seconds).toFixed(0),
    milliseconds(report.longestDelay),
    milliseconds(report.longestTurn),
    milliseconds(report.longestCollection),
  ]);
  print(`\n${table(['Event loop', 'polls a second', 'longest delay', 'longest turn (CPU)', 'longest GC'], rows)}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
