import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fleetAccounts } from '../src/sandbox/accounts/fleet.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { cpuTime, end, pidOf } from './processes.ts';
import { bytes, median, milliseconds, table, times } from './table.ts';

// Measures the start and the memory of the built program, compared with Node.js alone. Build first: npm run build.

const program = join(import.meta.dirname, '../dist/main.js');
const rounds = 15;
/** Milliseconds after which the garbage of the first polls is collected. */
const settling = 120_000;
const accounts = Number(process.argv[2] ?? 1000);

const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  await measureCommands();
  await measureServing('one account', 1, 60_000);
  await measureServing(`${accounts} accounts`, accounts, 600);
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the commands in turn. Other load on the machine then affects all commands equally. */
async function measureCommands(): Promise<void> {
  const commands = new Map([
    ['node -e 0', ['-e', '0']],
    ['--version', [program, '--version']],
    ['--help', [program, '--help']],
  ]);
  // The first run of each command fills the compile cache.
  for (const args of commands.values()) await timeOf(args);
  const taken = new Map([...commands.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of commands) taken.get(name)?.push(await timeOf(args));
  }
  const bare = median(taken.get('node -e 0') ?? []);
  const rows = [...taken].map(([name, values]) => [name, milliseconds(median(values)), times(median(values) / bare)]);
  print(table([`${rounds} runs each`, 'median', 'vs. node -e 0'], rows));
}

async function timeOf(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - start;
}

/** Serves accounts of a sandbox until all accounts were polled. */
async function measureServing(title: string, count: number, requestsPerMinute: number): Promise<void> {
  const sandbox = await startSandbox({ dialect: 'provider', accounts: fleetAccounts(count), requestsPerMinute: 0 });
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const port = 20_000 + (process.pid % 10_000);
  const url = `http://127.0.0.1:${port}/metrics`;
  const start = performance.now();
  const config = writeConfig(sandbox, port, requestsPerMinute);
  const exporter = spawn(process.execPath, [program, `--config.file=${config}`], { stdio: 'ignore' });
  try {
    while ((await read(url)) === undefined) await setTimeout(5);
    const firstPage = performance.now() - start;
    // Before the first poll of a collector, the value of this metric is 0.
    while (/^hosting_exporter_collector_success\{.* 0$/m.test((await read(url)) ?? '')) await setTimeout(1000);
    for (let scrape = 0; scrape < 10; scrape += 1) await read(url);
    const first = await measurementOf(pidOf(exporter), url);
    const bare = residentMemory(pidOf(idle));
    await setTimeout(settling);
    const later = await measurementOf(pidOf(exporter), url);
    const minutes = settling / 60_000;
    print(
      table(
        [title, ''],
        [
          ['first page', milliseconds(firstPage)],
          ['series', String(first.series)],
          ['size of the page', bytes(first.page)],
          ['first polls: calls', String(first.calls)],
          ['first polls: CPU', milliseconds(first.cpu)],
          ['memory after the first polls', `${bytes(first.memory)} (${times(first.memory / bare)} idle Node.js)`],
          ['memory 2 minutes later', `${bytes(later.memory)} (${times(later.memory / bare)})`],
          ['idle Node.js', bytes(bare)],
          ['afterwards: calls a minute', ((later.calls - first.calls) / minutes).toFixed(0)],
          ['afterwards: CPU a minute', milliseconds((later.cpu - first.cpu) / minutes)],
        ],
      ),
    );
  } finally {
    await Promise.all([end(exporter), end(idle)]);
    await sandbox.close();
  }
}

/** Resource usage of an exporter. CPU time is in milliseconds since its start. Sizes are in bytes. */
async function measurementOf(pid: number, url: string) {
  const memory = residentMemory(pid);
  const cpu = cpuTime(pid);
  const page = (await read(url)) ?? '';
  const counters = [...page.matchAll(/^hosting_exporter_api_requests_total\{.* (\d+)$/gm)];
  return {
    memory,
    cpu,
    page: Buffer.byteLength(page),
    series: page.match(/^[^#\n]/gm)?.length ?? 0,
    calls: counters.reduce((sum, [, value]) => sum + Number(value), 0),
  };
}

function writeConfig({ baseUrl, accounts: list }: Sandbox, port: number, requestsPerMinute: number): string {
  const file = join(folder, 'config.yml');
  const settings = {
    api: { base_url: baseUrl, requests_per_minute: requestsPerMinute },
    web: { listen_address: `127.0.0.1:${port}` },
    accounts: list.map(({ login, password }) => ({ name: login, login, password: password.replaceAll('$', '$$$$') })),
  };
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  return file;
}

/** The page; undefined if no server answers. */
async function read(url: string): Promise<string | undefined> {
  try {
    return await (await fetch(url)).text();
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in bytes. */
function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
