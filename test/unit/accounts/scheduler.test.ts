import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Account } from '../../../src/accounts/account.ts';
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

/** Accounts with these names, and the names of those that have started, with the time of the start. */
async function waitingAccounts() {
  fakeClock('2026-03-16T14:20:00Z');
  const { baseUrl } = await scriptedApi();
  const scheduler = new Scheduler();
  onTestFinished(() => scheduler.stop());
  const waiting = new Set<Account>();
  const starts: { readonly name: string; readonly time: number }[] = [];
  const start = (names: readonly string[]) => {
    const accounts = names.map(
      (name) => polledAccount(accountConfig({ name, api: { baseUrl }, collectors: ['account'] })).account,
    );
    for (const account of accounts) waiting.add(account);
    scheduler.start(accounts);
    return accounts;
  };
  const advance = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      for (const account of waiting) {
        if (!account.pollers.some(({ hasRun }) => hasRun)) continue;
        waiting.delete(account);
        starts.push({ name: account.name, time: Date.now() });
      }
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  return { scheduler, start, starts, advance };
}

describe('the starts of accounts', () => {
  it('are 100 ms apart, in any batches of accounts', async () => {
    const { start, starts, advance } = await waitingAccounts();

    for (const batch of [['a', 'b', 'c'], ['d'], ['e'], ['f', 'g'], ['h']]) {
      start(batch);
      await advance(130);
    }
    await advance(minute);
    start(['late']);
    await advance(10);

    expect(starts.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'late']);
    const distances = starts.slice(1).map(({ time }, index) => time - (starts[index]?.time ?? 0));
    expect(distances.slice(0, -1)).toEqual([100, 100, 100, 100, 100, 100, 100]);
    expect(distances.at(-1)).toBeGreaterThan(100);
  });

  it.each([
    [250, 100],
    [251, 99],
    [500, 50],
    [2500, 10],
    [6000, 7],
  ])('of %i accounts are %i ms apart: within 25 seconds, but fewer than 150 in each second', (count, spacing) => {
    fakeClock('2026-03-16T14:20:00Z');
    const scheduler = new Scheduler();
    onTestFinished(() => scheduler.stop());
    const starts: number[] = [];
    const start = async () => void starts.push(Date.now());
    const accounts = Array.from({ length: count }, (_, index) => ({ name: `a${index}`, pollers: [], start }));

    scheduler.start(accounts as unknown as readonly Account[]);
    vi.advanceTimersByTime(1000);

    // A timer may fire up to a millisecond early, so that some distances are longer by a millisecond.
    const [first = 0] = starts;
    expect(starts.map((time) => Math.floor((time - first) / spacing))).toEqual(starts.map((_, index) => index));
    expect(starts).toHaveLength(Math.ceil(1001 / spacing));
  });

  it('reach every account although all are replaced again and again', async () => {
    const { scheduler, start, starts, advance } = await waitingAccounts();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    let accounts: readonly Account[] = [];

    for (let reload = 0; reload < 4; reload += 1) {
      const previous = accounts;
      accounts = start(names);
      for (const account of previous) scheduler.remove(account);
      await advance(200);
    }

    expect([...new Set(starts.map(({ name }) => name))]).toEqual(names);
  });

  it('do not happen after the account was removed', async () => {
    const { scheduler, start, starts, advance } = await waitingAccounts();
    const [, second] = start(['a', 'b', 'c']);

    if (second !== undefined) scheduler.remove(second);
    await advance(500);

    expect(starts.map(({ name }) => name)).toEqual(['a', 'c']);
  });
});

describe('the retries of accounts after a reload', () => {
  it('are 100 ms apart, also among starts, and leave out an account that waits for its start', async () => {
    const { scheduler, start, starts, advance } = await waitingAccounts();
    const retries: { readonly name: string; readonly time: number }[] = [];
    const running = start(['a', 'b', 'c', 'd']);
    await advance(minute);
    for (const account of running) {
      vi.spyOn(account, 'retryUnaccepted').mockImplementation(() => {
        retries.push({ name: account.name, time: Date.now() });
      });
    }
    const [, , , removed] = running;
    const [late] = start(['e', 'f']).slice(1);
    if (removed === undefined || late === undefined) throw new Error('no accounts');
    const retryLate = vi.spyOn(late, 'retryUnaccepted');

    for (const account of [...running, late]) scheduler.retry(account);
    scheduler.remove(removed);
    await advance(minute);

    expect(retries.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const times = [...starts.slice(4), ...retries].map(({ time }) => time);
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0) >= 90)).toEqual([true, true, true, true]);
    expect(retryLate).not.toHaveBeenCalled();
  });
});

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

  it.each([
    [0, 1000, 10_500],
    [0, 1001, 10_000],
    [600, 600, 10_000],
    [600, -600, 10_500],
    [0, -1000, 10_500],
    [0, -1001, 11_501],
    [-2000, 1500, 11_000],
  ])('follow a clock only if it deviates by more than a second: %i ms, and then %i ms', (first, second, expected) => {
    const now = performance.now();
    const due = Date.now() + 10_500;
    const runs: number[] = [];
    const poller = {
      get nextWakeUp() {
        return Date.now() < due ? due : undefined;
      },
      scheduledRun: async () => void runs.push(performance.now() - now),
    };
    const scheduler = new Scheduler();
    onTestFinished(() => scheduler.stop());
    scheduler.start([{ name: 'a', pollers: [poller], start: async () => {} }] as unknown as readonly Account[]);

    for (const change of [first, second, 0]) {
      vi.advanceTimersByTime(4999);
      vi.setSystemTime(Date.now() + change);
      vi.advanceTimersByTime(1);
    }

    expect(runs[0]).toBe(expected);
  });

  it('are made up for within the next heartbeat after the clock was set forward', async () => {
    const { callsAfter } = await startedAccounts(1);

    vi.setSystemTime(Date.now() + hour);

    expect(await callsAfter(5000)).toBe(1);
  });
});
