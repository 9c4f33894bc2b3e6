import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { prepareOutput } from '../../src/cli/output-file.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

async function write(path: string, text: string): Promise<void> {
  const output = await prepareOutput(path);
  await output(text);
}

test('creates a file and replaces it atomically', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'page.prom');

  await write(path, 'first\n');
  const before = lstatSync(path).ino;
  await write(path, 'second\n');

  expect(readFileSync(path, 'utf8')).toBe('second\n');
  expect(lstatSync(path).ino).not.toBe(before);
  expect(readdirSync(folder)).toEqual(['page.prom']);
});

test('writes the pieces of a long text, and leaves the old file if a piece fails', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'history.om');
  function* pieces() {
    yield 'one\n';
    throw new Error('no memory');
  }
  const output = await prepareOutput(path);

  await output(['one\n', 'two\n']);
  await expect(output(pieces())).rejects.toThrow(`${path}: cannot be written: no memory`);

  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['history.om']);
});

test('creates a file that node_exporter can read, and keeps the mode of an existing file', async () => {
  const folder = temporaryFolder();
  const modeOf = (name: string) => (lstatSync(join(folder, name)).mode & 0o777).toString(8);
  writeFileSync(join(folder, 'private.prom'), 'old\n', { mode: 0o600 });
  const umask = process.umask(0o022);
  await write(join(folder, 'new.prom'), 'new\n');
  await write(join(folder, 'private.prom'), 'new\n');
  process.umask(0o077);
  await write(join(folder, 'new.prom'), 'newer\n');
  await write(join(folder, 'unmasked.prom'), 'new\n');
  process.umask(umask);

  expect(['new', 'unmasked', 'private'].map((name) => modeOf(`${name}.prom`))).toEqual(['644', '644', '600']);
});

test('replaces the target of a symlink', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deep'));
  const target = join(folder, 'deep/page.prom');
  writeFileSync(target, 'old\n');
  symlinkSync('deep/page.prom', join(folder, 'one'));
  symlinkSync(join(folder, 'one'), join(folder, 'two'));

  await write(join(folder, 'two'), 'new\n');

  expect(readFileSync(target, 'utf8')).toBe('new\n');
  expect(lstatSync(join(folder, 'one')).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(folder, 'two')).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['page.prom']);
});

test('writes through a device', async () => {
  // A symlink, so that a mistake does not destroy the device.
  const link = join(temporaryFolder(), 'null');
  symlinkSync('/dev/null', link);

  await write(link, 'text\n');

  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('writes more than fits into a FIFO, as its reader takes it', async () => {
  const fifo = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const text = 'line\n'.repeat(50_000);

  const reading = readFile(fifo, 'utf8');
  const output = await vi.waitFor(() => prepareOutput(fifo));
  await output(text);

  expect(await reading).toBe(text);
  expect(lstatSync(fifo).isFIFO()).toBe(true);
});

test('refuses a FIFO without a reader', async () => {
  const fifo = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);

  await expect(prepareOutput(fifo)).rejects.toThrow(`${fifo}: cannot be written: ENXIO`);
});

test.each([
  ['missing/page.prom', 'ENOENT: its directory does not exist; create it, or correct the path'],
  ['folder', 'is a directory'],
  ['file/page.prom', 'ENOTDIR'],
  ['loop', 'ELOOP'],
])('refuses %s before anything is written', async (name, reason) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('loop', join(folder, 'loop'));
  const path = join(folder, name);

  await expect(prepareOutput(path)).rejects.toThrow(`${path}: cannot be written: `);
  await expect(prepareOutput(path)).rejects.toThrow(reason);
});

test('refuses a folder in which no file can be created', async () => {
  await expect(prepareOutput('/proc/page.prom')).rejects.toThrow('/proc/page.prom: cannot be written: ');
});
