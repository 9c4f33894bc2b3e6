import { describe, expect, it } from 'vitest';
import { startApp } from '../../fixtures/app.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { statusOf } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { until } from '../../fixtures/waiting.ts';
import { type ParsedFamily, parsePage, samplesOf } from '../../oracle/exposition.ts';

// Series for each method and reason, and durations for each account and collector, would be 240 per account. These tests
// answer the questions of users with fewer series.

const names = ['databases', 'ftp_accounts', 'site_load', 'site_load_detail'];

/** Two accounts with failing collectors, after their first polls. */
async function polledPage() {
  const sites = [1, 2, 3].map((id) => ({ id, name: `site${id}` }));
  const shop = await scriptedApi({
    'ftp/getList': { status: 502 },
    'stat/getSitesListLoad': { result: sites },
    'stat/getSiteLoad': { result: { days: [] } },
    'stat/getSiteLoad 2': { refuse: 'METHOD_ERROR' },
  });
  const blog = await scriptedApi({ 'mysql/getList': { refuse: 'ACCESS_DENIED' } });
  const apis = { shop, blog };
  const accounts = Object.entries(apis).map(([name, { baseUrl }]) =>
    accountConfig({ name, api: { baseUrl }, collectors: names }),
  );
  const { app, origin } = await startApp(config(...accounts));
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
  await until(() => app.accounts.every((account) => statusOf(account).every(({ polling }) => !polling)));
  const text = await (await fetch(`${origin}/metrics`)).text();
  const page = parsePage(text, 'text');
  return { apis, page };
}

/** The values of a metric by one of its labels, without those that are 0. */
function valuesBy(page: readonly ParsedFamily[], metric: string, ...labels: readonly string[]) {
  return samplesOf(page, metric)
    .filter(({ value }) => value > 0)
    .map(({ labels: all, value }) => [...labels.map((label) => all[label]), value].join(' '))
    .toSorted();
}

function countBy(texts: readonly string[]): readonly string[] {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) => `${text} ${length}`).toSorted();
}

describe('the series about the exporter tell', () => {
  it('how many calls an account makes, and how many of them fail for which reason', async () => {
    const { apis, page } = await polledPage();

    const sent = Object.entries(apis).map(([account, { calls }]) => `${account} ${calls.length}`);
    expect(valuesBy(page, 'hosting_exporter_api_requests_total', 'account')).toEqual(sent.toSorted());
    expect(valuesBy(page, 'hosting_exporter_api_request_failures_total', 'account', 'reason')).toEqual([
      'blog api 1',
      'shop http 1',
      'shop method 1',
    ]);
  });

  it('which collector of which account fails, and why', async () => {
    const { page } = await polledPage();

    expect(valuesBy(page, 'hosting_exporter_collector_failing', 'account', 'collector', 'reason')).toEqual([
      'blog databases api 1',
      'shop ftp_accounts http 1',
      'shop site_load_detail method 1',
    ]);
  });

  it('how often each method is called, and how long it takes', async () => {
    const { apis, page } = await polledPage();

    const methods = Object.values(apis).flatMap(({ calls }) => calls.map(({ name }) => name.replace(/ .*/, '')));
    const counts = valuesBy(page, 'hosting_exporter_api_request_duration_seconds_count', 'method');
    const durations = samplesOf(page, 'hosting_exporter_api_request_duration_seconds_sum');
    expect(counts).toEqual(countBy(methods));
    expect(durations.filter(({ value }) => value > 0)).toHaveLength(counts.length);
  });

  it('how often each collector is polled, and how long that takes', async () => {
    const { page } = await polledPage();

    const counts = valuesBy(page, 'hosting_exporter_poll_duration_seconds_count', 'collector');
    expect(counts.map((text) => text.split(' ')[0])).toEqual(names.toSorted());
    expect(counts).toContain('databases 2');
  });

  it('how many series an account has', async () => {
    const { page } = await polledPage();

    const figures = page
      .flatMap(({ samples }) => samples)
      .filter(({ name }) => /^hosting_(?!exporter_|up$)/.test(name))
      .map(({ labels }) => labels['account'] ?? '');
    expect(valuesBy(page, 'hosting_exporter_series', 'account')).toEqual(countBy(figures));
  });
});
