import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadWithFlags } from '../src/cli/config-flags.ts';
import { ConfigInputs } from '../src/config/file/load.ts';
import { fleetAccounts } from '../src/sandbox/accounts/fleet.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { recordedContext } from '../test/fixtures/command-context.ts';
import { recordedLog } from '../test/fixtures/recorded-log.ts';
import type { EventLoopReport } from './event-loop.ts';
import { cpuTime, end, peakMemory, pidOf } from './processes.ts';
import { bytes, median, milliseconds, table } from './table.ts';

// Measures one shard of a fleet: loading the configuration, automatic reload, the start of the built program, and added accounts. Each
// account has a file, and so has each password. The sandbox has only the accounts of the shard. Build first: npm run build.

const program = join(import.meta.dirname, '../dist/main.js');
const [accounts = 10_000, shards = 10] = process.argv.slice(2).map(Number);
const rounds = 5;

const folder = mkdtempSync(join(tmpdir(), 'bench-shard-'));
const names = fleetAccounts(accounts);
for (const name of ['accounts', 'passwords']) mkdirSync(join(folder, name));
for (const { login, password } of names) {
  writeFileSync(join(folder, `passwords/${login}`), password, { mode: 0o600 });
  writeAccount(login);
}
try {
  const own = await measureLoading();
  const sandbox = await startSandbox({
    dialect: 'provider',
    accounts: names.filter(({ login }) => own.has(login)),
    requestsPerMinute: 0,
  });
  writeMain(sandbox.baseUrl);
  await measureProgram([...own]);
  await sandbox.close();
} finally {
  rmSync(folder, { recursive: true });
}

function writeAccount(login: string): void {
  const lines = ['name', 'login'].map((key) => `${key}: ${login}\n`).join('');
  writeFileSync(accountFile(login), `${lines}password_file: ../passwords/${login}\n`);
}

function accountFile(login: string): string {
  return join(folder, `accounts/${login}.yml`);
}

function writeMain(baseUrl: string): void {
  writeFileSync(
    join(folder, 'config.yml'),
    JSON.stringify({ api: { base_url: baseUrl, requests_per_minute: 600 }, accounts_from: 'accounts/*.yml' }),
  );
}

/** Measures in this process. Returns the names of the accounts of the shard. */
async function measureLoading(): Promise<ReadonlySet<string>> {
  writeMain('http://127.0.0.1:9/api');
  const load = async (shard: { index: number; count: number } | undefined) => {
    const inputs = new ConfigInputs();
    const flags = { 'config.file': join(folder, 'config.yml'), shard };
    const config = await loadWithFlags(flags, recordedContext(), recordedLog().log, { inputs });
    return { inputs, config };
  };
  const whole = await measured(() => load(undefined));
  const part = await measured(() => load({ index: 1, count: shards }));
  const { inputs, config } = await load({ index: 1, count: shards });
  const check = await measured(() => inputs.haveChanged());
  print(
    table(
      [`${accounts} account files`, 'CPU', 'longest turn of the event loop'],
      [
        ['read the whole configuration', ...whole],
        [`read the configuration of a shard of ${config.accounts.length}`, ...part],
        ['automatic reload: check of all files', ...check],
      ],
    ),
  );
  return new Set(config.accounts.map(({ name }) => name));
}

/** Medians: CPU time, and the longest turn of the event loop. Other programs do not lengthen a turn, because it is measured in CPU time. */
async function measured(work: () => Promise<unknown>, times = rounds): Promise<readonly [string, string]> {
  const cpu: number[] = [];
  const turns: number[] = [];
  for (let round = 0; round < times; round += 1) {
    let longest = 0;
    let last = sum(process.threadCpuUsage());
    let isRunning = true;
    const turn = () => {
      const now = sum(process.threadCpuUsage());
      longest = Math.max(longest, now - last);
      last = now;
      if (isRunning) setImmediate(turn);
    };
    setImmediate(turn);
    const before = process.cpuUsage();
    await work();
    cpu.push(sum(process.cpuUsage(before)));
    await setTimeout(1);
    isRunning = false;
    turns.push(longest);
  }
  return [milliseconds(median(cpu)), milliseconds(median(turns))];
}

/** In milliseconds. */
function sum({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

async function measureProgram(own: readonly string[]): Promise<void> {
  const added = own.slice(-3);
  for (const name of added) rmSync(accountFile(name));
  const port = 20_000 + (process.pid % 10_000);
  const url = `http://127.0.0.1:${port}`;
  const argv = [
    '--import',
    join(import.meta.dirname, 'monitored.ts'),
    program,
    `--config.file=${join(folder, 'config.yml')}`,
    `--shard=1/${shards}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--config.auto-reload',
  ];
  const start = performance.now();
  const exporter = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const pid = pidOf(exporter);
  const statusOf = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    while ((await statusOf('/-/healthy')) === 0) await setTimeout(20);
    const listening = { time: performance.now() - start, cpu: cpuTime(pid), memory: peakMemory(pid) };
    while ((await statusOf('/-/ready')) !== 200) await setTimeout(100);
    const ready = performance.now() - start;
    while (/^hosting_exporter_collector_success\{.* 0$/m.test(await (await fetch(`${url}/metrics`)).text())) {
      await setTimeout(2000);
    }
    const polled = { cpu: cpuTime(pid), memory: peakMemory(pid) };
    await setTimeout(120_000);
    print(
      table(
        [`shard of ${own.length} of ${accounts} accounts`, ''],
        [
          ['listens after', milliseconds(listening.time)],
          ['CPU until then', milliseconds(listening.cpu)],
          ['peak memory until then', bytes(listening.memory)],
          ['ready after', milliseconds(ready)],
          ['CPU until the end of the first polls', milliseconds(polled.cpu)],
          ['peak memory', bytes(polled.memory)],
          ['afterwards: CPU a minute, with automatic reload', milliseconds((cpuTime(pid) - polled.cpu) / 2)],
        ],
      ),
    );
    const reloads: (readonly string[])[] = [];
    for (const name of added) {
      await reportOf(exporter);
      const [written, cpu] = [performance.now(), cpuTime(pid)];
      writeAccount(name);
      while ((await statusOf(`/metrics?account=${name}`)) !== 200) await setTimeout(200);
      const [seen, used] = [performance.now() - written, cpuTime(pid) - cpu];
      const { longestBlock, longestOwnBlock } = await reportOf(exporter);
      reloads.push([name, ...[seen, used, longestBlock, longestOwnBlock].map(milliseconds)]);
    }
    print(table(['account added by automatic reload', 'shown after', 'CPU', 'longest block', 'without GC'], reloads));
  } finally {
    await end(exporter);
  }
}

/** The event loop of the program since the previous report. */
async function reportOf(exporter: ChildProcess): Promise<EventLoopReport> {
  exporter.send('report');
  const [report] = await once(exporter, 'message');
  return report as EventLoopReport;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
