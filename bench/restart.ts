import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fleetAccounts } from '../src/sandbox/accounts/fleet.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { startScript } from './processes.ts';
import type { StepReport } from './restarted.ts';
import { milliseconds, table } from './table.ts';

// Measures what it costs to save all accounts at the end of a process, and to restore them in the next. Argument: number of accounts.

const count = Number(process.argv[2] ?? 1000);

const folder = mkdtempSync(join(tmpdir(), 'bench-restart-'));
const sandbox = await startSandbox({ dialect: 'provider', accounts: fleetAccounts(count), requestsPerMinute: 0 });
try {
  const config = join(folder, 'config.yml');
  const settings = {
    api: { base_url: sandbox.baseUrl, requests_per_minute: 6000 },
    state: { directory: join(folder, 'state') },
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
  process.stdout.write(`${(restored as StepReport).series} series were restored.\n`);
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true });
}

function cells({ time, cpu, longestBlock, longestCollection }: StepReport): readonly string[] {
  return [time, cpu, longestBlock, longestCollection].map(milliseconds);
}
