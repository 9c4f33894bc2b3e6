import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/fixtures/waiting.ts';
import { type FaultKind, faultKinds } from '../src/faults/fault.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, payload, send } from './api-caller.ts';

const method = 'user/getAccountInfo';

function open(sandbox: Sandbox, path = method) {
  const { password } = sandbox.account('shop');
  return request(`${sandbox.baseUrl}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'shop', passwd: password }).toString(),
  });
}

describe.each(['specification', 'provider'] as const)('a fault in the %s dialect', (dialect) => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect, clock: fixedClock, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  const failed = dialect === 'provider' ? 'METHOD_FAILED' : 'METHOD_ERROR';
  const lastOutcome = () => sandbox.calls.at(-1)?.outcome;
  const contentType = `${dialect === 'provider' ? 'text/html' : 'application/json'}; charset=utf-8`;

  it('reset breaks the connection halfway through the body', async () => {
    sandbox.setFault({ kind: 'reset' });

    const { headers, body } = await open(sandbox);
    let answer = '';
    const reading = (async () => {
      for await (const chunk of body) answer += String(chunk);
    })();

    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect(headers['content-type']).toBe(contentType);
    expect(answer).toMatch(/^\{"status":"success",/);
    expect(answer).toHaveLength(Math.floor(Number(headers['content-length']) / 2));
    expect(lastOutcome()).toBe('reset');
  });

  it('silence never answers, and the sandbox can still close', async () => {
    sandbox.setFault({ kind: 'silence' });

    const answer = open(sandbox).then(
      () => 'answered',
      () => 'closed',
    );
    await until('the call has arrived', () => lastOutcome() === 'silence');
    await sandbox.close();

    expect(await answer).toBe('closed');
  });

  it('drip sends single bytes', async () => {
    sandbox.setFault({ kind: 'drip' });

    const { headers, body } = await open(sandbox);
    let received = '';
    for await (const chunk of body) {
      received += String(chunk);
      if (received.length >= 3) break;
    }

    expect([headers['content-type'], received.trim()]).toEqual([contentType, '']);
  });

  it('latency sends the normal answer', async () => {
    sandbox.setFault({ kind: 'latency', latency: 1 });

    const answered = await payload(sandbox, 'shop', method);

    expect(answered).toMatchObject(dialect === 'provider' ? { plan_name: 'Business' } : { tariff: 'Business' });
    expect(lastOutcome()).toBe('latency');
  });

  it.each<[FaultKind, number, header?: string]>([
    ['http_500', 500],
    ['http_503', 503],
    ['http_429', 429, 'retry-after'],
    ['redirect', 302, 'location'],
    ['html', 200],
  ])('%s sends an HTML page with HTTP %i', async (kind, status, header) => {
    sandbox.setFault({ kind, retryAfter: 12 });

    const { statusCode, headers, body } = await open(sandbox);

    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html']);
    expect(await body.text()).toMatch(/^<!doctype html>/);
    const values = { 'retry-after': '12', location: `${sandbox.controlUrl}/redirected` };
    for (const [name, value] of Object.entries(values)) expect(headers[name]).toBe(name === header ? value : undefined);
  });

  it('redirect leads to a page that logs each client', async () => {
    sandbox.setFault({ kind: 'redirect' });

    const { headers, body } = await open(sandbox);
    const { location } = headers;
    await body.dump();
    expect(sandbox.calls.map((logged) => logged.outcome)).toEqual(['redirect']);

    await (await request(String(location))).body.dump();
    expect(sandbox.calls.map((logged) => logged.outcome)).toEqual(['redirect', 'followed_redirect']);
  });

  it('truncated_json sends the first half of the answer', async () => {
    const { text: normal } = await call(sandbox, 'shop', method);
    sandbox.setFault({ kind: 'truncated_json' });

    const { text, json } = await call(sandbox, 'shop', method);

    expect(text).toBe(normal.slice(0, Math.floor(normal.length / 2)));
    expect(json).toBeUndefined();
  });

  it('wrong_shape turns objects into lists and lists into objects', async () => {
    const [object, list] = [await payload(sandbox, 'shop', method), await payload(sandbox, 'shop', 'mysql/getList')];
    sandbox.setFault({ kind: 'wrong_shape' });

    expect(await payload(sandbox, 'shop', method)).toEqual([object]);
    expect(await payload(sandbox, 'shop', 'mysql/getList')).toEqual({ items: list, count: 3 });
  });

  it('oversized sends the normal answer after 64 MiB', async () => {
    sandbox.setFault({ kind: 'oversized' });

    const { headers, body } = await open(sandbox);
    const received = Buffer.from(await body.arrayBuffer());

    const padding = 64 * 1024 * 1024;
    expect(received.subarray(0, padding).equals(Buffer.alloc(padding, ' '))).toBe(true);
    expect(received.subarray(padding).toString()).toMatch(/^\{"status":"success",.*\}$/);
    expect(headers['content-type']).toBe(contentType);
  });

  it.each<[FaultKind, padding: number]>([
    ['gzip', 0],
    ['gzip_bomb', 256 * 1024 * 1024],
  ])('%s sends the normal answer compressed, after %i bytes', async (kind, padding) => {
    sandbox.setFault({ kind });

    const { headers, body } = await open(sandbox);
    const compressed = Buffer.from(await body.arrayBuffer());
    const decompressed = gunzipSync(compressed);

    expect([headers['content-encoding'], headers['content-type']]).toEqual(['gzip', contentType]);
    expect(compressed.length).toBeLessThan(1024 * 1024);
    expect(decompressed.subarray(padding).toString()).toMatch(/^\{"status":"success",.*\}$/);
  });

  it.each<[FaultKind, code: string | number, level: 'outer' | 'inner', text: unknown]>([
    ['auth_error', 'AUTH_ERROR', 'outer', 'Username/password incorrect'],
    ['incorrect_request', 'INCORRECT_REQUEST', 'outer', 'The request is malformed'],
    ['no_such_method', 'NO_SUCH_METHOD', 'outer', 'No such method'],
    ['permission_denied', 'PERMISSION_DENIED', 'outer', 'Access to the method is forbidden'],
    ['method_error', 'METHOD_ERROR', 'inner', 'The method failed'],
    ['method_failed', 'METHOD_FAILED', 'inner', 'The method failed'],
    ['limit_error', 'LIMIT_ERROR', 'inner', 'Request limit exceeded'],
    ['invalid_data', 'INVALID_DATA', 'inner', 'Incorrect input data'],
    ['unknown_code', 'MAINTENANCE_WINDOW', 'inner', 'The account is being moved to another server'],
    ['numeric_code', 1208, 'inner', 'The password is too weak'],
    ['object_text', failed, 'inner', { type: 'NOT_FOUND_ERROR', message: null }],
  ])('%s sends an error in the envelope', async (kind, code, level, text) => {
    sandbox.setFault({ kind });

    const { status, json } = await call(sandbox, 'shop', method);

    const error = { error_code: code, error_text: text };
    expect(status).toBe(200);
    expect(json).toEqual(
      dialect === 'specification' || level === 'outer'
        ? { status: 'error', ...error }
        : { status: 'success', answer: { status: 'error', errors: [error] } },
    );
    expect(lastOutcome()).toBe(kind);
  });

  it('not_permitted sends the error of a method without permission', async () => {
    sandbox.setFault({ kind: 'not_permitted', method: 'mysql' });

    const { json } = await call(sandbox, 'shop', 'mysql/getList');

    const [code, text] =
      dialect === 'provider'
        ? ['AUTH_ERROR', 'Cannot access method mysql']
        : ['PERMISSION_DENIED', 'Access to the method mysql/getList is forbidden'];
    expect(json).toEqual({ status: 'error', error_code: code, error_text: text });
    expect((await call(sandbox, 'shop', method)).json.status).toBe('success');
  });

  it('echo repeats every credential', async () => {
    sandbox.setFault({ kind: 'echo' });
    const { password, token } = sandbox.account('shop');

    const byPassword = await call(sandbox, 'shop', method);
    const byToken = await request(`${sandbox.baseUrl}/${method}`, { headers: { authorization: `Bearer ${token}` } });

    const error = byPassword.json.answer?.errors[0] ?? byPassword.json;
    expect(error.error_text).toContain('login=shop');
    expect(error.error_text).toContain(password);
    expect(error.error_text).toContain(new URLSearchParams({ passwd: password }).toString());
    expect(await byToken.body.text()).toContain(token);
  });
});

describe('a fault', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ clock: fixedClock, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  it('affects only its account and method, and only `times` calls', async () => {
    sandbox.setFault({ kind: 'method_error', login: 'shop', method: 'mysql/getList', times: 2 });

    for (const [login, path] of [
      ['blog', 'mysql/getList'],
      ['shop', method],
      ['shop', 'mysql/getList'],
      ['shop', 'mysql/getList'],
      ['shop', 'mysql/getList'],
    ] as const) {
      await call(sandbox, login, path);
    }

    const outcomes = sandbox.calls.map((logged) => logged.outcome);
    expect(outcomes).toEqual(['success', 'success', 'method_error', 'method_error', 'success']);
  });

  it('is replaced by a newer one for the same calls', async () => {
    sandbox.setFault({ kind: 'method_error', login: 'shop' });
    sandbox.setFault({ kind: 'auth_error', login: 'shop' });

    await call(sandbox, 'shop', method);
    sandbox.clearFaults();
    await call(sandbox, 'shop', method);

    expect(sandbox.calls.map((logged) => logged.outcome)).toEqual(['auth_error', 'success']);
  });

  it('is added, listed and cleared over HTTP', async () => {
    const faults = `${sandbox.controlUrl}/faults`;
    const added = { login: 'shop', kind: 'method_error', times: 5 };
    const set = await send(faults, { method: 'POST', body: JSON.stringify(added) });
    const byForm = await send(faults, { method: 'POST', body: 'kind=html&login=blog' });
    await call(sandbox, 'shop', method);
    const shown = await send(sandbox.controlUrl, {});
    const cleared = await send(faults, { method: 'DELETE' });
    await call(sandbox, 'shop', method);
    const calls = await send(`${sandbox.controlUrl}/calls`, {});

    expect([set.status, byForm.status, cleared.status]).toEqual([201, 201, 204]);
    const left = [
      { login: 'blog', kind: 'html' },
      { ...added, times: 4 },
    ];
    expect(shown.json).toMatchObject({ dialect: 'specification', faults: left, kinds: faultKinds });
    const logins = ['blog', 'shop', 'agency', 'unlimited'];
    expect(shown.json.accounts.map(({ login }: { login: string }) => login)).toEqual(logins);
    expect(calls.json).toMatchObject([
      { login: 'shop', method, outcome: 'method_error' },
      { login: 'shop', method, outcome: 'success' },
    ]);
  });

  it.each([
    ['an unknown kind', { kind: 'gremlins' }, /^Unknown kind "gremlins"\. Valid kinds: reset, silence, .*auth_error/],
    ['no kind', { login: 'shop' }, /^kind is missing\. Valid kinds: reset, silence/],
    ['an unknown login', { kind: 'reset', login: 'nobody' }, /^Unknown login "nobody"\. Valid logins: blog, shop/],
    ['an invalid number', { kind: 'reset', times: 'twice' }, /^times must be a whole number of at least 0$/],
    ['a list', [], /^Send a fault/],
  ])('is refused over HTTP for %s', async (_, fault, error) => {
    const reply = await send(`${sandbox.controlUrl}/faults`, { method: 'POST', body: JSON.stringify(fault) });

    expect([reply.status, reply.json]).toEqual([400, { error: expect.stringMatching(error) }]);
  });
});
