import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/server.ts';
import { end } from './processes.ts';
import { bytes, median, milliseconds, table } from './table.ts';

// What report, JSON, badges and the daily memory cost those who do not use them: the built program is compared with a copy in which
// empty modules replace them. Both run alternately. Build first: npm run build.

const rounds = Number(process.argv[2] ?? 15);
const scrapes = 50;
const repository = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'bench-optional-'));

/** The modules that serve loads for these features, and what the copy has instead. */
const replaced = {
  'pages/report.js': 'export const reportAccounts = () => { throw new Error(); };',
  'pages/report-formats.js': 'export const reportLines = () => [];',
  'pages/icon.js': "export const icon = () => 'data:,'; export const badgeImage = () => '';",
  'pages/view/trends.js':
    'export const readChanges = () => ({}); export const readDays = () => {}; export const chartedDays = () => {}; export const daysUntilFull = () => {};',
  'results/account-memory.js':
    "export class AccountMemory { content = { days: {}, lists: {} }; collectors = []; usage() { return []; } async update() { return false; } } const dates = new Map(); export function dateOf(time, timeZone) { const calendar = dates.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone }); dates.set(timeZone, calendar); return calendar.format(time).padStart(10, '0'); }",
};

/** Prints the CPU time and the memory after garbage collections, when asked. */
const probe = `process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage();
  for (let collection = 0; collection < 3; collection += 1) gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write(JSON.stringify({ cpu: (user + system) / 1000, memory: heapUsed + external }) + '\\n');
});`;

interface Reading {
  readonly cpu: number;
  readonly memory: number;
}

function copyWithout(): string {
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  cpSync(join(repository, 'dist'), join(copy, 'dist'), { recursive: true });
  for (const [file, text] of Object.entries(replaced)) writeFileSync(join(copy, 'dist', file), text);
  for (const name of ['node_modules', 'package.json', 'docs']) symlinkSync(join(repository, name), join(copy, name));
  return copy;
}

/** Serves one account: from the start to the first polls, and during scrapes. */
async function measure(root: string, config: string) {
  const flags = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(probe)}`];
  const arguments_ = [
    ...flags,
    join(root, 'dist/main.js'),
    `--config.file=${config}`,
    '--web.listen-address=127.0.0.1:0',
  ];
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.setEncoding('utf8');
  const read = async (): Promise<Reading> => {
    child.kill('SIGUSR2');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return JSON.parse(line.toString());
  };
  try {
    let log = '';
    while (!log.includes('msg=started')) log += String((await once(child.stderr, 'data'))[0]);
    const url = /metrics="?(http:\S+?)\/metrics/.exec(log)?.[1];
    while (!(await fetch(`${url}/-/ready`)).ok) await new Promise((resolve) => setTimeout(resolve, 20));

    const started = await read();
    for (let scrape = 0; scrape < scrapes; scrape += 1) await (await fetch(`${url}/metrics`)).arrayBuffer();
    const scraped = await read();
    return { start: started.cpu, memory: scraped.memory, scrape: (scraped.cpu - started.cpu) / scrapes };
  } finally {
    await end(child);
  }
}

const sandbox = await startSandbox({ dialect: 'provider', requestsPerMinute: 0 });
try {
  const config = join(folder, 'config.yml');
  const { login, password } = sandbox.account('shop');
  const api = { base_url: sandbox.baseUrl, requests_per_minute: 60_000 };
  writeFileSync(config, JSON.stringify({ api, accounts: [{ name: login, login, password }] }), { mode: 0o600 });
  const roots = { with: repository, without: copyWithout() };
  const values = { with: [], without: [] } as Record<keyof typeof roots, Awaited<ReturnType<typeof measure>>[]>;
  // The first run of each fills the compile cache.
  for (const root of Object.values(roots)) await measure(root, config);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['with', 'without'] as const) values[name].push(await measure(roots[name], config));
  }
  const rows = (['start', 'memory', 'scrape'] as const).map((figure) => {
    const [own, other] = (['with', 'without'] as const).map((name) => median(values[name].map((one) => one[figure])));
    const print = figure === 'memory' ? bytes : milliseconds;
    const change = (100 * (own ?? 0)) / (other || 1) - 100;
    return [figure, print(own ?? 0), print(other ?? 0), `${change.toFixed(1)} %`];
  });
  process.stdout.write(`${table([`${rounds} runs each`, 'with', 'without', 'difference'], rows)}\n`);
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true });
}
