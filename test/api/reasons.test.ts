import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/src/faults/fault.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import type { Reason } from '../../src/api/error.ts';
import { clientUnderTest, failureOf } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { freePort, httpServer, tcpServer } from '../fixtures/servers.ts';

describe.each(['specification', 'provider'] as const)('the API client in the dialect of the %s', (dialect) => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ dialect, requestsPerMinute: 0 });
  });
  afterEach(() => sandbox.clearFaults());
  afterAll(() => sandbox.close());

  const faults: readonly (readonly [FaultKind, Reason, RegExp])[] = [
    ['reset', 'network', /mysql\/getList: /],
    ['http_500', 'http', /HTTP status 500$/],
    ['http_503', 'http', /HTTP status 503$/],
    ['http_429', 'limit', /HTTP status 429$/],
    ['html', 'payload', /the response is an HTML page instead of JSON; check base_url/],
    ['truncated_json', 'payload', /the response is truncated or malformed JSON/],
    ['wrong_shape', 'payload', /the result is an object instead of a list/],
    [
      'oversized',
      'payload',
      /the response is larger than 4 MiB; if its lists are that long, raise max_items above 10000$/,
    ],
    ['gzip_bomb', 'payload', /the response is larger than 4 MiB/],
    [
      'redirect',
      'http',
      /HTTP status 302: a redirect to http:\/\/127\.0\.0\.1:\d+, which is not followed; set base_url to the final address/,
    ],
    ['auth_error', 'auth', /AUTH_ERROR: Username\/password incorrect/],
    ['method_failed', 'method', /METHOD_FAILED: The method failed/],
  ];

  it.each(faults)('reports the fault %s with the reason %s', async (kind, reason, message) => {
    sandbox.setFault({ kind, login: 'shop' });
    const client = clientUnderTest(accountConfig({ api: { baseUrl: sandbox.baseUrl } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe(reason);
    expect(failure.message).toMatch(message);
    expect(failure.message.startsWith('mysql/getList: ')).toBe(true);
    expect(client.sent).toEqual(['mysql/getList']);
    expect(client.ended).toEqual([reason]);
  });

  it.each(['silence', 'drip', 'latency'] as const)('reports the fault %s with the reason timeout', async (kind) => {
    sandbox.setFault({ kind, login: 'shop', ...(kind === 'latency' ? { latency: 60_000 } : {}) });
    const client = clientUnderTest(accountConfig({ api: { baseUrl: sandbox.baseUrl, timeout: 250 } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('timeout');
    expect(failure.message).toBe('mysql/getList: no complete response within 250 ms');
  });

  it('refuses a list with more entries than max_items', async () => {
    const client = clientUnderTest(accountConfig({ api: { baseUrl: sandbox.baseUrl, maxItems: 2 } }));

    const failure = await failureOf(client.databases());

    expect([failure.reason, failure.accepted]).toEqual(['payload', true]);
    expect(failure.message).toBe(
      'mysql/getList: the result has 3 entries, more than max_items (2); raise max_items if the list is genuine',
    );
  });
});

describe('a failed connection', () => {
  it('that is refused has the reason network', async () => {
    const client = clientUnderTest(accountConfig({ api: { baseUrl: `http://127.0.0.1:${await freePort()}/api` } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toMatch(/^mysql\/getList: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });

  it('to an unknown host has the reason network', async () => {
    const client = clientUnderTest(accountConfig({ api: { baseUrl: 'http://no-such-host.invalid/api' } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toContain('no-such-host.invalid');
  });

  it.each([
    ['immediately', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['before the end of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"status":"success","result":[]}'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"status":'],
    ['after another protocol', '220 mail.example ESMTP\r\n'],
  ])('that closes %s has the reason network', async (_when, bytes) => {
    const baseUrl = await tcpServer((socket) => {
      socket.once('data', () => socket.end(bytes));
    });
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
  });

  it('that the poll aborts rejects with the error of the signal and is not reported as ended', async () => {
    const baseUrl = await tcpServer(() => client.abort(new Error('shutting down')));
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    await expect(client.databases()).rejects.toThrow('shutting down');
    expect(client.ended).toEqual([]);
  });
});

describe('unusual responses', () => {
  it.each<readonly [string, Reason, number, Readonly<Record<string, string>>, string | Buffer]>([
    ['an empty body', 'payload', 200, {}, ''],
    ['no content', 'payload', 204, {}, ''],
    ['bytes that are not UTF-8', 'payload', 200, {}, Buffer.from([0xff, 0xfe, 0x00])],
    [
      'names that are not UTF-8',
      'payload',
      200,
      {},
      Buffer.from('{"status":"success","result":[{"name":"\xe1\xe0"}]}', 'latin1'),
    ],
    ['a page with status 502 that is not UTF-8', 'http', 502, {}, Buffer.from('<html>\xee\xf8</html>', 'latin1')],
    ['invalid gzip', 'payload', 200, { 'content-encoding': 'gzip' }, '{"status":"success","result":[]}'],
    ['an encoding that was not requested', 'payload', 200, { 'content-encoding': 'br' }, 'x'],
    ['an error with status 403', 'auth', 403, {}, '{"status":"error","error_code":"AUTH_ERROR","error_text":"x"}'],
    ['an error with status 500', 'method', 500, {}, '{"status":"error","error_code":"METHOD_ERROR"}'],
    ['a result with status 500', 'http', 500, {}, '{"status":"success","result":[]}'],
    ['a result with status 429', 'limit', 429, {}, '{"status":"success","result":[]}'],
    ['a page with status 404', 'http', 404, { 'content-type': 'text/html' }, '<html></html>'],
    ['a redirect to nowhere', 'http', 301, { location: ':::' }, ''],
    ['a code with the name of a property', 'api', 200, {}, '{"status":"error","error_code":"constructor"}'],
    ['deeply nested JSON', 'payload', 200, {}, `{"status":"success","result":${'['.repeat(9e4)}${']'.repeat(9e4)}}`],
    ['a list of invalid elements', 'payload', 200, {}, '{"status":"success","result":[{"title":"a"}]}'],
  ])('such as %s fail with the reason %s', async (_what, reason, status, headers, body) => {
    const baseUrl = await httpServer((_request, response) => response.writeHead(status, headers).end(body));
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe(reason);
  });

  it.each(['text/html', 'application/octet-stream', 'nonsense'])('are read despite a BOM and type %s', async (type) => {
    const baseUrl = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end('\ufeff{"status":"success","result":{}}');
    });
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    await expect(client.databases()).resolves.toEqual([]);
  });

  it.each([
    ['120', 120_000],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    [' ', undefined],
    ['Infinity', undefined],
    ['0x10', undefined],
    ['9999999', 3_600_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', undefined],
  ])('with Retry-After %j request a pause of %j ms', async (header, retryAfter) => {
    fakeClock('2026-06-03T12:00:00Z');
    const baseUrl = await httpServer((_request, response) => response.writeHead(429, { 'retry-after': header }).end());
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const failure = await failureOf(client.databases());

    expect([failure.reason, client.session.budget.pauseRemaining]).toEqual(['limit', retryAfter ?? 60_000]);
  });

  it('such as redirects are not followed, and their target receives nothing', async () => {
    const elsewhere: string[] = [];
    const other = await httpServer((_request, response, body) => {
      elsewhere.push(body);
      response.end('{"status":"success","result":[]}');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const baseUrl = await httpServer((_request, response) => response.writeHead(status, { location: other }).end());
      const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

      const failure = await failureOf(client.databases());

      expect(failure.message).toContain(`HTTP status ${status}: a redirect`);
    }
    expect(elsewhere).toEqual([]);
  });
});
