import { describe, expect, it, vi } from 'vitest';
import { reasons } from '../../../src/api/error.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount, until } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
const info = { tariff: 'Blog', server: 'germes', disk_usage: '1 GB', disk_limit: '3 GB' };
const inAccount = { account: 'shop', collector: 'account' };

describe('before the first poll', () => {
  it('the page shows every collector, and no figure of the API', async () => {
    fakeClock(start);
    const { page, figure } = polledAccount(accountConfig({ collectors: ['account', 'databases'] }));

    const names = (await page())
      .filter(({ samples }) => 'account' in (samples[0]?.labels ?? {}))
      .map(({ name }) => name);

    expect(names).toEqual([
      'hosting_up',
      'hosting_exporter_collector_success',
      'hosting_exporter_collector_interval_seconds',
      'hosting_exporter_collector_series',
      'hosting_exporter_collector_series_dropped',
      'hosting_exporter_api_requests_total',
      'hosting_exporter_api_request_failures_total',
      'hosting_exporter_api_requests_per_minute_limit',
      'hosting_exporter_api_queue_length',
    ]);
    expect(await figure('hosting_up')).toBe(0);
    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(0);
    expect(await figure('hosting_exporter_collector_series', inAccount)).toBe(0);
    expect(await figure('hosting_exporter_collector_interval_seconds', inAccount)).toBe(3600);
  });

  it('calls and failures are 0 for every method and reason', async () => {
    fakeClock(start);
    const { series } = polledAccount(accountConfig({ collectors: ['account', 'databases'] }));

    const requests = await series('hosting_exporter_api_requests_total');
    const failures = await series('hosting_exporter_api_request_failures_total');

    expect(requests.map(({ labels, value }) => [labels['method'], value])).toEqual([
      ['user/getAccountInfo', 0],
      ['mysql/getList', 0],
    ]);
    expect(failures).toHaveLength(2 * reasons.length);
    expect(new Set(failures.map(({ value }) => value))).toEqual(new Set([0]));
  });
});

describe('a successful poll', () => {
  it('shows its figures and its success', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': { result: info } });
    const { account, figure, series } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
    );

    await account.pollOnce();

    expect(await series('hosting_account_info')).toEqual([
      { name: 'hosting_account_info', labels: { account: 'shop', tariff: 'Blog', server: 'germes' }, value: 1 },
    ]);
    expect(await figure('hosting_account_disk_usage_bytes')).toBe(1_000_000_000);
    expect(await figure('hosting_account_disk_limit_bytes')).toBe(3_000_000_000);
    expect(await figure('hosting_up')).toBe(1);
    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(1);
    expect(await figure('hosting_exporter_collector_series', inAccount)).toBe(3);
    const lastSuccess = (await figure('hosting_exporter_collector_last_success_timestamp_seconds', inAccount)) ?? 0;
    expect(lastSuccess).toBeGreaterThanOrEqual(Date.parse(start) / 1000);
    expect(lastSuccess).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('omits figures that the API does not give or does not limit', async () => {
    fakeClock(start);
    const unlimited = { tariff: 'Cloud', disk_usage: null, disk_limit: 'unlimited', user_balance: null };
    const api = await scriptedApi({ 'user/getAccountInfo': { result: unlimited } });
    const { account, page, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
    );

    await account.pollOnce();

    const names = (await page()).map(({ name }) => name).filter((name) => name.startsWith('hosting_account_'));
    expect(names).toEqual(['hosting_account_info']);
    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(1);
  });
});

describe('a failed poll', () => {
  it('shows immediately, while the last good result stays until its max_age', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': { result: info } });
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: { account: { maxAge: 30 * minute } } }),
    );
    await account.pollOnce();
    const lastSuccess = await figure('hosting_exporter_collector_last_success_timestamp_seconds', inAccount);
    api.answer('user/getAccountInfo', { status: 500 });

    await vi.advanceTimersByTimeAsync(10 * minute);
    await account.pollOnce();

    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(0);
    expect(await figure('hosting_up')).toBe(0);
    expect(await figure('hosting_account_disk_usage_bytes')).toBe(1_000_000_000);
    expect(await figure('hosting_exporter_collector_series', inAccount)).toBe(3);

    vi.setSystemTime(Date.parse(start) + 30 * minute + 5000);

    expect(await figure('hosting_account_disk_usage_bytes')).toBeUndefined();
    expect(await figure('hosting_account_info')).toBeUndefined();
    expect(await figure('hosting_exporter_collector_series', inAccount)).toBe(0);
    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(0);
    expect(await figure('hosting_exporter_collector_last_success_timestamp_seconds', inAccount)).toBe(lastSuccess);
  });

  it('keeps a result for three intervals and ten minutes by default', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': { result: info } });
    const schedule = { kind: 'every', interval: 5 * minute } as const;
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: { account: { schedule } } }),
    );
    await account.pollOnce();

    vi.setSystemTime(Date.parse(start) + 24 * minute);
    const before = await figure('hosting_account_disk_usage_bytes');
    vi.setSystemTime(Date.parse(start) + 26 * minute);
    const after = await figure('hosting_account_disk_usage_bytes');

    expect([before, after]).toEqual([1_000_000_000, undefined]);
  });

  it('never takes an unreadable list for an empty one', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'a', size: '1 MB' }, { name: 'b' }] } });
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );
    await account.pollOnce();
    api.answer('mysql/getList', { result: [{ title: 'a' }, { title: 'b' }] });

    await account.pollOnce();

    expect(await figure('hosting_databases')).toBe(2);
    expect(await figure('hosting_database_size_bytes', { database: 'a' })).toBe(1_000_000);
    expect(await figure('hosting_exporter_collector_success', { collector: 'databases' })).toBe(0);
  });

  it('shows the readable part of an answer, but no counts where elements were dropped', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'mysql/getList': { result: [{ name: 'a', size: '1 MB' }, { title: 'b' }, { name: 'c', size: 'much' }] },
    });
    const { account, figure, series } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );

    await account.pollOnce();

    expect((await series('hosting_database_size_bytes')).map(({ labels }) => labels['database'])).toEqual(['a']);
    expect(await figure('hosting_databases')).toBeUndefined();
    expect(await figure('hosting_exporter_collector_success', { collector: 'databases' })).toBe(0);
    expect(
      await figure('hosting_exporter_api_request_failures_total', { method: 'mysql/getList', reason: 'payload' }),
    ).toBe(1);
  });

  it('omits counts and the newest backup where the answer has issues', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'cron/getList': { result: [{ is_hidden: 'perhaps' }, { is_hidden: 0 }] },
      'backup/getFileBackupList': { result: [{ date: 'yesterday' }, { date: '2026-06-01 01:00:00' }] },
      'backup/getMysqlBackupList': { result: [{ date: '2026-06-02 01:00:00' }] },
    });
    const { account, figure, series } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['cron_tasks', 'backups'] }),
    );

    await account.pollOnce();

    expect(await series('hosting_cron_tasks')).toEqual([]);
    expect(await series('hosting_backups')).toHaveLength(1);
    expect(await figure('hosting_backup_last_timestamp_seconds', { kind: 'databases' })).toBe(
      Date.parse('2026-06-02T01:00:00Z') / 1000,
    );
    expect(await figure('hosting_backup_last_timestamp_seconds', { kind: 'files' })).toBeUndefined();
  });
});

describe('hosting_up', () => {
  it.each([
    [0, 'a refusal of the credentials', { refuse: 'AUTH_ERROR' }],
    [1, 'a missing permission', { refuse: 'PERMISSION_DENIED' }],
    [1, 'a failure of the method', { refuse: 'METHOD_ERROR' }],
    [1, 'a refusal for the rate', { refuse: 'LIMIT_ERROR' }],
    [1, 'an unknown refusal', { refuse: 'MOVED' }],
    [0, 'an empty answer', { status: 200 }],
    [0, 'HTTP 503', { status: 503 }],
    [0, 'a reset', 'reset'],
    [1, 'an answer with a flaw', { result: { ...info, disk_limit: 'much' } }],
    [1, 'an answer of another shape', { result: [] }],
  ] as const)('is %i after %s', async (up, _what, answer) => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': answer });
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
    );

    await account.pollOnce();

    expect(await figure('hosting_up')).toBe(up);
    expect(await figure('hosting_exporter_collector_success', inAccount)).toBe(0);
  });

  it('follows the newest poll of any collector where the account collector is disabled', async () => {
    fakeClock(start);
    const api = await scriptedApi();
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );

    await account.pollOnce();
    const before = await figure('hosting_up');
    api.answer('mysql/getList', { status: 500 });
    await account.pollOnce();

    expect([before, await figure('hosting_up')]).toEqual([1, 0]);
  });

  it('ignores the other collectors where the account collector is enabled', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'user/getAccountInfo': { result: info }, 'mysql/getList': { status: 500 } });
    const { account, figure } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases'] }),
    );

    await account.pollOnce();

    expect(await figure('hosting_up')).toBe(1);
  });
});

describe('an account without collectors', () => {
  it('counts as polled immediately', () => {
    const { account } = polledAccount(accountConfig({ collectors: [] }));

    expect(account.polled).toBe(true);
  });
});

describe('the account', () => {
  it('is polled before everything else, and fan-outs last', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'user/getAccountInfo': { result: info },
      'stat/getDbListLoad': { result: [{ name: 'a', cp: 1 }] },
    });
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, requestsPerMinute: 60 },
      collectors: ['databases', 'database_load_detail', 'database_load', 'account'],
    });
    const { account } = polledAccount(config);

    const polled = account.pollOnce();
    await until(() => api.calls.length === 1);
    for (let call = 2; call <= 4; call += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      await until(() => api.calls.length >= call);
    }
    await polled;

    expect(api.calls.map(({ name }) => name)).toEqual([
      'user/getAccountInfo',
      'mysql/getList',
      'stat/getDbListLoad',
      'stat/getDbLoad a',
    ]);
  });
});
