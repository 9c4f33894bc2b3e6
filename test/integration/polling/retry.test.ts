import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { fakeClock, until, watchUnderTest } from '../../fixtures/watch.ts';

const start = '2026-06-03T12:00:30Z';
const minute = 60_000;
const hour = 60 * minute;

async function watchDatabaseList({ interval = hour, timeout = hour } = {}) {
  const api = await scriptedApi();
  const schedule = { kind: 'every', interval } as const;
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout }, collectors: { databases: { schedule } } });
  const under = watchUnderTest(config);
  const idle = () => until(() => under.watch.status().every(({ polling }) => !polling));
  return { api, idle, ...under };
}

describe('a poll that failed', () => {
  it('is tried again after 15 s, 30 s, 60 s and so on, give or take a quarter', async () => {
    fakeClock(start);
    const { api, watch, idle } = await watchDatabaseList();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();

    for (let call = 2; call <= 6; call += 1) {
      while (api.calls.length < call) {
        await vi.advanceTimersByTimeAsync(1000);
        await idle();
      }
    }

    const gaps = api.calls.slice(1).map(({ time }, index) => (time - (api.calls[index]?.time ?? 0)) / 1000);
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(0.75 * 15 * 2 ** index);
      expect(gap).toBeLessThanOrEqual(1.25 * 15 * 2 ** index + 3);
    }
  });

  it('starts from 15 s again after a success', async () => {
    fakeClock(start);
    const { api, watch, figure } = await watchDatabaseList();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();
    await watch.pollOnce();
    await watch.pollOnce();
    api.answer('mysql/getList', { result: [] });
    await watch.pollOnce();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();
    api.answer('mysql/getList', { result: [] });

    await vi.advanceTimersByTimeAsync(19_000);
    await until(async () => (await figure('hosting_exporter_collector_success')) === 1);

    expect(api.calls).toHaveLength(6);
  });

  it('by wrong credentials waits for its schedule', async () => {
    fakeClock(start);
    const { api, watch } = await watchDatabaseList();
    api.answer('mysql/getList', { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' });
    await watch.pollOnce();
    api.newCalls();

    await vi.advanceTimersByTimeAsync(59 * minute);

    expect(api.newCalls()).toEqual([]);
  });

  it('leaves no timer behind once the account is watched no more', async () => {
    fakeClock(start);
    const { api, watch } = await watchDatabaseList();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();
    api.newCalls();

    watch.stop();
    await vi.advanceTimersByTimeAsync(2 * hour);

    expect(api.newCalls()).toEqual([]);
  });
});

describe('a refusal by permission', () => {
  it.each([5, 360])('lets an hour pass without a call, and then asks again: every %i min', async (minutes) => {
    fakeClock(start);
    const { api, watch, figure, idle } = await watchDatabaseList({ interval: minutes * minute });
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED' });
    await watch.pollOnce();
    api.newCalls();
    api.answer('mysql/getList', { result: [] });

    await vi.advanceTimersByTimeAsync(59 * minute);
    await watch.pollOnce();
    const early = api.newCalls();
    await vi.advanceTimersByTimeAsync(2 * minute);
    await idle();

    expect(early).toEqual([]);
    expect(api.newCalls()).toEqual(['mysql/getList']);
    expect(await figure('hosting_exporter_collector_success')).toBe(1);
  });
});

describe('the schedule', () => {
  it('polls at once and then at each turn', async () => {
    fakeClock(start);
    const { api, idle, startSchedule } = await watchDatabaseList({ interval: 5 * minute });

    startSchedule();
    await until(() => api.calls.length === 1);
    await idle();
    for (let passed = 0; passed < 21 * minute; passed += 5000) {
      await vi.advanceTimersByTimeAsync(5000);
      await idle();
    }

    const times = api.calls.map(({ time }) => time);
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times.length).toBeLessThanOrEqual(6);
    for (let turn = 2; turn < times.length; turn += 1) {
      const gap = (times[turn] ?? 0) - (times[turn - 1] ?? 0);
      expect(Math.abs(gap - 5 * minute)).toBeLessThan(10_000);
    }
  });

  it('keeps no turn waiting for a clock that was set back', async () => {
    fakeClock(start);
    const { api, idle, startSchedule } = await watchDatabaseList({ interval: 5 * minute });
    startSchedule();
    await until(() => api.calls.length === 1);
    await idle();
    api.newCalls();

    vi.setSystemTime(Date.now() - hour);
    for (let passed = 0; passed < 21 * minute; passed += 5000) {
      await vi.advanceTimersByTimeAsync(5000);
      await idle();
    }

    const calls = api.newCalls().length;
    expect(calls).toBeGreaterThanOrEqual(4);
    expect(calls).toBeLessThanOrEqual(6);
  });

  it('never lets two polls of one collector overlap', async () => {
    fakeClock(start);
    const { api, watch } = await watchDatabaseList({ timeout: 5000 });
    api.answer('mysql/getList', 'silence');
    const [poller] = watch.pollers;

    const turns = Promise.all([poller?.turn(), poller?.turn(), poller?.turn('missing'), poller?.turn()]);
    await until(() => api.calls.length === 1);
    await Promise.all([turns, vi.advanceTimersByTimeAsync(6000)]);

    expect(api.newCalls()).toEqual(['mysql/getList']);
  });

  it('goes on after a poll that hangs until its timeout', async () => {
    fakeClock(start);
    const { api, watch, figure } = await watchDatabaseList({ timeout: 5000 });
    api.answer('mysql/getList', 'silence');
    await Promise.all([watch.pollOnce(), vi.advanceTimersByTimeAsync(6000)]);
    api.answer('mysql/getList', { result: [] });

    await watch.pollOnce();

    expect(await figure('hosting_exporter_collector_success')).toBe(1);
    expect(
      await figure('hosting_exporter_api_request_failures_total', { method: 'mysql/getList', reason: 'timeout' }),
    ).toBe(1);
  });
});

describe('a refusal for the rate', () => {
  it.each([
    ['LIMIT_ERROR', { refuse: 'LIMIT_ERROR' }, 60_000],
    ['HTTP 429 with Retry-After', { status: 429, headers: { 'retry-after': '300' } }, 300_000],
  ] as const)('by %s pauses all calls of the account and is counted', async (_what, answer, pause) => {
    fakeClock(start);
    const api = await scriptedApi({ 'mysql/getList': answer });
    const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout: hour }, collectors: ['databases', 'sites'] });
    const { watch, figure } = watchUnderTest(config);
    const databases = watch.pollers.find(({ collector }) => collector.name === 'databases');
    const sites = watch.pollers.find(({ collector }) => collector.name === 'sites');
    await databases?.turn();
    api.answer('mysql/getList', { result: [] });
    api.newCalls();

    const polled = sites?.turn();
    await vi.advanceTimersByTimeAsync(pause - 1000);
    const during = api.newCalls();
    await vi.advanceTimersByTimeAsync(2000);
    await polled;

    expect(during).toEqual([]);
    expect(api.newCalls()).toContain('site/getList');
    expect(
      await figure('hosting_exporter_api_request_failures_total', { method: 'mysql/getList', reason: 'limit' }),
    ).toBe(1);
  });
});

describe('the log', () => {
  it('tells of a change at warn and info, and of more of the same at debug', async () => {
    fakeClock(start);
    const { api, watch, logLines } = await watchDatabaseList();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();
    await watch.pollOnce();
    api.answer('mysql/getList', { result: [] });
    await watch.pollOnce();

    const polls = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg !== 'called the API');

    expect(polls.map(({ level, msg, reason }) => [level, msg, reason])).toEqual([
      ['warn', 'polling failed', 'http'],
      ['debug', 'polling still fails', 'http'],
      ['info', 'polling works again', undefined],
    ]);
  });
});
