import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Scheduler } from '../../../src/polling/scheduler.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

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

  it('counts as polled after the first poll of any collector', async () => {
    const { account, poller } = await createAccount('databases', 'domains');
    const before = account.polled;

    await poller('domains').poll();

    expect([before, account.polled]).toEqual([false, true]);
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
