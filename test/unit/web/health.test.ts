import { afterEach, expect, it } from 'vitest';
import { createHealthServer } from '../../../src/web/door/http-server.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { listen } from '../../fixtures/servers.ts';

const cleanups = new Cleanups();

afterEach(cleanups.end);

/** A server with only the pages for probes, and the answers to requests for these paths. */
async function answersTo(...paths: readonly string[]) {
  const server = createHealthServer((request, response) => response.end(`page ${request.url}`));
  const port = await listen(server, cleanups);
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${response.status} ${await response.text()}`;
    }),
  );
}

it('the server for probes answers only them, with any query', async () => {
  expect(await answersTo('/-/healthy', '/-/ready?from=probe', '/metrics', '/-/config', '/')).toEqual([
    '200 page /-/healthy',
    '200 page /-/ready?from=probe',
    '404 not found; try /-/healthy or /-/ready\n',
    '404 not found; try /-/healthy or /-/ready\n',
    '404 not found; try /-/healthy or /-/ready\n',
  ]);
});
