import { beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { App } from '../../src/app.ts';
import { applyFlags } from '../../src/cli/config-flags.ts';
import { startApp } from '../../src/cli/serve.ts';
import { config, sandboxAccountConfig } from '../fixtures/config.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { freePort } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ requestsPerMinute: 0 });
  return () => sandbox.close();
});

/** Serves an account with these flags, until all tests of the group have ended. */
function serve(flags: Parameters<typeof applyFlags>[1]) {
  const serving = { origin: '', probes: '', metrics: '' };
  beforeAll(async () => {
    const account = sandboxAccountConfig(sandbox, 'shop', { collectors: ['account'] });
    const settings = applyFlags(config(account), flags);
    const { log, lines } = recordedLog('json');
    const build = { version: '1.2.3', revision: 'r', nodeVersion: 'v24' };
    const app = new App(settings, build, log, { enableLifecycle: true, disableExporterMetrics: true });
    const [pages, health] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    await startApp(app, { pages: [pages], health }, settings, log);
    await until(() => app.accounts.every(({ polled }) => polled));
    serving.origin = `http://${pages}`;
    serving.probes = `http://${health}`;
    serving.metrics = JSON.parse(lines.find((line) => line.includes('"started"')) ?? '{}').metrics;
    return () => app.stop();
  });
  return serving;
}

/** The addresses of all links, forms, styles and scripts of a page. */
function addressesOf(page: string): readonly string[] {
  const found = page.matchAll(/ (?:href|src|action)="([^"#][^"]*)"/g);
  return [...found].map(([, address = '']) => address).filter((address) => !address.startsWith('data:'));
}

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, { redirect: 'manual', ...init })).status;

describe('an exporter with a path in its external URL', () => {
  const serving = serve({ 'web.externalUrl': 'https://example.com/hosting/', 'web.telemetryPath': '/m' });

  it.each(['/', '/status', '/accounts/shop', '/m', '/sd', '/-/healthy', '/-/ready', '/-/config'])(
    'serves %s only below this path',
    async (path) => {
      expect(await statusOf(`${serving.origin}/hosting${path}`)).toBe(200);
      expect(await statusOf(`${serving.origin}/hostings${path}`)).toBe(404);
    },
  );

  it('serves probes without the path, too, also on their own address', async () => {
    expect(await statusOf(`${serving.origin}/-/healthy`)).toBe(200);
    expect(await statusOf(`${serving.probes}/-/healthy`)).toBe(200);
  });

  it.each(['/', '/status', '/accounts/shop'])('keeps every link of %s below the path', async (path) => {
    const page = await fetch(`${serving.origin}/hosting${path}`);
    const addresses = addressesOf(await page.text());

    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) {
      expect(address).toMatch(/^\/hosting\//);
      expect(await statusOf(serving.origin + address.replaceAll('&amp;', '&')), address).toBe(200);
    }
  });

  it('leads from / to the landing page, and from a list without a name to it', async () => {
    const [root, bare, list] = await Promise.all(
      ['/', '/hosting?lang=ru', '/hosting/accounts'].map((path) =>
        fetch(serving.origin + path, { redirect: 'manual' }),
      ),
    );

    expect([root?.status, root?.headers.get('location')]).toEqual([302, '/hosting/']);
    expect(await bare?.text()).toContain('<html lang="ru">');
    expect([list?.status, list?.headers.get('location')]).toEqual([302, '/hosting/']);
  });

  it('names existing paths with the path in front', async () => {
    const outside = await fetch(`${serving.origin}/m`);
    const inside = await fetch(`${serving.origin}/hosting/x`);

    expect(await outside.text()).toBe('not found; every path starts with /hosting/\n');
    expect(await inside.text()).toContain(
      'try /hosting/, /hosting/accounts.json, /hosting/calendar.ics, /hosting/money, /hosting/state, /hosting/status, /hosting/m, /hosting/sd',
    );
  });

  it('gives Prometheus targets below the path', async () => {
    const targets = (await (await fetch(`${serving.origin}/hosting/sd`)).json()) as readonly {
      readonly labels: object;
    }[];

    expect(targets.map(({ labels }) => labels)).toEqual([expect.objectContaining({ __metrics_path__: '/hosting/m' })]);
  });

  it('reloads below the path', async () => {
    expect(await statusOf(`${serving.origin}/hosting/-/reload`, { method: 'POST' })).toBe(200);
    expect(await statusOf(`${serving.origin}/-/reload`, { method: 'POST' })).toBe(404);
  });

  it('logs the external URL', () => {
    expect(serving.metrics).toBe('https://example.com/hosting/m');
  });
});

describe('an exporter whose proxy removes the path', () => {
  const serving = serve({ 'web.externalUrl': 'https://example.com/hosting', 'web.routePrefix': '/' });

  it('has the path in links only', async () => {
    const addresses = addressesOf(await (await fetch(`${serving.origin}/`)).text());
    const targets = await (await fetch(`${serving.origin}/sd`)).text();

    expect(addresses.filter((address) => !address.startsWith('/hosting/'))).toEqual([]);
    expect(targets).toContain('"__metrics_path__":"/metrics"');
    expect(await statusOf(`${serving.origin}/hosting/metrics`)).toBe(404);
    expect(serving.metrics).toBe('https://example.com/hosting/metrics');
  });
});

describe('an exporter with a route prefix only', () => {
  const serving = serve({ 'web.routePrefix': '/a/b' });

  it('has the prefix in paths and links, and logs its own address', async () => {
    const addresses = addressesOf(await (await fetch(`${serving.origin}/a/b/`)).text());

    expect(addresses.filter((address) => !address.startsWith('/a/b/'))).toEqual([]);
    expect(serving.metrics).toBe(`${serving.origin}/a/b/metrics`);
  });
});
