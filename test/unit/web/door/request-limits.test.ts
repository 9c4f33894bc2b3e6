import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { RequestLimits } from '../../../../src/web/door/request-limits.ts';
import { fakePauses } from '../../../fixtures/pauses.ts';
import { fakeClock } from '../../../fixtures/polled-account.ts';

/** A request as Node.js passes it on, without a network. */
function requestOn(socket: Socket, url = '/metrics') {
  const request = new IncomingMessage(socket);
  request.url = url;
  return { request, response: new ServerResponse(request) };
}

/** Sends requests to a listener. Each is answered when the test says so. */
function clientOf(limit: (listener: RequestListener) => RequestListener) {
  const answering: ServerResponse[] = [];
  const listener = limit((_request, response) => void answering.push(response));
  return {
    /** Requests that were passed on, the oldest first. */
    answering,
    send: (socket = new Socket(), url?: string) => {
      const { request, response } = requestOn(socket, url);
      listener(request, response);
      return response;
    },
  };
}

const isRefused = (response: ServerResponse) => response.writableEnded && response.statusCode === 503;

describe('requests of one connection', () => {
  it('are answered one after the other', () => {
    const { answering, send } = clientOf((listener) => new RequestLimits().oneByOne(listener));
    const socket = new Socket();

    const [first, second] = [send(socket), send(socket)];
    const before = [...answering];
    first.emit('close');

    expect(before).toEqual([first]);
    expect(answering).toEqual([first, second]);
  });

  it('do not wait for those of another connection', () => {
    const { answering, send } = clientOf((listener) => new RequestLimits().oneByOne(listener));

    const responses = [send(), send()];

    expect(answering).toEqual(responses);
  });

  it('may be a hundred that wait; the next one is refused in its turn, and later ones are ignored', () => {
    const { answering, send } = clientOf((listener) => new RequestLimits().oneByOne(listener));
    const socket = new Socket();

    const responses = Array.from({ length: 103 }, () => send(socket));
    for (const response of responses) response.emit('close');

    expect(answering).toEqual(responses.slice(0, 101));
    expect(responses.map(isRefused)).toEqual(responses.map((_, index) => index === 101));
    expect(responses[101]?.getHeader('connection')).toBe('close');
  });

  it('are not answered after the client has left', () => {
    const { answering, send } = clientOf((listener) => new RequestLimits().oneByOne(listener));
    const socket = new Socket();
    const [first] = [send(socket), send(socket)];

    socket.destroy();
    first.emit('close');

    expect(answering).toEqual([first]);
  });

  it('end with the connection if a response takes two minutes', () => {
    fakeClock('2026-06-03T12:00:00Z');
    const { send } = clientOf((listener) => new RequestLimits().oneByOne(listener));
    const [slow, fast] = [new Socket(), new Socket()];
    send(slow);
    send(fast).emit('close');

    vi.advanceTimersByTime(119_999);
    const early = slow.destroyed;
    vi.advanceTimersByTime(1);

    expect([early, slow.destroyed, fast.destroyed]).toEqual([false, true, false]);
  });
});

describe('responses', () => {
  function fullServer() {
    fakeClock('2026-06-03T12:00:00Z');
    const client = clientOf((listener) => new RequestLimits().concurrently(listener));
    const first = Array.from({ length: 64 }, () => client.send());
    return { ...client, first };
  }

  it('may be 64 at the same time; the next one waits until another one ends', () => {
    const { answering, send, first } = fullServer();

    const next = send();
    const before = answering.length;
    first[10]?.emit('close');

    expect(before).toBe(64);
    expect(answering.at(-1)).toBe(next);
  });

  it('are refused after a second and a half without a place', () => {
    const { answering, send, first } = fullServer();
    const next = send();

    vi.advanceTimersByTime(1499);
    const early = isRefused(next);
    vi.advanceTimersByTime(1);
    first[0]?.emit('close');

    expect([early, isRefused(next)]).toEqual([false, true]);
    expect(answering).toHaveLength(64);
  });

  it('give their place to another one after two seconds, the oldest first', () => {
    const { answering, send, first } = fullServer();

    vi.advanceTimersByTime(1999);
    send();
    const early = first.filter(({ destroyed }) => destroyed);
    vi.advanceTimersByTime(1);
    const next = send();

    expect(early).toEqual([]);
    expect(first.filter(({ destroyed }) => destroyed)).toEqual([first[0]]);
    expect(answering.at(-1)).toBe(next);
  });

  it('occupy the place for which they waited', () => {
    const { answering, send, first } = fullServer();
    const next = send();
    first[0]?.emit('close');

    send();

    expect(answering).toHaveLength(65);
    expect(answering.at(-1)).toBe(next);
  });

  it('that are cut off give up their place only once', () => {
    const { answering, send, first } = fullServer();
    vi.advanceTimersByTime(1000);
    send();
    vi.advanceTimersByTime(1000);
    const next = send();

    first[0]?.emit('close');

    expect(answering).toHaveLength(65);
    expect(answering.at(-1)).toBe(next);
  });

  it('are refused at once if a thousand wait', () => {
    const { send } = fullServer();

    const waiting = Array.from({ length: 1001 }, () => send());

    expect(waiting.filter(isRefused)).toEqual([waiting[1000]]);
  });

  it('do not wait if they are health checks', () => {
    const { answering, send } = fullServer();

    const checks = ['/-/healthy', '/-/ready?from=probe'].map((url) => send(new Socket(), url));

    expect(answering.slice(64)).toEqual(checks);
  });

  it('skip one whose client has left', () => {
    const { answering, send, first } = fullServer();
    const [left, next] = [send(), send()];

    left.emit('close');
    first[0]?.emit('close');

    expect(answering.at(-1)).toBe(next);
  });
});

describe('a server that closes', () => {
  /** Requests on one connection of a server that may close. */
  function oneConnection() {
    const limits = new RequestLimits();
    const { send } = clientOf((listener) => limits.oneByOne(listener));
    const socket = new Socket();
    return {
      socket,
      send: () => send(socket),
      /** Starts to close. Returns whether the server waits, a few turns of the event loop later: much less than a second. */
      close: () => {
        let isWaiting = true;
        void limits.idle().then(() => {
          isWaiting = false;
        });
        return async () => {
          for (let turn = 0; turn < 5; turn += 1) await nextTurn();
          return isWaiting;
        };
      },
    };
  }

  it('waits until all requests are answered', async () => {
    const { send, close } = oneConnection();
    const responses = [send(), send()];

    const isWaiting = close();
    responses[0]?.emit('close');
    const before = await isWaiting();
    responses[1]?.emit('close');

    expect([before, await isWaiting()]).toEqual([true, false]);
  });

  it('waits for a later request of a connection, too, and listens to it only meanwhile', async () => {
    const { socket, send, close } = oneConnection();
    send().emit('close');
    const between = [await close()(), socket.listenerCount('close')];

    const response = send();
    const isWaiting = close();
    const meanwhile = await isWaiting();
    response.emit('close');

    expect(between).toEqual([false, 0]);
    expect(meanwhile).toBe(true);
    expect([await isWaiting(), socket.listenerCount('close')]).toEqual([false, 0]);
  });

  it('does not wait for a client that has left', async () => {
    const { socket, send, close } = oneConnection();
    send();

    const isWaiting = close();
    socket.emit('close');

    expect(await isWaiting()).toBe(false);
  });

  it('waits a second at most', async () => {
    const pauses = fakePauses();
    const limits = new RequestLimits();
    clientOf((listener) => limits.oneByOne(listener)).send();

    await limits.idle();

    expect(pauses).toEqual([1000]);
  });
});
