import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups } from '../../test/fixtures/cleanups.ts';
import { temporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { RecordedCall } from '../src/recording.ts';
import { startReplay } from '../src/replay.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

const day = 86_400_000;

/** Writes a recording of account1 with these calls, and a file beside it that is no account. */
function writeRecording(calls: readonly Partial<RecordedCall>[]): string {
  const folder = temporaryFolder(cleanups);
  mkdirSync(join(folder, 'account1'));
  writeFileSync(join(folder, 'config.yml'), '{}');
  for (const [index, call] of calls.entries()) {
    const content = { method: 'mysql/getList', parameters: {}, ...call };
    writeFileSync(join(folder, 'account1', `000${index}.json`), JSON.stringify(content));
  }
  return folder;
}

async function replayOf(calls: readonly Partial<RecordedCall>[]) {
  const replay = await startReplay({ folder: writeRecording(calls), port: 0 });
  cleanups.add(() => replay.close());
  const call = async (method: string, form: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`${replay.baseUrl}/${method}`, {
      method: 'POST',
      body: new URLSearchParams({ login: 'account1', passwd: 'any', output_format: 'json', ...form }),
      ...init,
    });
  return { ...replay, call };
}

describe('a replay', () => {
  it('answers the same call with status, headers and body', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'retry-after': '7' };
    const { call } = await replayOf([{ status: 429, headers, body: { status: 'error' } }]);

    const response = await call('mysql/getList');

    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual({ status: 'error' });
  });

  it('tells calls by their parameters, in either form, by GET or POST, with a password or a token', async () => {
    const { call, baseUrl } = await replayOf([
      { method: 'dns/getData', parameters: { fqdn: 'name1.name2' }, body: 'first' },
      { method: 'dns/getData', parameters: { fqdn: 'name3.name2' }, body: 'second' },
    ]);
    const inputData = { input_format: 'json', input_data: JSON.stringify({ fqdn: 'name3.name2' }) };

    const answers = await Promise.all([
      call('dns/getData', { fqdn: 'name1.name2' }),
      call('dns/getData', inputData),
      fetch(`${baseUrl}/dns/getData?login=account1&passwd=any&fqdn=name3.name2`),
      fetch(`${baseUrl}/dns/getData?fqdn=name1.name2`, { headers: { authorization: 'Bearer account1' } }),
    ]);

    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(['first', 'second', 'second', 'first']);
  });

  it('gives several answers to the same call in their order, and then repeats the last one', async () => {
    const { call } = await replayOf([{ status: 500, body: 1 }, { body: 2 }, { body: 3 }]);
    const answers: unknown[] = [];

    for (let calls = 0; calls < 4; calls += 1) answers.push(await (await call('mysql/getList')).json());

    expect(answers).toEqual([1, 2, 3, 3]);
  });

  it('moves all dates by whole days, so that the recording seems to be of today', async () => {
    const recorded = Date.now() - 100 * day;
    const iso = new Date(recorded).toISOString();
    const date = iso.slice(0, 10);
    const { call, shift } = await replayOf([
      { headers: { date: new Date(recorded - 5 * day).toUTCString() }, body: null },
      {
        method: 'domain/getList',
        headers: { date: new Date(recorded).toUTCString() },
        body: [date, `${date} 01:02:03`, '0000-00-00', 'name1', 20, { date_expire: date }],
      },
    ]);

    const response = await call('domain/getList');

    const today = new Date(recorded + 100 * day).toISOString().slice(0, 10);
    expect(shift).toBe(100);
    expect(response.headers.get('date')).toBe(new Date(recorded + 100 * day).toUTCString());
    expect(await response.json()).toEqual([
      today,
      `${today} 01:02:03`,
      '0000-00-00',
      'name1',
      20,
      { date_expire: today },
    ]);
  });

  it.each([
    ['html', '<html>    '],
    ['json', '{         '],
    ['text', 'x         '],
    ['secret', 'x         '],
  ] as const)('sends a body of the same kind and length for one that was left out: %s', async (kind, body) => {
    const { call } = await replayOf([{ status: 502, omitted: { kind, bytes: 10 } }]);

    const response = await call('mysql/getList');

    expect([response.status, await response.text()]).toEqual([502, body]);
  });

  it('closes the connection of a call that failed without an answer', async () => {
    const { call } = await replayOf([{ failure: { reason: 'network', code: 'ECONNREFUSED' } }]);

    await expect(call('mysql/getList')).rejects.toThrow('fetch failed');
  });

  it('refuses what is not recorded with status 404, which is no answer of the API', async () => {
    const { call } = await replayOf([{ method: 'dns/getData', parameters: { fqdn: 'name1.name2' } }]);

    const refused = await Promise.all([
      call('mysql/getList'),
      call('dns/getData', { fqdn: 'name9.name2' }),
      call('dns/getData', { login: 'shop' }),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await Promise.all(refused.map((response) => response.text()))).toEqual([
      'the recording has no answer to this call of mysql/getList\n',
      'the recording has no answer to this call of dns/getData\n',
      'log in as account1, with any password\n',
    ]);
  });
});

describe('a folder that is no recording is refused', () => {
  it('if it contains no accounts, or does not exist', async () => {
    const folder = temporaryFolder(cleanups);

    await expect(startReplay({ folder, port: 0 })).rejects.toThrow(
      `${folder}: is not a recording, because it contains no folder of an account`,
    );
    await expect(startReplay({ folder: join(folder, 'missing'), port: 0 })).rejects.toThrow('ENOENT');
  });

  it.each([
    ['no JSON', '{', 'SyntaxError'],
    ['another file', '{"method":"mysql/getList","parameters":{},"password":"x"}', 'Unrecognized key: "password"'],
    ['a body of impossible length', '{"method":"a","parameters":{},"omitted":{"kind":"text","bytes":1e12}}', 'bytes'],
  ])('if a call is %s', async (_, content, problem) => {
    const folder = writeRecording([]);
    const file = join(folder, 'account1', '0001.json');
    writeFileSync(file, content);

    const starting = startReplay({ folder, port: 0 });

    await expect(starting).rejects.toThrow(`${file}: is not a recorded call: `);
    await expect(starting).rejects.toThrow(problem);
  });
});
