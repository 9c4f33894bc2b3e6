import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { prepareOutput } from '../../../src/cli/output-file.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const { signal } = new AbortController();

async function write(path: string, text: string): Promise<void> {
  const output = await prepareOutput(path);
  await output(text, signal);
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

test('writes the pieces of a long text, and leaves the old file if it is stopped', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'history.om');
  const stop = new AbortController();
  function* pieces() {
    yield 'one\n';
    stop.abort();
    yield 'two\n';
  }
  const output = await prepareOutput(path);

  expect(await output(['one\n', 'two\n'], signal)).toBe(true);
  expect(await output(pieces(), stop.signal)).toBe(false);

  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(readdirSync(folder)).toEqual(['history.om']);
});

test.each([0o600, undefined])('writes a file that node_exporter can read, after one with the mode %j', async (mode) => {
  const path = join(temporaryFolder(), 'page.prom');
  if (mode !== undefined) writeFileSync(path, 'old\n', { mode });

  await write(path, 'new\n');

  expect(lstatSync(path).mode & 0o777).toBe(0o644 & ~process.umask());
  expect(lstatSync(path).mode & 0o004).toBe(0o004);
});

test.each([true, false])('replaces the target of a symlink, if the target exists: %j', async (exists) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deep'));
  const target = join(folder, 'deep/page.prom');
  if (exists) writeFileSync(target, 'old\n');
  symlinkSync('deep/page.prom', join(folder, 'one'));
  symlinkSync(join(folder, 'one'), join(folder, 'two'));

  await write(join(folder, 'two'), 'new\n');

  expect(readFileSync(target, 'utf8')).toBe('new\n');
  expect(lstatSync(join(folder, 'one')).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(folder, 'two')).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['page.prom']);
});

test('follows a relative symlink in a folder that is itself a symlink', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'deep/deeper'), { recursive: true });
  symlinkSync('deep/deeper', join(folder, 'alias'));
  symlinkSync('../page.prom', join(folder, 'deep/deeper/link'));

  await write(join(folder, 'alias/link'), 'new\n');

  expect(readFileSync(join(folder, 'deep/page.prom'), 'utf8')).toBe('new\n');
  expect(readdirSync(folder).toSorted()).toEqual(['alias', 'deep']);
});

test('writes through a device', async () => {
  // A symlink, so that a mistake does not destroy the device.
  const link = join(temporaryFolder(), 'null');
  symlinkSync('/dev/null', link);

  await write(link, 'text\n');

  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('reports a full device', async () => {
  await expect(write('/dev/full', 'text\n')).rejects.toThrow(/^\/dev\/full: cannot be written: ENOSPC/);
});

test('writes more than fits into a FIFO, as its reader takes it', async () => {
  const fifo = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const output = await prepareOutput(fifo);
  const text = 'line\n'.repeat(50_000);

  const writing = output(text, signal);
  await pause(50);
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  let received = '';
  while (received.length < text.length) received += await readSome(reader);
  await writing;
  const end = readSync(reader, Buffer.alloc(1));
  closeSync(reader);

  expect(received).toBe(text);
  expect(end).toBe(0);
  expect(lstatSync(fifo).isFIFO()).toBe(true);
});

test('stops waiting for the reader of a FIFO at the signal to stop', async () => {
  const fifo = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const stop = new AbortController();
  const output = await prepareOutput(fifo);

  const writing = output('text\n', stop.signal);
  stop.abort();

  expect(await writing).toBe(false);
});

test.each([
  ['missing/page.prom', 'ENOENT'],
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

async function readSome(handle: number): Promise<string> {
  const bytes = Buffer.alloc(65_536);
  try {
    const count = readSync(handle, bytes);
    if (count > 0) return bytes.toString('utf8', 0, count);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  await pause(5);
  return '';
}
