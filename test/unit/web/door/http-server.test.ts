import { expect, it } from 'vitest';
import { createHttpServer } from '../../../../src/web/door/http-server.ts';

it('keeps a connection between two scrapes a minute apart, and ends one that sends nothing', () => {
  const server = createHttpServer((_request, response) => response.end());

  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
  expect(server.timeout).toBeLessThanOrEqual(60_000);
});
