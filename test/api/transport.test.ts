import { Dispatcher } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Connections } from '../../src/api/connections.ts';
import { post } from '../../src/api/transport.ts';

/** Connections whose calls all fail. */
function failingConnections(error: Error): Connections {
  class Failing extends Dispatcher {
    override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      handler.onResponseError?.({} as Dispatcher.DispatchController, error);
      return true;
    }
  }
  const read: Partial<Connections> = { dispatcher: () => new Failing() };
  return read as Connections;
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

it.each([
  ['the machine', withCode('EMFILE', 'connect EMFILE'), 'local', 'connect EMFILE'],
  ['the network', withCode('ECONNREFUSED', 'connect ECONNREFUSED'), 'network', 'connect ECONNREFUSED'],
  [
    'all addresses of a host',
    new AggregateError([withCode('ENETUNREACH', 'connect ::1'), withCode('ECONNREFUSED', 'connect 127.0.0.1')]),
    'network',
    'connect ::1; connect 127.0.0.1',
  ],
])('an error of %s has its reason and its messages', async (_what, error, reason, message) => {
  const { signal } = new AbortController();
  const call = { url: 'http://127.0.0.1:1/', headers: {}, body: '', api: { timeout: 1000, maxItems: 1 }, signal };

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await expect(post(failingConnections(error), call)).rejects.toMatchObject({ reason, message });
  expect(vi.getTimerCount()).toBe(0);
});
