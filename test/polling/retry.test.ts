import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount, statusOf } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { until } from '../fixtures/waiting.ts';

const start = '2026-06-03T12:00:30Z';
const minute = 60_000;
const hour = 60 * minute;

async function databaseListAccount({ interval = hour, timeout = hour } = {}) {
  const api = await scriptedApi();
  const schedule = { kind: 'every', interval } as const;
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout }, collectors: { databases: { schedule } } });
  return { api, ...polledAccount(config) };
}

/** Lets a retry come after exactly the delay that its jitter varies. */
function withoutJitter(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
}

describe('a failed poll', () => {
  it('is retried after 15 s, 30 s, 60 s and so on, not earlier and not later', async () => {
    fakeClock(start);
    withoutJitter();
    const { api, idle, startSchedule } = await databaseListAccount();
    api.answer('mysql/getList', { status: 500 });
    startSchedule();
    await idle();

    for (let call = 2; call <= 6; call += 1) {
      while (api.calls.length < call) {
        await vi.advanceTimersByTimeAsync(1000);
        await idle();
      }
    }

    const gaps = api.calls.slice(1).map(({ time }, index) => (time - (api.calls[index]?.time ?? 0)) / 1000);
    expect(gaps).toEqual([15, 30, 60, 120, 240]);
  });

  it('is retried after 15 s again once a poll has succeeded', async () => {
    fakeClock(start);
    withoutJitter();
    const { api, account, metricValue, startSchedule } = await databaseListAccount();
    api.answer('mysql/getList', { status: 500 });
    await account.pollOnce();
    await account.pollOnce();
    await account.pollOnce();
    startSchedule();
    api.answer('mysql/getList', { result: [] });
    await account.pollOnce();
    api.answer('mysql/getList', { status: 500 });
    await account.pollOnce();
    api.answer('mysql/getList', { result: [] });

    await vi.advanceTimersByTimeAsync(14_999);
    await api.settle();
    const early = api.calls.length;
    await vi.advanceTimersByTimeAsync(1);
    await until(async () => (await metricValue('hosting_exporter_collector_success')) === 1);

    expect([early, api.calls.length]).toEqual([5, 6]);
  });
});

describe('a missing permission', () => {
  it.each([
    ['PERMISSION_DENIED', ['mysql/getList']],
    ['AUTH_ERROR', []],
  ])('names the method to permit if the API answers %s', async (code, methods) => {
    const { api, account } = await databaseListAccount();
    api.answer('mysql/getList', { refuse: code });

    await account.pollOnce();

    expect(statusOf(account).map(({ forbiddenMethods }) => forbiddenMethods)).toEqual([methods]);
  });

  it.each([5, 360])('pauses the collector for an hour, then retries, with an interval of %i min', async (minutes) => {
    fakeClock(start);
    const { api, metricValue, idle, startSchedule } = await databaseListAccount({ interval: minutes * minute });
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED' });
    startSchedule();
    await idle();
    api.newCalls();
    api.answer('mysql/getList', { result: [] });

    await vi.advanceTimersByTimeAsync(hour - 1);
    await idle();
    const early = api.newCalls();
    await vi.advanceTimersByTimeAsync(1);
    await idle();

    expect(early).toEqual([]);
    expect(api.newCalls()).toEqual(['mysql/getList']);
    expect(await metricValue('hosting_exporter_collector_success')).toBe(1);
  });
});

describe('polls of one collector', () => {
  it.each([
    ['back before the run', -30, 38 * minute, 7],
    ['forward, but not to the run', 5, 8 * minute, 7],
    ['forward past the run, which is made up for', 30, minute, 30],
  ])('follow a cron pattern after the clock was set %s', async (_what, minutes, atMost, expectedMinute) => {
    fakeClock('2026-06-03T12:00:30Z');
    const api = await scriptedApi();
    const schedule = { kind: 'cron', pattern: '7 * * * *', timeZone: 'UTC' } as const;
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: { databases: { schedule } } });
    const { idle, startSchedule } = polledAccount(config);
    startSchedule();
    await until(() => api.calls.length === 1);
    await idle();
    api.newCalls();

    vi.setSystemTime(Date.now() + minutes * minute);
    let passed = 0;
    for (; passed <= atMost && api.calls.length === 1; passed += 5000) {
      await vi.advanceTimersByTimeAsync(5000);
      await idle();
    }
    const [, run] = api.calls;

    expect(new Date(run?.time ?? 0).getUTCMinutes()).toBe(expectedMinute);
  });

  it('never overlap', async () => {
    fakeClock(start);
    const { api, account } = await databaseListAccount({ timeout: 5000 });
    api.answer('mysql/getList', 'silence');
    const [poller] = account.pollers;

    const polls = Promise.all([poller?.poll(), poller?.poll(), poller?.poll({ retryOnly: true }), poller?.poll()]);
    await until(() => api.calls.length === 1);
    await Promise.all([polls, vi.advanceTimersByTimeAsync(6000)]);

    expect(api.newCalls()).toEqual(['mysql/getList']);
  });
});
