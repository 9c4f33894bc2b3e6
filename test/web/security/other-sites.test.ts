import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AppOptions } from '../../../src/app.ts';
import { startApp } from '../../fixtures/app.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { get } from '../../fixtures/secured-app.ts';

/** An exporter with the account `old`, which a reload replaces by `new`. */
async function start(options: AppOptions = {}) {
  const named = (name: string) => config(accountConfig({ name, collectors: [] }));
  const { app, origin } = await startApp(named('old'), {
    load: async () => named('new'),
    enableLifecycle: true,
    ...options,
  });
  const health = await app.healthListeners.open('127.0.0.1:0');
  return { app, origin, health, accounts: () => app.accounts.map(({ name }) => name) };
}

describe('POST /-/reload', () => {
  it.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page on another port of the same host', { origin: 'http://exporter.example:8080' }],
    ['a page on the default port of the same host', { origin: 'http://exporter.example' }],
    ['a page of a domain above', { origin: 'http://example:10380' }],
    ['a file or a sandboxed frame', { origin: 'null' }],
    ['an extension of the browser', { origin: 'chrome-extension://exporter.example' }],
    ['a page of another site, according to the browser', { 'sec-fetch-site': 'cross-site' }],
    [
      'a page of a sibling site, according to the browser',
      { 'sec-fetch-site': 'same-site', origin: 'http://exporter.example:10380' },
    ],
    ['a page that names two sites', { origin: 'http://exporter.example:10380 https://evil.example' }],
  ])('is refused for %s', async (_, headers) => {
    const { origin, accounts } = await start();

    const { status, body } = await get(`${origin}/-/reload`, {
      method: 'POST',
      headers: { host: 'exporter.example:10380', ...headers },
    });

    expect([status, body]).toEqual([403, 'requests from other sites are refused\n']);
    expect(accounts()).toEqual(['old']);
  });

  it.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ['a program without Origin', { host: 'exporter.example:10380' }],
    ['a page of the exporter', { host: 'exporter.example:10380', origin: 'http://exporter.example:10380' }],
    ['a page behind a proxy with TLS', { host: 'exporter.example', origin: 'https://exporter.example' }],
    ['a proxy that adds the default port', { host: 'exporter.example:443', origin: 'https://exporter.example' }],
    ['another spelling of the host', { host: 'EXPORTER.example:80', origin: 'http://exporter.example' }],
    ['an IPv6 address', { host: '[0:0::1]:10380', origin: 'http://[::1]:10380' }],
    ['the same site, according to the browser', { host: 'a.example', 'sec-fetch-site': 'same-origin' }],
  ])('is accepted from %s', async (_, headers) => {
    const { origin, accounts } = await start();

    const { status } = await get(`${origin}/-/reload`, { method: 'POST', headers });

    expect(status).toBe(200);
    expect(accounts()).toEqual(['new']);
  });
});

const paths = ['/', '/accounts/old', '/accounts/nobody', '/status', '/metrics', '/-/config', '/-/ready', '/nothing'];

describe('allowed host names', () => {
  const options = { allowedHosts: ['Exporter.example', 'пример.example'] };

  it.each([
    'exporter.example',
    'EXPORTER.example:10380',
    'exporter.example.:80',
    'xn--e1afmkfd.example',
    'localhost:10380',
    '127.0.0.1:10380',
    '192.0.2.7',
    '[2001:db8::7]:10380',
  ])('include %s', async (host) => {
    const { origin } = await start(options);

    expect((await get(`${origin}/`, { headers: { host } })).status).toBe(200);
  });

  it.each(['evil.example', 'exporter.example.evil.example', 'x.exporter.example', '127.0.0.1.evil.example', ':80'])(
    'do not include %j, on any page',
    async (host) => {
      const { origin } = await start(options);

      for (const path of paths) {
        const { status, body } = await get(`${origin}${path}`, { headers: { host } });
        expect([status, body], path).toEqual([
          403,
          `the host name "${host.replace(':80', '')}" of the request is not allowed; use another one, or add this one to --web.allowed-hosts\n`,
        ]);
      }
    },
  );

  it('are required in a request of HTTP/1.0', async () => {
    const { origin } = await start(options);
    const requests = ['GET / HTTP/1.0\r\n\r\n', 'GET / HTTP/1.0\r\nHost:\r\n\r\n'];

    const answers = await Promise.all(requests.map((text) => exchange(origin, text)));

    expect(answers.map((answer) => answer.split('\r\n', 1)[0])).toEqual(Array(2).fill('HTTP/1.1 403 Forbidden'));
  });

  it('do not refuse probes on the health address', async () => {
    const { health } = await start(options);

    expect((await get(`${health}/-/healthy`, { headers: { host: 'evil.example' } })).status).toBe(200);
  });
});

/** Sends a text, and resolves with everything that the server answers until it closes the connection. */
function exchange(origin: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

it.each([...paths, '', '?q=x'])('the target http://evil.example%s is the same page as its path', async (path) => {
  const { origin } = await start();
  const pathOnly = path.replace(/^(?!\/)/, '/');

  const seen = await get(origin, { path: `http://evil.example${path}` });
  const plain = await get(origin, { path: pathOnly });

  expect(seen.status).toBe(plain.status);
  expect(`${JSON.stringify(seen.headers)}${seen.body}`).not.toContain('evil');
});
