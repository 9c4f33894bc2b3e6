import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, get, post, send } from './api-caller.ts';

const method = 'user/getAccountInfo';

describe.each(['specification', 'provider'] as const)('access in the %s dialect', (dialect) => {
  const wrongText = dialect === 'provider' ? 'Username/password incorrect' : 'Incorrect login or password';
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect, clock: fixedClock, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  it.each(['blog', 'shop', 'agency', 'unlimited'])('accepts the password of %s with GET and POST', async (login) => {
    const { password: passwd, token } = sandbox.account(login);

    const [byGet, byPost] = [
      await get(sandbox, method, { login, passwd }),
      await post(sandbox, method, { login, passwd }),
    ];

    expect([byGet.status, byGet.json.status, byPost.text]).toEqual([200, 'success', byGet.text]);
    // The token is a JWT without a signature.
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(decoded).toEqual(['{"alg":"none","typ":"JWT"}', `{"iss":"sandbox","sub":"${login}"}`, '']);
  });

  it('refuses another output format in the query and in the body', async () => {
    for (const make of [get, post]) {
      expect((await make(sandbox, method, { output_format: 'xml' })).json.error_code).toBe('INCORRECT_REQUEST');
    }
  });

  it('accepts credentials in the query next to fields in the body', async () => {
    const query = new URLSearchParams({ login: 'shop', passwd: sandbox.account('shop').password });

    const { json } = await send(`${sandbox.baseUrl}/mail/getMailboxList?${query}`, {
      method: 'POST',
      body: 'domain=teapots.example',
    });

    expect(json.status).toBe('success');
    expect((json.answer ?? json).result).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['a wrong password', { login: 'shop', passwd: 'wrong' }, {}],
    ['no password', { login: 'shop' }, {}],
    ['an unknown login', { login: 'nobody', passwd: 'wrong' }, {}],
    ['no credentials', {}, {}],
    ['a wrong token', {}, { authorization: 'Bearer wrong' }],
  ])('refuses %s', async (_, fields, headers) => {
    const { status, json } = await send(`${sandbox.baseUrl}/${method}?${new URLSearchParams(fields)}`, { headers });

    expect(status).toBe(200);
    expect(json).toEqual({ status: 'error', error_code: 'AUTH_ERROR', error_text: wrongText });
  });

  it('refuses a token without the scheme Bearer, and a wrong token even with the right password', async () => {
    const { token, password: passwd } = sandbox.account('shop');
    const query = new URLSearchParams({ login: 'shop', passwd });
    const codeOf = async (authorization: string, fields = '') =>
      (await send(`${sandbox.baseUrl}/${method}?${fields}`, { headers: { authorization } })).json.error_code;

    for (const authorization of [token, `Token ${token}`, `Basic ${token}`, `Bearer${token}`]) {
      expect(await codeOf(authorization)).toBe('AUTH_ERROR');
    }
    expect(await codeOf('Bearer wrong', query.toString())).toBe('AUTH_ERROR');
  });

  it('accepts a changed password and token, and refuses the old password', async () => {
    const account = sandbox.account('shop');
    const old = account.password;

    account.changePassword('another&one');
    account.changeToken('another-token');

    expect((await post(sandbox, method, { login: 'shop', passwd: old })).json.error_code).toBe('AUTH_ERROR');
    expect((await call(sandbox, 'shop', method)).json.status).toBe('success');
    const headers = { authorization: 'Bearer another-token' };
    expect((await send(`${sandbox.baseUrl}/${method}`, { headers })).json.status).toBe('success');
  });

  it('refuses a method without permission until it is permitted again', async () => {
    const account = sandbox.account('shop');
    account.forbid('mysql/getList');

    const refused = await call(sandbox, 'shop', 'mysql/getList');
    const other = await call(sandbox, 'shop', dialect === 'provider' ? 'mysql/addAccess' : 'mysql/getData', {
      db_name: 'shop_main',
    });
    account.permit('mysql/getList');
    const permitted = await call(sandbox, 'shop', 'mysql/getList');

    const [error_code, error_text] =
      dialect === 'provider'
        ? ['AUTH_ERROR', 'Cannot access method mysql']
        : ['PERMISSION_DENIED', 'Access to the method mysql/getList is forbidden'];
    expect(refused.json).toEqual({ status: 'error', error_code, error_text });
    expect(other.json.error_code).toBe(dialect === 'provider' ? 'AUTH_ERROR' : undefined);
    expect(permitted.json.status).toBe('success');
  });

  it('refuses every method of a forbidden section, only for its account', async () => {
    sandbox.account('shop').forbid('stat');

    const statusOf = async (login: string, stat: string) => (await call(sandbox, login, `stat/${stat}`)).json.status;
    expect(await statusOf('shop', 'getDbListLoad')).toBe('error');
    expect(await statusOf('shop', 'getSitesListLoad')).toBe('error');
    expect(await statusOf('blog', 'getDbListLoad')).toBe('success');
  });

  it('limits only the API password by permissions, not the main password or the token', async () => {
    const account = sandbox.account('shop');
    account.forbid('mysql');
    const headers = { authorization: `Bearer ${account.token}` };

    const replies = [
      await call(sandbox, 'shop', 'mysql/getList'),
      await post(sandbox, 'mysql/getList', { login: 'shop', passwd: account.mainPassword }),
      await send(`${sandbox.baseUrl}/mysql/getList`, { headers }),
    ];

    expect(account.mainPassword).not.toBe(account.password);
    expect(replies.map((reply) => reply.json.status)).toEqual(['error', 'success', 'success']);
  });

  it('checks the permission after the credentials and the method', async () => {
    sandbox.account('shop').forbid('mysql');

    const wrong = await post(sandbox, 'mysql/getList', { login: 'shop', passwd: 'wrong' });
    const unknown = await call(sandbox, 'shop', 'mysql/nothing');

    expect([wrong.json.error_code, wrong.json.error_text]).toEqual(['AUTH_ERROR', wrongText]);
    expect(unknown.json.error_text).toBe('No such method');
  });

  it('permits one method of a forbidden section', async () => {
    const account = sandbox.account('shop');
    account.forbid('mysql');
    account.permit('mysql/getList');

    const replies = [
      await call(sandbox, 'shop', 'mysql/getList'),
      await call(sandbox, 'shop', 'mysql/addDb', { db_name: 'shop_x', suffix: 'x', password: 'p' }),
    ];

    // The provider permits sections, not methods.
    const other = dialect === 'provider' ? 'success' : 'error';
    expect(replies.map((reply) => reply.json.status)).toEqual(['success', other]);
    expect(account.forbidden).toHaveLength(dialect === 'provider' ? 0 : 4);
  });

  it('lets the control API change the permissions', async () => {
    const url = `${sandbox.controlUrl}/permissions`;
    const change = (body: string) => send(url, { method: 'POST', body });

    const forbidden = await change('login=shop&method=mysql/getList&permitted=0');
    const refused = await call(sandbox, 'shop', 'mysql/getList');
    const other = await call(sandbox, 'blog', 'mysql/getList');
    const permitted = await change(JSON.stringify({ method: 'mysql/getList', permitted: true }));

    expect(forbidden.json).toContainEqual({
      login: 'shop',
      forbidden: [dialect === 'provider' ? 'mysql' : 'mysql/getList'],
    });
    expect(refused.json.error_code).toBe(dialect === 'provider' ? 'AUTH_ERROR' : 'PERMISSION_DENIED');
    expect(other.json.status).toBe('success');
    expect(permitted.json).toContainEqual({ login: 'shop', forbidden: [] });
    expect((await call(sandbox, 'shop', 'mysql/getList')).json.status).toBe('success');
    await change('method=stat&permitted=0');
    await send(url, { method: 'DELETE' });
    expect((await call(sandbox, 'shop', 'stat/getDbListLoad')).json.status).toBe('success');
  });

  it.each([
    ['login=nobody&method=mysql&permitted=0', 'Unknown login "nobody"'],
    ['login=shop&permitted=0', 'method is missing'],
    ['login=shop&method=mysql&permitted=maybe', 'permitted must be 0 or 1'],
    ['login=shop&method=mysql/getLists&permitted=0', 'no method or section mysql/getLists'],
    ['[]', 'Send a permission as JSON'],
  ])('refuses the permission %s', async (body, error) => {
    const { status, json } = await send(`${sandbox.controlUrl}/permissions`, { method: 'POST', body });

    expect(status).toBe(400);
    expect(json.error).toContain(error);
  });

  it('limits the calls per minute of each account', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const limited = await startSandbox({ dialect, requestsPerMinute: 3 });

    const outcomes: string[] = [];
    for (const [login, seconds] of [
      ['shop', 0],
      ['shop', 0],
      ['shop', 0],
      ['shop', 50],
      ['blog', 0],
      ['shop', 11],
    ] as const) {
      vi.setSystemTime(Date.now() + seconds * 1000);
      const { json } = await call(limited, login, method);
      outcomes.push(json.error_code ?? json.answer?.errors?.[0]?.error_code ?? json.status);
    }
    await limited.close();
    vi.useRealTimers();

    // A refused call does not count.
    expect(outcomes).toEqual(['success', 'success', 'success', 'LIMIT_ERROR', 'success', 'success']);
    expect(limited.calls.map((logged) => logged.outcome)).toEqual(outcomes);
  });
});

it('the specification dialect reads plain arguments next to input_format=json, and has a flat envelope', async () => {
  const sandbox = await startSandbox({ clock: fixedClock });

  const { json, contentType } = await call(sandbox, 'shop', 'mysql/getData', {
    input_format: 'json',
    db_name: 'shop_main',
  });
  await sandbox.close();

  expect(contentType).toBe('application/json; charset=utf-8');
  expect(json).toEqual({ status: 'success', result: expect.objectContaining({ name: 'shop_main' }) });
});

describe('provider dialect', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect: 'provider', clock: fixedClock });
  });

  afterEach(() => sandbox.close());

  it('sends text/html in a nested envelope with the escapes of PHP', async () => {
    const { contentType, text } = await call(sandbox, 'agency', 'site/getList');

    expect(contentType).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^\{"status":"success","answer":\{"status":"success","result":\[/);
    expect(text).toContain('"path":"teahouse.example\\/public_html"');
    expect(text).toMatch(/^[ -~]+$/);
    expect(text).toContain('\\u043f\\u0435\\u043a\\u0430\\u0440\\u043d\\u044f');
  });

  it('ignores plain arguments next to input_format=json', async () => {
    const { json } = await call(sandbox, 'shop', 'stat/getDbLoad', { input_format: 'json', db_name: 'shop_main' });

    expect(json.answer.errors[0].error_code).toBe('INVALID_DATA');
  });

  it.each([
    ['an unknown input_format', { input_format: 'xml' }, /^<html>/],
    ['input_data that is not JSON', { input_format: 'json', input_data: '{' }, /^Cannot parse the JSON input params$/],
  ])('answers HTTP 500 without an envelope to %s', async (_, parameters, body) => {
    const { status, text } = await call(sandbox, 'shop', method, parameters as Record<string, string>);

    expect(status).toBe(500);
    expect(text).toMatch(body);
  });
});
