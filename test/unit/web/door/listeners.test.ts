import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stoppingListeners } from '../../../fixtures/listening.ts';
import { until } from '../../../fixtures/waiting.ts';

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.family === 'IPv6');

function setUp() {
  const { http, listeners } = stoppingListeners();
  let starts = 0;
  http.on('listening', () => {
    starts += 1;
  });
  return { listeners, starts: () => starts };
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe('a listener', () => {
  it('serves on the address of its host, and starts the timeouts of the server once', async () => {
    const { listeners, starts } = setUp();

    const first = await listeners.open({ host: '127.0.0.1', port: 0 });
    const startsOfFirst = starts();
    const urls = [first, await listeners.open({ host: '127.0.0.1', port: 0 })];

    for (const url of urls) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await textOf(url)).toBe('hello');
    }
    expect([startsOfFirst, starts()]).toEqual([1, 1]);
  });

  it('serves on all interfaces without a host, under the address of loopback', async () => {
    const { listeners } = setUp();

    const url = await listeners.open({ host: undefined, port: 0 });

    expect(new URL(url).hostname).toBe(hasIpv6 ? '[::1]' : '127.0.0.1');
    expect(await textOf(url)).toBe('hello');
    expect(await textOf(`http://127.0.0.1:${portOf(url)}`)).toBe('hello');
  });

  it('serves on every address of a name, with the same port', async () => {
    const { listeners } = setUp();

    const url = await listeners.open({ host: 'localhost', port: 0 });

    expect(await textOf(`http://localhost:${portOf(url)}`)).toBe('hello');
    expect(await textOf(url)).toBe('hello');
  });

  it('rejects if the port is in use', async () => {
    const { listeners } = setUp();
    const port = portOf(await listeners.open({ host: undefined, port: 0 }));

    await expect(listeners.open({ host: undefined, port })).rejects.toThrow('EADDRINUSE');
  });

  it('rejects a name without an address', async () => {
    await expect(setUp().listeners.open({ host: 'name.invalid', port: 0 })).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });
});

describe('a listener that stops', () => {
  it('refuses new connections', async () => {
    const { listeners } = setUp();
    const url = await listeners.open({ host: '127.0.0.1', port: 0 });

    await listeners.stopAccepting();

    await expect(textOf(url)).rejects.toThrow('fetch failed');
  });

  it('answers the request of a connection that it has just accepted, as the last one', async () => {
    const { listeners } = setUp();
    const url = await listeners.open({ host: '127.0.0.1', port: 0 });
    const socket = connect(portOf(url), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    // The connection is accepted by the time that another one has its answer.
    await textOf(url);

    const stopped = listeners.stopAccepting();
    const sent = request({ createConnection: () => socket, headers: { connection: 'keep-alive' } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await stopped;

    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  });

  it('destroys the connections that are left', async () => {
    const { listeners } = setUp();
    const url = await listeners.open({ host: '127.0.0.1', port: 0 });
    const socket = connect(portOf(url), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let closed = false;
    socket
      .on('error', () => {})
      .on('close', () => {
        closed = true;
      });
    await once(socket, 'connect');
    await textOf(url);

    listeners.destroyConnections();

    await until('the connection is closed', () => closed);
  });
});
