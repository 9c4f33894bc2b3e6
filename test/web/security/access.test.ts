import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startSecuredApp } from '../../fixtures/secured-app.ts';

const paths = [
  '/',
  '/accounts/shop',
  '/accounts?name=shop',
  '/status',
  '/style/x.css',
  '/metrics',
  '/sd',
  '/calendar.ics',
  '/-/healthy',
  '/-/ready',
  '/nothing',
  '/metrics?account=unknown',
  '/%zz',
  '//metrics',
  `/${'a'.repeat(2000)}`,
];

it('a login stands in front of every page, with every method', async () => {
  const { get } = await startSecuredApp('users-plain.good.yml');

  for (const path of paths) {
    const statuses = [];
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      statuses.push((await get(path, { method })).status);
    }
    expect.soft(statuses, path).toEqual(Array(8).fill(401));
  }
});

it.each([
  ['an upgrade', { connection: 'upgrade', upgrade: 'websocket' }],
  ['Expect: 100-continue', { expect: '100-continue' }],
])('%s needs a login as well', async (_, headers) => {
  const { get } = await startSecuredApp('users-plain.good.yml');

  expect((await get('/metrics', { headers })).status).toBe(401);
});

describe('the health listener', () => {
  it('serves only the pages for probes, without a login', async () => {
    const { app } = await startSecuredApp('users.good.yml');
    const url = await app.healthListeners.open('127.0.0.1:0');
    const statusOf = async (path: string, method = 'GET') => (await fetch(`${url}${path}`, { method })).status;

    expect([
      await statusOf('/-/healthy'),
      await statusOf('/-/ready'),
      await statusOf('/-/ready', 'HEAD'),
      await statusOf('/-/ready?verbose'),
      await statusOf('/-/ready', 'POST'),
      await statusOf('/'),
      await statusOf('/metrics'),
      await statusOf('/sd'),
      await statusOf('/-/healthy/../../metrics'),
      await statusOf('/%6detrics'),
    ]).toEqual([200, 200, 200, 200, 405, 404, 404, 404, 404, 404]);
  });

  it('does not serve other pages to a client that writes the whole URL into the request', async () => {
    const { app } = await startSecuredApp('users.good.yml');
    const url = new URL(await app.healthListeners.open('127.0.0.1:0'));

    const status = await new Promise((resolve, reject) => {
      const sent = request({ host: url.hostname, port: url.port, path: `${url.origin}/metrics` }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });

    expect(status).toBe(404);
  });
});
