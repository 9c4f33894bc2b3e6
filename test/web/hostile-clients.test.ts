import { connect, type Socket } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { Page } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { Listeners } from '../../src/web/door/listeners.ts';
import { createWebServer } from '../../src/web/server.ts';
import { metricsOnly } from '../fixtures/metrics-only.ts';
import { until } from '../fixtures/waiting.ts';

/** Longer than the buffers of a connection, so that a client that does not read delays the response. */
const longPage = 'x'.repeat(20_000_000);

/** How often the page was read. */
let pages: number;
let origin: string;
let listeners: Listeners;

beforeEach(async () => {
  pages = 0;
  const build = { version: '1', revision: 'r', nodeVersion: 'v24' };
  const content = metricsOnly(new Page([], [], new ProcessMetrics(build, { hasRuntime: true }), new Map()));
  const configPage = async () => {
    pages += 1;
    return longPage;
  };
  listeners = new Listeners(createWebServer({ telemetryPath: '/metrics' }, { ...content, configPage }));
  origin = await listeners.open('127.0.0.1:0');
  return () => listeners.close();
});

/** Connects and sends bytes, and reads nothing. */
async function send(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(bytes);
  return socket;
}

const request = 'GET /-/config HTTP/1.1\r\nhost: x\r\n\r\n';

async function answerOf(path: string) {
  const response = await fetch(`${origin}${path}`);
  const body = await response.text();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

it('clients that send thousands of requests and read nothing cause at most 40 responses; other requests receive 503, except for health checks', async () => {
  const sockets = await Promise.all(Array.from({ length: 25 }, () => send(request.repeat(1000))));
  await until('responses up to the limit', () => pages === 40);

  const [refused, healthy, ready] = await Promise.all(['/metrics', '/-/healthy', '/-/ready'].map(answerOf));
  for (const socket of sockets) socket.destroy();
  await until('the end of the responses', async () => (await answerOf('/metrics')).status === 200);

  expect(refused).toEqual({
    status: 503,
    retryAfter: '2',
    body: 'too many requests at the same time; try again later\n',
  });
  expect([healthy?.status, ready?.status, pages]).toEqual([200, 200, 40]);
});
