import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { writeAtomically } from '../../../src/state/atomic-file.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const chunkSize = 64 * 1024;

it.each([
  ['nothing', 0],
  ['one line', 1],
  ['one chunk', Math.ceil(chunkSize / 11)],
  ['many chunks', 50_000],
])('a file has %s, compressed, and only its owner can read it', async (_, count) => {
  const folder = temporaryFolder();
  const lines = Array.from({ length: count }, (_line, index) => `${String(index).padStart(10)}\n`);

  await writeAtomically(folder, 'one.gz', lines);

  expect(gunzipSync(readFileSync(join(folder, 'one.gz'))).toString()).toBe(lines.join(''));
  expect(statSync(join(folder, 'one.gz')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['one.gz']);
});

it('a failure leaves the old file', async () => {
  const folder = temporaryFolder();
  function* broken() {
    yield 'x'.repeat(3 * chunkSize);
    yield 'y'.repeat(3 * chunkSize);
    throw new Error('no more lines');
  }
  await writeAtomically(folder, 'one.gz', ['old\n']);

  await expect(writeAtomically(folder, 'one.gz', broken())).rejects.toThrow('no more lines');

  expect(gunzipSync(readFileSync(join(folder, 'one.gz'))).toString()).toBe('old\n');
  expect(readdirSync(folder)).toEqual(['one.gz']);
});
