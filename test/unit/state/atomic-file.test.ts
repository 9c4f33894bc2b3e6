import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { syncFolder, writeAtomically } from '../../../src/state/atomic-file.ts';
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

it.each([
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a link to another file', (path: string, other: string) => symlinkSync(other, path)],
  ['a file of another process', (path: string) => writeFileSync(path, 'left behind', { mode: 0o644 })],
])('a file is written although its temporary file is %s, and writes nothing through it', async (_what, create) => {
  const folder = temporaryFolder();
  const other = join(temporaryFolder(), 'other');
  writeFileSync(other, 'untouched');
  create(join(folder, 'one.gz.tmp'), other);

  await writeAtomically(folder, 'one.gz', ['new\n']);

  expect(gunzipSync(readFileSync(join(folder, 'one.gz'))).toString()).toBe('new\n');
  expect(statSync(join(folder, 'one.gz')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['one.gz']);
  expect(readFileSync(other, 'utf8')).toBe('untouched');
});

it('a file that would be too large to be read again is not written', async () => {
  const folder = temporaryFolder();
  const mebibyte = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  await writeAtomically(folder, 'one.gz', ['old\n']);

  const written = writeAtomically(
    folder,
    'one.gz',
    Array.from({ length: 65 }, () => mebibyte),
  );

  await expect(written).rejects.toThrow('the state of an account is larger than 67108864 bytes');
  expect(gunzipSync(readFileSync(join(folder, 'one.gz'))).toString()).toBe('old\n');
});

it('a folder on a file system that writes no folders to disk needs no write, and other errors are reported', async () => {
  // The kernel answers EINVAL here.
  await expect(syncFolder('/proc')).resolves.toBeUndefined();
  await expect(syncFolder(join(temporaryFolder(), 'missing'))).rejects.toThrow('ENOENT');
});
