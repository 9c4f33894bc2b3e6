import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Stopwatch } from '../../../src/polling/stopwatch.ts';

const now = Date.UTC(2026, 2, 16, 14, 20);
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now });
  return () => vi.useRealTimers();
});

describe('a stopwatch', () => {
  it('measures from its construction', () => {
    const stopwatch = new Stopwatch();

    vi.advanceTimersByTime(7 * minute);

    expect([stopwatch.started, stopwatch.elapsed]).toEqual([now, 7 * minute]);
  });

  it('measures from a start before its construction', () => {
    const stopwatch = new Stopwatch(3 * minute);

    vi.advanceTimersByTime(7 * minute);

    expect([stopwatch.started, stopwatch.elapsed]).toEqual([now - 3 * minute, 10 * minute]);
  });

  it('continues when the wall clock is set back, also after a start before its construction', () => {
    const stopwatch = new Stopwatch(3 * minute);

    vi.setSystemTime(now - 60 * minute);
    vi.advanceTimersByTime(7 * minute);

    expect(stopwatch.elapsed).toBe(10 * minute);
  });

  it('includes a time that only the wall clock saw, such as suspend', () => {
    const stopwatch = new Stopwatch(3 * minute);

    vi.setSystemTime(now + 60 * minute);

    expect(stopwatch.elapsed).toBe(63 * minute);
  });
});
