import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { accountSeeds, end, residentMemory, startUnlimitedSandbox } from './processes.ts';
import type { Row } from './scrapes.ts';
import { median, megabytes, milliseconds, times } from './table.ts';

const program = join(import.meta.dirname, '../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Measures the memory of the built program with one account and the time to its first page, compared with Node.js alone. */
export async function measureOneAccount(): Promise<readonly Row[]> {
  const rounds = 9;
  await using exporter = await prepareExporter(1, { hasState: false });
  const empty: number[] = [];
  const pages: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const ofEmpty = await timeOfEmpty();
    const start = performance.now();
    const running = exporter.start();
    await until(async () => (await statusOf(`${exporter.url}/metrics`)) === 200);
    const ofPage = performance.now() - start;
    await end(running);
    // Omit the first round, which fills the compile cache.
    if (round >= 0) empty.push(ofEmpty);
    if (round >= 0) pages.push(ofPage);
  }
  const running = exporter.start();
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await exporter.polled();
  const [memory, idleMemory] = [residentMemory(running), residentMemory(idle)];
  await Promise.all([end(running), end(idle)]);
  return [
    [
      'memory of one account',
      times(memory / idleMemory),
      'at most 3.2×',
      `${megabytes(memory)}; idle Node.js ${megabytes(idleMemory)}`,
    ],
    [
      'first page of one account',
      times(median(pages) / median(empty)),
      'at most 10×',
      `${milliseconds(median(pages))}; empty program ${milliseconds(median(empty))}`,
    ],
  ];
}

/** Measures the memory of 1000 accounts after their first polls, and the time in which another process restores them. */
export async function measureFleet(): Promise<readonly Row[]> {
  const rounds = 3;
  const empty: number[] = [];
  const memory: number[] = [];
  const ready: number[] = [];
  let slowestHealth = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using exporter = await prepareExporter(1000, { hasState: true });
    const first = exporter.start();
    await exporter.polled();
    memory.push(residentMemory(first));
    await end(first);
    empty.push(await timeOfEmpty(), await timeOfEmpty(), await timeOfEmpty());
    const start = performance.now();
    const second = exporter.start();
    await until(async () => {
      const asked = performance.now();
      const health = await statusOf(`${exporter.url}/-/healthy`);
      if (health !== undefined) slowestHealth = Math.max(slowestHealth, performance.now() - asked);
      if (health !== undefined && health !== 200) slowestHealth = Number.POSITIVE_INFINITY;
      return (await statusOf(`${exporter.url}/-/ready`)) === 200;
    });
    ready.push(performance.now() - start);
    await end(second);
  }
  return [
    ['memory of 1000 accounts', megabytes(median(memory)), 'at most 450 MB', memory.map(megabytes).join(', ')],
    [
      '1000 restored accounts ready',
      times(median(ready) / median(empty)),
      'at most 100×',
      `${milliseconds(median(ready))}; empty program ${milliseconds(median(empty))}`,
    ],
    ['slowest health check meanwhile', milliseconds(slowestHealth), 'always answers', 'one request at a time'],
  ];
}

/** Prepares the built program with the accounts of a sandbox. The sandbox runs in this process. */
async function prepareExporter(count: number, { hasState }: { readonly hasState: boolean }) {
  if (!existsSync(program)) throw new Error('dist/main.js is missing: run npm run build');
  const sandbox = await startUnlimitedSandbox(accountSeeds('fleet', count));
  const directory = mkdtempSync(join(folder, 'exporter-'));
  const file = join(directory, 'config.yml');
  const address = `127.0.0.1:${20_000 + (process.pid % 10_000)}`;
  const accounts = sandbox.accounts.map(({ login, password }) => ({
    name: login,
    login,
    password: password.replaceAll('$', '$$$$'),
  }));
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 600 },
    web: { listen_address: address },
    ...(hasState && { state: { directory: join(directory, 'state') } }),
    accounts,
  };
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const url = `http://${address}`;
  return {
    url,
    start: () =>
      spawn(process.execPath, [program, `--config.file=${file}`], { stdio: ['ignore', 'ignore', 'inherit'] }),
    /** Waits for the first poll of each collector, then scrapes ten times. */
    polled: async () => {
      await until(async () => {
        const page = await readPage(`${url}/metrics`);
        // Some accounts of the sandbox lack a permission, so some collectors fail.
        const unsuccessful = page.match(/^hosting_exporter_collector_success\{.* 0$/gm)?.length;
        return page !== '' && unsuccessful === page.match(/^hosting_exporter_collector_failing\{/gm)?.length;
      }, 1000);
      for (let scrape = 0; scrape < 10; scrape += 1) await readPage(`${url}/metrics`);
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

/** Milliseconds from the start of an empty Node.js program to its end. */
async function timeOfEmpty(): Promise<number> {
  const start = performance.now();
  const child: ChildProcess = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - start;
}

async function until(condition: () => Promise<boolean>, pause = 5): Promise<void> {
  while (!(await condition())) await setTimeout(pause);
}

/** The status of a page; undefined while no server listens. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The text of a page; empty if the page cannot be read. */
async function readPage(url: string): Promise<string> {
  try {
    const response = await fetch(url);
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
