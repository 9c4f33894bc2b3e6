import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/fixtures/waiting.ts';
import { type FaultKind, faultKinds } from '../src/faults/fault.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, send } from './api-caller.ts';

const method = 'user/getAccountInfo';

function open(sandbox: Sandbox, path = method) {
  const { password } = sandbox.account('shop');
  return request(`${sandbox.baseUrl}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'shop', passwd: password }).toString(),
  });
}

/** How a fault answers a call: the status, the headers that it may change, and the body or how it ends. */
async function answerTo(sandbox: Sandbox, kind: FaultKind, path = method): Promise<string> {
  sandbox.setFault({ kind, latency: kind === 'latency' ? 1 : undefined, retryAfter: 12 });
  const { statusCode, headers, body } = await open(sandbox, path);
  const names = ['content-type', 'content-encoding', 'retry-after', 'location'];
  const shown = names.flatMap((name) => headers[name]?.toString().replace(sandbox.controlUrl, 'CONTROL') ?? []);
  const chunks: Buffer[] = [];
  let end = '';
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      if (kind === 'drip' && chunks.length === 3) break;
    }
  } catch {
    end = ', then the connection breaks';
  }
  const received = Buffer.concat(chunks);
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(received) : received;
  const start = kind === 'drip' ? plain.length : plain.indexOf('{');
  const text = plain.subarray(Math.max(0, start)).toString();
  const padding = start > 0 && kind !== 'drip' ? `${start} bytes, then ` : '';
  if (kind === 'gzip_bomb') expect(received.length).toBeLessThan(1024 * 1024);
  expect(sandbox.calls.at(-1)?.outcome).toBe(kind);
  const content = `${padding}${text.length > 200 ? `${text.slice(0, 200)}… of ${text.length}` : text}`;
  return `${kind} ${path}\n    ${[statusCode, ...shown].join(' ')}\n    ${content}${end}\n`;
}

describe.each(['specification', 'provider'] as const)('a fault in the %s dialect', (dialect) => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect, clock: fixedClock, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  it('has the answer of its kind', async () => {
    const answers: string[] = [];
    for (const kind of Object.keys(faultKinds) as FaultKind[]) {
      if (kind === 'silence') continue;
      answers.push(await answerTo(sandbox, kind));
      if (/wrong_|not_permitted/.test(kind)) answers.push(await answerTo(sandbox, kind, 'mysql/getList'));
    }

    await expect(answers.join('')).toMatchFileSnapshot(`golden/faults-${dialect}.txt`);
  });

  it('silence never answers, and the sandbox can still close', async () => {
    sandbox.setFault({ kind: 'silence' });

    const answer = open(sandbox).then(
      () => 'answered',
      () => 'closed',
    );
    await until('the call has arrived', () => sandbox.calls.at(-1)?.outcome === 'silence');
    await sandbox.close();

    expect(await answer).toBe('closed');
  });

  it('redirect leads to a page that logs each client', async () => {
    sandbox.setFault({ kind: 'redirect' });

    const { headers, body } = await open(sandbox);
    await body.dump();
    await (await request(String(headers['location']))).body.dump();

    expect(sandbox.calls.map((logged) => logged.outcome)).toEqual(['redirect', 'followed_redirect']);
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
