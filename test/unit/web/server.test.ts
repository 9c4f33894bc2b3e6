import { expect, it } from 'vitest';
import { Page } from '../../../src/exposition/page.ts';
import { ProcessMetrics } from '../../../src/exposition/process-metrics.ts';
import { createWebServer } from '../../../src/web/server.ts';
import { metricsOnly } from '../../fixtures/metrics-only.ts';

it.each([
  [true, 200, 'healthy\n'],
  [false, 503, 'the scheduler has stopped\n'],
])('the server says whether the scheduler runs: %j', async (alive, status, body) => {
  const processMetrics = new ProcessMetrics(
    { version: '1.2.3', revision: 'r', nodeVersion: 'v24' },
    { hasRuntime: true },
  );
  const server = createWebServer(
    { telemetryPath: '/metrics' },
    { ...metricsOnly(new Page([], processMetrics)), alive: () => alive },
  );

  const answer = await server.inject('/-/healthy');

  expect([answer.statusCode, answer.body]).toEqual([status, body]);
});
