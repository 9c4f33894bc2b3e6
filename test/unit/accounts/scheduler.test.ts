import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Scheduler } from '../../../src/accounts/scheduler.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 16, 14, 20) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the scheduler', () => {
  it.each([-hour, hour])('stays alive when the wall clock changes by %i ms', (milliseconds) => {
    const scheduler = new Scheduler();
    scheduler.start([]);
    vi.advanceTimersByTime(hour);

    vi.setSystemTime(Date.now() + milliseconds);

    expect(scheduler.alive).toBe(true);
  });

  it('needs no timer before its start', () => {
    const scheduler = new Scheduler();

    expect([vi.getTimerCount(), scheduler.alive]).toEqual([0, true]);
  });

  it('is not alive a minute after its last heartbeat', () => {
    const scheduler = new Scheduler();
    vi.advanceTimersByTime(hour);
    scheduler.start([]);
    scheduler.stop();

    vi.advanceTimersByTime(59_000);
    const early = scheduler.alive;
    vi.advanceTimersByTime(1000);

    expect([early, scheduler.alive]).toEqual([true, false]);
  });
});

const schedule = { kind: 'every', interval: 5 * minute } as const;

/** Accounts that a scheduler has started, at twenty past two. */
async function startedAccounts(count: number) {
  fakeClock('2026-03-16T14:20:00Z');
  const api = await scriptedApi();
  const accounts = Array.from({ length: count }, (_, index) =>
    polledAccount(
      accountConfig({
        name: `a${index}`,
        api: { baseUrl: api.baseUrl },
        collectors: { databases: { schedule } },
      }),
    ),
  );
  const scheduler = new Scheduler();
  onTestFinished(() => scheduler.stop());
  scheduler.start(accounts.map(({ account }) => account));
  const idle = () => Promise.all(accounts.map((account) => account.idle()));
  await api.settle();
  await idle();
  api.newCalls();
  const callsAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await api.settle();
    await idle();
    return api.newCalls().length;
  };
  return { scheduler, accounts, callsAfter };
}

describe('the runs of an account', () => {
  it('continue interval after interval', async () => {
    const { callsAfter } = await startedAccounts(1);

    const calls = [];
    for (let interval = 0; interval < 3; interval += 1) calls.push(await callsAfter(5 * minute));

    expect(calls).toEqual([1, 1, 1]);
  });

  it('end when the scheduler stops, also those of accounts that have not started', async () => {
    const { scheduler, callsAfter } = await startedAccounts(3);

    scheduler.stop();

    expect(await callsAfter(hour)).toBe(0);
  });

  it('do not return with a change of the clock after the account was removed', async () => {
    const { scheduler, accounts, callsAfter } = await startedAccounts(1);
    for (const { account } of accounts) scheduler.remove(account);

    vi.setSystemTime(Date.now() + hour);

    expect(await callsAfter(hour)).toBe(0);
  });

  it('are made up for within the next heartbeat after the clock was set forward', async () => {
    const { callsAfter } = await startedAccounts(1);

    vi.setSystemTime(Date.now() + hour);

    expect(await callsAfter(5000)).toBe(1);
  });
});
