import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../src/api/error.ts';
import { collectors } from '../../src/collectors/list.ts';
import { fileNameOf, readStateFile, type SavedAccount, writeStateFile } from '../../src/state/state-file.ts';
import { anyText, propertyRuns } from '../fixtures/properties.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const written = Date.parse('2026-06-03T12:00:00Z');
const shop = { name: 'shop', identity: 'server and login' };
const polled = { ended: written, seconds: 0.5, calls: 1, failedPolls: 0, isFromEarlierProcess: true };
const failure = { reason: 'permission', message: 'no', accepted: true, forbiddenMethod: 'stat/getSiteLoad' } as const;

const account = {
  account: shop.name,
  identity: shop.identity,
  collectors: {
    databases: {
      version: 1,
      runStarted: written - 2000,
      poll: { ...polled, succeeded: true, failures: [], accepted: true, lastSuccess: written - 1000 },
      results: { '': { payload: [{ name: 'base' }], answered: written, providerTime: written + 1, complete: false } },
    },
    site_load_detail: {
      version: 3,
      runStarted: written,
      poll: { ...polled, succeeded: false, failures: [failure], accepted: undefined, lastSuccess: undefined },
      results: { '{"site_id":"1"}': { payload: null, answered: written, providerTime: written, complete: true } },
    },
    backups: { version: 2, runStarted: 0, results: {} },
  },
  pausedUntil: written + 60_000,
  rejection: { secret: 'wrong', count: 2, rejected: written, nextAttempt: written + 5 },
  memory: { days: { '2026-06-03': [1, null, 2.5, null] }, lists: { '2026-06-03': { databases: { base: 5 } } } },
} satisfies SavedAccount;

/** A folder with the file of the account, and what the file contains. */
async function savedFolder(saved: SavedAccount & { readonly token?: string } = account) {
  const folder = temporaryFolder();
  await writeStateFile(folder, saved);
  const path = join(folder, fileNameOf(saved.account));
  const text = gunzipSync(readFileSync(path)).toString();
  return { folder, path, text, write: (content: string) => writeFileSync(path, gzipSync(content)) };
}

const anyTime = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
const anyMethod = fc.constantFrom(...collectors.flatMap(({ methods }) => methods));
const anyFailure = fc.record(
  { reason: fc.constantFrom(...reasons), message: anyText(), accepted: fc.boolean(), forbiddenMethod: anyMethod },
  { requiredKeys: ['reason', 'message', 'accepted'] },
);
const anyPoll = fc
  .record({
    ended: anyTime,
    seconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
    calls: fc.nat(),
    failures: fc.array(anyFailure, { maxLength: 20 }),
    accepted: fc.option(fc.boolean(), { nil: undefined }),
    failedPolls: fc.nat(),
    lastSuccess: fc.option(anyTime, { nil: undefined }),
  })
  .map((poll) => ({ ...poll, succeeded: poll.failures.length === 0, isFromEarlierProcess: true }));
// JSON has no -0.
const anyPayload = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const anyResult = fc.record({
  payload: anyPayload,
  answered: anyTime,
  providerTime: anyTime,
  complete: fc.boolean(),
});
const anyKey = anyText().filter((key) => key !== '__proto__');
const anyCollector = fc.record(
  { version: fc.nat(), runStarted: anyTime, poll: anyPoll, results: fc.dictionary(anyKey, anyResult) },
  { requiredKeys: ['version', 'runStarted', 'results'] },
);
const anyAccount = fc.record(
  {
    account: anyText(),
    identity: anyText(),
    pausedUntil: anyTime,
    collectors: fc.dictionary(anyKey, anyCollector),
  },
  { requiredKeys: ['account', 'identity', 'collectors'] },
);

describe('a state file', () => {
  it('is compressed, only for its owner, and contains what was written', async () => {
    const { folder, path, text } = await savedFolder();

    const hashed = { ...account.rejection, secret: expect.stringMatching(/^scrypt .{22}== .{43}=$/) };
    expect(JSON.parse(text)).toEqual({ format: 4, ...account, rejection: hashed });
    expect([readdirSync(folder), statSync(path).mode & 0o777]).toEqual([[fileNameOf('shop')], 0o600]);
    expect(fileNameOf('shop')).toMatch(/^[0-9a-f]{32}\.json\.gz$/);
    expect(await readStateFile(folder, shop, 'wrong')).toEqual({ saved: account });
  });

  it('can always be read after an exporter wrote it, also if clocks are wrong by any time', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(anyAccount, async (saved) => {
        await writeStateFile(folder, saved);

        const read = await readStateFile(folder, { name: saved.account, identity: saved.identity });

        expect(read).toEqual({ saved });
      }),
      { seed: 28, numRuns: propertyRuns(300) },
    );
  });

  it('contains nothing that the format does not name', async () => {
    const { text } = await savedFolder({ ...account, token: 'x' });

    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(['format', ...Object.keys(account)].toSorted());
    expect(Object.keys(JSON.parse(text).rejection)).toEqual(['secret', 'count', 'rejected', 'nextAttempt']);
  });

  it('may be missing', async () => {
    expect(await readStateFile(temporaryFolder(), shop)).toEqual({});
  });

  it('is not used by an account with another identity', async () => {
    const { folder } = await savedFolder();

    expect(await readStateFile(folder, { ...shop, identity: 'another login' })).toEqual({ dropped: 'foreign' });
  });

  it('of another format is unknown', async () => {
    const { folder, text, write } = await savedFolder();

    write(text.replace('"format":4', '"format":3'));

    expect(await readStateFile(folder, shop)).toEqual({ dropped: 'unknown' });
  });

  it('keeps its figures if its memory cannot be read', async () => {
    const { folder, text, write } = await savedFolder();

    write(text.replace('[1,null,2.5,null]', '[1]'));

    const { memory: _memory, rejection: _rejection, ...rest } = account;
    expect(await readStateFile(folder, shop)).toEqual({ saved: rest });
  });

  it.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['is not JSON', () => 'x'],
    ['is a number', () => '2'],
    ['has no format', (text) => text.replace('"format":4,', '')],
    ['is cut off', (text) => text.slice(0, -1)],
    ['lacks a field', (text) => text.replace('"runStarted":0,', '')],
    ['names a method that changes something', (text) => text.replace('stat/getSiteLoad', 'stat/deleteSite')],
    ['has text before a method', (text) => text.replace('stat/getSiteLoad', '../stat/getSiteLoad')],
    ['has text after a method', (text) => text.replace('stat/getSiteLoad', 'stat/getSiteLoad?x=1')],
    ['has a number as a method', (text) => text.replace('"stat/getSiteLoad"', '7')],
    ['has more than 64 MiB', () => ' '.repeat(65 * 1024 * 1024)],
  ])('is damaged if it %s', async (_how, change) => {
    const { folder, text, write } = await savedFolder();

    write(change(text));

    expect(await readStateFile(folder, shop)).toEqual({ dropped: 'damaged' });
  });

  it('is damaged if it is not compressed, or a folder', async () => {
    const { folder, path, text } = await savedFolder();
    writeFileSync(path, text);
    mkdirSync(join(folder, fileNameOf('blog')));

    const reads = [await readStateFile(folder, shop), await readStateFile(folder, { ...shop, name: 'blog' })];

    expect(reads).toEqual([{ dropped: 'damaged' }, { dropped: 'damaged' }]);
  });

  it('with changed, cut or added bytes is damaged', async () => {
    const { folder, path } = await savedFolder();
    const zipped = readFileSync(path);
    const damage = fc.array(
      fc.record({ at: fc.nat(zipped.length - 1), remove: fc.nat(20), insert: fc.uint8Array({ maxLength: 4 }) }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        let bytes = zipped;
        for (const { at, remove, insert } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
        }
        writeFileSync(path, bytes);

        const read = await readStateFile(folder, shop);

        // Some bytes of the header mean nothing. A checksum finds every other change.
        const { rejection: _rejection, ...saved } = account;
        expect([{ saved }, { dropped: 'damaged' }]).toContainEqual(read);
      }),
      { seed: 15, numRuns: propertyRuns(2000) },
    );
  });
});

it('a write that fails leaves the old file and nothing else', async () => {
  const { folder, path } = await savedFolder();
  const before = readFileSync(path);
  const invalid = { ...account, pausedUntil: Number.NaN };

  await expect(writeStateFile(folder, invalid)).rejects.toThrow('pausedUntil');
  mkdirSync(join(folder, fileNameOf('blog')));
  await expect(writeStateFile(folder, { ...account, account: 'blog' })).rejects.toThrow('EISDIR');

  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(folder).toSorted()).toEqual([fileNameOf('blog'), fileNameOf('shop')].toSorted());
});
