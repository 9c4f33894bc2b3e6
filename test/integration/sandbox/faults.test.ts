import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultKind, faultKinds } from '../../../src/sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { until } from '../../fixtures/waiting.ts';
import { call, fixedClock, payload } from './api-caller.ts';

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

  const lastOutcome = () => sandbox.calls.at(-1)?.outcome;
  const contentType = `${dialect === 'provider' ? 'text/html' : 'application/json'}; charset=utf-8`;

  it('reset breaks the connection halfway through the body', async () => {
    sandbox.setFault({ kind: 'reset' });

    const { statusCode, headers, body } = await open(sandbox);
    const received: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of body) {
        received.push(chunk);
      }
    })();

    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    const answer = Buffer.concat(received).toString();
    expect([statusCode, headers['content-type']]).toEqual([200, contentType]);
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
      if (received.length >= 3) {
        break;
      }
    }

    expect(received).toMatch(/^ {3,}$/);
    expect(headers['content-type']).toBe(contentType);
  });

  it('latency sends the normal answer', async () => {
    sandbox.setFault({ kind: 'latency', latency: 1 });

    const answered = await payload(sandbox, 'shop', method);

    expect(answered).toMatchObject(dialect === 'provider' ? { plan_name: 'Business' } : { tariff: 'Business' });
    expect(lastOutcome()).toBe('latency');
  });

  it.each<[FaultKind, number]>([
    ['http_500', 500],
    ['http_503', 503],
    ['http_429', 429],
    ['redirect', 302],
    ['html', 200],
  ])('%s sends an HTML page with HTTP %i', async (kind, status) => {
    sandbox.setFault({ kind });

    const reply = await call(sandbox, 'shop', method);

    expect([reply.status, reply.contentType]).toEqual([status, 'text/html']);
    expect(reply.text).toMatch(/^<!doctype html>/);
  });

  it('http_429 sends Retry-After', async () => {
    sandbox.setFault({ kind: 'http_429', retryAfter: 12 });

    const { headers, body } = await open(sandbox);
    await body.dump();

    expect(headers['retry-after']).toBe('12');
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

  it.each<[path: string, parameters: Record<string, string>, invalid: string]>([
    [method, {}, '12 parsecs'],
    ['mysql/getList', {}, '12 parsecs'],
    ['stat/getSitesListLoad', {}, 'abc'],
    ['stat/getDbLoad', { db_name: 'shop_main' }, '12 parsecs'],
    ['domain/getList', {}, 'the day after tomorrow'],
    ['cron/getList', {}, 'perhaps'],
  ])('wrong_type puts an invalid value into one field of %s', async (path, parameters, invalid) => {
    const normal = JSON.stringify(await payload(sandbox, 'shop', path, parameters));
    sandbox.setFault({ kind: 'wrong_type' });

    const changed = JSON.stringify(await payload(sandbox, 'shop', path, parameters));

    expect(changed.split(`"${invalid}"`)).toHaveLength(2);
    expect(normal).not.toContain(invalid);
  });

  it('wrong_type changes the requested field', async () => {
    const field = dialect === 'provider' ? 'plan_quota' : 'disk_limit';
    sandbox.setFault({ kind: 'wrong_type', field });

    expect((await payload(sandbox, 'shop', method))[field]).toEqual({ unexpected: true });
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

  it('gzip sends the normal answer compressed', async () => {
    sandbox.setFault({ kind: 'gzip' });

    const { headers, body } = await open(sandbox);
    const answer = JSON.parse(gunzipSync(Buffer.from(await body.arrayBuffer())).toString());

    expect([headers['content-encoding'], headers['content-type']]).toEqual(['gzip', contentType]);
    expect(answer.status).toBe('success');
  });

  it('gzip_bomb is small until it is decompressed', async () => {
    sandbox.setFault({ kind: 'gzip_bomb' });

    const { headers, body } = await open(sandbox);
    const compressed = Buffer.from(await body.arrayBuffer());
    const decompressed = gunzipSync(compressed);

    expect(headers['content-encoding']).toBe('gzip');
    expect(compressed.length).toBeLessThan(1024 * 1024);
    expect(decompressed.length).toBeGreaterThan(256 * 1024 * 1024);
    expect(decompressed.subarray(256 * 1024 * 1024).toString()).toMatch(/^\{"status":"success",.*\}$/);
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
    [
      'object_text',
      dialect === 'provider' ? 'METHOD_FAILED' : 'METHOD_ERROR',
      'inner',
      { type: 'NOT_FOUND_ERROR', message: null },
    ],
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
    const other = await call(sandbox, 'shop', method);

    expect([json.error_code, json.error_text]).toEqual(
      dialect === 'provider'
        ? ['AUTH_ERROR', 'Cannot access method mysql']
        : ['PERMISSION_DENIED', 'Access to the method mysql/getList is forbidden'],
    );
    expect(other.json.status).toBe('success');
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

describe('fault kinds', () => {
  it('are written in snake_case', () => {
    for (const kind of Object.keys(faultKinds)) expect(kind).toMatch(/^[a-z]+(_([a-z]+|\d+))*$/);
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
    const set = await request(`${sandbox.controlUrl}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'shop', kind: 'method_error', times: 5 }),
    });
    const byForm = await request(`${sandbox.controlUrl}/faults`, { method: 'POST', body: 'kind=html&login=blog' });
    await call(sandbox, 'shop', method);
    const shown = await request(sandbox.controlUrl);
    const cleared = await request(`${sandbox.controlUrl}/faults`, { method: 'DELETE' });
    await call(sandbox, 'shop', method);
    const calls = await request(`${sandbox.controlUrl}/calls`);

    expect([set.statusCode, byForm.statusCode, cleared.statusCode]).toEqual([201, 201, 204]);
    expect(await shown.body.json()).toMatchObject({
      dialect: 'specification',
      accounts: [
        { login: 'blog' },
        { login: 'shop', password: 'sh&p+5 #?/=%41' },
        { login: 'agency' },
        { login: 'unlimited' },
      ],
      faults: [
        { login: 'blog', kind: 'html' },
        { login: 'shop', kind: 'method_error', times: 4 },
      ],
      kinds: faultKinds,
    });
    expect(await calls.body.json()).toMatchObject([
      { login: 'shop', method, outcome: 'method_error' },
      { login: 'shop', method, outcome: 'success' },
    ]);
  });

  it.each([
    [
      'an unknown kind',
      { kind: 'gremlins' },
      /^Unknown kind "gremlins"\. Valid kinds: reset, silence, .*http_500, .*auth_error/,
    ],
    ['no kind', { login: 'shop' }, /^kind is missing\. Valid kinds: reset, silence/],
    ['an unknown login', { kind: 'reset', login: 'nobody' }, /^Unknown login "nobody"\. Valid logins: blog, shop/],
    ['an invalid number', { kind: 'reset', times: 'twice' }, /^times must be a whole number of at least 0$/],
    ['a list', [], /^Send a fault/],
  ])('is refused over HTTP for %s', async (_, fault, error) => {
    const reply = await request(`${sandbox.controlUrl}/faults`, { method: 'POST', body: JSON.stringify(fault) });

    expect(reply.statusCode).toBe(400);
    expect(await reply.body.json()).toEqual({ error: expect.stringMatching(error) });
  });
});
