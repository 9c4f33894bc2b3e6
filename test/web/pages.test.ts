import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountConfig, config, sandboxAccountConfig } from '../fixtures/config.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { parsePage, samplesOf } from '../oracle/exposition.ts';

const agency = 'агентство "А" \\ <b>';
const cleanups = new Cleanups();
let sandbox: Sandbox;
let origin: string;

beforeAll(async () => {
  sandbox = await openSandbox({}, cleanups);
  const accounts = [sandboxAccountConfig(sandbox, 'agency', { name: agency }), sandboxAccountConfig(sandbox, 'shop')];
  const subject = await startApp(config(...accounts), { cleanups });
  origin = subject.origin;
  await pollAll(subject);
});

afterAll(cleanups.end);

it('repeats only known parameters in the links of a page, up to a length', async () => {
  const sizeOf = async (query: string) => (await (await fetch(`${origin}/${query}`)).text()).length;
  const plain = await sizeOf('?lang=en');

  expect(await sizeOf(`?lang=en&unknown=${'x'.repeat(14_000)}`)).toBe(plain);
  expect(await sizeOf(`?q=${'x'.repeat(7000)}&all=${'x'.repeat(7000)}`)).toBeLessThanOrEqual(plain);
  expect(await sizeOf(`?lang=en${'&all=sites'.repeat(1000)}`)).toBeLessThanOrEqual(plain);
});

it.each(['.', '..'])('shows an account with the name %s as JSON', async (name) => {
  const { app } = await startApp(config(accountConfig({ name })));

  const asked = await app.web.inject({ url: `/accounts?name=${name}`, headers: { accept: 'application/json' } });
  const direct = await app.web.inject({ url: `/accounts/${name}.json` });

  expect([asked.json().accounts, direct.json().accounts]).toMatchObject([[{ account: name }], [{ account: name }]]);
});

describe('the metrics page', () => {
  it.each([
    ['text', '*/*', 'text/plain; version=0.0.4; charset=utf-8'],
    [
      'openmetrics',
      'application/openmetrics-text;version=1.0.0',
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    ],
  ] as const)('is valid in the format %s', async (format, accept, contentType) => {
    const response = await fetch(`${origin}/metrics`, { headers: { accept } });

    const families = parsePage(await response.text(), format);

    expect(response.headers.get('content-type')).toBe(contentType);
    expect(response.headers.get('vary')).toBe('accept, accept-encoding');
    expect(samplesOf(families, 'hosting_up').map(({ labels, value }) => [labels['account'], value])).toEqual([
      [agency, 1],
      ['shop', 1],
    ]);
    expect(samplesOf(families, 'hosting_site_load_daily')).toHaveLength(
      sandbox.account('agency').sites.length + sandbox.account('shop').sites.length,
    );
  });

  it.each([
    ['account=shop', ['shop']],
    [`account=${encodeURIComponent(agency)}`, [agency]],
    [`account=shop&account=${encodeURIComponent(agency)}`, [agency, 'shop']],
  ])('shows only the accounts of ?%s, without process metrics', async (query, accounts) => {
    const families = parsePage(await (await fetch(`${origin}/metrics?${query}`)).text(), 'text');

    const named = new Set(families.flatMap(({ samples }) => samples.map(({ labels }) => labels['account'])));

    expect([...named].sort()).toEqual([...accounts].sort());
  });

  it('shows only the requested collectors, and the exporter’s own metrics', async () => {
    const page = await (await fetch(`${origin}/metrics?collect[]=databases&collect[]=sites`)).text();

    const names = parsePage(page, 'text').map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(['hosting_databases', 'hosting_sites', 'hosting_up']));
    expect(names).not.toContain('hosting_domains');
  });

  it.each([
    ['account=nobody', 'account "nobody" is not configured\n'],
    ['account=', 'account "" is not configured\n'],
    ['account=shop&account=a%3Fb%26c', 'account "a?b&c" is not configured\n'],
    ['account=a?b', 'account "a?b" is not configured\n'],
    ['collect[]=nothing', 'collector "nothing" does not exist\n'],
    ['collect[]=constructor', 'collector "constructor" does not exist\n'],
  ])('answers 404 for ?%s', async (query, message) => {
    const response = await fetch(`${origin}/metrics?${query}`);

    expect([response.status, await response.text()]).toEqual([404, message]);
  });
});

it.each(['/metrics?account=shop', '/', '/accounts/shop', '/status', '/-/healthy', '/-/ready', '/sd'])(
  '%s answers HEAD as GET, without the body',
  async (path) => {
    const get = await bytesOf(path, {});
    const head = await bytesOf(path, {}, 'HEAD');

    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
  },
);

describe('other pages', () => {
  it.each(['/nothing', '/metrics/', '/metrics/x', '/-/quit', '//', '/%D0%B0', '/METRICS'])(
    '%s is not found, and the answer lists the existing paths',
    async (path) => {
      const { status, body, headers } = await bytesOf(path, {});

      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(body.toString('utf8')).toContain('/metrics, ');
    },
  );

  it.each(['/%', '/%E0%A4%A', '/metrics%'])('%s, which is malformed, is refused', async (path) => {
    const { status, headers } = await bytesOf(path, {});

    expect([400, 404]).toContain(status);
    expect(headers['content-type']).toMatch(/^(?:text\/plain|application\/json)/);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is refused with 405', async (method) => {
    for (const path of ['/metrics', '/', '/status', '/-/healthy', '/-/ready', '/sd']) {
      const bare = await bytesOf(path, {}, method);
      const withBody = await bytesOf(path, { 'content-type': 'application/xml' }, method, '<x/>');
      const broken = await bytesOf(path, { 'content-type': 'application/json' }, method, '{');

      expect([bare.status, withBody.status, broken.status], path).toEqual([405, 405, 405]);
      expect(bare.headers['allow'], path).toBe('GET, HEAD');
    }
  });
});

describe('the pages for people', () => {
  const accountPath = `/accounts/${encodeURIComponent(agency)}`;

  it.each(['/', accountPath, '/status'])('%s is complete without inline script and style', async (path) => {
    const response = await fetch(`${origin}${path}`);
    const page = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';/);
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('refresh')).toBeNull();
    expect(page).toContain('агентство &quot;А&quot; \\ &lt;b&gt;');
    expect(page).not.toContain('<b>');
    expect(page.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script src="\/style\/[0-9a-f]{12}\.js" data-seconds="30" defer>$/),
    ]);
    expect(page).not.toMatch(/ style=|<style|javascript:|https?:\/\//);
  });

  it.each([
    ['', {}, 'en'],
    ['', { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.8' }, 'ru'],
    ['', { 'accept-language': 'de, en;q=0.5, ru;q=0.4' }, 'en'],
    ['', { 'accept-language': 'fr' }, 'en'],
    ['?lang=ru', { 'accept-language': 'en' }, 'ru'],
    ['?lang=xx', { 'accept-language': 'ru' }, 'ru'],
  ])('of /%s are for %j in %s', async (query, headers, language) => {
    const response = await fetch(`${origin}/${query}`, { headers });

    expect(await response.text()).toContain(`<html lang="${language}">`);
    expect(response.headers.get('content-language')).toBe(language);
    expect(response.headers.get('vary')).toBe('accept, accept-language, accept-encoding');
  });

  it('have no script, and thus do not update, if the address says so', async () => {
    const page = await (await fetch(`${origin}/?refresh=off`)).text();

    expect(page).not.toContain('<script');
    expect(page).toContain('<a href="/">Resume auto-refresh</a>');
  });

  it('are compressed, and decompress to the same page', async () => {
    // The exact times of a page do not change between polls, but its ages do every minute.
    const [plain, compressed] = await Promise.all([
      bytesOf('/accounts/shop', {}),
      bytesOf('/accounts/shop', { 'accept-encoding': 'gzip' }),
    ]);

    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.body.length).toBeLessThan(plain.body.length / 4);
    expect(gunzipSync(compressed.body).toString('utf8')).toMatch(/^<!doctype html>.*<\/html>\n$/s);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('are not sent again without a change', async () => {
    const page = await fetch(`${origin}/accounts/nothing`);
    const etag = page.headers.get('etag') ?? '';
    const known = async (path: string) => {
      const first = await fetch(`${origin}${path}`);
      const tag = first.headers.get('etag') ?? '';
      const again = await fetch(`${origin}${path}`, { headers: { 'if-none-match': `"other", W/${tag}` } });
      // A minute may have begun between the two requests.
      return again.status === 304 || again.headers.get('etag') !== tag;
    };

    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(await known('/')).toBe(true);
    expect((await fetch(`${origin}/`, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('answer 404 for an unknown account, in words and with a way back', async () => {
    const response = await fetch(`${origin}/accounts/%3Cb%3E?lang=ru`);
    const page = await response.text();

    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(response.url, { headers: { 'if-none-match': etag } });

    expect([response.status, again.status]).toEqual([404, 404]);
    expect(page).toContain('<h1>Аккаунта «&lt;b&gt;» нет.</h1>');
    expect(page).toContain('<p><a href="/?lang=ru">');
  });

  it('find an account by parameter, whose name browsers would take for a path', async () => {
    expect((await fetch(`${origin}/accounts?name=shop`)).status).toBe(200);
    expect((await fetch(`${origin}/accounts?name=..`)).status).toBe(404);
    expect((await bytesOf('/accounts', {})).headers['location']).toBe('/');
  });

  it.each([
    ['stylesheet', /<link rel="stylesheet" href="([^"]+)">/, 'text/css; charset=utf-8'],
    ['script', /<script src="([^"]+)"/, 'text/javascript; charset=utf-8'],
    ['image for home screens', /<link rel="apple-touch-icon" href="([^"]+)">/, 'image/png'],
    ['manifest', /<link rel="manifest" crossorigin="use-credentials" href="([^"]+)">/, 'application/manifest+json'],
  ])('name a %s that browsers keep', async (_kind, pattern, type) => {
    const page = await (await fetch(`${origin}/`)).text();
    const [, path] = pattern.exec(page) ?? [];

    const style = await fetch(`${origin}${path}`);

    expect(style.headers.get('content-type')).toBe(type);
    expect(style.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(style.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await style.text()).not.toMatch(/url\((?!"data:)|@import/);
    expect((await fetch(`${origin}/style/of-an-earlier-version.css`)).status).toBe(404);
  });
});

/** Sends one request. Returns the response as received: without following redirects and without decompression. */
function bytesOf(path: string, headers: Readonly<Record<string, string>>, method = 'GET', payload?: string) {
  const { port } = new URL(origin);
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
    (resolve, reject) => {
      const call = request(
        { host: '127.0.0.1', port, method, path, headers: { ...headers, ...lengthOf(payload) } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        },
      );
      call.on('error', reject);
      call.end(payload);
    },
  );
}

/** Node.js adds no content length to methods that rarely have a body. */
function lengthOf(payload: string | undefined): Readonly<Record<string, string>> {
  return payload === undefined ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
}
