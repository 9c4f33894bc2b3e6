import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { reasons } from '../../../src/api/error.ts';
import { retryDelay } from '../../../src/polling/back-off.ts';

const hour = 3_600_000;

describe('the delay of a retry', () => {
  it.each([
    [1, 15_000],
    [2, 30_000],
    [3, 60_000],
    [4, 120_000],
    [9, hour],
    [1000, hour],
  ])('after failed poll %i is %i ms, with a jitter of 25 %%', (attempts, delay) => {
    for (let run = 0; run < 50; run += 1) {
      const given = retryDelay(attempts, hour, 'timeout') ?? Number.NaN;

      expect(given).toBeGreaterThanOrEqual(0.75 * delay);
      expect(given).toBeLessThanOrEqual(1.25 * delay);
    }
  });

  it('is at most a day, with a jitter of 25 %, even if the interval is longer', () => {
    const random = vi.spyOn(Math, 'random');
    onTestFinished(() => random.mockRestore());

    const delays = [0, 0.5, 1].map((value) => {
      random.mockReturnValue(value);
      return retryDelay(1000, 48 * hour, 'timeout');
    });

    expect(delays).toEqual([18 * hour, 24 * hour, 30 * hour]);
  });

  it('differs between accounts that failed at the same time', () => {
    const delays = new Set(Array.from({ length: 50 }, () => retryDelay(1, hour, 'network')));

    expect(delays.size).toBeGreaterThan(40);
  });

  it('does not exist for wrong credentials, and is an hour for a missing permission, regardless of the interval', () => {
    expect(retryDelay(1, hour, 'auth')).toBeUndefined();
    expect([retryDelay(1, hour / 60, 'permission'), retryDelay(9, 24 * hour, 'permission')]).toEqual([hour, hour]);
  });

  it('never exceeds the longest timer of Node.js', () => {
    const interval = fc.oneof(fc.integer({ min: 1000 }), fc.constant(Number.POSITIVE_INFINITY));

    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        interval,
        fc.constantFrom(...reasons),
        (attempts, every, reason) => {
          const delay = retryDelay(attempts, every, reason) ?? 0;

          expect(delay).toBeLessThan(2 ** 31);
        },
      ),
    );
  });
});
