import { describe, expect, it, vi } from 'vitest';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { type Incarnation, incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const inSites = { account: 'shop', collector: 'site_load' };

/** An account with two sites, polled once by a process that has stopped. */
async function stoppedProcess(answers: Parameters<typeof scriptedApi>[0] = {}) {
  fakeClock(start);
  const directory = temporaryFolder();
  const api = await scriptedApi({
    'user/getAccountInfo': { result: { tariff: 'Blog', server: 'germes', disk_usage: '1 GB', disk_limit: '3 GB' } },
    'stat/getSitesListLoad': { result: [1, 2].map((id) => ({ id, name: `site${id}`, load: id })) },
    'stat/getSiteLoad': { result: { days: [{ date: '2026-06-02', value: 7 }] } },
    ...answers,
  });
  const settings = config(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'site_load', 'site_load_detail'] }),
  );
  const first = await incarnate(settings, directory);
  await first.app.accounts[0]?.pollOnce();
  const page = await first.page();
  await first.app.stop();
  api.newCalls();
  return { api, directory, settings, page };
}

/** The figures, without the metrics about the exporter. */
function figures(page: readonly { readonly name: string; readonly samples: readonly object[] }[]) {
  return page
    .filter(({ name }) => /^hosting_(?!exporter_|up$)/.test(name))
    .map(({ name, samples }) => [name, samples] as const);
}

describe('after a restart', () => {
  it('pages answer before the figures are restored, but a scrape gets 503 instead of a part of the series', async () => {
    const { directory, settings, page } = await stoppedProcess();
    const paths = ['/metrics', '/-/ready', '/-/healthy', '/', '/accounts/shop', '/accounts.json'];
    const before: number[] = [];

    const second = await incarnate(settings, directory, undefined, async (app) => {
      for (const path of paths) before.push((await app.web.inject(path)).statusCode);
    });

    expect(before).toEqual([503, 503, 200, 200, 200, 200]);
    expect((await second.app.web.inject('/metrics')).statusCode).toBe(200);
    expect(figures(await second.page())).toEqual(figures(page));
  });

  it('a reload waits until the figures are restored', async () => {
    const { api, directory, settings, page } = await stoppedProcess();
    let reloaded = Promise.resolve();

    const second = await incarnate(settings, directory, undefined, async (app) => {
      const accounts = settings.accounts.map((account) => ({ ...account, api: { ...account.api, timeout: 7000 } }));
      reloaded = app.apply({ ...settings, stateDirectory: directory, accounts });
    });
    await reloaded;
    second.app.start();
    await second.idle();

    expect(figures(await second.page())).toEqual(figures(page));
    expect(api.newCalls()).toEqual([]);
  });

  it('an account with restored figures is ready although polls are due, and starts after an account without figures', async () => {
    const { api, directory, settings } = await stoppedProcess();
    await vi.advanceTimersByTimeAsync(61 * minute);
    // Its collectors are due. In the configuration, the account that moved here from another shard is behind it.
    const moved = accountConfig({ name: 'moved', api: { baseUrl: api.baseUrl }, collectors: ['databases'] });

    const alone = await incarnate(settings, directory);
    const status = (await alone.app.web.inject('/-/ready')).statusCode;
    await alone.app.stop();
    const both = await incarnate({ ...settings, accounts: [...settings.accounts, moved] }, directory);
    const statusOfBoth = (await both.app.web.inject('/-/ready')).statusCode;
    both.app.start();
    await until(() => api.calls.some(({ name }) => name === 'mysql/getList'));
    await vi.advanceTimersByTimeAsync(minute);
    await until(async () => (await both.app.web.inject('/-/ready')).statusCode === 200);
    await until(() => api.calls.filter(({ name }) => name === 'user/getAccountInfo').length === 2);

    expect([status, statusOfBoth]).toEqual([200, 503]);
    expect(api.newCalls()[0]).toBe('mysql/getList');
  });

  it('figures beyond max_age are never shown, but the time of the last success is', async () => {
    const { directory, settings } = await stoppedProcess();
    await vi.advanceTimersByTimeAsync(4 * hour);

    const { page, value, logLines, app } = await incarnate(settings, directory);

    expect(figures(await page())).toEqual([]);
    expect(await value('hosting_exporter_state_dropped', { reason: 'expired' })).toBe(4);
    expect(await value('hosting_exporter_state_restored_series')).toBe(0);
    expect(await value('hosting_exporter_collector_success', inSites)).toBe(0);
    const time = await value('hosting_exporter_collector_last_success_timestamp_seconds', inSites);
    expect(time).toBe(Date.parse(start) / 1000);
    expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({ series: 0, dropped_expired: 4 });
    expect((await app.web.inject('/-/ready')).statusCode).toBe(503);
  });

  it('a setting of the new configuration applies to the figures', async () => {
    const { api, directory } = await stoppedProcess();
    const collectors = ['account', 'site_load', 'site_load_detail'];
    const settings = config(accountConfig({ api: { baseUrl: api.baseUrl, settlingTime: 13 * hour }, collectors }));

    const { value } = await incarnate(settings, directory);

    expect(await value('hosting_site_load_daily', { site_id: '1' })).toBeUndefined();
  });

  it.each([
    ['a little', -3 * minute],
    ['by two hours', -2 * hour],
    ['by a day', -day],
    ['to a time before 1970', -60 * 365 * day],
    ['forward by two hours', 2 * hour],
    ['forward by ten years', 3650 * day],
  ])('no success has a future time or lacks figures if the clock was set %s meanwhile', async (_what, change) => {
    const { directory, settings } = await stoppedProcess();
    vi.setSystemTime(Date.now() + change);
    const second = await incarnate(settings, directory);
    const { page, value, app } = second;
    const lastSuccess = () => value('hosting_exporter_collector_last_success_timestamp_seconds', inSites);
    const hasFigures = async () => (await value('hosting_site_load_average', { site_id: '1' })) !== undefined;

    const success = await value('hosting_exporter_collector_success', inSites);
    const founded = await hasFigures();
    const restored = await lastSuccess();
    const statuses = app.accounts.flatMap((account) => account.pollers.map(({ newest }) => newest?.ended ?? 0));
    const [now, maxAge] = [Date.now(), app.accounts[0]?.pollers[1]?.maxAge ?? 0];
    vi.setSystemTime(Date.now() + maxAge);
    const left = figures(await page()).filter(([name]) => String(name).startsWith('hosting_site_load_average'));
    await app.accounts[0]?.pollOnce();

    expect(success).toBe(Number(founded));
    expect(restored === undefined).toBe(change < -5 * minute);
    expect((restored ?? 0) * 1000).toBeLessThanOrEqual(Math.max(now, 0));
    expect(Math.max(...statuses)).toBeLessThanOrEqual(Math.max(now, 0));
    expect(left).toEqual([]);
    expect([await hasFigures(), await lastSuccess()]).toEqual([true, Date.now() / 1000]);
  });
});

it('a restart in an outage changes nothing that alerts read', async () => {
  const { api, directory, settings } = await stoppedProcess();
  for (const method of ['user/getAccountInfo', 'stat/getSitesListLoad', 'stat/getSiteLoad']) {
    api.answer(method, { status: 503 });
  }
  const names = [
    'hosting_up',
    'hosting_exporter_collector_success',
    'hosting_exporter_collector_failing',
    'hosting_exporter_collector_last_success_timestamp_seconds',
    'hosting_account_disk_usage_bytes',
  ];
  const readByAlerts = async ({ page }: Incarnation) =>
    (await page()).filter(({ name }) => names.includes(name)).map(({ name, samples }) => [name, samples]);
  const failing = await incarnate(settings, directory);
  await failing.app.accounts[0]?.pollOnce();
  await failing.app.accounts[0]?.pollers.find(({ collector }) => collector.stretches)?.poll();
  const before = await readByAlerts(failing);
  await failing.app.stop();

  const restarted = await incarnate(settings, directory);

  expect(before).toHaveLength(names.length);
  expect(await readByAlerts(restarted)).toEqual(before);
  expect(await restarted.value('hosting_up')).toBe(0);
});
