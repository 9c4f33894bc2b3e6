import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAccount } from '../../../src/cli/check/check.ts';
import { Recorder } from '../../../src/cli/check/recorder.ts';
import { inlineSecret } from '../../../src/config/values/secret.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { freePort, httpServer } from '../../fixtures/servers.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const options = { signal: new AbortController().signal, onPause: () => {} };
const methods = { account: 'user/getAccountInfo', databases: 'mysql/getList', ftp_accounts: 'ftp/getList' } as const;

/** Records the answer to one method of an account. Returns the recorder, the recorded call, and the text of all files. */
async function recorded(
  answer: ScriptedAnswer,
  {
    collector = 'databases',
    shift = 0,
    password = 's3cret',
  }: { collector?: keyof typeof methods; shift?: number; password?: string } = {},
) {
  const { baseUrl } = await scriptedApi({ [methods[collector]]: answer });
  return recordedFrom(baseUrl, collector, shift, password);
}

async function recordedFrom(baseUrl: string, collector: keyof typeof methods, shift = 0, password = 's3cret') {
  const recorder = new Recorder(join(temporaryFolder(), 'recording'), shift);
  const credentials = { kind: 'password', login: 'shop', password: inlineSecret(password) } as const;
  const config = accountConfig({
    credentials,
    api: { baseUrl, sizeUnits: 'binary', numberFormat: 'comma', timeZone: 'Europe/Moscow', inputFormat: 'plain' },
    collectors: [collector],
    labels: { client: 'Ivanov' },
  });
  await checkAccount(config, { ...options, onAnswer: recorder.forAccount(config) });
  recorder.finish(baseUrl);
  const folder = join(recorder.folder, 'account1');
  const [file = ''] = readdirSync(folder);
  const text = readFileSync(join(folder, file), 'utf8');
  return { recorder, file, text, call: JSON.parse(text) };
}

describe('the folder of a recording', () => {
  it('is readable only for its owner, with a file for each call', async () => {
    const { recorder, file } = await recorded({ result: [{ name: 'shop_wp', size: '1 MB' }] });
    const paths = ['.', 'account1', `account1/${file}`, 'config.yml'];

    expect(file).toBe('0001-mysql-getList.json');
    expect(paths.map((path) => (statSync(join(recorder.folder, path)).mode & 0o777).toString(8))).toEqual([
      '700',
      '700',
      '600',
      '600',
    ]);
  });

  it('may be an existing empty folder, which others can then no longer read', () => {
    const folder = join(temporaryFolder(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o755);

    new Recorder(folder, 0);

    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('must not contain files, and must not be a file', () => {
    const parent = temporaryFolder();
    const file = join(parent, 'notes.txt');
    writeFileSync(file, 'kept');

    expect(() => new Recorder(parent, 0)).toThrow(
      `${parent}: cannot be written: the folder is not empty; name a new one`,
    );
    expect(() => new Recorder(file, 0)).toThrow(`${file}: cannot be written: EEXIST`);
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('that disappears is a failure of the recording, and not of the calls', async () => {
    const { baseUrl } = await scriptedApi();
    const recorder = new Recorder(join(temporaryFolder(), 'recording'), 0);
    const config = accountConfig({ api: { baseUrl }, collectors: ['databases'] });
    rmSync(recorder.folder, { recursive: true });

    const { collectors } = await checkAccount(config, { ...options, onAnswer: recorder.forAccount(config) });

    expect(collectors).toMatchObject([{ state: 'ok' }]);
    expect(() => recorder.finish(baseUrl)).toThrow(`${recorder.folder}: cannot be written: ENOENT`);
  });

  it('contains the settings that change how answers are read, without labels, addresses and credentials', async () => {
    const { recorder } = await recorded({ result: [] });

    const config = JSON.parse(readFileSync(join(recorder.folder, 'config.yml'), 'utf8'));

    expect(config.accounts).toMatchObject([{ name: 'account1', login: 'account1', password: 'any' }]);
    expect(config.accounts[0].api).toEqual({
      size_units: 'binary',
      number_format: 'comma',
      time_zone: 'Europe/Moscow',
      input_format: 'plain',
    });
    expect(config.accounts[0].collectors).toMatchObject({ databases: { enabled: true }, sites: { enabled: false } });
    expect(Object.keys(config.accounts[0])).toEqual(['name', 'login', 'password', 'api', 'collectors']);
  });
});

describe('a recorded answer', () => {
  it('keeps unknown words of states, except words of the login, the labels and the secret', async () => {
    const states = ['none', 'shop', 'Ivanov'].map((status) => ({ status }));

    const { call, recorder } = await recorded({ result: states });
    const { call: withSecret } = await recorded({ result: states }, { password: 'none' });

    expect(call.body.result).toEqual([{ status: 'none' }, { status: 'name1' }, { status: 'Name2' }]);
    expect(recorder.anonymizer.keptWords).toEqual(['none']);
    expect(withSecret.omitted).toMatchObject({ kind: 'secret' });
  });

  it('has its status, type and date, and the body without names', async () => {
    const body = JSON.stringify({ status: 'success', result: [{ name: 'shop_wp', size: '45', user: 'shop_wp' }] });
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'x-server': 'shop',
      date: 'Mon, 23 Nov 2026 12:00:00 GMT',
    };

    const { call } = await recorded({ status: 200, headers, body });

    expect(call).toEqual({
      method: 'mysql/getList',
      parameters: {},
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', date: 'Mon, 23 Nov 2026 12:00:00 GMT' },
      body: { status: 'success', result: [{ name: 'name1_name2', size: '45', user: 'name1_name2' }] },
    });
  });

  it('has moved dates with --record.shift', async () => {
    const headers = { date: 'Mon, 23 Nov 2026 12:00:00 GMT' };
    const body = JSON.stringify({ status: 'success', result: [{ name: 'a', date: '2026-11-23' }] });

    const { call } = await recorded({ status: 200, headers, body }, { shift: -23 });

    expect(call).toMatchObject({
      headers: { date: 'Sat, 31 Oct 2026 12:00:00 GMT' },
      body: { result: [{ date: '2026-10-31' }] },
    });
  });

  it.each([
    [{ 'content-type': 'application/json' }, { 'content-type': 'application/json' }],
    [{ 'content-type': 'text/html;charset=UTF-8' }, { 'content-type': 'text/html;charset=UTF-8' }],
    [{ 'content-type': 'text/html; name=shop' }, {}],
    [{ 'content-type': 'shop text/html' }, {}],
    [{ 'retry-after': '120' }, { 'retry-after': '120' }],
    [{ 'retry-after': '79161234567' }, {}],
    [{ 'retry-after': 'shop 1' }, {}],
    [{ 'retry-after': '1 shop' }, {}],
    [{ location: 'https://shop.example/', server: 'shop', 'set-cookie': 'shop=1' }, {}],
  ])('has of the headers %j only %j', async (headers, kept) => {
    const { call } = await recorded({ status: 302, headers, body: '{}' });
    const { date, ...others } = call.headers;

    expect(Date.parse(date)).toBeGreaterThan(0);
    expect(others).toEqual(kept);
  });

  it.each([
    ['html', 502, '<html><h1>502 Bad Gateway of shop.example</h1></html>'],
    ['html', 200, '\n<!DOCTYPE html>shop'],
    ['json', 200, '{"status":"success","result":[{"name":"shop_wp"'],
    ['text', 500, 'Cannot serve shop'],
    ['text', 200, 'shop <html>'],
    ['text', 200, 'shop {}'],
    ['json', 200, '\n [shop'],
    ['text', 200, ''],
  ])('that is no JSON is only described: %s with status %i', async (kind, status, body) => {
    const { call, text } = await recorded({ status, body });

    expect(call).toMatchObject({ status, omitted: { kind, bytes: Buffer.byteLength(body) } });
    expect(call.body).toBeUndefined();
    expect(text).not.toContain('shop');
  });

  it('that is no text is only described', async () => {
    const bytes = Buffer.from('7b22ff227d', 'hex');
    const baseUrl = await httpServer((_request, response) => response.end(bytes));

    const { call } = await recordedFrom(baseUrl, 'databases');

    expect(call.omitted).toEqual({ kind: 'binary', bytes: 5 });
  });

  it('omits an answer that contains the secret, even as a number', async () => {
    const { call, text, recorder } = await recorded(
      { result: [{ name: 'a', size: 4_229_512 }] },
      { password: '229512' },
    );

    expect(call).toEqual({
      method: 'mysql/getList',
      parameters: {},
      status: 200,
      omitted: { kind: 'secret', bytes: 59 },
    });
    expect(text).not.toContain('229512');
    expect(recorder.withSecret).toBe(1);
  });

  it('omits an answer that contains the secret in upper or lower case', async () => {
    const { recorder } = await recorded({ result: [{ name: 'a', php_version: 'PHP 8.2' }] }, { password: 'pHp 8.2' });

    expect(recorder.withSecret).toBe(1);
  });

  it('repeats no secret, in no encoding, because texts are replaced as a whole', async () => {
    const secret = 's3cret&+"é';
    const echo = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), JSON.stringify(secret)];

    const { text, recorder } = await recorded({ refuse: 'METHOD_ERROR', text: echo.join(' ') }, { password: secret });

    expect(echo.filter((form) => text.includes(form))).toEqual([]);
    expect(text).toContain('"error_text": "text 1"');
    expect(recorder.withSecret).toBe(0);
  });

  it('that did not arrive has the reason and the code, without the message', async () => {
    const port = await freePort();

    const { call } = await recordedFrom(`http://127.0.0.1:${port}/api`, 'account');

    expect(call).toEqual({
      method: 'user/getAccountInfo',
      parameters: {},
      failure: { reason: 'network', code: 'ECONNREFUSED' },
    });
  });
});
