import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StateDirectory } from '../../src/state/state-directory.ts';
import { fileNameOf, readStateFile } from '../../src/state/state-file.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const shop = { name: 'shop', identity: 'i', secret: () => undefined };

async function openState(directory: string) {
  const { log, lines } = recordedLog();
  const state = await StateDirectory.open({ directory, log });
  onTestFinished(() => state.close());
  const saves: boolean[] = [];
  state.onSave = (time) => saves.push(time !== undefined);
  const save = async (payload: unknown) => {
    const result = { payload, answered: 1, providerTime: 1, complete: true };
    const collectors = { databases: { version: 1, runStarted: 1, results: { '': result } } };
    await state.close([
      { name: 'shop', unsavedSince: 0, saved: () => ({ account: 'shop', identity: 'i', collectors }) },
    ]);
  };
  return { state, saves, save, messages: () => lines.map((line) => JSON.parse(line).msg) };
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** Replaces a part of the text of a file. */
function edit(path: string, old: string, replacement: string): void {
  writeFileSync(path, gzipSync(gunzipSync(readFileSync(path)).toString().replace(old, replacement)));
}

/** Removes what is at a path. */
function emptied(path: string): string {
  rmSync(path);
  return path;
}

async function listenOn(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

const inPlaceOfFile: readonly (readonly [string, 'damaged' | undefined, (path: string) => unknown])[] = [
  ['a socket', 'damaged', (path) => listenOn(emptied(path))],
  ['a link to itself', 'damaged', (path) => symlinkSync(path, emptied(path))],
  ['a file of a terabyte', 'damaged', (path) => truncateSync(path, 2 ** 40)],
  [
    'a file that is much larger after decompression',
    'damaged',
    (path) => writeFileSync(path, gzipSync(Buffer.alloc(2 ** 27))),
  ],
  ['a file whose payload is nested deeply', undefined, (path) => edit(path, '"old"', deep)],
  ['a file with deep nesting in another field', undefined, (path) => edit(path, '{', `{"other":${deep},`)],
  ['a file with deep nesting in place of another field', 'damaged', (path) => edit(path, '"shop"', deep)],
];

describe('the start of an exporter is not stopped by', () => {
  it.each(inPlaceOfFile)('%s in place of a state file, which the next save replaces', async (_what, reason, create) => {
    const directory = temporaryFolder();
    const path = join(directory, fileNameOf('shop'));
    await (await openState(directory)).save('old');
    await create(path);

    const { state, save } = await openState(directory);
    const { dropped } = await state.load(shop);
    await save('new');

    expect(dropped).toBe(reason);
    expect(lstatSync(path).isFile()).toBe(true);
    const { saved } = await readStateFile(directory, shop);
    expect(saved?.collectors['databases']?.results['']?.payload).toBe('new');
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a link to nothing', (path: string) => symlinkSync(`${path}-missing`, path)],
    ['a link to itself', (path: string) => symlinkSync(path, path), 'damaged'],
  ])('%s in place of the state directory', async (_what, create, reason?: string) => {
    const directory = join(temporaryFolder(), 'state');
    create(directory);

    const { state, saves, save, messages } = await openState(directory);
    const { dropped } = await state.load(shop);
    await save('new');

    expect([dropped, saves]).toEqual([reason, [false]]);
    expect(messages()).toEqual([
      'state directory is not writable, figures will not survive a restart',
      'stopped before the state of all accounts was saved',
    ]);
  });
});
