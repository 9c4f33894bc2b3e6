import { expect, it } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

it('an impossible value fails the poll with the names of metric and field, and keeps the other figures', async () => {
  const api = await scriptedApi({
    'user/getAccountInfo': { result: { user_quota: 5, user_balance: '-3', user_days_to_block: 1e308 } },
  });
  const { account, metricValue, series, logLines } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
  );

  await account.pollOnce();

  expect(await series('hosting_account_block_timestamp_seconds')).toEqual([]);
  expect(await metricValue('hosting_account_disk_usage_bytes')).toBe(5_000_000);
  expect(await metricValue('hosting_account_balance')).toBe(-3);
  expect(await metricValue('hosting_exporter_collector_success', { collector: 'account' })).toBe(0);
  expect(await metricValue('hosting_exporter_api_requests_total')).toBe(1);
  expect(await metricValue('hosting_exporter_api_request_failures_total', { reason: 'payload' })).toBe(1);
  expect(logLines.join('')).toMatch(
    /"reason":"payload".*user\/getAccountInfo: hosting_account_block_timestamp_seconds \(user_days_to_block\)/,
  );
});

it('an impossible value counts once if the call has other issues, too', async () => {
  const api = await scriptedApi({
    'user/getAccountInfo': { result: { user_quota: 5, user_balance: 'much', user_days_to_block: 1e308 } },
  });
  const { account, metricValue } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] }),
  );

  await account.pollOnce();

  expect(await metricValue('hosting_exporter_api_request_failures_total', { reason: 'payload' })).toBe(1);
});
