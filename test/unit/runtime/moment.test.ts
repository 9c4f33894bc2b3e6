import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Moment } from '../../../src/runtime/moment.ts';

const now = Date.UTC(2026, 2, 16, 14, 20);
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now });
  return () => vi.useRealTimers();
});

describe('a moment', () => {
  it('measures the time since then', () => {
    const moment = new Moment(now);

    vi.advanceTimersByTime(7 * minute);

    expect([moment.time, moment.elapsed]).toEqual([now, 7 * minute]);
  });

  it('may be in the past already', () => {
    const moment = new Moment(now - 3 * minute);

    vi.advanceTimersByTime(7 * minute);

    expect([moment.time, moment.elapsed]).toEqual([now - 3 * minute, 10 * minute]);
  });

  it('becomes older when the wall clock is set back, also if it was in the past already', () => {
    const moment = new Moment(now - 3 * minute);

    vi.setSystemTime(now - 60 * minute);
    vi.advanceTimersByTime(7 * minute);

    expect(moment.elapsed).toBe(10 * minute);
  });

  it('includes a time that only the wall clock counted, such as suspend', () => {
    const moment = new Moment(now - 3 * minute);

    vi.setSystemTime(now + 60 * minute);

    expect(moment.elapsed).toBe(63 * minute);
  });

  it('is past from its time on', () => {
    const moment = new Moment(now + minute);

    vi.advanceTimersByTime(minute - 1);
    const before = [moment.elapsed, moment.isPast];
    vi.advanceTimersByTime(1);

    expect([...before, moment.elapsed, moment.isPast]).toEqual([-1, false, 0, true]);
  });

  it('is never past if it is infinitely far', () => {
    expect(Moment.never.isPast).toBe(false);
  });

  it('is combined with another by each clock', () => {
    const first = new Moment(now + 2 * minute);
    vi.setSystemTime(now - 60 * minute);
    const second = new Moment(now - 57 * minute);

    const both = [first.earlier(second), second.earlier(first)];
    vi.advanceTimersByTime(2 * minute);

    expect(both.map(({ time, isPast }) => [time, isPast])).toEqual([
      [now - 57 * minute, true],
      [now - 57 * minute, true],
    ]);
  });
});
