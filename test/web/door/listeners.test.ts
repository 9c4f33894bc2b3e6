import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadWebConfig } from '../../../src/web/config/load.ts';
import type { TlsConfig } from '../../../src/web/config/tls-options.ts';
import { inheritedSockets } from '../../../src/web/door/listeners.ts';
import { freshPort, helloListeners } from '../../fixtures/listening.ts';
import { readPem, webConfigFolder } from '../../fixtures/secured-app.ts';
import { until } from '../../fixtures/waiting.ts';

async function textOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe('a listener', () => {
  it('serves on all interfaces without a host, under the address of loopback', async () => {
    const listeners = helloListeners();

    const url = await listeners.open(':0');

    expect(['[::1]', '127.0.0.1']).toContain(new URL(url).hostname);
    expect(await textOf(url)).toBe('hello');
    expect(await textOf(`http://127.0.0.1:${portOf(url)}`)).toBe('hello');
    expect(listeners.isOnAllInterfaces).toBe(true);
  });

  it('serves on every address of a name, with the same port', async () => {
    const url = await helloListeners().open('localhost:0');

    expect(await textOf(`http://localhost:${portOf(url)}`)).toBe('hello');
    expect(await textOf(url)).toBe('hello');
  });

  const unknown = '192.0.2.1';

  it.each([
    [
      'serves on the other addresses of a name if the machine does not have the first',
      [unknown, '127.0.0.1'],
      undefined,
    ],
    [
      'serves on the other addresses of a name if the machine does not have the last',
      ['127.0.0.1', unknown],
      undefined,
    ],
    ['rejects a name if the machine has none of its addresses', [unknown], 'EADDRNOTAVAIL'],
    ['rejects a name if another program listens on its first address', ['127.0.0.2', '127.0.0.1'], 'EADDRINUSE'],
    ['rejects a name if another program listens on its last address', ['127.0.0.1', '127.0.0.2'], 'EADDRINUSE'],
    ['says that another program listens, if the machine lacks the other address', [unknown, '127.0.0.2'], 'EADDRINUSE'],
  ])('%s', async (_title, addresses, code) => {
    const taken = createServer().listen(0, '127.0.0.2');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;

    // A free port of 127.0.0.2 may be in use on 127.0.0.1.
    const opened = helloListeners().open(`name:${code === undefined ? 0 : port}`, async () =>
      addresses.map((address) => ({ address, family: 4 })),
    );

    if (code === undefined) expect(await textOf(await opened)).toBe('hello');
    else await expect(opened).rejects.toMatchObject({ code });
  });

  it('rejects a name without an address', async () => {
    await expect(helloListeners().open('name.invalid:0')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });
});

function tlsConfig(): TlsConfig {
  const { tls } = loadWebConfig(join(webConfigFolder, 'tls.good.yml'));
  if (tls === undefined) throw new Error('no TLS');
  return tls;
}

/** Requests a page with a connection of its own. `session` resolves to what a later connection needs to resume it. */
async function requestPage(port: number, options: ConnectionOptions = {}) {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  onTestFinished(() => void socket.destroy());
  const session = once(socket, 'session').then(([bytes]) => bytes as Buffer);
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  const isResumed = socket.isSessionReused();
  const page = await pageOf(socket);
  return { page, subject, isResumed, session };
}

async function pageOf(socket: TLSSocket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(socket, 'end');
  return Buffer.concat(pieces).toString();
}

describe('a listener with TLS', () => {
  it('resumes the session of a client while the configuration stays the same', async () => {
    const config = tlsConfig();
    const port = await freshPort(helloListeners(() => config));
    const first = await requestPage(port);

    const second = await requestPage(port, { session: await first.session });

    expect([first, second].map(({ page, isResumed }) => [page.slice(-5), isResumed])).toEqual([
      ['hello', false],
      ['hello', true],
    ]);
  });

  it('shows a new certificate to new connections, and resumes no session of the old one', async () => {
    let config = tlsConfig();
    const port = await freshPort(helloListeners(() => config));
    const before = await requestPage(port);
    const options = { ...config.options, cert: readPem('renewed.crt'), key: readPem('renewed.key') };
    config = { ...config, options };

    const after = await requestPage(port, { session: await before.session });

    expect(after.page).toMatch(/hello$/);
    expect(after.isResumed).toBe(false);
    expect(after.subject).not.toEqual(before.subject);
  });

  it('is not disturbed by clients that leave or reset the connection, or speak plain HTTP', async () => {
    const config = tlsConfig();
    const port = await freshPort(helloListeners(() => config));
    const clients: Socket[] = Array.from({ length: 3 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    // The connections are accepted by the time that another one has its answer.
    await requestPage(port);

    clients[0]?.end();
    clients[1]?.resetAndDestroy();
    clients[2]?.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');

    await until('the connections are closed', () => clients.every(({ destroyed }) => destroyed));
    expect((await requestPage(port)).page).toMatch(/hello$/);
  });
});

it.each([
  [{ LISTEN_PID: '42', LISTEN_FDS: '1' }, [3]],
  [{ LISTEN_PID: '42', LISTEN_FDS: '3' }, [3, 4, 5]],
  [{ LISTEN_PID: '41', LISTEN_FDS: '1' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '0' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '12' }, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
  [{ LISTEN_PID: '42', LISTEN_FDS: 'x' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '0x2' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: ' 2' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '10000' }, []],
  [{ LISTEN_PID: '42' }, []],
  [{ LISTEN_FDS: '1' }, []],
  [{}, []],
])('%j means the descriptors %j', (environment, descriptors) => {
  expect(inheritedSockets(environment, 42)).toEqual(descriptors);
});
