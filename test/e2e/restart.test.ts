import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanups } from '../fixtures/cleanups.ts';
import { listening, sandboxSettings, startProgram, writeSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';
import { parsePage, seriesValue } from '../oracle/exposition.ts';

/** The program with a state directory, and the number of calls to its sandbox. */
async function installed() {
  const sandbox = await openSandbox({ speed: 0 }, cleanups);
  const directory = join(temporaryFolder(cleanups), 'state');
  const file = writeSettings(cleanups, {
    ...sandboxSettings(sandbox, ['shop']),
    collectors: { site_load: { every: '1h' }, account: { every: '1h' } },
  });
  const start = () =>
    startProgram(cleanups, [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', '--log.format=json'], {
      environment: { STATE_DIRECTORY: directory },
    });
  return { start, directory, sandbox };
}

function valueOn(page: string, name: string): number | undefined {
  return seriesValue(parsePage(page, 'text'), name);
}

it('a restart shows the figures at once, and a second program refuses the same directory', async () => {
  const { start, directory, sandbox } = await installed();
  const first = await listening(start());
  await until('all collectors succeeded', async () => !/collector_success\{.*\} 0/.test(await first.page()));
  const before = await first.page();
  const other = start();
  const refused = await other.exit;
  await first.program.stop();
  // Without answers of the API, the second program can show only figures from the state directory.
  sandbox.setFault({ kind: 'silence' });

  const second = await listening(start());
  const after = await second.page();
  const ready = await second.status('/-/ready');
  await second.program.stop();

  expect(refused.code).toBe(3);
  expect(other.stderr).toContain(`${directory} is in use by process ${first.program.pid} on `);
  expect(valueOn(before, 'hosting_account_disk_usage_bytes')).toBeGreaterThan(0);
  for (const name of ['hosting_account_disk_usage_bytes', 'hosting_sites', 'hosting_exporter_series']) {
    expect(valueOn(after, name), name).toBe(valueOn(before, name));
  }
  expect(valueOn(after, 'hosting_exporter_state_restored_series')).toBe(valueOn(before, 'hosting_exporter_series'));
  expect(valueOn(after, 'hosting_up')).toBeUndefined();
  expect(ready).toBe(200);
});
