import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { basic, startSecuredApp } from '../../fixtures/secured-app.ts';

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

describe.each(['users-plain.good.yml', 'users.good.yml'])('logins of %s', (fixture) => {
  it('stand in front of every page, with every method', async () => {
    const { get } = await startSecuredApp(fixture);

    for (const path of paths) {
      const statuses = [];
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        statuses.push((await get(path, { method })).status);
      }
      expect.soft(statuses, path).toEqual(Array(8).fill(401));
    }
  });
});

describe('an upgrade or an expectation', () => {
  it.each([
    ['an upgrade', { connection: 'upgrade', upgrade: 'websocket' }],
    ['Expect: 100-continue', { expect: '100-continue' }],
  ])('%s needs a login as well', async (_, headers) => {
    const { get } = await startSecuredApp('users-plain.good.yml');

    expect((await get('/metrics', { headers })).status).toBe(401);
  });
});

describe('configured headers', () => {
  const configured = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-frame-options': 'deny',
    'x-content-type-options': 'nosniff',
    'x-xss-protection': '1',
  };

  it.each(['/metrics', '/sd', '/nothing', '/-/ready', '/'])('are part of %s', async (path) => {
    const { get } = await startSecuredApp('headers.good.yml');

    const { headers } = await get(path);

    expect(headers).toMatchObject(configured);
    // The pages need their own policy for their stylesheet.
    const policy = path === '/' ? /^default-src 'none'; style-src 'self';/ : /^default-src 'self'$/;
    expect(headers['content-security-policy']).toMatch(policy);
  });
});

describe('header injection', () => {
  it('with line breaks in a path, a user name or a header reaches neither responses nor the log', async () => {
    const { get, url, logLines } = await startSecuredApp('users-plain.good.yml');
    const before = logLines.length;
    const withName = await get('/metrics', { headers: basic('x\r\nSet-Cookie: a=b', 'y\r\nSet-Cookie: a=b') });
    const withPath = await get('/nothing%0d%0aSet-Cookie:%20a=b', { headers: basic('dave', 'dave123') });

    const raw = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(text));
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\nX-A: b\rSet-Cookie: a=b\r\nConnection: close\r\n\r\n');
    });

    expect([withName.status, withPath.status]).toEqual([401, 404]);
    for (const { headers } of [withName, withPath]) expect(headers['set-cookie']).toBeUndefined();
    expect(raw).toMatch(/^HTTP\/1\.1 400/);
    expect(raw.toLowerCase()).not.toContain('set-cookie');
    expect(logLines.slice(before)).toEqual([]);
  });
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
