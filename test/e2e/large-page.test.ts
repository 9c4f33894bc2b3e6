import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { accountMetrics } from '../../src/polling/account-metrics.ts';
import { Page } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { createWebServer } from '../../src/web/server.ts';
import { metricsOnly } from '../fixtures/metrics-only.ts';
import { ShownAccount } from '../fixtures/shown-account.ts';
import { until } from '../fixtures/waiting.ts';
import { parsePage } from '../oracle/exposition.ts';

/** Enough accounts and sites for a page that needs many writes. */
const size = 40;
const sites = 50;
const siteMetrics = collectors.find(({ name }) => name === 'site_load_detail')?.metrics ?? [];
const accounts = Array.from({ length: size }, (_, index) => new ShownAccount(`customer-${index + 1}`));
/** Without the metrics of Node.js, which differ from scrape to scrape. */
const web = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(createPage()));
let origin = '';

beforeAll(async () => {
  pollEverything();
  origin = await web.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await web.close();
});

function createPage(): Page {
  const build = { version: '0', revision: 'r', nodeVersion: process.version };
  const page = new Page(collectors, accountMetrics, new ProcessMetrics(build, { hasRuntime: false }));
  for (const account of accounts) page.add(account);
  return page;
}

/** Shows a new random value of each series. */
function pollEverything(): void {
  for (const account of accounts) {
    for (let site = 0; site < sites; site += 1) {
      const labels = { account: account.name, site_id: `${site}`, site: `магазин-${site}.испытание` };
      const samples = () => [{ labels, value: Math.random() }];
      const families = siteMetrics.map(({ name, labelNames }) => ({ name, labelNames, samples: samples() }));
      account.showFamilies('site_load_detail', families, { item: `${site}` });
    }
  }
}

/** The sample lines of accounts. */
function samplesIn(page: string): readonly string[] {
  return page.split('\n').filter((line) => line.includes('{account='));
}

async function readPage(path = '/metrics'): Promise<string> {
  return (await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'identity' } })).text();
}

describe('a page sent in many writes', () => {
  it('does not change while a slow client reads it and polls continue', async () => {
    const before = samplesIn(await readPage());

    const page = await readSlowly((chunks) => {
      if (chunks % 5 === 0) pollEverything();
    });

    expect(samplesIn(page)).toEqual(before);
    expect(() => parsePage(page, 'text')).not.toThrow();
    expect(samplesIn(await readPage())).not.toEqual(before);
  });

  it('leaves no connection open when clients disconnect halfway', async () => {
    await readPage();
    const open = await connections();

    for (let client = 0; client < 20; client += 1) await disconnectHalfway();

    await until('the connections are closed', async () => (await connections()) <= open);

    expect(samplesIn(await readPage()).length).toBeGreaterThan(size * 100);
  });
});

/** Pauses after each chunk, which makes the server wait, and calls `afterChunk` in the pause. */
function readSlowly(afterChunk: (chunks: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request(`${origin}/metrics`, { agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        response.pause();
        setTimeout(() => {
          afterChunk(chunks.length);
          response.resume();
        }, 1);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    })
      .on('error', reject)
      .end();
  });
}

function disconnectHalfway(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write('GET /metrics HTTP/1.1\r\nHost: exporter\r\n\r\n');
    });
    socket.once('data', () => socket.destroy());
    socket.once('close', () => resolve());
    socket.once('error', reject);
  });
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    web.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
