import { afterAll, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { startExporter } from '../fixtures/program.ts';
import { startPrometheus } from '../fixtures/prometheus.ts';
import { freePort } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';
import { compare } from '../oracle/page-series.ts';
import { expectedOf, scrapeOf, settingsFor, shownBy, untilAsExpected, untilValues } from './agreement.ts';

/** Longer than any poll on a busy machine. The tests wait for this time, so it should be short. */
const maxAge = '20s';

describe.concurrent('an outage of the provider', () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it('sets hosting_up to 0, expires all series about accounts, and ends without a restart', async () => {
    const options = { speed: 0, requestsPerMinute: 0, dialect: 'provider' } as const;
    const sandbox = await startSandbox({ ...options, port: await freePort() });
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, maxAge));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilAsExpected(prometheus, sandbox, 'provider');
    const usage = sandbox.account('shop').diskUsageBytes;
    await untilValues(prometheus, { 'sum(hosting_exporter_api_request_failures_total)': 0 });

    await sandbox.close();

    await until('every account is down', async () => (await prometheus.value('sum(hosting_up)')) === 0);
    await until(
      'every collector fails',
      async () => (await prometheus.value('sum(hosting_exporter_collector_success)')) === 0,
    );
    await until('no series is left', async () => (await shownBy(prometheus)).size === 0);
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

    const back = await startSandbox({ ...options, port: Number(new URL(sandbox.baseUrl).port) });
    cleanups.add(() => back.close());

    await until('every account is up', async () => (await prometheus.value('sum(hosting_up)')) === 4);
    await untilAsExpected(prometheus, back, 'provider');
  });

  it('of one account does not affect the others', async () => {
    const sandbox = await startSandbox({ speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    const exporter = await startExporter(cleanups, settingsFor(sandbox, maxAge));
    const prometheus = await startPrometheus(cleanups, [scrapeOf(exporter)]);
    await untilAsExpected(prometheus, sandbox, 'specification');

    sandbox.setFault({ kind: 'http_503', login: 'shop' });

    await until(
      'no series of the account is left',
      async () => (await prometheus.query('{account="shop",__name__!~"hosting_up|hosting_exporter_.+"}')).length === 0,
    );
    await until('the other accounts are complete', async () => {
      const expected = [...expectedOf(sandbox, 'specification')].filter(([key]) => !key.includes('account="shop"'));
      expect(compare(new Map(expected), await shownBy(prometheus))).toEqual([]);
      return true;
    });
    await untilValues(prometheus, {
      'hosting_up{account="shop"}': 0,
      'sum(hosting_up)': 3,
      // In this dialect, frozen_sites makes no calls that could fail.
      'sum(hosting_exporter_collector_success{collector!="frozen_sites"})': 3 * (collectors.length - 1),
    });

    sandbox.clearFaults();

    await untilAsExpected(prometheus, sandbox, 'specification');
  });
});
