import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Agent as HttpsAgent, request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadWebConfig } from '../../../../src/web/config/load.ts';
import { freshPort, stoppingListeners } from '../../../fixtures/listening.ts';
import { webConfigFolder } from '../../../fixtures/secured-app.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Listeners with their port, and the server's side of the next connection. */
async function listening({ tls = false } = {}) {
  const config = tls ? loadWebConfig(join(webConfigFolder, 'tls.good.yml')).tls : undefined;
  const { http, listeners } = stoppingListeners(config && (() => config));
  const accepted = (): Promise<Socket> => once(http, 'connection').then(([socket]) => socket as Socket);
  return { listeners, port: await freshPort(listeners), accepted };
}

/** A client that has connected and sent nothing. */
function silentClient(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Whether the stop takes some time. Both timers start at the same moment, so that no noise changes their order. */
function takesTime(stopped: Promise<void>): Promise<boolean> {
  return Promise.race([stopped.then(() => false), pause(500).then(() => true)]);
}

describe('a stop', () => {
  it('does not wait without connections', async () => {
    const { listeners } = await listening();

    expect(await takesTime(listeners.stopAccepting())).toBe(false);
  });

  it('waits for the request of a new connection', async () => {
    const { listeners, port, accepted } = await listening();
    silentClient(port);
    await accepted();

    expect(await takesTime(listeners.stopAccepting())).toBe(true);
  });

  it.each([
    [999, true],
    [1000, false],
  ])('%i ms after a client connected, waits for its request: %s', async (milliseconds, expected) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { listeners, port, accepted } = await listening();
    silentClient(port);
    await accepted();
    vi.advanceTimersByTime(milliseconds);

    expect(await takesTime(listeners.stopAccepting())).toBe(expected);
  });

  it('does not wait for a client that has left', async () => {
    const { listeners, port, accepted } = await listening();
    const client = silentClient(port);
    const socket = await accepted();
    const closed = once(socket, 'close');
    client.destroy();
    await closed;

    expect(await takesTime(listeners.stopAccepting())).toBe(false);
  });

  it('does not wait for a client that has its answer, and closes its connection', async () => {
    const { listeners, port } = await listening();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const sent = request({ agent, port, host: '127.0.0.1' });
    sent.end();
    const [response] = await once(sent, 'response');
    const { socket } = response;
    response.resume();
    await once(response, 'end');
    const closed = once(socket, 'close');

    expect(await takesTime(listeners.stopAccepting())).toBe(false);
    await closed;
  });

  it('waits for the request of a client that has only negotiated TLS', async () => {
    const { listeners, port, accepted } = await listening({ tls: true });
    const secured = accepted();
    const client = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {});
    onTestFinished(() => void client.destroy());
    await secured;

    expect(await takesTime(listeners.stopAccepting())).toBe(true);
  });

  it('does not wait for a client that has its answer over TLS', async () => {
    const { listeners, port } = await listening({ tls: true });
    const agent = new HttpsAgent({ keepAlive: true, rejectUnauthorized: false });
    onTestFinished(() => agent.destroy());
    const sent = requestTls({ agent, port, host: '127.0.0.1' });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');

    expect(await takesTime(listeners.stopAccepting())).toBe(false);
  });

  it('waits for a client that has sent only a part of its request', async () => {
    const { listeners, port, accepted } = await listening();
    const client = silentClient(port);
    const socket = await accepted();
    client.write('GET / HTTP/1.1\r\n');
    await vi.waitFor(() => expect(socket.bytesRead).toBeGreaterThan(0));

    expect(await takesTime(listeners.stopAccepting())).toBe(true);
  });
});
