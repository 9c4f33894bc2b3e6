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

/** What was measured of one server in one encoding. Milliseconds and bytes. */
interface Measurement {
  readonly times: readonly number[];
  readonly cpu: number;
  readonly bytes: number;
}

const { values } = parseArgs({ options: { series: { type: 'string', default: '1000,10000,100000,1000000' } } });
const sizes = values.series.split(',').map(Number);
if (!sizes.every((size) => size > 0)) throw new Error('--series wants numbers, such as 1000,10000');

const pushgatewayVersion = installPushgateway();
print(`Node.js ${process.version}, pushgateway ${pushgatewayVersion}, ${new Date().toISOString().slice(0, 10)}`);
const base = await measureBase();
print(`Memory of ours with one account: ${bytes(base)}`);
for (const size of sizes) await measureSize(size);

/** Memory of ours with one account only, but so many polls and scrapes behind it that V8's young generation has grown. */
async function measureBase(): Promise<number> {
  const server = await startScript('exporter.ts', '1');
  for (let round = 0; round < 10; round += 1) await server.ask('measure updates');
  for (let round = 0; round < 50; round += 1) await scrape(server.url, 'gzip');
  const memory = peakMemory(server.pid);
  await server.stop();
  return memory;
}

async function measureSize(size: number): Promise<void> {
  const accounts = accountsFor(size);
  const ours = await startScript('exporter.ts', String(accounts));
  const promClient = await startScript('prom-client.ts', ours.url);
  const servers = { ours, 'prom-client': promClient, pushgateway: await startPushgateway(ours.url) };
  try {
    const series = await sameSeries(servers);
    print(`\n## ${series.toLocaleString('en')} series of ${accounts.toLocaleString('en')} accounts\n`);
    for (const { pid } of Object.values(servers)) forgetPeakMemory(pid);
    const rounds = Math.max(5, Math.min(300, Math.round(5_000_000 / size)));
    for (const encoding of encodings) reportScrapes(encoding, await measureScrapes(servers, encoding, rounds));
    reportMemory(servers, series);
    await Promise.all([promClient.stop(), servers.pushgateway.stop()]);
    const updates = (await ours.ask('measure updates')) as UpdateReport;
    print(
      `\nOne round of polls of one account, ours: median ${milliseconds(median(updates.milliseconds))}, CPU ${milliseconds(updates.cpu)}.`,
    );
    await measurePolling(ours, Math.max(5, Math.min(50, rounds)));
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

async function sameSeries(servers: Readonly<Record<Candidate, Server>>): Promise<number> {
  const counts = [];
  for (const candidate of candidates) counts.push((await readSamples(servers[candidate].url)).length);
  const [count = 0] = counts;
  if (!counts.every((other) => other === count)) throw new Error(`not the same series: ${counts.join(', ')}`);
  return count;
}

/** Scrapes the servers in turn, so that what else the machine does hits all of them alike. */
async function measureScrapes(
  servers: Readonly<Record<Candidate, Server>>,
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

function reportMemory(servers: Readonly<Record<Candidate, Server>>, series: number): void {
  const peaks = candidates.map((candidate) => [candidate, bytes(peakMemory(servers[candidate].pid))]);
  print(table(['', 'peak memory'], peaks));
  const each = (peakMemory(servers.ours.pid) - base) / series;
  print(`Ours takes ${each.toFixed(0)} bytes a series over that of one account.`);
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
      `While polls go on, ${encoding}: median ${milliseconds(median(taken))}, p99 ${milliseconds(percentile(taken, 99))}.`,
    );
  }
  const scraped = (await ours.ask('stop polling')) as PollingReport;
  for (const [what, { polls, seconds, longestDelay }] of Object.entries({ 'without scrapes': alone, scraped })) {
    print(
      `${(polls / seconds).toFixed(0)} polls a second ${what}: the event loop was held for ${milliseconds(longestDelay)} at most.`,
    );
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
