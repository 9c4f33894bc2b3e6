import { once } from 'node:events';
import { connect, type NetConnectOpts, Socket } from 'node:net';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { loadWebConfig } from '../../../../src/web/config/load.ts';
import type { TlsConfig } from '../../../../src/web/config/tls-options.ts';
import { tlsFront } from '../../../../src/web/door/tls-front.ts';
import { freshPort, stoppingListeners } from '../../../fixtures/listening.ts';
import { readPem, webConfigFolder } from '../../../fixtures/secured-app.ts';
import { until } from '../../../fixtures/waiting.ts';

function tlsConfig(): TlsConfig {
  const { tls } = loadWebConfig(join(webConfigFolder, 'tls.good.yml'));
  if (tls === undefined) throw new Error('no TLS');
  return tls;
}

/** The port of a server with the current configuration. */
function listening(current: () => TlsConfig): Promise<number> {
  return freshPort(stoppingListeners(current).listeners);
}

function plainClient(port: number, options: Partial<NetConnectOpts> = {}): Socket {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  onTestFinished(() => void socket.destroy());
  return socket;
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

it('resumes the session of a client while the configuration stays the same', async () => {
  const config = tlsConfig();
  const port = await listening(() => config);
  const first = await requestPage(port);

  const second = await requestPage(port, { session: await first.session });

  expect([first, second].map(({ page, isResumed }) => [page.slice(-5), isResumed])).toEqual([
    ['hello', false],
    ['hello', true],
  ]);
});

it('shows a new certificate to new connections, and resumes no session of the old one', async () => {
  let config = tlsConfig();
  const port = await listening(() => config);
  const before = await requestPage(port);
  config = { ...config, certificate: readPem('renewed.crt'), key: readPem('renewed.key') };

  const after = await requestPage(port, { session: await before.session });

  expect(after.page).toMatch(/hello$/);
  expect(after.isResumed).toBe(false);
  expect(after.subject).not.toEqual(before.subject);
});

it('is not disturbed by clients that leave or reset the connection before they send anything', async () => {
  const config = tlsConfig();
  const port = await listening(() => config);
  const clients = [plainClient(port), plainClient(port)];
  await Promise.all(clients.map((client) => once(client, 'connect')));
  // The connections are accepted by the time that another one has its answer.
  await requestPage(port);

  clients[0]?.end();
  clients[1]?.resetAndDestroy();

  await until('the first client sees the end', () => clients[0]?.destroyed);
  expect((await requestPage(port)).page).toMatch(/hello$/);
});

it('ends a connection that sends nothing for ten seconds', () => {
  const socket = new Socket();
  tlsFront(tlsConfig, () => {})(socket);
  const { timeout, destroyed } = socket;

  // Node.js emits this event after the timeout.
  socket.emit('timeout');

  expect([timeout, destroyed, socket.destroyed]).toEqual([10_000, false, true]);
});

it('tells a client without TLS what is wrong, and closes the connection even if the client does not', async () => {
  const config = tlsConfig();
  const port = await listening(() => config);
  const client = plainClient(port, { allowHalfOpen: true } as Partial<NetConnectOpts>);
  const pieces: Buffer[] = [];
  let isClosed = false;
  client
    .on('data', (piece: Buffer) => pieces.push(piece))
    .on('error', () => {
      isClosed = true;
    });
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(client, 'end');

  expect(Buffer.concat(pieces).toString()).toContain('sent an HTTP request to an HTTPS server');
  await until('writing to the connection fails', () => {
    client.write('more');
    return isClosed;
  });
});
