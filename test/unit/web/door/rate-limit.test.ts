import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateLimit } from '../../../../src/web/config/load.ts';
import { RateLimiter } from '../../../../src/web/door/rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** The number of requests that are allowed now. */
function allowed(limiter: RateLimiter, limit: RateLimit): number {
  let count = 0;
  while (count < 1000 && limiter.allow(limit)) count += 1;
  return count;
}

describe('a rate limit', () => {
  it('allows its burst at first, and then one request per interval', () => {
    const limit = { interval: 250, burst: 3 };
    const limiter = new RateLimiter();
    const counts = [allowed(limiter, limit)];

    for (const milliseconds of [249, 1, 250, 500]) {
      vi.advanceTimersByTime(milliseconds);
      counts.push(allowed(limiter, limit));
    }

    expect(counts).toEqual([3, 0, 1, 1, 2]);
  });

  it('never allows more than its burst at once', () => {
    const limit = { interval: 250, burst: 3 };
    const limiter = new RateLimiter();
    allowed(limiter, limit);

    vi.advanceTimersByTime(60_000);

    expect(allowed(limiter, limit)).toBe(3);
  });

  it('counts refused requests for nothing', () => {
    const limit = { interval: 1000, burst: 1 };
    const limiter = new RateLimiter();
    limiter.allow(limit);
    for (let request = 0; request < 100; request += 1) limiter.allow(limit);

    vi.advanceTimersByTime(1000);

    expect(allowed(limiter, limit)).toBe(1);
  });

  it('refills with parts of intervals', () => {
    const limit = { interval: 1000, burst: 5 };
    const limiter = new RateLimiter();
    allowed(limiter, limit);
    const counts = [];

    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(500);
      counts.push(allowed(limiter, limit));
    }

    expect(counts).toEqual([0, 1, 0, 1]);
  });

  it('starts full again when it changes, and only then', () => {
    const limiter = new RateLimiter();
    const counts = [{ burst: 3 }, { burst: 3 }, { burst: 2 }, { burst: 3 }].map(({ burst }) =>
      allowed(limiter, { interval: 1000, burst }),
    );

    expect(counts).toEqual([3, 0, 2, 3]);
  });
});
