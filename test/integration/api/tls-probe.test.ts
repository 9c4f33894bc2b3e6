import { createServer, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { probeTls } from '../../../src/api/connections.ts';
import { listen } from '../../fixtures/servers.ts';

it('the probe of TLS gives a server ten seconds for the handshake', async () => {
  const port = await listen(createServer());
  const timeouts: number[] = [];
  const setTimeout = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, time) {
    timeouts.push(time);
    setImmediate(() => this.emit('timeout'));
    return this;
  });
  onTestFinished(() => setTimeout.mockRestore());

  await expect(probeTls(new URL(`https://127.0.0.1:${port}`), undefined)).rejects.toThrow(
    'no TLS handshake within 10000 ms',
  );
  expect(timeouts).toEqual([10_000]);
});
