import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { readStateFile } from '../../src/state/state-file.ts';
import { killWhileSaving } from '../fixtures/killed-writer.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

it('a process that is killed while it saves leaves the old state or the new', async () => {
  const directory = temporaryFolder();
  let first = 0;

  for (let kill = 0; kill < 3; kill += 1) {
    const { reported, found, mixed, loads } = await killWhileSaving(directory, first, Math.random() * 40);

    expect([mixed, loads], `kill ${kill}`).toEqual([0, true]);
    // A save may be complete before it is reported.
    expect(found, `kill ${kill}`).toBeGreaterThanOrEqual(reported);
    first = found + 1;
  }
});

it('a file that cannot be written completely leaves the old state, and is reported', async () => {
  const directory = temporaryFolder();
  await killWhileSaving(directory, 7, 0);
  const script = resolve(import.meta.dirname, '../fixtures/state-writer.ts');

  // 8 KiB per file: not enough for a thousand payloads of random numbers.
  const command = `ulimit -f 8; exec "${process.execPath}" "${script}" "${directory}" 1000 1000`;
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  await once(child, 'close');

  expect(line).toBe('failed');
  const { saved } = await readStateFile(directory, { name: 'shop', identity: 'i' });
  expect(saved?.collectors['c']?.runStarted).toBeLessThan(1000);
});
