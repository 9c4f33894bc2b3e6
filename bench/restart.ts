import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fleetAccounts } from '../src/sandbox/accounts/fleet.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { end, startScript } from './processes.ts';
import type { StepReport } from './restarted.ts';
import { median, milliseconds, table } from './table.ts';

// Measures what it costs to save all accounts at the end of a process, and to restore them in the next, and how fast the
// built program answers while it restores them. Argument: number of accounts. Build first: npm run build.

const program = join(import.meta.dirname, '../dist/main.js');
const count = Number(process.argv[2] ?? 1000);
const port = 20_000 + (process.pid % 10_000);

const folder = mkdtempSync(join(tmpdir(), 'bench-restart-'));
const sandbox = await startSandbox({ dialect: 'provider', accounts: fleetAccounts(count), requestsPerMinute: 0 });
try {
  const config = join(folder, 'config.yml');
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 6000 },
    state: { directory: join(folder, 'state') },
    web: { listen_address: `127.0.0.1:${port}` },
    accounts: sandbox.accounts.map(({ login, password }) => ({
      name: login,
      login,
      password: password.replaceAll('$', '$$$$'),
    })),
  };
  writeFileSync(config, JSON.stringify(settings), { mode: 0o600 });
  const first = await startScript('restarted.ts', config);
  await first.ask('poll everything');
  const saved = await first.ask('stop');
  await first.stop();
  const second = await startScript('restarted.ts', config);
  const restored = await second.ask('restore');
  const served = await second.ask('serve for 20 s');
  const reloaded = await second.ask('reload all accounts');
  await second.stop();
  const rows = Object.entries({
    'saving all of them when the process stops': saved,
    'restoring them before the first page': restored,
    'the first 20 seconds afterwards': served,
    'a reload that changes all of them': reloaded,
  });
  process.stdout.write(
    table(
      [`${count} accounts`, 'time', 'CPU', 'longest block', 'longest GC'],
      rows.map(([name, report]) => [name, ...cells(report as StepReport)]),
    ),
  );
  process.stdout.write(`${(restored as StepReport).series} series were restored.\n\n`);
  await measurePages(config, ['/-/healthy', '/', `/accounts/${sandbox.accounts[0]?.login}`]);
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true });
}

function cells({ time, cpu, longestBlock, longestCollection }: StepReport): readonly string[] {
  return [time, cpu, longestBlock, longestCollection].map(milliseconds);
}

/** Starts the program, and requests the pages one after another until the program is ready. */
async function measurePages(config: string, paths: readonly string[]): Promise<void> {
  const exporter = spawn(process.execPath, [program, `--config.file=${config}`], { stdio: 'ignore' });
  const taken = new Map(paths.map((path): [string, number[]] => [path, []]));
  try {
    while (!(await isAnswered('/-/healthy'))) await setTimeout(5);
    while (!(await isAnswered('/-/ready'))) {
      for (const [path, times] of taken) {
        const start = performance.now();
        if (!(await isAnswered(path))) throw new Error(`${path} was not answered`);
        times.push(performance.now() - start);
      }
    }
  } finally {
    await end(exporter);
  }
  const rows = [...taken].map(([path, times]) => [
    path,
    String(times.length),
    ...[times[0] ?? 0, median(times), Math.max(...times)].map(milliseconds),
  ]);
  process.stdout.write(table(['during the restore', 'requests', 'first', 'median', 'longest'], rows));
}

async function isAnswered(path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
