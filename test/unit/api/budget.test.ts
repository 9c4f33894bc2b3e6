import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Budget, type Priority } from '../../../src/api/budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

/** Starts so many calls at once, each of which takes `duration` milliseconds; gives the moments at which they started. */
function callRepeatedly(budget: Budget, count: number, duration = 0): readonly number[] {
  const starts: number[] = [];
  for (let call = 0; call < count; call += 1) {
    void budget.run('list', never, async () => {
      starts.push(Date.now());
      if (duration > 0) await new Promise((resolve) => setTimeout(resolve, duration));
    });
  }
  return starts;
}

describe('the budget', () => {
  it('spaces thirty calls a minute two seconds apart, and the first one waits for nothing', async () => {
    const begin = Date.now();
    const starts = callRepeatedly(new Budget(30), 5);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(starts.map((start) => start - begin)).toEqual([0, 2000, 4000, 6000, 8000]);
  });

  it('never lets more calls start in any minute than it allows, however they come', async () => {
    const perMinute = fc.integer({ min: 1, max: 120 });
    const gaps = fc.array(fc.tuple(fc.nat(5000), fc.nat(4), fc.nat(3000)), { minLength: 1, maxLength: 20 });

    await fc.assert(
      fc.asyncProperty(perMinute, gaps, async (limit, bursts) => {
        const budget = new Budget(limit);
        const starts: number[] = [];
        for (const [gap, count, duration] of bursts) {
          await vi.advanceTimersByTimeAsync(gap);
          for (let call = 0; call < count; call += 1) {
            void budget.run('fan-out', never, async () => {
              starts.push(Date.now());
              await new Promise((resolve) => setTimeout(resolve, duration));
            });
          }
        }
        await vi.advanceTimersByTimeAsync(81 * 60_000);

        expect(starts).toHaveLength(bursts.reduce((sum, [, count]) => sum + count, 0));
        for (const [index, start] of starts.entries()) {
          const inOneMinute = starts.slice(index).filter((other) => other - start < 60_000);
          expect(inOneMinute.length).toBeLessThanOrEqual(limit);
          const next = starts[index + 1];
          if (next !== undefined) expect(next - start).toBeGreaterThanOrEqual(Math.floor(60_000 / limit));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('lets the account go first, then lists, then details', async () => {
    const budget = new Budget(60);
    const order: string[] = [];
    const run = (priority: Priority, name: string) =>
      budget.run(priority, never, async () => {
        order.push(name);
      });
    void run('fan-out', 'first come');
    void run('fan-out', 'fan-out 1');
    void run('list', 'list 1');
    void run('fan-out', 'fan-out 2');
    void run('account', 'account');
    void run('list', 'list 2');

    await vi.advanceTimersByTimeAsync(10_000);

    expect(order).toEqual(['first come', 'account', 'list 1', 'list 2', 'fan-out 1', 'fan-out 2']);
  });

  it('has no more than four calls under way', async () => {
    const budget = new Budget(60_000);
    const starts = callRepeatedly(budget, 10, 30_000);

    await vi.advanceTimersByTimeAsync(29_000);
    const early = starts.length;
    await vi.advanceTimersByTimeAsync(29_000);

    expect(early).toBe(4);
    expect(starts).toHaveLength(8);
  });

  it('lets no call start during a pause, and goes on evenly after it', async () => {
    const budget = new Budget(30);
    const begin = Date.now();
    budget.pause(60_000);
    const starts = callRepeatedly(budget, 3);

    await vi.advanceTimersByTimeAsync(120_000);

    expect(starts.map((start) => start - begin)).toEqual([60_000, 62_000, 64_000]);
  });

  it('keeps the longest of several pauses', async () => {
    const budget = new Budget(30);
    const begin = Date.now();
    budget.pause(10_000);
    budget.pause(60_000);
    budget.pause(5000);
    const starts = callRepeatedly(budget, 1);

    await vi.advanceTimersByTimeAsync(120_000);

    expect(starts.map((start) => start - begin)).toEqual([60_000]);
  });

  it.each([-1, 1])('keeps its spaces and pauses where the clock is set by %i hours', async (hours) => {
    const budget = new Budget(30);
    const started: number[] = [];
    const begin = performance.now();
    const call = () => {
      void budget.run('list', never, async () => {
        started.push(performance.now() - begin);
      });
    };
    const setClock = () => vi.setSystemTime(Date.now() + hours * 3_600_000);
    call();
    setClock();
    call();
    await vi.advanceTimersByTimeAsync(10_000);

    budget.pause(10_000);
    setClock();
    call();
    await vi.advanceTimersByTimeAsync(20_000);
    budget.pause(10_000);
    call();
    await vi.advanceTimersByTimeAsync(20_000);

    expect(started).toEqual([0, 2000, 20_000, 40_000]);
  });

  it('drops a call that is aborted while it waits, and costs nobody a turn by it', async () => {
    const budget = new Budget(30);
    const begin = Date.now();
    const abort = new AbortController();
    callRepeatedly(budget, 1);
    const dropped = budget.run('list', abort.signal, async () => 'never');
    const starts = callRepeatedly(budget, 1);

    abort.abort(new Error('no longer wanted'));

    await expect(dropped).rejects.toThrow('no longer wanted');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(starts.map((start) => start - begin)).toEqual([2000]);
  });

  it('hands on what a call gives and how it fails', async () => {
    const budget = new Budget(30);

    const given = budget.run('list', never, async () => 42);
    const failed = budget.run('list', never, () => Promise.reject(new TypeError('broken')));
    failed.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);

    await expect(given).resolves.toBe(42);
    await expect(failed).rejects.toThrow('broken');
  });

  it('tells how many calls wait, also after they were aborted or dropped', async () => {
    let waiting = 0;
    const budget = new Budget(30, (calls) => {
      waiting = calls;
    });
    const abort = new AbortController();
    const calls = Array.from({ length: 5 }, () => budget.run('list', abort.signal, async () => {}));
    const settled = Promise.allSettled(calls);
    const before = waiting;

    abort.abort();
    await settled;

    expect(before).toBe(4);
    expect(waiting).toBe(0);
  });

  it('leaves no timer behind once it is closed, whatever a call under way brings', () => {
    const budget = new Budget(30);
    budget.pause(60_000);

    budget.close();
    budget.pause(120_000);

    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells that nobody waits after it was closed', async () => {
    let waiting = 0;
    const budget = new Budget(30, (calls) => {
      waiting = calls;
    });
    const settled = Promise.allSettled(Array.from({ length: 5 }, () => budget.run('list', never, async () => {})));

    budget.close();
    await settled;

    expect(waiting).toBe(0);
  });
});
