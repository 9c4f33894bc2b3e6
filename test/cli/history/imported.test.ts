import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forHistory, writeHistory } from '../../../src/cli/history.ts';
import { pollAll, startApp } from '../../fixtures/app.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { config, sandboxAccountConfig } from '../../fixtures/config.ts';
import { type Prometheus, startPrometheus } from '../../fixtures/prometheus.ts';
import { openSandbox } from '../../fixtures/sandbox.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const day = 86_400;
const dailyMetrics = ['hosting_site_load_daily', 'hosting_database_load_daily', 'hosting_database_size_daily_bytes'];
const metrics = [...dailyMetrics, 'hosting_site_load_hourly', 'hosting_database_load_hourly'];
const withTimes = metrics.flatMap((metric) => [metric, `${metric.replace(/_bytes$/, '')}_timestamp_seconds`]);

/** A time zone in which it is noon, so that no day ends or settles during the test. */
function zoneWithNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

/** A Prometheus that was empty, imported the history of two accounts with promtool, and has scraped the exporter since. */
const cleanups = new Cleanups();
let prometheus: Prometheus;
/** Unix seconds of the import. */
let imported: number;
let sites: number;

beforeAll(async () => {
  const timeZone = zoneWithNoon();
  const sandbox = await openSandbox({ timeZone }, cleanups);
  const accounts = ['shop', 'blog'].map((login) =>
    sandboxAccountConfig(sandbox, login, {
      api: { timeZone },
      collectors: ['account', 'databases', 'site_load', 'database_load', 'site_load_detail', 'database_load_detail'],
    }),
  );
  const settings = config(...accounts);
  const exporter = await startApp(settings, { cleanups });
  const target = new URL(exporter.origin).host;
  await pollAll(exporter);
  const folder = temporaryFolder(cleanups);
  const data = join(folder, 'data');
  const output = join(folder, 'history.om');
  mkdirSync(data);
  const now = Date.now();
  const targetLabels = { job: 'hosting', instance: target };
  const range = { fromState: false, days: 30, until: now, step: 240_000, targetLabels, output };
  await writeHistory(forHistory(settings), range, recordedContext());
  execFileSync('promtool', [
    'tsdb',
    'create-blocks-from',
    '--quiet',
    '--max-block-duration=720h',
    'openmetrics',
    output,
    data,
  ]);

  imported = now / 1000;
  sites = ['shop', 'blog'].reduce((sum, login) => sum + sandbox.account(login).sites.length, 0);
  prometheus = await startPrometheus(cleanups, [{ job_name: 'hosting', static_configs: [{ targets: [target] }] }], {
    data,
    flags: ['--storage.tsdb.retention.time=90d'],
  });
  // A busy machine can fail the first scrapes.
  await until('three scrapes', async () => ((await prometheus.value('sum_over_time(up[5m])')) ?? 0) >= 3);
});

afterAll(cleanups.end);

it('a Prometheus that imported the history knows every day of the last month', async () => {
  for (const metric of dailyMetrics) {
    const series = await prometheus.range(`count(${metric})`, imported - 29 * day, imported, 3600);

    expect([...(series[0]?.values ?? [])].length, metric).toBeGreaterThan(28 * 24);
  }
});

it('has each series once, because history and exporter write the same series', async () => {
  for (const metric of withTimes) {
    const all = await prometheus.query(`last_over_time(${metric}[31d])`);
    const scraped = await prometheus.query(`${metric} and on (instance) up`);

    expect(
      all.map(({ labels }) => labels),
      metric,
    ).toEqual(scraped.map(({ labels }) => labels));
  }
  expect(await prometheus.value('count(hosting_site_load_daily)')).toBe(sites);
});

it('sees neither a jump nor a gap where scraping began', async () => {
  const scraped = await prometheus.value('min_over_time(timestamp(up)[5m:1s])');
  const from = Math.floor(imported) - 300;
  const to = Math.ceil(scraped ?? 0) + 1;
  // While a busy machine fails a scrape, there are no series.
  const failed = (await prometheus.range('up == 0', from, to, 1))[0]?.values.size ?? 0;
  for (const metric of dailyMetrics) {
    // If a site had no load yesterday, the page shows an older day, and the history has a gap.
    const recent = `time() - ${metric.replace(/_bytes$/, '')}_timestamp_seconds < ${2 * day}`;
    const series = await prometheus.range(`${metric} and on (site_id, database) ${recent}`, from, to, 1);

    expect(series.length, metric).toBeGreaterThan(2);
    for (const { values } of series) expect(values.size + failed, metric).toBeGreaterThanOrEqual(to - from + 1);
    for (const { values } of series) expect(new Set(values.values()).size, metric).toBe(1);
  }
});
