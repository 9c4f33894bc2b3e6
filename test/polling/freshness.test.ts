import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
const info = { tariff: 'Blog', server: 'germes', disk_usage: '1 GB', disk_limit: '3 GB' };
const inAccount = { account: 'shop', collector: 'account' };

it('before the first poll, the page shows every collector, and no value from the API', async () => {
  fakeClock(start);
  const { page, metricValue } = polledAccount(accountConfig({ collectors: ['account', 'databases'] }));

  const names = (await page()).filter(({ samples }) => 'account' in (samples[0]?.labels ?? {})).map(({ name }) => name);

  expect(names).toEqual([
    'hosting_up',
    'hosting_exporter_collector_success',
    'hosting_exporter_collector_interval_seconds',
    'hosting_exporter_series',
    'hosting_exporter_api_requests_total',
    'hosting_exporter_api_request_failures_total',
    'hosting_exporter_api_requests_per_minute_limit',
    'hosting_exporter_api_queue_length',
  ]);
  expect(await metricValue('hosting_up')).toBe(0);
  expect(await metricValue('hosting_exporter_collector_success', inAccount)).toBe(0);
  expect(await metricValue('hosting_exporter_series')).toBe(0);
  expect(await metricValue('hosting_exporter_collector_interval_seconds', inAccount)).toBe(3600);
});

describe('a failed poll', () => {
  it('has a series with its reason until the next poll succeeds or fails for another reason', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'mysql/getList': { result: [] } });
    const { account, series } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases'] }),
    );
    const failing = async () =>
      (await series('hosting_exporter_collector_failing')).map(({ labels, value }) => [
        labels['collector'],
        labels['reason'],
        value,
      ]);
    const seen = [await failing()];

    for (const answer of [{ status: 500 }, 'reset', { refuse: 'METHOD_FAILED' }, { result: [] }] as const) {
      api.answer('mysql/getList', answer);
      api.answer('user/getAccountInfo', { result: info });
      await account.pollOnce();
      seen.push(await failing());
    }

    expect(seen).toEqual([
      [],
      [['databases', 'http', 1]],
      [['databases', 'network', 1]],
      [['databases', 'method', 1]],
      [],
    ]);
  });

  it('sets success to 0 immediately, and keeps the last good result until its max_age', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': { result: info } });
    const { account, metricValue } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: { account: { maxAge: 30 * minute } } }),
    );
    await account.pollOnce();
    const lastSuccess = await metricValue('hosting_exporter_collector_last_success_timestamp_seconds', inAccount);
    api.answer('user/getAccountInfo', { status: 500 });

    await vi.advanceTimersByTimeAsync(10 * minute);
    await account.pollOnce();

    expect(await metricValue('hosting_exporter_collector_success', inAccount)).toBe(0);
    expect(await metricValue('hosting_up')).toBe(0);
    expect(await metricValue('hosting_account_disk_usage_bytes')).toBe(1_000_000_000);
    expect(await metricValue('hosting_exporter_series')).toBe(3);

    vi.setSystemTime(Date.parse(start) + 30 * minute + 5000);

    expect(await metricValue('hosting_account_disk_usage_bytes')).toBeUndefined();
    expect(await metricValue('hosting_account_info')).toBeUndefined();
    expect(await metricValue('hosting_exporter_series')).toBe(0);
    expect(await metricValue('hosting_exporter_collector_success', inAccount)).toBe(0);
    expect(await metricValue('hosting_exporter_collector_last_success_timestamp_seconds', inAccount)).toBe(lastSuccess);
  });

  it('keeps the previous result if no element of a list is readable', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'a', size: '1 MB' }, { name: 'b' }] } });
    const { account, metricValue } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );
    await account.pollOnce();
    api.answer('mysql/getList', { result: [{ title: 'a' }, { title: 'b' }] });

    await account.pollOnce();

    expect(await metricValue('hosting_databases')).toBe(2);
    expect(await metricValue('hosting_database_size_bytes', { database: 'a' })).toBe(1_000_000);
    expect(await metricValue('hosting_exporter_collector_success', { collector: 'databases' })).toBe(0);
  });

  it('shows the readable part of an answer, but no counts if elements were dropped', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'mysql/getList': { result: [{ name: 'a', size: '1 MB' }, { title: 'b' }, { name: 'c', size: 'much' }] },
    });
    const { account, metricValue, series } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );

    await account.pollOnce();

    expect((await series('hosting_database_size_bytes')).map(({ labels }) => labels['database'])).toEqual(['a']);
    expect(await metricValue('hosting_databases')).toBeUndefined();
    expect(await metricValue('hosting_exporter_collector_success', { collector: 'databases' })).toBe(0);
    expect(await metricValue('hosting_exporter_api_request_failures_total', { reason: 'payload' })).toBe(1);
    expect(await metricValue('hosting_exporter_collector_failing', { collector: 'databases', reason: 'payload' })).toBe(
      1,
    );
  });
});

describe('hosting_up', () => {
  it.each([
    [0, 'rejected credentials', { refuse: 'AUTH_ERROR' }],
    [1, 'a missing permission', { refuse: 'PERMISSION_DENIED' }],
    [1, 'a failure of the method', { refuse: 'METHOD_ERROR' }],
    [1, 'a rate limit', { refuse: 'LIMIT_ERROR' }],
    [1, 'an unknown error code', { refuse: 'MOVED' }],
    [0, 'an empty answer', { status: 200 }],
    [0, 'HTTP 503', { status: 503 }],
    [0, 'a reset', 'reset'],
    [1, 'an answer with an issue', { result: { ...info, disk_limit: 'much' } }],
    [1, 'an answer of a different shape', { result: [] }],
  ] as const)('is %i after %s', async (up, _what, answer) => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': answer });
    const { account, metricValue } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
    );

    await account.pollOnce();

    expect(await metricValue('hosting_up')).toBe(up);
    expect(await metricValue('hosting_exporter_collector_success', inAccount)).toBe(0);
  });
});

it('an account without collectors counts as polled immediately', () => {
  const { account } = polledAccount(accountConfig({ collectors: [] }));

  expect(account.polled).toBe(true);
});

it('the order of polls prefers lists to fan-outs also until the API accepts the first call', async () => {
  fakeClock(start);
  const api = await scriptedApi({ 'stat/getSitesListLoad': 'reset' });
  const collectors = ['site_load_detail', 'database_load_detail', 'sites'];
  const { poller } = polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors }));

  await Promise.all(collectors.map((name) => poller(name).poll()));

  // The call whose connection was closed is sent twice.
  expect(api.calls.map(({ name }) => name)).toEqual([
    'stat/getSitesListLoad',
    'stat/getSitesListLoad',
    'site/getList',
    'stat/getDbListLoad',
  ]);
});
