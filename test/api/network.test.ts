import { copyFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { connect, type Socket } from 'node:net';
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

describe('a host that accepts connections and never answers', () => {
  it('does not delay accounts on another host, even with more calls than connections', async () => {
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

describe('connections that a firewall has silently dropped', () => {
  it('cost one failed call: the call that times out closes the other connections, also if the API offers HTTP/2', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const server = createHttp2Server({ ...authority.options, allowHTTP1: true }, (_request, response) => {
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
    const [first, ...others] = clients;
    const failure = first && failureOf(first.databases());
    await turns();
    await vi.advanceTimersByTimeAsync(10_000);
    const databases = [];
    for (const client of others) databases.push(await client.databases());

    expect(open).toBe(3);
    expect((await failure)?.reason).toBe('timeout');
    expect(databases).toEqual([[{ name: 'a' }], [{ name: 'a' }]]);
  });
});

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

describe('a connection that the server closes without an answer', () => {
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

  it('fails the call if it happens twice', async () => {
    const { calls, client } = await closingApi((socket) => void socket.resetAndDestroy(), 0);

    const failure = await failureOf(client.databases());

    expect([failure.reason, calls]).toEqual(['network', [1, 1]]);
  });
});

describe('a proxy', () => {
  it('in HTTP_PROXY receives calls to http URLs', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpServer((_request, response) => response.end(success));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
  });

  it('without a scheme is an HTTP proxy, as in curl', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpServer((_request, response) => response.end(success));
    vi.stubEnv('HTTP_PROXY', new URL(proxy.url).host);
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
  });

  it('in HTTPS_PROXY tunnels calls to https URLs without reading them', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpsApi();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([new URL(baseUrl).host]);
    expect(proxy.bytes()).not.toContain('passwd');
  });

  it('is bypassed for hosts in NO_PROXY', async () => {
    const proxy = await startProxy();
    const baseUrl = await httpServer((_request, response) => response.end(success));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

    const databases = await client.databases();

    expect(databases).toEqual([{ name: 'a' }]);
    expect(proxy.targets).toEqual([]);
  });

  it('that rejects the tunnel makes calls fail with the reason network', async () => {
    const proxy = await startProxy(407);
    const baseUrl = await httpsApi();
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('network');
    expect(failure.message).toContain('407');
  });

  it.each(['http', 'https'])('does not lift the size limit of a response over %s', async (scheme) => {
    const proxy = await startProxy();
    const tooLarge = ' '.repeat(5 * 1024 * 1024);
    const baseUrl =
      scheme === 'https' ? await httpsApi(tooLarge) : await httpServer((_request, response) => response.end(tooLarge));
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    const client = clientUnderTest(accountConfig({ api: { baseUrl, caFile: authority.caFile } }));

    const failure = await failureOf(client.databases());

    expect(failure.reason).toBe('payload');
    expect(failure.message).toContain('the response is larger than 4 MiB');
  });
});

/** The client can use a connection again after a few turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
}

/** An API with a certificate for localhost that the private authority signed. */
async function httpsApi(answer = success): Promise<string> {
  return `https://localhost:${await listen(authority.createServer(answer))}/api`;
}

/** A proxy that forwards http, tunnels https by CONNECT and records the traffic. Rejects every tunnel with the status `refusal` if it is given. */
async function startProxy(refusal?: number) {
  const targets: string[] = [];
  const recorded: Buffer[] = [];
  const server = createHttpServer((request, response) => {
    const url = new URL(request.url ?? '');
    targets.push(url.host);
    const upstream = httpRequest(url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(upstream);
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
  });
  server.on('connect', (request, socket, head) => {
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    targets.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      socket.on('data', (bytes: Buffer) => recorded.push(bytes));
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    targets,
    bytes: () => Buffer.concat(recorded).toString('latin1'),
  };
}
