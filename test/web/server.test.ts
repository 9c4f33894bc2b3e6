import { expect, it } from 'vitest';
import { Page } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { createWebServer } from '../../src/web/server.ts';
import { metricsOnly } from '../fixtures/metrics-only.ts';

const build = { version: '1.2.3', revision: 'r', nodeVersion: 'v24' };
const content = metricsOnly(new Page([], [], new ProcessMetrics(build, { hasRuntime: true }), new Map()));

it('a connection survives two scrapes a minute apart, and ends if the client sends nothing', () => {
  const { server } = createWebServer({ telemetryPath: '/metrics' }, content);

  expect(server).toMatchObject({
    keepAliveTimeout: 72_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    timeout: 60_000,
  });
});
