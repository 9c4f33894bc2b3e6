import { expect, it } from 'vitest';
import { createHttpServer } from '../../../../src/web/door/http-server.ts';

it('keeps a connection between two scrapes a minute apart, and ends one that sends nothing', () => {
  const { keepAliveTimeout, headersTimeout, requestTimeout, timeout } = createHttpServer(() => {});

  expect({ keepAliveTimeout, headersTimeout, requestTimeout, timeout }).toEqual({
    keepAliveTimeout: 72_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    timeout: 60_000,
  });
});
