import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Cleanups, cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { listening, writeSettings } from '../fixtures/program.ts';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const installed = new Cleanups();
afterAll(installed.end);

/**
 * A copy of the built program. The check looks for processes that run from the same folder, and other tests run the original.
 * After each test, the cleanups end its processes.
 */
const folder = temporaryFolder(installed);
for (const name of ['dist', 'package.json']) cpSync(join(repository, name), join(folder, name), { recursive: true });
symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));

function run(...argv: readonly string[]): Process {
  // The cache of `npm test` would keep the compiled code of each copy. The copy has its own cache.
  return new Process(cleanups, process.execPath, ['dist/main.js', ...argv], {
    folder,
    environment: { NODE_COMPILE_CACHE: '' },
  });
}

async function healthOf() {
  const check = run('healthy');
  return { ...(await check.exit), stdout: check.stdout, stderr: check.stderr };
}

const settings = {
  api: { base_url: 'http://127.0.0.1:1/api' },
  accounts: [{ name: 'shop', login: 'shop', password: 'secret' }],
};

/** Waits until the check succeeds. On a busy machine, the exporter may need longer than the check waits. */
async function untilHealthy(): Promise<void> {
  await until('the exporter is healthy', async () => {
    expect(await healthOf()).toEqual({ code: 0, signal: null, stdout: 'healthy\n', stderr: '' });
    return true;
  });
}

it('finds an exporter, and detects that it stopped', async () => {
  const exporter = run(`--config.file=${writeSettings(cleanups, settings)}`, '--web.listen-address=[::1]:0');
  await listening(exporter);

  await untilHealthy();

  await exporter.stop();
  expect(await healthOf()).toEqual({ code: 1, signal: null, stdout: 'no exporter is listening\n', stderr: '' });
});

it('detects an exporter that does not answer', async () => {
  const exporter = run(`--config.file=${writeSettings(cleanups, settings)}`, '--web.listen-address=127.0.0.1:0');
  await listening(exporter);
  // The socket of the check opens after the address.
  await untilHealthy();

  exporter.send('SIGSTOP');
  const stopped = await healthOf();
  exporter.send('SIGCONT');

  const stdout = 'not healthy: no answer within 4 s\n';
  expect(stopped).toEqual({ code: 1, signal: null, stdout, stderr: '' });
});
