import { createRequire } from 'node:module';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import undici from 'undici';
import { describe, expect, it } from 'vitest';
import * as parts from '../../src/exposition/prom-client.ts';

const require = createRequire(import.meta.url);

describe('the files of prom-client that src/exposition/prom-client.ts loads', () => {
  it.each([
    ['Registry', parts.Registry, Registry],
    ['Gauge', parts.Gauge, Gauge],
    ['Histogram', parts.Histogram, Histogram],
  ])('export the %s of its entry', (name, part, whole) => {
    expect(part, `an update moved ${name}: find its file in the package, or load prom-client's entry`).toBe(whole);
  });

  it('contain all default metrics, except those that are misnamed or take much time', () => {
    const registries = { own: new Registry(), whole: new Registry() };
    parts.addDefaultMetrics(registries.own);
    collectDefaultMetrics({ register: registries.whole });
    const [own, whole] = [registries.own, registries.whole].map(
      (registry) => new Set(registry.getMetricsAsArray().map(({ name }) => name)),
    );

    const omitted = [...(whole ?? [])].filter((name) => own?.has(name) === false);

    expect(omitted).toEqual([
      'nodejs_eventloop_lag_seconds',
      'nodejs_eventloop_lag_stddev_seconds',
      'nodejs_active_resources_total',
      'nodejs_active_handles_total',
      'nodejs_active_requests_total',
    ]);
  });
});

describe('the files of undici that src/api/connections.ts loads', () => {
  const advice = 'an update changed undici/index.js: do in src/api/connections.ts what it does now, or load it instead';

  it('export the EnvHttpProxyAgent of its entry', () => {
    expect(require('undici/lib/dispatcher/env-http-proxy-agent.js'), advice).toBe(undici.EnvHttpProxyAgent);
  });

  it('export the methods that its entry adds to Dispatcher', () => {
    const { prototype } = undici.Dispatcher;
    const added = ['connect', 'pipeline', 'request', 'stream', 'upgrade'];
    const methods: Readonly<Record<string, unknown>> = require('undici/lib/api/index.js');

    expect(require('undici/lib/dispatcher/dispatcher.js').prototype, advice).toBe(prototype);
    expect(Object.keys(methods).toSorted(), advice).toEqual(added);
    expect(
      added.map((name) => Reflect.get(prototype, name) === methods[name]),
      advice,
    ).toEqual(added.map(() => true));
  });
});
