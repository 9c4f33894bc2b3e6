import { expect } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import type { Dialect } from '../../src/api/dialect.ts';
import { collectors } from '../../src/collectors/list.ts';
import { accountSettings, type Settings } from '../fixtures/program.ts';
import type { Prometheus } from '../fixtures/prometheus.ts';
import { until } from '../fixtures/waiting.ts';
import { expectedSeries, type SeriesMap, seriesKey } from '../oracle/expected-series.ts';
import { compare } from '../oracle/page-series.ts';

/** Settings with an interval of a few seconds for every collector, and with both kinds of credentials. */
export function settingsFor(sandbox: Sandbox, maxAge: string): Settings {
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

/** A scrape configuration for one exporter. */
export function scrapeOf({ address }: { readonly address: string }) {
  return { job_name: 'hosting', static_configs: [{ targets: [address] }] };
}

/** Selects the series about accounts. */
const names = '__name__=~"hosting_.+",__name__!~"hosting_up|hosting_exporter_.+|hosting_account_alert_threshold"';
export const ofAccounts = `{${names}}`;

/** The current series about accounts in Prometheus. */
export async function shownBy(prometheus: Prometheus): Promise<SeriesMap> {
  const series = await prometheus.query(ofAccounts);
  return new Map(
    series.map(({ labels, value }) => {
      const { __name__: name = '', job: _job, instance: _instance, ...own } = labels;
      return [seriesKey(name, own), value];
    }),
  );
}

/** The series that the accounts of a sandbox must have now. */
export function expectedOf(sandbox: Sandbox, dialect: Dialect): SeriesMap {
  return new Map(sandbox.accounts.flatMap((account) => [...expectedSeries(account, dialect, Date.now())]));
}

/** Waits until Prometheus has the expected series of every account, and no others. */
export async function untilAsExpected(prometheus: Prometheus, sandbox: Sandbox, dialect: Dialect): Promise<void> {
  await until('Prometheus has exactly the expected series', async () => {
    expect(compare(expectedOf(sandbox, dialect), await shownBy(prometheus))).toEqual([]);
    return true;
  });
}

/**
 * Waits until each expression has its value. On a busy machine, a scrape may time out, which ends all series until the
 * next scrape.
 */
export async function untilValues(
  prometheus: Prometheus,
  expected: Readonly<Record<string, number | undefined>>,
): Promise<void> {
  await until('Prometheus has the expected values', async () => {
    const values = Object.keys(expected).map(async (expression) => [expression, await prometheus.value(expression)]);
    expect(Object.fromEntries(await Promise.all(values))).toEqual(expected);
    return true;
  });
}
