import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EncodedChunk, encodeChunk } from '../../../src/exposition/encoded-chunk.ts';
import { Page } from '../../../src/exposition/page.ts';
import { ProcessMetrics } from '../../../src/exposition/process-metrics.ts';
import { createWebServer } from '../../../src/web/server.ts';
import { metricsOnly } from '../../fixtures/metrics-only.ts';
import { until } from '../../fixtures/waiting.ts';

/** Bytes; more than the buffers of a connection hold, so that a client that does not read delays the response. */
const pageSize = 20_000_000;

const chunk = encodeChunk(Buffer.alloc(pageSize, 'x'));

/** Counts how often it is rendered. */
class CountingPage extends Page {
  rendered = 0;

  override async render(): Promise<readonly EncodedChunk[]> {
    this.rendered += 1;
    return [chunk];
  }
}

let page: CountingPage;
let origin: string;
let server: ReturnType<typeof createWebServer>;

beforeEach(async () => {
  page = new CountingPage(
    [],
    new ProcessMetrics({ version: '1', revision: 'r', nodeVersion: 'v24' }, { hasRuntime: true }),
  );
  server = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(page));
  origin = await server.listen({ host: '127.0.0.1', port: 0 });
  return () => server.close();
});

/** Connects and sends bytes, and reads nothing until the socket is resumed. */
async function send(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(bytes);
  return socket;
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
}

/** Everything that the server answers until it closes the connection. */
function answersTo(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (data: Buffer) => chunks.push(data));
  socket.resume();
  return new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1'))));
}

describe('clients that send thousands of requests and read nothing', () => {
  it('cause one rendered page per connection, while others are served', async () => {
    const sockets = await Promise.all(Array.from({ length: 25 }, () => send(get('/metrics').repeat(1000))));
    await until('a page for each', () => page.rendered >= sockets.length);

    const healthy = await fetch(`${origin}/-/healthy`);
    const scrape = await fetch(`${origin}/metrics`);
    const body = await scrape.arrayBuffer();

    expect([healthy.status, scrape.status]).toEqual([200, 200]);
    expect(body.byteLength).toBe(pageSize);
    expect(page.rendered).toBe(sockets.length + 1);
  });

  it('do not delay the end of the server, even with half-sent requests', async () => {
    await send('GET /metrics HTTP/1.1\r\nhos');
    await send(get('/metrics').repeat(1000));
    await until('a page', () => page.rendered === 1);

    await server.close();

    expect(page.rendered).toBe(1);
  });
});

describe('a client that disconnects', () => {
  it('causes no page for its remaining requests', async () => {
    const socket = await send(get('/metrics').repeat(50));
    await until('a page', () => page.rendered === 1);

    socket.destroy();
    await fetch(`${origin}/metrics`);

    expect(page.rendered).toBe(2);
  });
});

describe('a connection with too many unanswered requests', () => {
  it('receives responses to its first requests, then a 503, and is closed', async () => {
    const socket = await send(get('/-/healthy').repeat(300));

    const answers = (await answersTo(socket)).split('HTTP/1.1 ').slice(1);

    expect(answers.length).toBeGreaterThan(100);
    expect(answers.length).toBeLessThan(300);
    expect(answers.slice(0, -1).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    expect(answers.at(-1)).toMatch(/^503 /);
    expect(answers.at(-1)).toMatch(/^connection: close\r$/im);
    expect(answers.at(-1)).toMatch(/^retry-after: 2\r$/m);
  });
});

describe('more clients than the exporter answers at the same time', () => {
  it('receive 503, except for health checks; the oldest response is cut off after two seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const sockets = await Promise.all(Array.from({ length: 64 }, () => send(get('/metrics'))));
    await until('a page for each', () => page.rendered === sockets.length);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.on('close', () => resolve(socket))));

    const refused = await fetch(`${origin}/metrics`);
    const paths = ['/-/healthy', '/-/ready'];
    const checks = await Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}`)).status));
    vi.advanceTimersByTime(2000);
    const accepted = await fetch(`${origin}/metrics`);
    await accepted.arrayBuffer();
    for (const socket of sockets) socket.resume();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.text()).toBe('too many requests at the same time; try again later\n');
    expect(checks).toEqual([200, 200]);
    expect(accepted.status).toBe(200);
    expect(sockets).toContain(await Promise.race(closed));
    vi.useRealTimers();
  });
});
