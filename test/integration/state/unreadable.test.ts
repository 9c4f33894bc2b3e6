import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identityOf } from '../../../src/accounts/identity.ts';
import { payloadVersions } from '../../../src/collectors/list.ts';
import { fileNameOf, readState } from '../../../src/state/read-state.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { incarnate } from '../../fixtures/restart.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

/** An account, and the state file that a process saved for it. */
async function savedAccount() {
  const directory = temporaryFolder();
  const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'shop_main', size: 5 }] } });
  const account = accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 6000 }, collectors: ['databases'] });
  const settings = config(account);
  const path = join(directory, fileNameOf(account.name));
  const first = await incarnate(settings, directory);
  first.app.start();
  await until(() => api.calls.length === 1);
  await first.idle();
  await first.app.stop();
  return { account, settings, directory, path, lines: gunzipSync(readFileSync(path)).toString().split('\n') };
}

type Saved = Awaited<ReturnType<typeof savedAccount>>;

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

function writeLines({ path, lines }: Saved, change: (line: string) => string): void {
  writeFileSync(path, gzipSync(lines.map((line) => (line.startsWith('{"item"') ? change(line) : line)).join('\n')));
}

async function listenOn(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => void server.close());
}

const inPlaceOfFile: readonly (readonly [string, (saved: Saved) => unknown])[] = [
  ['a pipe', ({ path }) => execFileSync('mkfifo', [path])],
  ['a socket', ({ path }) => listenOn(path)],
  ['a link to an endless device', ({ path }) => symlinkSync('/dev/zero', path)],
  ['a link to itself', ({ path }) => symlinkSync(path, path)],
  [
    'a file of a terabyte',
    ({ path }) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
    },
  ],
  [
    'a file that is much larger after decompression',
    ({ path }) => writeFileSync(path, gzipSync(Buffer.alloc(2 ** 27))),
  ],
  [
    'a file whose payload is nested deeply, after its other fields',
    (saved) => writeLines(saved, (line) => line.replace(/"payload":.*$/, `"payload":${deep}}`)),
  ],
  [
    'a file whose payload is nested deeply, before its other fields',
    (saved) => writeLines(saved, (line) => line.replace(/,"payload":.*$/, '}').replace('{', `{"payload":${deep},`)),
  ],
  [
    'a file with deep nesting in another field',
    (saved) => writeLines(saved, (line) => line.replace('{', `{"other":${deep},`)),
  ],
];

/** Figures that are nested deeply may still be read. */
const readable: ReadonlySet<string> = new Set([
  'a file whose payload is nested deeply, after its other fields',
  'a file with deep nesting in another field',
]);

describe('the start of an exporter is not stopped by', () => {
  it.each(inPlaceOfFile)('%s in place of a state file, which the next save replaces', async (what, create) => {
    const saved = await savedAccount();
    const { account, directory, settings, path } = saved;
    rmSync(path);
    await create(saved);

    const { app, value, idle } = await incarnate(settings, directory);
    const dropped = await value('hosting_exporter_state_dropped', { reason: 'damaged' });
    app.start();
    await idle();
    await app.accounts[0]?.pollOnce();
    const databases = await value('hosting_databases');
    await app.stop();
    const { state } = await readState(
      directory,
      { name: account.name, identity: identityOf(account) },
      payloadVersions,
    );

    expect([dropped, databases]).toEqual([readable.has(what) ? undefined : 1, 1]);
    expect(lstatSync(path).isFile()).toBe(true);
    expect([...(state?.polls.collectors.keys() ?? [])]).toEqual(['databases']);
  });

  it.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a link to nothing', (path: string) => symlinkSync(`${path}-missing`, path)],
    [
      'a folder that contains a pipe in place of the lock',
      (path: string) => {
        mkdirSync(path);
        execFileSync('mkfifo', [join(path, 'lock')]);
      },
    ],
  ])('%s in place of the state directory', async (_what, create) => {
    const { settings } = await savedAccount();
    const directory = join(temporaryFolder(), 'state');
    create(directory);

    const { app, value } = await incarnate(settings, directory);
    await app.accounts[0]?.pollOnce();

    expect(await value('hosting_databases')).toBe(1);
    expect(await value('hosting_exporter_state_save_success')).toBe(0);
  });
});
