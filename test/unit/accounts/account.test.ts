import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Scheduler } from '../../../src/accounts/scheduler.ts';
import { domains } from '../../../src/collectors/domains.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { until } from '../../fixtures/waiting.ts';

const start = '2026-06-03T12:00:30Z';
const minute = 60_000;
const info = { result: { user_quota: 5 } };

async function createAccount(...collectors: readonly string[]) {
  fakeClock(start);
  const api = await scriptedApi({ 'user/getAccountInfo': info });
  return { api, ...polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors })) };
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
    expect(retry).toBe(poller('domains').newest?.retry);
    expect((account.nextAttempt ?? 0) - Date.now()).toBeCloseTo(5000, -2);
  });

  it('has its next attempt at the earliest of several retries', async () => {
    const { api, account, poller } = await createAccount('databases', 'domains');
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { status: 500 });
    for (const collector of ['databases', 'databases', 'databases', 'domains']) await poller(collector).poll();

    const [later = 0, earlier = 0] = account.pollers.map(({ newest }) => newest?.retry);

    expect(later).toBeGreaterThan(earlier);
    expect(account.nextAttempt).toBe(earlier);
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
    vi.setSystemTime(Date.now() + 1);

    expect([before, polled, old, account.missingResults]).toEqual([1, 0, 0, 1]);
  });

  it('retries what failed during an outage as soon as its collector account succeeds again', async () => {
    const { api, account, poller, idle } = await createAccount('account', 'databases', 'domains');
    for (const method of ['user/getAccountInfo', 'mysql/getList']) api.answer(method, { status: 500 });
    for (let poll = 0; poll < 4; poll += 1) await account.pollOnce();
    api.newCalls();
    for (const method of ['user/getAccountInfo', 'mysql/getList']) api.answer(method, { result: [] });
    api.answer('user/getAccountInfo', info);

    await poller('account').poll();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'mysql/getList']);
  });

  it('retries only the items that failed during an outage', async () => {
    const { api, account, poller, idle } = await createAccount('account', 'database_load', 'database_load_detail');
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }, { name: 'b' }] });
    for (const call of ['user/getAccountInfo', 'stat/getDbLoad b']) api.answer(call, { status: 500 });
    await account.pollOnce();
    await idle();
    api.newCalls();
    api.answer('stat/getDbLoad b', { result: { days: [] } });
    api.answer('user/getAccountInfo', info);

    await poller('account').poll();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'stat/getDbLoad b']);
  });

  it('leaves a failed item to its retry when a list without new items arrives', async () => {
    const { api, account, poller, idle } = await createAccount('database_load', 'database_load_detail');
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }, { name: 'b' }] });
    api.answer('stat/getDbLoad b', { status: 500 });
    await account.pollOnce();
    await idle();
    api.newCalls();

    await poller('database_load').poll();
    await idle();

    expect(api.newCalls()).toEqual(['stat/getDbListLoad']);
  });

  it('tries rejected credentials again only once, although several polls were rejected', async () => {
    const { api, poller, idle } = await createAccount('databases', 'domains');
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { refuse: 'AUTH_ERROR' });
    for (const collector of ['databases', 'domains']) await poller(collector).poll();
    const before = api.newCalls();

    await vi.advanceTimersByTimeAsync(6000);
    await api.settle();
    await idle();

    expect([before, api.newCalls()]).toEqual([['mysql/getList'], ['domain/getList']]);
  });

  it('counts as polled after the first poll of any collector', async () => {
    const { account, poller } = await createAccount('databases', 'domains');
    const before = account.polled;

    await poller('domains').poll();

    expect([before, account.polled]).toEqual([false, true]);
  });

  it('retries only its own poll when another collector succeeds again', async () => {
    const { api, account, poller, idle } = await createAccount('account', 'databases', 'domains');
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { status: 500 });
    await account.pollOnce();
    for (const method of ['mysql/getList', 'domain/getList']) api.answer(method, { result: [] });
    api.newCalls();

    await poller('databases').poll();
    await idle();

    expect(api.newCalls()).toEqual(['mysql/getList']);
  });

  it('retries missing permissions and rejected calls, and nothing else, if they may be accepted now', async () => {
    const { api, account, idle } = await createAccount('account', 'databases', 'domains', 'sites');
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED' });
    api.answer('domain/getList', { status: 500 });
    api.answer('site/getList', { refuse: 'METHOD_FAILED' });
    account.retryUnaccepted();
    await account.pollOnce();
    await idle();
    const first = api.newCalls();

    account.retryUnaccepted();
    await idle();

    expect(first).toHaveLength(4);

    expect(api.newCalls().toSorted()).toEqual(['domain/getList', 'mysql/getList']);
  });

  it('polls a fan-out for the first time when its list arrives, even if the list is empty', async () => {
    const { poller, idle } = await createAccount('database_load', 'database_load_detail');

    await poller('database_load').poll();
    await idle();

    expect(poller('database_load_detail').newest?.failures).toEqual([]);
  });

  it('does not poll an item again if its first poll is in progress when all lists have arrived', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'stat/getDbListLoad': { result: [{ name: 'a' }, { name: 'b' }] },
      'stat/getDbLoad b': 'silence',
    });
    const collectors = ['database_load', 'database_load_detail'];
    const { account, poller, acceptSecret } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, timeout: 5000 }, collectors }),
    );
    acceptSecret();

    const polled = account.pollOnce();
    await until('the list and both items', () => api.calls.length >= 3 && !poller('database_load').isPolling);
    await api.settle();
    await vi.advanceTimersByTimeAsync(6000);
    await polled;

    expect(api.newCalls().filter((name) => name === 'stat/getDbLoad a')).toHaveLength(1);
  });

  it('does not poll an item twice that failed while a list was still missing', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'stat/getDbListLoad': { result: [{ name: 'a' }, { name: 'b' }] },
      'stat/getDbLoad b': { status: 500 },
      'mysql/getList': 'silence',
    });
    const collectors = ['databases', 'database_load', 'database_load_detail'];
    const { account, poller, acceptSecret } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, timeout: 5000 }, collectors }),
    );
    acceptSecret();
    const polled = account.pollOnce();
    await until('the poll of the items', () => poller('database_load_detail').newest !== undefined);

    await vi.advanceTimersByTimeAsync(6000);
    await polled;

    const names = api.newCalls();
    expect(names.filter((name) => name === 'stat/getDbLoad b')).toHaveLength(1);
    expect(names).toContain('mysql/getList');
  });

  it('logs each time that its intervals become stretched', async () => {
    fakeClock(start);
    const lists = [11, 1, 11].map((count) => ({
      result: Array.from({ length: count }, (_, index) => ({ name: `d${index}` })),
    }));
    const api = await scriptedApi();
    const schedule = { kind: 'every', interval: minute } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, requestsPerMinute: 10, timeout: 600 * minute },
      collectors: { database_load: { schedule }, database_load_detail: { schedule } },
    });
    const { account, poller, logLines } = polledAccount(config);
    const stretches: boolean[] = [];
    for (const list of lists) {
      api.answer('stat/getDbListLoad', list);
      // A list that lost more than half of its elements counts only when a second answer confirms it.
      for (let poll = 0; poll < 2; poll += 1) {
        const polled = poller('database_load').poll();
        for (let waited = 0; waited < 20; waited += 1) {
          await vi.advanceTimersByTimeAsync(6000);
          await api.settle();
        }
        await polled;
      }
      stretches.push(account.stretch > 1);
    }

    expect(stretches).toEqual([true, false, true]);
    const logged = logLines.filter((line) => line.includes('stretching intervals'));
    expect(logged).toHaveLength(2);
    // 11 calls a minute for the items in the 9 that are usable, less 1 for the list.
    expect(logged[0]).toContain('"calls_per_minute":12,"budget":10,"factor":1.38,');
    account.stop();
  });

  it('logs that the interval of a fan-out is stretched, also if no other collector polls its list', async () => {
    fakeClock(start);
    const names = Array.from({ length: 11 }, (_, index) => ({ name: `d${index}` }));
    const api = await scriptedApi({ 'stat/getDbListLoad': { result: names } });
    const schedule = { kind: 'every', interval: minute } as const;
    const { poller, logLines } = polledAccount(
      accountConfig({
        api: { baseUrl: api.baseUrl, requestsPerMinute: 10, timeout: 600 * minute },
        collectors: { database_load_detail: { schedule } },
      }),
    );

    const polled = poller('database_load_detail').poll();
    for (let waited = 0; waited < 20; waited += 1) {
      await vi.advanceTimersByTimeAsync(6000);
      await api.settle();
    }
    await polled;

    expect(logLines.filter((line) => line.includes('stretching intervals'))).toHaveLength(1);
  });

  it('logs once that its time zone is in doubt', async () => {
    const { api, account, poller, logLines } = await createAccount('database_load_detail');
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }] });
    api.answer('stat/getDbLoad', { result: { hours: [{ date: '2026-06-03 04:00:00', cpu_time: 1 }] } });

    for (let poll = 0; poll < 2; poll += 1) await poller('database_load_detail').poll();

    const doubts = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => /check time_zone/.test(msg));
    expect(doubts.map(({ account: name, time_zone, hours }) => [name, time_zone, hours])).toEqual([
      [account.name, 'UTC', -8],
    ]);
  });

  it.each([
    ['of lists, which cannot be stretched', { databases: 1000 }, 1],
    ['of lists, unless it is just sufficient', { databases: 6000 }, 0],
    ['of fan-outs, which are stretched', { database_load: minute, database_load_detail: minute }, 0],
  ] as const)('warns at its start if the budget is too small for schedules %s', async (_which, intervals, count) => {
    fakeClock(start);
    const list = Array.from({ length: 20 }, (_, index) => ({ name: `d${index}` }));
    const api = await scriptedApi({ 'stat/getDbListLoad': { result: list } });
    const collectors = Object.fromEntries(
      Object.entries(intervals).map(([name, interval]) => [name, { schedule: { kind: 'every', interval } as const }]),
    );
    const { account, logLines } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 10, timeout: 600 * minute }, collectors }),
    );
    void account.start();

    for (let waited = 0; !logLines.some((line) => line.includes('first time')) && waited < 100; waited += 1) {
      await vi.advanceTimersByTimeAsync(6000);
      await api.settle();
    }

    expect(logLines.filter((line) => line.includes('polled for the first time'))).toHaveLength(1);
    expect(logLines.filter((line) => line.includes('require more calls than the budget allows"'))).toHaveLength(count);
    account.stop();
  });

  it.each([
    ['a result', { result: [] }, ['changed', 'changed']],
    ['an error of the server', { status: 500 }, ['changed', 'changed']],
    ['rejected credentials', { refuse: 'AUTH_ERROR' }, ['save now', 'changed']],
    ['a limit of calls', { refuse: 'LIMIT_ERROR' }, ['save now', 'changed']],
  ] as const)('reports a call and its poll as changes to save, after %s', async (_what, answer, expected) => {
    fakeClock(start);
    const api = await scriptedApi({ 'mysql/getList': answer });
    const events: string[] = [];
    const { poller, acceptSecret } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
      {
        onChange: () => void events.push('changed'),
        saveNow: async () => void events.push('save now'),
      },
    );
    acceptSecret();

    await poller('databases').poll();

    expect(events).toEqual(expected);
  });

  it('logs each call with its method and the reason of its failure', async () => {
    const { api, account, poller, logLines } = await createAccount('databases', 'domains');
    api.answer('domain/getList', { status: 500 });

    for (const collector of ['databases', 'domains']) await poller(collector).poll();

    const calls = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'API call');
    expect(calls.map(({ account, method, seconds, reason }) => [account, method, seconds, reason])).toEqual([
      [account.name, 'mysql/getList', 0, undefined],
      [account.name, 'domain/getList', 0, 'http'],
    ]);
  });

  it('states the calls that its schedules require, with two decimals', () => {
    const schedule = { kind: 'every', interval: 7 * minute } as const;
    const { account } = polledAccount(
      accountConfig({ collectors: { databases: { schedule }, domains: { schedule } } }),
    );

    expect(account.load).toEqual({ callsPerMinute: 0.29, budget: Number.POSITIVE_INFINITY });
  });

  it('has another revision after new labels and thresholds, so that pages are rendered again', () => {
    const { account } = polledAccount(accountConfig({ collectors: ['databases'] }));
    const revisions = [account.revision];
    account.configure(accountConfig({ labels: { customer: 'a' } }));
    revisions.push(account.revision);
    account.configure(accountConfig());
    revisions.push(account.revision);

    expect(new Set(revisions).size).toBe(3);
  });

  it('polls a list whose poll is not retried only once at its start', async () => {
    const fetch = vi.spyOn(domains, 'fetch').mockRejectedValue(new TypeError('broken'));
    onTestFinished(() => fetch.mockRestore());
    const { api, account } = await createAccount('databases', 'domains');
    api.answer('mysql/getList', { refuse: 'AUTH_ERROR' });

    await account.start();

    const polls = account.pollers.map(({ recentPolls }) => recentPolls.map(({ failure }) => failure?.reason));
    expect(polls).toEqual([['auth'], ['bug']]);
  });

  it('logs its first polls, but not if it was stopped before', async () => {
    const first = await createAccount('databases');
    await first.account.start();
    const stopped = await createAccount('databases');
    stopped.api.answer('mysql/getList', 'silence');
    const started = stopped.account.start();
    await stopped.api.settle();
    stopped.account.stop();
    await started;

    const [logged = [], loggedByStopped] = [first, stopped].map(({ logLines }) =>
      logLines.map((line) => JSON.parse(line)).filter(({ msg }) => /first time/.test(msg)),
    );
    expect(logged).toMatchObject([
      { level: 'debug', account: first.account.name, calls_per_minute: 0.02, budget: null, intervals: 'databases 1h' },
    ]);
    expect(loggedByStopped).toEqual([]);
  });
});

describe('the accounts of a fleet', () => {
  it('start a tenth of a second after each other, so that they do not all call at once', async () => {
    fakeClock(start);
    const apis = await Promise.all([scriptedApi(), scriptedApi(), scriptedApi()]);
    const accounts = apis.map(
      ({ baseUrl }, index) =>
        polledAccount(accountConfig({ name: `a${index}`, api: { baseUrl }, collectors: ['databases'] })).account,
    );
    const scheduler = new Scheduler();
    onTestFinished(() => scheduler.stop());
    const calls = async () => {
      await Promise.all(apis.map((api) => api.settle()));
      return apis.map((api) => api.calls.length);
    };

    scheduler.start(accounts);
    const seen = [await calls()];
    for (const milliseconds of [99, 1, 99, 1]) {
      await vi.advanceTimersByTimeAsync(milliseconds);
      seen.push(await calls());
    }

    expect(seen).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
  });

  it('are not polled any more after they are removed', async () => {
    fakeClock(start);
    const apis = await Promise.all([scriptedApi(), scriptedApi()]);
    const schedule = { kind: 'every', interval: minute } as const;
    const accounts = apis.map(
      ({ baseUrl }, index) =>
        polledAccount(accountConfig({ name: `a${index}`, api: { baseUrl }, collectors: { databases: { schedule } } }))
          .account,
    );
    const scheduler = new Scheduler();
    onTestFinished(() => scheduler.stop());
    scheduler.start(accounts);
    await apis[0]?.settle();

    for (const account of accounts) scheduler.remove(account);
    await vi.advanceTimersByTimeAsync(10 * minute);
    await Promise.all(apis.map((api) => api.settle()));

    expect(apis.map(({ calls }) => calls.length)).toEqual([1, 0]);
  });
});
