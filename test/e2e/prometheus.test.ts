import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blog } from '../../sandbox/src/accounts/blog.ts';
import { shop } from '../../sandbox/src/accounts/shop.ts';
import { unlimited } from '../../sandbox/src/accounts/unlimited.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings, type Exporter, type Settings, startExporter } from '../fixtures/program.ts';
import { complaintsOf, type Prometheus, startPrometheus } from '../fixtures/prometheus.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { freePort } from '../fixtures/servers.ts';
import { smallAgency } from '../fixtures/small-agency.ts';
import { until } from '../fixtures/waiting.ts';
import { expectedSeries, type SeriesMap, seriesKey } from '../oracle/expected-series.ts';
import { compare } from '../oracle/page-series.ts';

/** test/collectors/collectors.test.ts compares every series in both dialects. */
const dialect = 'provider';

/** The figures are frozen, so that a slow machine can compare them. Only the tests change them. */
const sandboxOptions = {
  dialect,
  speed: 0,
  requestsPerMinute: 0,
  accounts: [blog, shop, smallAgency, unlimited],
} as const;

/** Longer than any poll on a busy machine. The tests of outages wait for this time, so it should be short. */
const maxAge = '20s';

/** Settings with an interval of a few seconds for every collector, and with both kinds of credentials. */
function settingsFor(sandbox: Sandbox, maxAge: string): Settings {
  return {
    api: { base_url: sandbox.baseUrl, timeout: '60s', requests_per_minute: 60_000 },
    accounts: sandbox.accounts.map((account, index) =>
      accountSettings(account, index % 2 === 0 ? 'password' : 'token'),
    ),
    collectors: Object.fromEntries(
      collectors.map(({ name, stretches }) => [
        name,
        { enabled: true, every: stretches ? '10s' : '5s', max_age: maxAge },
      ]),
    ),
  };
}

/** Selects the series about accounts. */
const names = '__name__=~"hosting_.+",__name__!~"hosting_up|hosting_exporter_.+|hosting_account_alert_threshold"';
const ofAccounts = `{${names}}`;

/** The current series about accounts in Prometheus. */
async function shownBy(prometheus: Prometheus): Promise<SeriesMap> {
  const series = await prometheus.query(ofAccounts);
  return new Map(
    series.map(({ labels, value }) => {
      const { __name__: name = '', job: _job, instance: _instance, ...own } = labels;
      return [seriesKey(name, own), value];
    }),
  );
}

/** Waits until Prometheus has the expected series of every account, and no others. */
async function untilAsExpected(prometheus: Prometheus, sandbox: Sandbox): Promise<void> {
  await until('Prometheus has exactly the expected series', async () => {
    const expected = sandbox.accounts.flatMap((account) => [...expectedSeries(account, dialect, Date.now())]);
    expect(compare(new Map(expected), await shownBy(prometheus))).toEqual([]);
    return true;
  });
}

/**
 * Waits until each expression has its value. On a busy machine, a scrape may time out, which ends all series until the
 * next scrape.
 */
async function untilValues(
  prometheus: Prometheus,
  expected: Readonly<Record<string, number | undefined>>,
): Promise<void> {
  await until('Prometheus has the expected values', async () => {
    const values = Object.keys(expected).map(async (expression) => [expression, await prometheus.value(expression)]);
    expect(Object.fromEntries(await Promise.all(values))).toEqual(expected);
    return true;
  });
}

describe('Prometheus, the program and a sandbox in the dialect of the provider', () => {
  const cleanups = new Cleanups();
  let sandbox: Sandbox;
  let exporter: Exporter;
  let prometheus: Prometheus;

  beforeAll(async () => {
    sandbox = await openSandbox({ ...sandboxOptions, port: await freePort() }, cleanups);
    exporter = await startExporter(cleanups, settingsFor(sandbox, '1h'), [
      `--web.listen-address=127.0.0.1:${await freePort()}`,
    ]);
    const targets = [exporter.address];
    prometheus = await startPrometheus(cleanups, [{ job_name: 'hosting', static_configs: [{ targets }] }]);
  });

  afterAll(cleanups.end);

  it('agree on every series of every account', async () => {
    await untilAsExpected(prometheus, sandbox);

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

  it('agree after a site and a database are added, and end their series when they are deleted', async () => {
    const agency = sandbox.account('agency');
    const id = agency.addSite('новый-сайт.испытание', 4.5);
    agency.addDatabase({ name: 'agency_new', size: 12_000_000 });
    await untilAsExpected(prometheus, sandbox);
    const added = await until('the site has series', async () => {
      const series = await prometheus.query(`{account="agency",site_id="${id}"}`);
      return series.length > 0 && series;
    });

    agency.deleteSite('новый-сайт.испытание');
    agency.deleteDatabase('agency_new');

    await untilAsExpected(prometheus, sandbox);
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

    const settings = settingsFor(sandbox, maxAge);
    await startExporter(cleanups, settings, [`--web.listen-address=${exporter.address}`]);

    await until('Prometheus finds the program again', async () => (await prometheus.value('up')) === 1);
    await untilAsExpected(prometheus, sandbox);
    await untilValues(prometheus, { 'count(hosting_up == 1)': sandbox.accounts.length });
  });

  describe('an outage of the provider', () => {
    it('sets hosting_up to 0, expires all series about accounts, and ends without a restart', async () => {
      const usage = sandbox.account('shop').diskUsageBytes;
      await untilValues(prometheus, { 'sum(hosting_exporter_api_request_failures_total)': 0 });

      await sandbox.close();

      await until('every account is down', async () => (await prometheus.value('sum(hosting_up)')) === 0);
      await until(
        'every collector fails',
        async () => (await prometheus.value('sum(hosting_exporter_collector_success)')) === 0,
      );
      await until('no series is left', async () => (await prometheus.value(`count(${ofAccounts})`)) === undefined);
      // While the API was down, the figure kept its last value.
      const kept = 'hosting_account_disk_usage_bytes{account="shop"} and on (account) hosting_up == 0';
      expect(await prometheus.value(`max_over_time((${kept})[5m:1s])`)).toBe(usage);
      expect(await prometheus.value(`min_over_time((${kept})[5m:1s])`)).toBe(usage);
      await untilValues(prometheus, {
        'min(up)': 1,
        'count(hosting_up)': 4,
        'count(hosting_exporter_collector_success)': 4 * collectors.length,
        'sum(hosting_exporter_series)': 0,
      });
      const failures = 'sum by (reason) (hosting_exporter_api_request_failures_total) > 0';
      await until('Prometheus has the reasons of the failures', async () => {
        const reasons = (await prometheus.query(failures)).map(({ labels }) => labels['reason']);
        // On a busy machine, a call in progress may get no answer and time out.
        expect(reasons.filter((reason) => reason !== 'timeout')).toEqual(['network']);
        return true;
      });

      sandbox = await startSandbox({ ...sandboxOptions, port: Number(new URL(sandbox.baseUrl).port) });

      await until('every account is up', async () => (await prometheus.value('sum(hosting_up)')) === 4);
      await untilAsExpected(prometheus, sandbox);
    });
  });

  it('leave no warning in the log of Prometheus', () => {
    expect(complaintsOf(prometheus)).toEqual([]);
  });
});
