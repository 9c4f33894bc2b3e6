import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount, statusOf } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

const start = Date.parse('2026-06-03T12:00:30Z');
const minute = 60_000;

async function databasesAccount(interval = 5 * minute) {
  fakeClock(new Date(start).toISOString());
  const api = await scriptedApi();
  const schedule = { kind: 'every', interval } as const;
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: { databases: { schedule } } });
  const subject = polledAccount(config);
  const status = () => {
    const [only] = statusOf(subject.account);
    if (only === undefined) throw new Error('no collector');
    return only;
  };
  const pollAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await subject.poller('databases').poll();
  };
  return { api, status, pollAfter, ...subject };
}

describe('the status of a collector', () => {
  it('before its first poll has neither success nor failure', async () => {
    const { status } = await databasesAccount();

    expect(status()).toEqual({
      collector: 'databases',
      methods: ['mysql/getList'],
      interval: 5 * minute,
      polling: false,
      lastSuccess: undefined,
      isFromEarlierProcess: false,
      nextRun: start,
      failure: undefined,
      forbiddenMethods: [],
    });
  });

  it('has the time of its newest success, also after later failures', async () => {
    const { api, status, pollAfter } = await databasesAccount();
    await pollAfter(0);
    const first = status().lastSuccess;
    await pollAfter(minute);
    const second = status().lastSuccess;

    api.answer('mysql/getList', { status: 503 });
    await pollAfter(minute);

    expect([first, second, status().lastSuccess]).toEqual([start, start + minute, start + minute]);
    expect(status().failure).toEqual({
      reason: 'http',
      message: 'mysql/getList: HTTP status 503',
      accepted: false,
      status: 503,
    });
  });

  it('has no failure once a poll has succeeded', async () => {
    const { api, status, pollAfter } = await databasesAccount();
    api.answer('mysql/getList', { refuse: 'METHOD_FAILED', text: 'later' });
    await pollAfter(0);
    const failed = status();
    api.answer('mysql/getList', { result: [] });
    await pollAfter(minute);

    expect([failed.failure?.reason, failed.lastSuccess]).toEqual(['method', undefined]);
    expect([status().failure, status().lastSuccess]).toEqual([undefined, start + minute]);
  });

  it('has the next run of its schedule, at which it is polled', async () => {
    const { api, status, idle, startSchedule } = await databasesAccount();
    startSchedule();
    await idle();
    const { nextRun = Number.NaN } = status();
    const callsAfter = async (milliseconds: number) => {
      api.newCalls();
      await vi.advanceTimersByTimeAsync(milliseconds);
      await api.settle();
      await idle();
      return api.newCalls();
    };

    const calls = [await callsAfter(nextRun - start - 1), await callsAfter(1000)];

    // The name of the account and of the collector determine it.
    expect(nextRun).toBe(start + 90_315);
    expect(calls).toEqual([[], ['mysql/getList']]);
    expect(status().nextRun).toBe(nextRun + 5 * minute);
  });

  it('without a permission has the end of the pause as its next run', async () => {
    const { api, status, pollAfter } = await databasesAccount();
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED' });

    await pollAfter(minute);

    expect(status().nextRun).toBe(start + minute + 60 * minute);
    expect(status().failure?.reason).toBe('permission');
  });

  it('says that a poll is in progress', async () => {
    const { api, status, account, poller } = await databasesAccount();
    api.answer('mysql/getList', 'silence');

    const polled = poller('databases').poll();
    const during = status().polling;
    account.stop();
    await polled;

    expect([during, status().polling]).toEqual([true, false]);
  });
});

describe('the history of a collector', () => {
  it('lists its polls with their times, durations, calls and failures', async () => {
    const { api, pollAfter, poller } = await databasesAccount();
    await pollAfter(0);
    api.answer('mysql/getList', { status: 500 });
    await pollAfter(minute);

    expect(poller('databases').recentPolls).toMatchObject([
      {
        ended: start + minute,
        seconds: 0,
        calls: 1,
        failures: [{ reason: 'http', message: 'mysql/getList: HTTP status 500' }],
      },
      { ended: start, seconds: 0, calls: 1, failures: [] },
    ]);
    for (let poll = 0; poll < 20; poll += 1) await pollAfter(minute);
    expect(poller('databases').recentPolls).toHaveLength(20);
  });
});

describe('the metrics of a collector', () => {
  it('show its newest success and its interval', async () => {
    const { api, pollAfter, metricValue } = await databasesAccount();
    await pollAfter(0);
    api.answer('mysql/getList', { status: 500 });
    await pollAfter(minute);

    expect(await metricValue('hosting_exporter_collector_last_success_timestamp_seconds')).toBe(start / 1000);
    expect(await metricValue('hosting_exporter_collector_interval_seconds')).toBe(300);
    expect(await metricValue('hosting_exporter_collector_success')).toBe(0);
    expect(await metricValue('hosting_up')).toBe(0);
  });
});
