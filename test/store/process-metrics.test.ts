import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { until } from '../fixtures/waiting.ts';

function createMetrics(hasRuntime = false) {
  const metrics = new ProcessMetrics({ version: '1.2.3', revision: 'abc', nodeVersion: 'v24.0.0' }, { hasRuntime });
  /** The samples of a metric as the values of its labels, and the value; undefined if the metric does not exist. */
  const samplesOf = async (metric: string) => {
    const found = [...(await metrics.metrics('durations')), ...(await metrics.metrics('current'))].find(
      ({ name }) => name === metric,
    );
    return found?.values.map(({ metricName, labels, value }) => [
      ...(metricName === undefined ? [] : [metricName.replace(metric, '')]),
      ...Object.values(labels),
      value,
    ]);
  };
  return { metrics, samplesOf };
}

const reloads = [
  [
    'the configuration',
    'hosting_exporter_config_last_reload',
    (metrics: ProcessMetrics, successful: boolean, time: number) =>
      metrics.setReload('config', { time, problems: successful ? undefined : 'x' }),
  ],
  [
    'the web configuration',
    'hosting_exporter_web_config_last_reload',
    (metrics: ProcessMetrics, successful: boolean, time: number) =>
      metrics.setReload('web_config', { time, problems: successful ? undefined : 'x' }),
  ],
] as const;

describe('the metrics of the process', () => {
  it('count garbage collections by their duration', async () => {
    setFlagsFromString('--expose-gc');
    onTestFinished(() => setFlagsFromString('--no-expose-gc'));
    const { samplesOf } = createMetrics(true);

    runInNewContext('gc')();

    const samples = await until(async () => {
      const all = await samplesOf('nodejs_gc_duration_seconds');
      return all?.some(([suffix]) => suffix === '_bucket') && all;
    });
    const limits = samples.flatMap(([suffix, limit]) => (suffix === '_bucket' ? [limit] : []));
    expect(new Set(limits.map(String))).toEqual(new Set(['0.001', '0.01', '0.1', '0.5', '+Inf']));
  });

  it('show the time of the scrape by the clock of the exporter', async () => {
    const { samplesOf } = createMetrics();
    const before = Date.now() / 1000;
    const [[time = 0] = []] = (await samplesOf('hosting_exporter_clock_timestamp_seconds')) ?? [];

    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('omit the delay of the event loop before its first measurement, and show every other metric', async () => {
    const { metrics, samplesOf } = createMetrics(true);

    const delays = await Promise.all(
      ['min', 'mean', 'p50'].map((name) => samplesOf(`nodejs_eventloop_lag_${name}_seconds`)),
    );
    const others = [...(await metrics.metrics('durations')), ...(await metrics.metrics('current'))].filter(
      ({ name }) => !name.startsWith('nodejs_eventloop_lag_'),
    );

    expect(delays.flat(2).filter((value) => !(Number(value) < 3600))).toEqual([]);
    expect(Number((await samplesOf('process_start_time_seconds'))?.flat()[0])).toBeLessThan(Date.now() / 1000);
    expect(others.length).toBeGreaterThan(10);
  });

  it('show the delay of the event loop since the previous scrape', async () => {
    const { samplesOf } = createMetrics(true);
    const longest = async () => (await samplesOf('nodejs_eventloop_lag_max_seconds'))?.flat();
    await setTimeout(50);
    const end = performance.now() + 200;
    while (performance.now() < end);
    await setTimeout(50);

    const first = Number((await longest())?.[0]);
    expect(first).toBeGreaterThan(0.15);
    expect((await longest())?.[0]).toBeLessThan(first);
  });

  it.each(reloads)('keep the time of the last successful reload of %s', async (_what, prefix, reload) => {
    const { metrics, samplesOf } = createMetrics();
    const shown = async () => [
      await samplesOf(`${prefix}_successful`),
      await samplesOf(`${prefix}_success_timestamp_seconds`),
    ];

    reload(metrics, true, 1_780_488_000_500);
    const first = await shown();
    reload(metrics, false, 1_780_489_000_000);
    const failed = await shown();
    reload(metrics, true, 1_780_490_000_000);

    expect([first, failed, await shown()]).toEqual([
      [[[1]], [[1_780_488_000.5]]],
      [[[0]], [[1_780_488_000.5]]],
      [[[1]], [[1_780_490_000]]],
    ]);
  });

  it('show what was restored from the state directory, and the newest save', async () => {
    const { metrics, samplesOf } = createMetrics();
    metrics.setRestored(120, { expired: 3, damaged: 1 });
    const restored = [
      await samplesOf('hosting_exporter_state_restored_series'),
      await samplesOf('hosting_exporter_state_dropped'),
      await samplesOf('hosting_exporter_state_save_success'),
      await samplesOf('hosting_exporter_state_last_save_timestamp_seconds'),
    ];
    const saves = async () => [
      await samplesOf('hosting_exporter_state_save_success'),
      await samplesOf('hosting_exporter_state_last_save_timestamp_seconds'),
    ];

    metrics.setSaved(1_780_488_000_000);
    const saved = await saves();
    metrics.setSaved(undefined);
    const failed = await saves();
    metrics.setSaved(1_780_489_000_000);

    expect(restored).toEqual([
      [[120]],
      [
        ['expired', 3],
        ['damaged', 1],
      ],
      [[1]],
      undefined,
    ]);
    expect([saved, failed, await saves()]).toEqual([
      [[[1]], [[1_780_488_000]]],
      [[[0]], [[1_780_488_000]]],
      [[[1]], [[1_780_489_000]]],
    ]);
  });

  it('include those of Node.js, without gauges whose names end like a counter', async () => {
    const { metrics } = createMetrics(true);

    const all = [...(await metrics.metrics('durations')), ...(await metrics.metrics('current'))];

    const names = all.map(({ name }) => name);
    expect(names).toContain('process_resident_memory_bytes');
    expect(names.filter((name) => name.startsWith('nodejs_eventloop_lag')).sort()).toEqual(
      ['max', 'mean', 'min', 'p50', 'p90', 'p99'].map((value) => `nodejs_eventloop_lag_${value}_seconds`),
    );
    expect(all.filter(({ name, type }) => type !== 'counter' && name.endsWith('_total'))).toEqual([]);
    expect(all.flatMap(({ values }) => values).filter(({ value }) => Number.isNaN(value))).toEqual([]);
  });
});
