import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/api/dialect.ts';
import { collectors } from '../../src/collectors/list.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings, type Exporter, type Settings, startExporter } from '../fixtures/program.ts';
import { type Prometheus, startPrometheus } from '../fixtures/prometheus.ts';
import { until } from '../fixtures/waiting.ts';
import { expectedSeries, type SeriesMap, seriesKey } from '../oracle/expected-series.ts';
import { compare } from '../oracle/page-series.ts';
import { startRecordingProxy } from './recording-proxy.ts';

/** Generous: only a test that fails ever takes so long. */
const timeout = 180_000;

const dialects = ['specification', 'provider'] as const;

/** Every collector, with intervals of a few seconds, with both kinds of credentials. */
function settingsFor(sandbox: Sandbox, maxAge: string): Settings {
  return {
    api: { base_url: sandbox.baseUrl, timeout: '5s', requests_per_minute: 60_000 },
    accounts: sandbox.accounts.map((account, index) =>
      accountSettings(account, index % 2 === 0 ? 'password' : 'token'),
    ),
    collectors: Object.fromEntries(
      collectors.map(({ name, kind }) => [
        name,
        { enabled: true, every: kind === 'list' ? '1s' : '3s', max_age: maxAge },
      ]),
    ),
  };
}

function scrapeOf({ address }: { readonly address: string }) {
  return { job_name: 'hosting', static_configs: [{ targets: [address] }] };
}

/** The series about accounts that Prometheus shows now. */
async function shownBy(prometheus: Prometheus): Promise<SeriesMap> {
  const series = await prometheus.query('{__name__=~"hosting_.+",__name__!~"hosting_up|hosting_exporter_.+"}');
  return new Map(
    series.map(({ labels, value }) => {
      const { __name__: name = '', job: _job, instance: _instance, ...own } = labels;
      return [seriesKey(name, own), value];
    }),
  );
}

function truthOf(sandbox: Sandbox, dialect: Dialect): SeriesMap {
  return new Map(sandbox.accounts.flatMap((account) => [...expectedSeries(account, dialect, Date.now())]));
}

async function untilTrue(prometheus: Prometheus, sandbox: Sandbox, dialect: Dialect): Promise<void> {
  await until('Prometheus shows the truth', async () => {
    expect(compare(truthOf(sandbox, dialect), await shownBy(prometheus))).toEqual([]);
    return true;
  });
}

describe.each(dialects)('Prometheus, the program and a sandbox in the dialect of the %s', { timeout }, (dialect) => {
  const cleanups = new Cleanups();
  let sandbox: Sandbox;
  let exporter: Exporter;
  let prometheus: Prometheus;

  beforeAll(async () => {
    // Figures are frozen so that a slow machine can compare them; the tests change them.
    sandbox = await startSandbox({ dialect, speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    exporter = await startExporter(cleanups, settingsFor(sandbox, '1h'));
    prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
  }, timeout);

  afterAll(cleanups.end);

  it('agree on every series of every account', async () => {
    await untilTrue(prometheus, sandbox, dialect);

    const up = await prometheus.query('up');
    const succeeding = await prometheus.query('hosting_exporter_collector_success == 1');
    const accounts = await prometheus.query('hosting_up == 1');
    expect(up.map(({ value }) => value)).toEqual([1]);
    expect(succeeding).toHaveLength(sandbox.accounts.length * collectors.length);
    expect(accounts).toHaveLength(sandbox.accounts.length);
    const families = new Set([...(await shownBy(prometheus)).keys()].map((key) => key.slice(0, key.indexOf('{'))));
    const all = collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name));
    const ofTheOtherForm =
      dialect === 'provider' ? /^hosting_database_info$/ : /^hosting_(server_|backup|account_(?!info|disk))/;
    expect([...families].sort()).toEqual(all.filter((name) => !ofTheOtherForm.test(name)).sort());
  });

  it('agree after figures have changed', async () => {
    const shop = sandbox.account('shop');
    shop.setDiskUsage(17_250_000_000);
    shop.setDiskLimit(undefined);
    shop.setDatabaseSize('shop_main', 2_222_000_000);
    shop.setBalance(-12.5);
    sandbox.account('unlimited').setDiskLimit(500_000_000_000);

    await untilTrue(prometheus, sandbox, dialect);

    expect(await prometheus.value('hosting_account_disk_usage_bytes{account="shop"}')).toBe(17_250_000_000);
    expect(await prometheus.value('hosting_account_disk_limit_bytes{account="shop"}')).toBeUndefined();
  });

  it('agree after a site and a database were added, and their series end with them', async () => {
    const agency = sandbox.account('agency');
    const id = agency.addSite('новый-сайт.испытание', 4.5);
    agency.addDatabase({ name: 'agency_new', size: 12_000_000 });
    await untilTrue(prometheus, sandbox, dialect);
    const added = await prometheus.query(`{account="agency",site_id="${id}"}`);

    agency.deleteSite('новый-сайт.испытание');
    agency.deleteDatabase('agency_new');

    await untilTrue(prometheus, sandbox, dialect);
    // It has not lived for an hour, so that there is no complete one.
    expect(added.map(({ labels }) => labels['__name__']).sort()).toEqual([
      'hosting_site_info',
      'hosting_site_load_average',
    ]);
    expect(await prometheus.query(`{account="agency",site_id="${id}"}`)).toEqual([]);
    expect(await prometheus.query('{account="agency",database="agency_new"}')).toEqual([]);
  });

  it('continue after a restart of the program', async () => {
    await exporter.program.stop();
    await until('Prometheus sees the target down', async () => (await prometheus.value('up')) === 0);

    const settings = settingsFor(sandbox, '1h');
    await startExporter(cleanups, settings, [`--web.listen-address=${exporter.address}`]);

    await until('Prometheus finds the program again', async () => (await prometheus.value('up')) === 1);
    await untilTrue(prometheus, sandbox, dialect);
    expect(await prometheus.value('count(hosting_up == 1)')).toBe(sandbox.accounts.length);
  });

  it('speak OpenMetrics, compressed', async () => {
    const proxy = await startRecordingProxy(cleanups, exporter.address);
    const behindProxy = await startPrometheus(cleanups, [scrapeOf(proxy)]);

    await until('a scrape through the proxy', async () => (await behindProxy.value('up')) === 1);

    expect(proxy.exchanges[0]?.accept).toContain('application/openmetrics-text');
    expect(proxy.exchanges[0]).toMatchObject({
      status: 200,
      contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
      encoding: 'gzip',
    });
    await untilTrue(behindProxy, sandbox, dialect);
    await behindProxy.process.stop();
  });

  it('leave no warning in the log of Prometheus', () => {
    const complaints = prometheus.process.stderr
      .split('\n')
      .filter((line) => /level=(?:warn|error)|duplicate|out.of.order|same timestamp/i.test(line));

    expect(complaints).toEqual([]);
  });
});

describe('an outage of the provider', { timeout }, () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it('shows immediately, ends figures that are too old, and recovers', async () => {
    const options = { speed: 0, requestsPerMinute: 0, dialect: 'provider' } as const;
    const sandbox = await startSandbox(options);
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, '8s'));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilTrue(prometheus, sandbox, 'provider');
    const usage = sandbox.account('shop').diskUsageBytes;
    const failuresBefore = await prometheus.value('sum(hosting_exporter_api_request_failures_total)');

    await sandbox.close();

    await until('every account is down', async () => (await prometheus.value('sum(hosting_up)')) === 0);
    await until(
      'every collector fails',
      async () => (await prometheus.value('sum(hosting_exporter_collector_success)')) === 0,
    );
    await until('no figure is left', async () => (await shownBy(prometheus)).size === 0);
    // While the account was down already, its figure was the last good one; at no time was it another one.
    const kept = 'hosting_account_disk_usage_bytes{account="shop"} and on (account) hosting_up == 0';
    expect(await prometheus.value(`max_over_time((${kept})[5m:1s])`)).toBe(usage);
    expect(await prometheus.value(`min_over_time((${kept})[5m:1s])`)).toBe(usage);
    expect(await prometheus.value('min(up)')).toBe(1);
    expect(await prometheus.value('count(hosting_up)')).toBe(4);
    expect(await prometheus.value('count(hosting_exporter_collector_success)')).toBe(4 * collectors.length);
    expect(await prometheus.value('sum(hosting_exporter_collector_series)')).toBe(0);
    const failures = 'sum by (reason) (hosting_exporter_api_request_failures_total) > 0';
    expect((await prometheus.query(failures)).map(({ labels }) => labels['reason'])).toEqual(['network']);
    expect(failuresBefore).toBe(0);

    const back = await startSandbox({ ...options, port: Number(new URL(sandbox.baseUrl).port) });
    cleanups.add(() => back.close());

    await until('every account is up', async () => (await prometheus.value('sum(hosting_up)')) === 4);
    await untilTrue(prometheus, back, 'provider');
  });

  it('of one account does not affect the others', async () => {
    const sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, '6s'));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilTrue(prometheus, sandbox, 'specification');

    sandbox.setFault({ kind: 'http_503', login: 'shop' });

    await until(
      'no figure of the account is left',
      async () => (await prometheus.query('{account="shop",__name__!~"hosting_up|hosting_exporter_.+"}')).length === 0,
    );
    const truth = [...truthOf(sandbox, 'specification')].filter(([key]) => !key.includes('account="shop"'));
    expect(compare(new Map(truth), await shownBy(prometheus))).toEqual([]);
    expect(await prometheus.value('hosting_up{account="shop"}')).toBe(0);
    expect(await prometheus.value('sum(hosting_up)')).toBe(3);
    expect(await prometheus.value('sum(hosting_exporter_collector_success)')).toBe(3 * collectors.length);

    sandbox.clearFaults();

    await untilTrue(prometheus, sandbox, 'specification');
  });
});
