import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Budget, type Priority } from '../../src/api/budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const list = { priority: 'list', signal: never } as const;
const admit = () => true;

/** Queues this many calls, each of which takes `duration` milliseconds. Returns their start times. */
function callRepeatedly(budget: Budget, count: number, duration = 0): readonly number[] {
  const starts: number[] = [];
  for (let call = 0; call < count; call += 1) {
    void budget.run(list, admit, async () => {
      starts.push(Date.now());
      if (duration > 0) await new Promise((resolve) => setTimeout(resolve, duration));
    });
  }
  return starts;
}

it.each([
  [30, 2000],
  // Rounded up, so that no minute contains a call too many.
  [7, 8572],
])('starts the first call immediately and spaces %i calls per minute %i ms apart', async (perMinute, distance) => {
  const begin = Date.now();
  const starts = callRepeatedly(new Budget(perMinute), 4);

  await vi.advanceTimersByTimeAsync(60_000);

  expect(starts.map((start) => start - begin)).toEqual([0, distance, 2 * distance, 3 * distance]);
});

it('never starts more calls in any minute than it allows', async () => {
  const perMinute = fc.integer({ min: 1, max: 120 });
  const gaps = fc.array(fc.tuple(fc.nat(5000), fc.nat(4), fc.nat(3000)), { minLength: 1, maxLength: 20 });

  await fc.assert(
    fc.asyncProperty(perMinute, gaps, async (limit, bursts) => {
      const budget = new Budget(limit);
      const starts: number[] = [];
      for (const [gap, count, duration] of bursts) {
        await vi.advanceTimersByTimeAsync(gap);
        for (let call = 0; call < count; call += 1) {
          void budget.run({ priority: 'fan-out', signal: never }, admit, async () => {
            starts.push(Date.now());
            await new Promise((resolve) => setTimeout(resolve, duration));
          });
        }
      }
      await vi.advanceTimersByTimeAsync(81 * 60_000);

      expect(starts).toHaveLength(bursts.reduce((sum, [, count]) => sum + count, 0));
      for (const [index, start] of starts.entries()) {
        const inOneMinute = starts.slice(index).filter((other) => other - start < 60_000);
        expect(inOneMinute.length, `from call ${index}`).toBeLessThanOrEqual(limit);
        const next = starts[index + 1];
        if (next !== undefined)
          expect(next - start, `after call ${index}`).toBeGreaterThanOrEqual(Math.floor(60_000 / limit));
      }
    }),
    { numRuns: 25, seed: 1 },
  );
});

it('runs the account first, then lists, then fan-outs', async () => {
  const budget = new Budget(60);
  const order: string[] = [];
  const run = (priority: Priority, name: string) =>
    budget.run({ priority, signal: never }, admit, async () => {
      order.push(name);
    });
  void run('fan-out', 'first call');
  void run('fan-out', 'fan-out 1');
  void run('list', 'list 1');
  void run('fan-out', 'fan-out 2');
  void run('account', 'account');
  void run('list', 'list 2');

  await vi.advanceTimersByTimeAsync(10_000);

  expect(order).toEqual(['first call', 'account', 'list 1', 'list 2', 'fan-out 1', 'fan-out 2']);
});

it('lets the items of two fan-outs take turns, but starts lists first', async () => {
  const budget = new Budget(60);
  const order: string[] = [];
  const run = (priority: Priority, name: string, position: number) =>
    budget.run({ priority, position, signal: never }, admit, async () => {
      order.push(name);
    });
  void run('list', 'first call', 0);
  for (const position of [0, 1, 2]) void run('fan-out', `sites ${position}`, position);
  for (const position of [0, 1]) void run('fan-out', `databases ${position}`, position);
  void run('list', 'list', 100_000);

  await vi.advanceTimersByTimeAsync(10_000);

  expect(order).toEqual(['first call', 'list', 'sites 0', 'databases 0', 'sites 1', 'databases 1', 'sites 2']);
});

it('runs at most four calls concurrently', async () => {
  const budget = new Budget(60_000);
  const starts = callRepeatedly(budget, 10, 30_000);

  await vi.advanceTimersByTimeAsync(29_000);
  const early = starts.length;
  await vi.advanceTimersByTimeAsync(29_000);

  expect(early).toBe(4);
  expect(starts).toHaveLength(8);
});

it('starts no call during a pause and continues evenly spaced after it', async () => {
  const budget = new Budget(30);
  const begin = Date.now();
  budget.pause(60_000);
  const starts = callRepeatedly(budget, 3);

  await vi.advanceTimersByTimeAsync(120_000);

  expect(starts.map((start) => start - begin)).toEqual([60_000, 62_000, 64_000]);
});

it('resumes when the longest of several pauses ends', async () => {
  const budget = new Budget(30);
  const begin = Date.now();
  const pauses: number[] = [];
  budget.onPause = (milliseconds) => pauses.push(milliseconds);
  budget.pause(10_000);
  budget.pause(60_000);
  budget.pause(5000);
  const starts = callRepeatedly(budget, 1);

  await vi.advanceTimersByTimeAsync(120_000);
  budget.pause(7000);

  expect(starts.map((start) => start - begin)).toEqual([60_000]);
  // A pause that begins during another one is not reported.
  expect(pauses).toEqual([10_000, 7000]);
});

it.each([-1, 1])('keeps spacing and pauses when the wall clock changes by %i hours', async (hours) => {
  const budget = new Budget(30);
  const started: number[] = [];
  const begin = performance.now();
  const call = () => {
    void budget.run(list, admit, async () => {
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

it('drops a call that aborts while it waits, without delaying the next call', async () => {
  const budget = new Budget(30);
  const begin = Date.now();
  const abort = new AbortController();
  callRepeatedly(budget, 1);
  const dropped = budget.run({ priority: 'list', signal: abort.signal }, admit, async () => 'never');
  const starts = callRepeatedly(budget, 1);

  abort.abort(new Error('no longer wanted'));

  await expect(dropped).rejects.toThrow('no longer wanted');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(starts.map((start) => start - begin)).toEqual([2000]);
});

it('runs one call at a time, by priority, until a call may run beside others', async () => {
  let isProven = false;
  const budget = new Budget(6000);
  const ends: (() => void)[] = [];
  const order: string[] = [];
  for (const priority of ['list', 'fan-out', 'account', 'fan-out', 'fan-out'] as const) {
    const call = () => {
      order.push(priority);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    void budget.run({ priority, signal: never }, () => isProven, call);
  }
  const counts: number[] = [];
  for (const proven of [false, false, true]) {
    isProven = proven;
    ends.at(-1)?.();
    await vi.advanceTimersByTimeAsync(1000);
    counts.push(order.length);
  }

  expect([order, counts]).toEqual([
    ['list', 'account', 'fan-out', 'fan-out', 'fan-out'],
    [2, 3, 5],
  ]);
});

it('fails a call that is not admitted at the moment of its start, and spends no budget', async () => {
  const block = () => {
    throw new Error('blocked');
  };
  const budget = new Budget(30);
  const begin = Date.now();
  callRepeatedly(budget, 1);
  const refused = Promise.allSettled([1, 2].map(() => budget.run(list, block, async () => 'never')));
  const starts = callRepeatedly(budget, 1);

  await vi.advanceTimersByTimeAsync(2000);

  const reason = new Error('blocked');
  expect(await refused).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
  expect(starts.map((start) => start - begin)).toEqual([2000]);
});

it('settles with the result or the error of the call', async () => {
  const budget = new Budget(30);

  const given = budget.run(list, admit, async () => 42);
  const failed = budget.run(list, admit, () => Promise.reject(new TypeError('broken')));
  failed.catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);

  await expect(given).resolves.toBe(42);
  await expect(failed).rejects.toThrow('broken');
});

it('reports the number of waiting calls, without aborted calls', async () => {
  const budget = new Budget(30);
  const abort = new AbortController();
  const calls = Array.from({ length: 5 }, () =>
    budget.run({ priority: 'list', signal: abort.signal }, admit, async () => {}),
  );
  const settled = Promise.allSettled(calls);
  const before = budget.queueLength;

  abort.abort();
  await settled;

  expect([before, budget.queueLength]).toEqual([4, 0]);
});

it('leaves no timer behind when closed, even if it is paused afterwards', () => {
  const budget = new Budget(30);
  budget.pause(60_000);

  budget.close();
  budget.pause(120_000);

  expect(vi.getTimerCount()).toBe(0);
});

it('has an empty queue after it is closed', async () => {
  const budget = new Budget(30);
  const settled = Promise.allSettled(Array.from({ length: 5 }, () => budget.run(list, admit, async () => {})));

  budget.close();
  await settled;

  expect(budget.queueLength).toBe(0);
});
