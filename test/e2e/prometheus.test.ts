import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { type Exporter, startExporter } from '../fixtures/program.ts';
import { complaintsOf, type Prometheus, startPrometheus } from '../fixtures/prometheus.ts';
import { freePort } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';
import { scrapeOf, settingsFor, shownBy, untilAsExpected, untilValues } from './agreement.ts';
import { startRecordingProxy } from './recording-proxy.ts';

/** test/integration/collectors.test.ts compares every series in both dialects. */
const dialect = 'provider';

describe('Prometheus, the program and a sandbox in the dialect of the provider', () => {
  const cleanups = new Cleanups();
  let sandbox: Sandbox;
  let exporter: Exporter;
  let prometheus: Prometheus;

  beforeAll(async () => {
    // The figures are frozen, so that a slow machine can compare them. Only the tests change them.
    sandbox = await startSandbox({ dialect, speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    exporter = await startExporter(cleanups, settingsFor(sandbox, '1h'), [
      `--web.listen-address=127.0.0.1:${await freePort()}`,
    ]);
    prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
  });

  afterAll(cleanups.end);

  it('agree on every series of every account', async () => {
    await untilAsExpected(prometheus, sandbox, dialect);

    await untilValues(prometheus, {
      'count(up)': 1,
      'sum(up)': 1,
      'count(hosting_exporter_collector_success == 1)': sandbox.accounts.length * collectors.length,
      'count(hosting_up == 1)': sandbox.accounts.length,
    });
    const all = [...new Set(collectors.flatMap(({ metrics }) => metrics.map(({ name }) => name)))];
    const onlyInOtherDialect = /^hosting_database_info$/;
    await until('Prometheus has exactly the families of the dialect', async () => {
      const families = new Set([...(await shownBy(prometheus)).keys()].map((key) => key.slice(0, key.indexOf('{'))));
      expect([...families].sort()).toEqual(all.filter((name) => !onlyInOtherDialect.test(name)).sort());
      return true;
    });
  });

  it('agree after values have changed', async () => {
    const shop = sandbox.account('shop');
    shop.setDiskUsage(17_250_000_000);
    shop.setDiskLimit(undefined);
    shop.setDatabaseSize('shop_main', 2_222_000_000);
    shop.setBalance(-12.5);
    sandbox.account('unlimited').setDiskLimit(500_000_000_000);

    await untilAsExpected(prometheus, sandbox, dialect);

    await untilValues(prometheus, {
      'hosting_account_disk_usage_bytes{account="shop"}': 17_250_000_000,
      'hosting_account_disk_limit_bytes{account="shop"}': undefined,
    });
  });

  it('agree after a site and a database are added, and end their series when they are deleted', async () => {
    const agency = sandbox.account('agency');
    const id = agency.addSite('новый-сайт.испытание', 4.5);
    agency.addDatabase({ name: 'agency_new', size: 12_000_000 });
    await untilAsExpected(prometheus, sandbox, dialect);
    const added = await until('the site has series', async () => {
      const series = await prometheus.query(`{account="agency",site_id="${id}"}`);
      return series.length > 0 && series;
    });

    agency.deleteSite('новый-сайт.испытание');
    agency.deleteDatabase('agency_new');

    await untilAsExpected(prometheus, sandbox, dialect);
    // The site is younger than an hour, so it has no complete hour.
    expect(added.map(({ labels }) => labels['__name__']).sort()).toEqual(
      ['hosting_site_info', 'hosting_site_load_average', 'hosting_site_frozen'].sort(),
    );
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
    await untilValues(prometheus, { 'count(hosting_up == 1)': sandbox.accounts.length });
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
    expect(complaintsOf(prometheus)).toEqual([]);
  });
});
