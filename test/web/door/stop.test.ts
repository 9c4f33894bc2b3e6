import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Agent as HttpsAgent, request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { loadWebConfig } from '../../../src/web/config/load.ts';
import { Listeners } from '../../../src/web/door/listeners.ts';
import { freshPort, helloListeners } from '../../fixtures/listening.ts';
import { webConfigFolder } from '../../fixtures/secured-app.ts';

async function listening({ tls = false } = {}) {
  const config = tls ? loadWebConfig(join(webConfigFolder, 'tls.good.yml')).tls : undefined;
  const listeners = helloListeners(config && (() => config));
  const port = await freshPort(listeners);
  /** Starts to close. Resolves with whether this takes some time. Both timers start at the same moment, so no noise changes their order. */
  const closesLate = () => Promise.race([listeners.close().then(() => false), pause(500).then(() => true)]);
  const fetched = async (agent: Agent) => {
    const sent = (tls ? requestTls : request)({ agent, port, host: '127.0.0.1' });
    sent.end();
    const [response] = await once(sent, 'response');
    const socket: Socket = response.socket;
    response.resume();
    await once(response, 'end');
    return socket;
  };
  return { listeners, port, closesLate, fetched };
}

/** A client that has connected, and sends only what a test writes. */
async function silentClient(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

it('does not wait without connections, and refuses new ones', async () => {
  const { port, closesLate } = await listening();

  expect(await closesLate()).toBe(false);
  await expect(silentClient(port)).rejects.toThrow('ECONNREFUSED');
});

it.each([false, true])('closes the connection of a client with its answer, without waiting; TLS: %s', async (tls) => {
  const { fetched, closesLate } = await listening({ tls });
  const agent = tls ? new HttpsAgent({ keepAlive: true, rejectUnauthorized: false }) : new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const closed = once(await fetched(agent), 'close');

  expect(await closesLate()).toBe(false);
  await closed;
});

it('answers the request of a connection that it has just accepted, and closes the connection', async () => {
  const { listeners, port, fetched } = await listening();
  const client = await silentClient(port);
  const received: Buffer[] = [];
  client.on('data', (bytes: Buffer) => received.push(bytes));
  // The connection is accepted by the time that another one has its answer.
  await fetched(new Agent());

  const stopped = listeners.close();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(client, 'close');
  await stopped;

  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*hello$/);
});

it('answers all requests of a client that has sent several at once', async () => {
  const second = Promise.withResolvers<string>();
  const server = fastify();
  server.get('/', async () => 'first');
  server.get('/second', () => second.promise);
  const listeners = new Listeners(server);
  onTestFinished(() => listeners.close());
  const client = await silentClient(await freshPort(listeners));
  const received: Buffer[] = [];
  client.on('data', (bytes: Buffer) => received.push(bytes));
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\nGET /second HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(client, 'data');
  await pause(0);

  const stopped = listeners.close();
  second.resolve('second');
  await once(client, 'close');
  await stopped;

  expect(Buffer.concat(received).toString()).toMatch(/first[\s\S]*second$/);
});

it('closes a client whose answer takes longer, as that of a login can', async () => {
  const server = fastify();
  const asked = Promise.withResolvers<void>();
  server.get('/', () => {
    asked.resolve();
    return new Promise(() => {});
  });
  const listeners = new Listeners(server);
  const client = await silentClient(await freshPort(listeners));
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await asked.promise;

  await Promise.all([listeners.close(), once(client, 'close')]);

  expect(client.bytesRead).toBe(0);
});

it('does not wait for a client that has left', async () => {
  const { port, closesLate, fetched } = await listening();
  (await silentClient(port)).destroy();
  await fetched(new Agent());
  await fetched(new Agent());

  expect(await closesLate()).toBe(false);
});

it.each(['', 'GET / HTTP/1.1\r\n'])('closes a client that has sent %j after a while', async (bytes) => {
  const { port, closesLate, listeners, fetched } = await listening();
  const client = await silentClient(port);
  client.write(bytes);
  await fetched(new Agent());

  const isLate = await closesLate();
  await Promise.all([listeners.close(), once(client, 'close')]);

  expect(isLate).toBe(true);
});

it('closes a client that has only negotiated TLS after a while', async () => {
  const { port, closesLate, listeners } = await listening({ tls: true });
  const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});
  onTestFinished(() => void client.destroy());
  await once(client, 'secureConnect');

  const isLate = await closesLate();
  await Promise.all([listeners.close(), once(client, 'close')]);

  expect(isLate).toBe(true);
});
