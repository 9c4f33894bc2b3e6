import { describe, expect, it, vi } from 'vitest';
import type { CollectorConfig } from '../../src/config/values/config.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { until } from '../fixtures/waiting.ts';

const start = '2026-06-03T12:00:30Z';
const minute = 60_000;
const info = { result: { user_quota: 5 } };

async function createAccount(...collectors: readonly string[]) {
  fakeClock(start);
  const api = await scriptedApi({ 'user/getAccountInfo': info });
  const polled = polledAccount(accountConfig({ api: { baseUrl: api.baseUrl, timeout: 5000 }, collectors }));
  /** The calls since the previous call of this function, after this time. */
  const callsAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await api.settle();
    await polled.idle();
    return api.newCalls();
  };
  return { api, callsAfter, ...polled };
}

describe('an account', () => {
  it('is up if the newest poll of any collector was accepted, unless its collector account is enabled', async () => {
    const { api, account, poller } = await createAccount('databases', 'domains');
    const upAfter = async (collector: string) => {
      await vi.advanceTimersByTimeAsync(1000);
      await poller(collector).poll();
      return account.up;
    };
    const before = account.up;
    api.answer('mysql/getList', { status: 500 });

    const ups = [await upAfter('domains'), await upAfter('databases'), await upAfter('domains')];

    expect([before, ...ups]).toEqual([false, true, false, true]);
  });

  it('is up if the newest poll of its collector account was accepted', async () => {
    const { api, account, poller } = await createAccount('account', 'domains');
    await poller('account').poll();
    api.answer('domain/getList', { status: 500 });
    await vi.advanceTimersByTimeAsync(1000);
    await poller('domains').poll();
    const whileOtherFails = account.up;

    api.answer('user/getAccountInfo', { status: 500 });
    api.answer('domain/getList', { result: [] });
    await poller('account').poll();
    await vi.advanceTimersByTimeAsync(1000);
    await poller('domains').poll();

    expect([whileOtherFails, account.up]).toEqual([true, false]);
  });

  it('is not up because of a fan-out without items, whose poll makes no call', async () => {
    const { api, account, poller, idle } = await createAccount('database_load', 'database_load_detail');
    await account.pollOnce();
    const before = account.up;
    api.answer('stat/getDbListLoad', { refuse: 'AUTH_ERROR' });
    await poller('database_load').poll();

    await vi.advanceTimersByTimeAsync(1000);
    await poller('database_load_detail').poll();
    await idle();

    expect(poller('database_load_detail').newest).toMatchObject({ failures: [], calls: 0 });
    expect([before, account.up]).toEqual([true, false]);
    expect(poller('database_load').newest?.failedPolls).toBe(1);
  });

  it('knows the time of its next attempt: of rejected credentials, or else of the first retry', async () => {
    const { api, account, poller } = await createAccount('account', 'domains');
    await poller('account').poll();
    const working = account.nextAttempt;
    api.answer('domain/getList', { status: 500 });
    await poller('domains').poll();
    const retry = account.nextAttempt;
    api.answer('user/getAccountInfo', { refuse: 'AUTH_ERROR' });
    await poller('account').poll();

    expect(working).toBeUndefined();
    // 15 seconds after the failure, with a jitter of 25 %.
    expect(Math.abs((retry ?? 0) - Date.now() - 15_000)).toBeLessThanOrEqual(3750);
    expect((account.nextAttempt ?? 0) - Date.now()).toBeCloseTo(5000, -2);
  });

  it('knows which results are missing: those that were never received, and those that have expired', async () => {
    const { poller } = await createAccount('account');
    const account = poller('account');
    const before = account.missingResults;

    await account.poll();
    const polled = account.missingResults;
    // Three intervals of an hour, and ten minutes.
    const maxAge = 190 * minute;
    vi.setSystemTime(Date.now() + maxAge - 1);
    const old = account.missingResults;
    vi.advanceTimersByTime(1);

    expect([before, polled, old, account.missingResults]).toEqual([1, 0, 0, 1]);
  });

  it('retries what failed during an outage as soon as its collector account succeeds again', async () => {
    const { api, account, poller, startSchedule, callsAfter } = await createAccount('account', 'databases', 'domains');
    for (const method of ['user/getAccountInfo', 'mysql/getList']) api.answer(method, { status: 500 });
    for (let poll = 0; poll < 4; poll += 1) await account.pollOnce();
    startSchedule();
    api.newCalls();
    for (const method of ['user/getAccountInfo', 'mysql/getList']) api.answer(method, { result: [] });
    api.answer('user/getAccountInfo', info);

    await poller('account').poll();

    expect(await callsAfter(1000)).toEqual(['user/getAccountInfo', 'mysql/getList']);
  });

  it('retries only the items that failed during an outage', async () => {
    const collectors = ['account', 'database_load', 'database_load_detail'];
    const { api, account, poller, startSchedule, callsAfter } = await createAccount(...collectors);
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }, { name: 'b' }] });
    for (const call of ['user/getAccountInfo', 'stat/getDbLoad b']) api.answer(call, { status: 500 });
    await account.pollOnce();
    startSchedule();
    api.newCalls();
    api.answer('stat/getDbLoad b', { result: { days: [] } });
    api.answer('user/getAccountInfo', info);

    await poller('account').poll();

    expect(await callsAfter(1000)).toEqual(['user/getAccountInfo', 'stat/getDbLoad b']);
  });

  it('leaves a failed item to its retry when a list without new items arrives', async () => {
    const { api, account, poller, startSchedule, callsAfter } = await createAccount(
      'database_load',
      'database_load_detail',
    );
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }, { name: 'b' }] });
    api.answer('stat/getDbLoad b', { status: 500 });
    await account.pollOnce();
    startSchedule();
    api.newCalls();

    await poller('database_load').poll();

    expect(await callsAfter(1000)).toEqual(['stat/getDbListLoad']);
  });

  it('retries only its own poll when another collector succeeds again', async () => {
    const { api, account, poller, startSchedule, callsAfter } = await createAccount('account', 'databases', 'domains');
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { status: 500 });
    await account.pollOnce();
    startSchedule();
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { result: [] });
    api.newCalls();

    await poller('databases').poll();

    expect(await callsAfter(1000)).toEqual(['mysql/getList']);
  });

  it.each([
    ['its list arrives, even if it is empty', { result: [] }, 1],
    ['the poll of its list failed, and then fetches the list', { refuse: 'METHOD_FAILED' }, 2],
  ])('polls a fan-out for the first time when %s', async (_when, answer, calls) => {
    const { api, startSchedule, callsAfter, poller } = await createAccount('database_load', 'database_load_detail');
    api.answer('stat/getDbListLoad', answer);
    startSchedule();

    const seen = [...(await callsAfter(0)), ...(await callsAfter(1000))];

    expect(seen).toEqual(Array.from({ length: calls }, () => 'stat/getDbListLoad'));
    expect(poller('database_load_detail').newest?.succeeded).toBe(calls === 1);
  });

  it('polls each item once although another item and another list take longer', async () => {
    const { api, startSchedule, callsAfter, acceptSecret } = await createAccount(
      'databases',
      'database_load',
      'database_load_detail',
    );
    api.answer('stat/getDbListLoad', { result: ['a', 'failing', 'slow'].map((name) => ({ name })) });
    api.answer('stat/getDbLoad failing', { status: 500 });
    for (const call of ['mysql/getList', 'stat/getDbLoad slow']) api.answer(call, 'silence');
    acceptSecret();
    startSchedule();
    await api.settle();
    await until('the list', () => api.calls.length === 2);

    for (let time = 0; time < 7000; time += 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      await api.settle();
    }

    expect(await callsAfter(0)).toEqual([
      'mysql/getList',
      'stat/getDbListLoad',
      'stat/getDbLoad a',
      'stat/getDbLoad failing',
      'stat/getDbLoad slow',
    ]);
  });

  it('logs each call with its method and the reason of its failure, and each successful poll', async () => {
    const { api, account, poller, logLines } = await createAccount('databases', 'domains');
    api.answer('domain/getList', { status: 500 });

    for (const collector of ['databases', 'domains']) await poller(collector).poll();

    const lines = logLines.map((line) => JSON.parse(line));
    const calls = lines.filter(({ msg }) => msg === 'API call');
    expect(calls.map(({ account, method, seconds, reason }) => [account, method, seconds, reason])).toEqual([
      [account.name, 'mysql/getList', 0, undefined],
      [account.name, 'domain/getList', 0, 'http'],
    ]);
    expect(lines.filter(({ msg }) => msg === 'poll succeeded').map(({ collector }) => collector)).toEqual([
      'databases',
    ]);
  });

  it('states the calls that its schedules require, with two decimals', () => {
    const schedule = { kind: 'every', interval: 7 * minute } as const;
    const { account } = polledAccount(
      accountConfig({ collectors: { databases: { schedule }, domains: { schedule } } }),
    );

    expect(account.load).toEqual({ callsPerMinute: 0.29, budget: Number.POSITIVE_INFINITY });
  });
});

describe('the budget of an account', () => {
  const every = (interval: number) => ({ schedule: { kind: 'every', interval } as const });

  function names(count: number) {
    return { result: Array.from({ length: count }, (_, index) => ({ name: `d${index}` })) };
  }

  /** An account with ten calls per minute. */
  async function budgetedAccount(collectors: Readonly<Record<string, Partial<CollectorConfig>>>, items: number) {
    fakeClock(start);
    const api = await scriptedApi({ 'stat/getDbListLoad': names(items) });
    const { logLines, ...polled } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 10, timeout: 600 * minute }, collectors }),
    );
    const poll = async (name: string) => {
      const done = polled.poller(name).poll();
      for (let waited = 0; waited < 20; waited += 1) {
        await vi.advanceTimersByTimeAsync(6000);
        await api.settle();
      }
      await done;
    };
    const warnings = () => logLines.map((line) => JSON.parse(line)).filter(({ msg }) => /budget allows/.test(msg));
    return { api, poll, warnings, ...polled };
  }

  it('stretches the intervals of fan-outs if all schedules together require more', async () => {
    const collectors = { databases: every(minute), database_load: every(minute), database_load_detail: every(minute) };
    const { account, poller, poll, metricValue, warnings } = await budgetedAccount(collectors, 30);
    const before = account.stretch;

    await poll('database_load');

    // 30 calls a minute, and 2 for the lists.
    expect(before).toBe(1);
    expect(account.stretch).toBeCloseTo(3.2, 6);
    expect(poller('database_load_detail').interval).toBeCloseTo(3.2 * minute, 6);
    expect(poller('database_load').interval).toBe(minute);
    expect(account.load).toEqual({ callsPerMinute: 32, budget: 10 });
    const detail = { collector: 'database_load_detail' };
    expect(await metricValue('hosting_exporter_collector_interval_seconds', detail)).toBeCloseTo(3.2 * 60, 6);
    expect(
      warnings().map(({ calls_per_minute, budget, factor, msg }) => [calls_per_minute, budget, factor, msg]),
    ).toEqual([[32, 10, 3.2, 'the schedules require more calls than the budget allows']]);
  });

  it('stretches a fan-out that fetches its own list from its first run on', async () => {
    const { poller, poll, warnings } = await budgetedAccount({ database_load_detail: every(minute) }, 11);
    const started = Date.now();

    await poll('database_load_detail');

    const { interval, nextRun = 0 } = poller('database_load_detail');
    expect(interval).toBeCloseTo(1.1 * minute, 6);
    // The run itself took more than its interval.
    expect([poller('database_load_detail').isDue, nextRun - started > interval]).toEqual([true, true]);
    expect(warnings()).toHaveLength(1);
  });

  it('is reported each time that the intervals become stretched', async () => {
    const collectors = { database_load: every(minute), database_load_detail: every(minute) };
    const { api, account, poll, warnings } = await budgetedAccount(collectors, 11);
    const stretches: boolean[] = [];

    for (const count of [11, 1, 11]) {
      api.answer('stat/getDbListLoad', names(count));
      // A list that lost more than half of its elements counts only when a second answer confirms it.
      for (let answer = 0; answer < 2; answer += 1) await poll('database_load');
      stretches.push(account.stretch > 1);
    }

    expect(stretches).toEqual([true, false, true]);
    expect(warnings()).toHaveLength(2);
  });

  it.each([
    [1000, ['the schedules require more calls than the budget allows']],
    // Just sufficient.
    [6000, []],
  ])('is reported if lists, which cannot be stretched, need more: every %i ms', async (interval, messages) => {
    const { account, warnings } = await budgetedAccount({ databases: every(interval) }, 0);

    account.start();

    expect(warnings().map(({ msg }) => msg)).toEqual(messages);
  });
});
