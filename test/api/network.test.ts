import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Connections } from '../../src/api/connections.ts';
import { ApiError } from '../../src/api/error.ts';
import { clientUnderTest, failureOf } from '../fixtures/api-client.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { makePrivateAuthority, type PrivateAuthority } from '../fixtures/private-authority.ts';
import { httpServer, listen, tcpServer } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

const cleanups = new Cleanups();
let authority: PrivateAuthority;

beforeAll(() => {
  authority = makePrivateAuthority(temporaryFolder(cleanups));
});

afterAll(cleanups.end);

beforeEach(() => {
  for (const name of proxyVariables) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const success = '{"status":"success","result":[{"name":"a"}]}';

describe('a private authority', () => {
  it('is trusted if ca_file names its certificate', async () => {
    const baseUrl = await httpsApi();
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    await expect(client.databases()).resolves.toEqual([{ name: 'a' }]);
  });

  it('is not trusted by default: calls fail with the reason network', async () => {
    const baseUrl = await httpsApi();
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toMatch(/^mysql\/getList: .*certificate/);
  });

  it('is not trusted for another host name: calls fail with the reason network', async () => {
    const baseUrl = (await httpsApi()).replace('localhost', '127.0.0.1');
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toMatch(/altnames|Host/i);
  });
});

describe('a connection', () => {
  afterEach(() => void vi.useRealTimers());

  it('is replaced after five minutes, so that calls follow the host name to another address', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = createHttpServer({ keepAliveTimeout: 60_000 }, (_request, response) => void response.end(success));
    const connected = vi.fn();
    server.on('connection', connected);
    const baseUrl = `http://127.0.0.1:${await listen(server)}/api`;
    const client = clientUnderTest(accountConfig({ api: { baseUrl, requestsPerMinute: 600_000 } }));

    const counts: number[] = [];
    for (const milliseconds of [0, 300_000, 1, 300_000, 1]) {
      vi.setSystemTime(Date.now() + milliseconds);
      await client.databases();
      await turns();
      counts.push(connected.mock.calls.length);
    }

    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });
});

describe('a ca_file that is replaced in place', () => {
  it('is read for the next call, which does not use a connection of the old authority', async () => {
    const open = new Set<unknown>();
    const server = authority.createServer(success);
    server.keepAliveTimeout = 600_000;
    server.on('secureConnection', (socket) => {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    });
    const baseUrl = `https://localhost:${await listen(server)}/api`;
    const caFile = join(temporaryFolder(), 'ca.pem');
    copyFileSync(authority.caFile, caFile);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile } }));

    await client.databases();
    const keptAlive = open.size;
    copyFileSync(makePrivateAuthority(temporaryFolder()).caFile, caFile);
    const failure = await failureOf(client.databases());
    await until(() => open.size === 0);
    copyFileSync(authority.caFile, caFile);
    const again = await client.databases();

    expect(keptAlive).toBe(1);
    expect([failure.reason, failure.message]).toEqual(['network', expect.stringContaining('certificate')]);
    expect(again).toEqual([{ name: 'a' }]);
  });

  it('and is missing for a while makes calls fail meanwhile with the reason local', async () => {
    const caFile = join(temporaryFolder(), 'ca.pem');
    const client = clientUnderTest(accountConfig({ api: { baseUrl: await httpsApi(), caFile } }));

    const { reason, message } = await failureOf(client.databases());
    copyFileSync(authority.caFile, caFile);

    const problem = `${caFile}: ca_file: does not exist; create it, or correct the path`;
    expect([reason, message]).toEqual(['local', `mysql/getList: not sent: ${problem}`]);
    expect(client.sent).toEqual([]);
    expect(await client.databases()).toEqual([{ name: 'a' }]);
  });
});

it('a host that accepts connections and never answers does not delay accounts on another host, even with more calls than connections', async () => {
  const dead: Socket[] = [];
  const deadUrl = await tcpServer((socket) => {
    dead.push(socket);
    socket.resume();
  });
  const healthyUrl = await httpServer((_request, response) => response.end(success));
  const neighbours = Array.from({ length: 150 }, () =>
    clientUnderTest(accountConfig({ api: { baseUrl: deadUrl, timeout: 600_000 } })),
  );
  const healthy = clientUnderTest(accountConfig({ api: { baseUrl: healthyUrl } }));

  const calls = neighbours.map((client) => failureOf(client.databases()));
  await until(() => dead.length === 128);
  const databases = await healthy.databases();

  expect(databases).toEqual([{ name: 'a' }]);
  expect(dead).toHaveLength(128);
  for (const client of neighbours) client.abort(new ApiError('stopped', { reason: 'network' }));
  await Promise.all(calls);
});

it('a call that waits for a connection has not started yet', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const answers: (() => void)[] = [];
  const baseUrl = await httpServer((_request, response) => answers.push(() => response.end(success)));
  const clients = Array.from({ length: 129 }, () => clientUnderTest(accountConfig({ api: { baseUrl } })));
  const calls = clients.map((client) => client.databases());
  await until(() => answers.length >= 128);

  vi.advanceTimersByTime(10_000);
  for (const answer of answers.splice(0)) answer();
  await until(() => answers.length >= 1);
  answers[0]?.();
  await Promise.all(calls);

  expect(clients.map(({ seconds }) => seconds)).toEqual([...Array(128).fill([10]), [0]]);
});

/** Forwards connections to a local port. `freeze` stops forwarding on all open connections, as a firewall that forgets them does. */
async function relayTo(port: number) {
  const pairs: (readonly [Socket, Socket])[] = [];
  const baseUrl = await tcpServer((socket) => {
    const upstream = connect(port, '127.0.0.1');
    upstream.on('error', () => {});
    onTestFinished(() => void upstream.destroy());
    pairs.push([socket, upstream]);
    socket.pipe(upstream).pipe(socket);
  });
  return {
    port: Number(new URL(baseUrl).port),
    connections: pairs,
    freeze: () => {
      for (const [socket, upstream] of pairs) {
        socket.unpipe();
        upstream.unpipe();
      }
    },
  };
}

it.each([
  ['while the account calls: each account fails once', 3, ['timeout', 'timeout', 'timeout']],
  ['while it is idle: the first call that times out closes the others', 1, ['timeout', undefined, undefined]],
])(
  'a dead connection, whose packets a firewall drops silently, costs each account at most one failed call, %s',
  async (_when, calling, reasons) => {
    fakeClock('2026-06-03T12:00:00Z');
    const server = createHttp2Server({ ...authority.options, allowHTTP1: true }, (_request, response) => {
      response.setHeader('keep-alive', 'timeout=600');
      response.end(success);
    });
    const relay = await relayTo(await listen(server));
    const api = { baseUrl: `https://localhost:${relay.port}/api`, caFile: authority.caFile, timeout: 10_000 };
    const connections = new Connections(authority.caFile);
    const clients = [1, 2, 3].map(() => clientUnderTest(accountConfig({ api }), connections));
    await Promise.all(clients.map((client) => client.databases()));
    await turns();
    const open = relay.connections.length;

    relay.freeze();
    const failures = clients.slice(0, calling).map((client) => failureOf(client.databases()));
    await turns();
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(failures);
    for (const client of clients) await client.databases();

    expect(open).toBe(3);
    expect(clients.map(({ ended }) => ended.find((reason) => reason !== undefined))).toEqual(reasons);
    expect(clients.map(({ ended }) => ended.at(-1))).toEqual([undefined, undefined, undefined]);
  },
);

describe('the timeout', () => {
  it('covers connecting: a handshake that takes 14 s succeeds with a timeout of a minute', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const port = await listen(authority.createServer(success));
    let handshake = () => {};
    const baseUrl = (
      await tcpServer((socket) => {
        const upstream = connect(port, '127.0.0.1');
        onTestFinished(() => void upstream.destroy());
        handshake = () => socket.pipe(upstream).pipe(socket);
      })
    ).replace('http://127.0.0.1', 'https://localhost');
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile, timeout: 60_000 } }));

    const databases = client.databases();
    const connected = handshake;
    await until(() => handshake !== connected);
    await vi.advanceTimersByTimeAsync(14_000);
    handshake();

    expect(await databases).toEqual([{ name: 'a' }]);
    expect(client.seconds).toEqual([14]);
  });

  it('concerns one call: a handshake without an answer delays no other call', async () => {
    const port = await listen(authority.createServer(success));
    const sockets: Socket[] = [];
    const baseUrl = await tcpServer((socket) => {
      sockets.push(socket);
      if (sockets.length > 1) socket.pipe(connect(port, '127.0.0.1')).pipe(socket);
    });
    const api = { baseUrl: baseUrl.replace('http://127.0.0.1', 'https://localhost'), caFile: authority.caFile };
    const connections = new Connections(authority.caFile);
    const [first, second] = [1, 2].map(() => clientUnderTest(accountConfig({ api }), connections));

    const failure = first && failureOf(first.databases());
    await until(() => sockets.length === 1);
    const databases = await second?.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    first?.abort(new ApiError('stopped', { reason: 'network' }));
    await failure;
  });

  it('ends a call that is still connecting', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const connected = vi.fn();
    const baseUrl = (await tcpServer(connected)).replace('http:', 'https:');
    const client = clientUnderTest(accountConfig({ api: { baseUrl, timeout: 5000 } }));

    const failure = failureOf(client.databases());
    await until(() => connected.mock.calls.length === 1);
    await vi.advanceTimersByTimeAsync(5000);

    expect(await failure).toMatchObject({ reason: 'timeout', message: expect.stringContaining('within 5000 ms') });
  });
});

describe('a connection that the server closes without a complete answer', () => {
  /** An API that answers the first call of a connection, and closes the connection at each later call. */
  async function closingApi(close: (socket: Socket) => void, answeredCalls: number) {
    const calls: number[] = [];
    const perConnection = new Map<Socket, number>();
    const baseUrl = await httpServer(({ socket }, response) => {
      const call = (perConnection.get(socket) ?? 0) + 1;
      perConnection.set(socket, call);
      calls.push(call);
      if (call > answeredCalls) close(socket);
      else response.end(success);
    });
    return { calls, client: clientUnderTest(accountConfig({ api: { baseUrl } })) };
  }

  it.each([
    ['closed', (socket: Socket) => void socket.destroy()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['closed within the answer', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{')],
  ])('does not fail the call if the connection was used before, when it is %s', async (_how, close) => {
    const { calls, client } = await closingApi(close, 1);
    await client.databases();
    await turns();

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    // The call that failed was sent again on another connection.
    expect(calls).toEqual([1, 2, 1]);
    expect(client.ended).toEqual([undefined, undefined]);
  });

  it('fails the call if the server closes a second connection, too', async () => {
    const { calls, client } = await closingApi((socket) => void socket.resetAndDestroy(), 0);

    const failure = await failureOf(client.databases());

    expect([failure.reason, calls]).toEqual(['network', [1, 1]]);
  });
});

describe('a proxy', () => {
  it.each([
    ['with a scheme', ''],
    ['without a scheme, as in curl', 'http://'],
  ])('in HTTP_PROXY %s receives calls to http URLs', async (_how, omitted) => {
    const proxy = await startProxy();
    const baseUrl = await proxied(httpServer((_request, response) => response.end(success)));
    vi.stubEnv('HTTP_PROXY', proxy.url.replace(omitted, ''));
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
  });

  it('that speaks SOCKS receives calls', async () => {
    const baseUrl = await proxied(httpsApi());
    const proxy = await tcpServer(async (socket) => {
      await once(socket, 'data');
      socket.write(Buffer.from([5, 0]));
      const [request] = await once(socket, 'data');
      socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      socket.pipe(connect(request.readUInt16BE(request.length - 2), '127.0.0.1')).pipe(socket);
    });
    vi.stubEnv('HTTPS_PROXY', proxy.replace(/^http(.*)\/api$/, 'socks5$1'));
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    expect(await client.databases()).toEqual([{ name: 'a' }]);
  });

  it('in HTTPS_PROXY tunnels calls to https URLs without reading them', async () => {
    const proxy = await startProxy();
    const baseUrl = await proxied(httpsApi());
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
    expect(proxy.bytes()).not.toContain('passwd');
  });

  it.each(['http', 'https'])('with a certificate of ca_file gets calls to %s URLs over HTTP/1.1', async (scheme) => {
    const options = { ...authority.options, allowHTTP1: true };
    const proxy = await startProxy({ server: createHttp2Server(options), url: 'https://localhost' });
    const api = scheme === 'https' ? httpsApi() : httpServer((_request, response) => response.end(success));
    const baseUrl = await proxied(api);
    vi.stubEnv(`${scheme.toUpperCase()}_PROXY`, proxy.url);
    const trusting = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));
    const other = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await trusting.databases();
    const failure = await failureOf(other.databases());

    expect(databases).toEqual([{ name: 'a' }]);
    expect([failure.reason, failure.message]).toEqual(['network', expect.stringContaining('certificate')]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
    expect(proxy.versions).toEqual(['1.1']);
  });

  it.each(['hosting.test', 'localhost', '127.0.0.1', '[::1]'])(
    'is not used for %s, which is in NO_PROXY or on this machine',
    async (host) => {
      const proxy = await startProxy();
      vi.stubEnv('HTTP_PROXY', proxy.url);
      vi.stubEnv('NO_PROXY', 'hosting.test');
      const client = clientUnderTest(accountConfig({ api: { baseUrl: `http://${host}:1/api` } }));

      const failure = await failureOf(client.databases());

      expect(failure.reason).toBe('network');
      expect(proxy.targets).toEqual([]);
    },
  );

  it('that rejects the tunnel makes calls fail with the reason network', async () => {
    const proxy = await startProxy({ refusal: 407 });
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl: await proxied(httpsApi()) } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toContain('407');
  });

  it.each(['http', 'https'])('does not lift the size limit of a response over %s', async (scheme) => {
    const proxy = await startProxy();
    const tooLarge = ' '.repeat(5 * 1024 * 1024);
    const api = scheme === 'https' ? httpsApi(tooLarge) : httpServer((_request, response) => response.end(tooLarge));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl: await proxied(api), caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('payload');
    expect(failure.message).toContain('the response is larger than 4 MiB');
  });
});

/** The URL with a host that is not on this machine. The test's proxy forwards it to 127.0.0.1. */
async function proxied(url: Promise<string>): Promise<string> {
  return (await url).replace(/localhost|127\.0\.0\.1/, 'hosting.test');
}

/** The client can use a connection again after a few turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

/** An API with a certificate for localhost that the private authority signed. */
async function httpsApi(answer = success): Promise<string> {
  return `https://localhost:${await listen(authority.createServer(answer))}/api`;
}

/**
 * A proxy that forwards http, tunnels https by CONNECT, both to 127.0.0.1, and records the traffic. Rejects every tunnel with the status
 * `refusal` if it is given.
 */
async function startProxy({ refusal = 0, server = createHttpServer() as Server, url = 'http://127.0.0.1' } = {}) {
  const targets: string[] = [];
  const versions: string[] = [];
  const recorded: Buffer[] = [];
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const target = new URL(request.url ?? '');
    targets.push(target.host);
    versions.push(request.httpVersion);
    const { method, headers } = request;
    const upstream = httpRequest({ port: target.port, path: target.pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(upstream);
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (refusal > 0) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    targets.push(request.url ?? '');
    versions.push(request.httpVersion);
    const { port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      socket.on('data', (bytes: Buffer) => recorded.push(bytes));
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return {
    url: `${url}:${await listen(server)}`,
    targets,
    versions,
    bytes: () => Buffer.concat(recorded).toString('latin1'),
  };
}
