import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../src/polling/poller.ts';

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
      const given = retryDelay(attempts, hour, 'timeout');

      expect(given).toBeGreaterThanOrEqual(0.75 * delay);
      expect(given).toBeLessThanOrEqual(1.25 * delay);
    }
  });

  it('differs between accounts that failed at the same time', () => {
    const delays = new Set(Array.from({ length: 50 }, () => retryDelay(1, hour, 'network')));

    expect(delays.size).toBeGreaterThan(40);
  });

  it.each(['permission', 'bug', undefined] as const)(
    'is infinite after %s, so that the next run comes first',
    (reason) => {
      expect(retryDelay(1, hour, reason)).toBe(Number.POSITIVE_INFINITY);
    },
  );
});
