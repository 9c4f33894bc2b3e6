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

/** Milliseconds; only a failing test takes this long. */
const timeout = 180_000;

const dialects = ['specification', 'provider'] as const;

/** Every collector with an interval of a few seconds, and accounts with both kinds of credentials. */
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

/** The current series about accounts in Prometheus. */
async function shownBy(prometheus: Prometheus): Promise<SeriesMap> {
  const series = await prometheus.query('{__name__=~"hosting_.+",__name__!~"hosting_up|hosting_exporter_.+"}');
  return new Map(
    series.map(({ labels, value }) => {
      const { __name__: name = '', job: _job, instance: _instance, ...own } = labels;
      return [seriesKey(name, own), value];
    }),
  );
}

function expectedOf(sandbox: Sandbox, dialect: Dialect): SeriesMap {
  return new Map(sandbox.accounts.flatMap((account) => [...expectedSeries(account, dialect, Date.now())]));
}

async function untilAsExpected(prometheus: Prometheus, sandbox: Sandbox, dialect: Dialect): Promise<void> {
  await until('Prometheus has exactly the expected series', async () => {
    expect(compare(expectedOf(sandbox, dialect), await shownBy(prometheus))).toEqual([]);
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
    await untilAsExpected(prometheus, sandbox, dialect);

    const up = await prometheus.query('up');
    const succeeding = await prometheus.query('hosting_exporter_collector_success == 1');
    const accounts = await prometheus.query('hosting_up == 1');
    expect(up.map(({ value }) => value)).toEqual([1]);
    expect(succeeding).toHaveLength(sandbox.accounts.length * collectors.length);
    expect(accounts).toHaveLength(sandbox.accounts.length);
    const families = new Set([...(await shownBy(prometheus)).keys()].map((key) => key.slice(0, key.indexOf('{'))));
    const all = collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name));
    const onlyInOtherDialect =
      dialect === 'provider' ? /^hosting_database_info$/ : /^hosting_(server_|backup|account_(?!info|disk))/;
    expect([...families].sort()).toEqual(all.filter((name) => !onlyInOtherDialect.test(name)).sort());
  });

  it('agree after values have changed', async () => {
    const shop = sandbox.account('shop');
    shop.setDiskUsage(17_250_000_000);
    shop.setDiskLimit(undefined);
    shop.setDatabaseSize('shop_main', 2_222_000_000);
    shop.setBalance(-12.5);
    sandbox.account('unlimited').setDiskLimit(500_000_000_000);

    await untilAsExpected(prometheus, sandbox, dialect);

    expect(await prometheus.value('hosting_account_disk_usage_bytes{account="shop"}')).toBe(17_250_000_000);
    expect(await prometheus.value('hosting_account_disk_limit_bytes{account="shop"}')).toBeUndefined();
  });

  it('agree after a site and a database are added, and end their series when they are deleted', async () => {
    const agency = sandbox.account('agency');
    const id = agency.addSite('новый-сайт.испытание', 4.5);
    agency.addDatabase({ name: 'agency_new', size: 12_000_000 });
    await untilAsExpected(prometheus, sandbox, dialect);
    const added = await prometheus.query(`{account="agency",site_id="${id}"}`);

    agency.deleteSite('новый-сайт.испытание');
    agency.deleteDatabase('agency_new');

    await untilAsExpected(prometheus, sandbox, dialect);
    // The site is younger than an hour, so it has no complete hour.
    expect(added.map(({ labels }) => labels['__name__']).sort()).toEqual([
      'hosting_site_info',
      'hosting_site_load_average',
    ]);
    expect(await prometheus.query(`{account="agency",site_id="${id}"}`)).toEqual([]);
    expect(await prometheus.query('{account="agency",database="agency_new"}')).toEqual([]);
  });

  it('agree again after a restart of the program', async () => {
    await exporter.program.stop();
    await until('Prometheus sees the target down', async () => (await prometheus.value('up')) === 0);

    const settings = settingsFor(sandbox, '1h');
    await startExporter(cleanups, settings, [`--web.listen-address=${exporter.address}`]);

    await until('Prometheus finds the program again', async () => (await prometheus.value('up')) === 1);
    await untilAsExpected(prometheus, sandbox, dialect);
    expect(await prometheus.value('count(hosting_up == 1)')).toBe(sandbox.accounts.length);
  });

  it('exchange compressed OpenMetrics', async () => {
    const proxy = await startRecordingProxy(cleanups, exporter.address);
    const behindProxy = await startPrometheus(cleanups, [scrapeOf(proxy)]);

    await until('a scrape through the proxy', async () => (await behindProxy.value('up')) === 1);

    expect(proxy.exchanges[0]?.accept).toContain('application/openmetrics-text');
    expect(proxy.exchanges[0]).toMatchObject({
      status: 200,
      contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
      encoding: 'gzip',
    });
    await untilAsExpected(behindProxy, sandbox, dialect);
    await behindProxy.process.stop();
  });

  it('leave no warning in the log of Prometheus', () => {
    const warnings = prometheus.process.stderr
      .split('\n')
      .filter((line) => /level=(?:warn|error)|duplicate|out.of.order|same timestamp/i.test(line));

    expect(warnings).toEqual([]);
  });
});

describe('an outage of the provider', { timeout }, () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it('sets hosting_up to 0, expires all series about accounts, and ends without a restart', async () => {
    const options = { speed: 0, requestsPerMinute: 0, dialect: 'provider' } as const;
    const sandbox = await startSandbox(options);
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, '8s'));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilAsExpected(prometheus, sandbox, 'provider');
    const usage = sandbox.account('shop').diskUsageBytes;
    const failuresBefore = await prometheus.value('sum(hosting_exporter_api_request_failures_total)');

    await sandbox.close();

    await until('every account is down', async () => (await prometheus.value('sum(hosting_up)')) === 0);
    await until(
      'every collector fails',
      async () => (await prometheus.value('sum(hosting_exporter_collector_success)')) === 0,
    );
    await until('no series is left', async () => (await shownBy(prometheus)).size === 0);
    // While the account was down, its value never changed from the last good one.
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
    await untilAsExpected(prometheus, back, 'provider');
  });

  it('of one account does not affect the others', async () => {
    const sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, '6s'));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilAsExpected(prometheus, sandbox, 'specification');

    sandbox.setFault({ kind: 'http_503', login: 'shop' });

    await until(
      'no series of the account is left',
      async () => (await prometheus.query('{account="shop",__name__!~"hosting_up|hosting_exporter_.+"}')).length === 0,
    );
    const expected = [...expectedOf(sandbox, 'specification')].filter(([key]) => !key.includes('account="shop"'));
    expect(compare(new Map(expected), await shownBy(prometheus))).toEqual([]);
    expect(await prometheus.value('hosting_up{account="shop"}')).toBe(0);
    expect(await prometheus.value('sum(hosting_up)')).toBe(3);
    expect(await prometheus.value('sum(hosting_exporter_collector_success)')).toBe(3 * collectors.length);

    sandbox.clearFaults();

    await untilAsExpected(prometheus, sandbox, 'specification');
  });
});
