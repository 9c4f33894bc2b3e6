import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter } from '../../../../src/web/door/rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** The number of requests that are allowed now. */
function allowed(limiter: RateLimiter): number {
  let count = 0;
  while (count < 1000 && limiter.allow()) count += 1;
  return count;
}

describe('a rate limit', () => {
  it('allows its burst at first, and then one request per interval', () => {
    const limiter = new RateLimiter({ interval: 250, burst: 3 });
    const counts = [allowed(limiter)];

    for (const milliseconds of [249, 1, 250, 500]) {
      vi.advanceTimersByTime(milliseconds);
      counts.push(allowed(limiter));
    }

    expect(counts).toEqual([3, 0, 1, 1, 2]);
  });

  it('never allows more than its burst at once', () => {
    const limiter = new RateLimiter({ interval: 250, burst: 3 });
    allowed(limiter);

    vi.advanceTimersByTime(60_000);

    expect(allowed(limiter)).toBe(3);
  });

  it('counts refused requests for nothing', () => {
    const limiter = new RateLimiter({ interval: 1000, burst: 1 });
    limiter.allow();
    for (let request = 0; request < 100; request += 1) limiter.allow();

    vi.advanceTimersByTime(1000);

    expect(allowed(limiter)).toBe(1);
  });

  it('refills with parts of intervals', () => {
    const limiter = new RateLimiter({ interval: 1000, burst: 5 });
    allowed(limiter);
    const counts = [];

    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(500);
      counts.push(allowed(limiter));
    }

    expect(counts).toEqual([0, 1, 0, 1]);
  });
});
