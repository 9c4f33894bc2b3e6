import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WallClockTimer } from '../../../src/runtime/wall-clock-timer.ts';

const now = Date.UTC(2026, 2, 16, 14, 20);
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a wall-clock timer', () => {
  it('fires once, at its time', () => {
    const fired: number[] = [];
    new WallClockTimer(now + 90 * minute, () => fired.push(Date.now()));

    vi.advanceTimersByTime(90 * minute - 1);
    const before = [...fired];
    vi.advanceTimersByTime(90 * minute);

    expect(before).toEqual([]);
    expect(fired).toEqual([now + 90 * minute]);
  });

  it('fires asynchronously if its time has already passed', () => {
    let fired = 0;
    new WallClockTimer(now - minute, () => {
      fired += 1;
    });
    const before = fired;

    vi.advanceTimersByTime(1);

    expect([before, fired]).toEqual([0, 1]);
  });

  it('fires within half a minute after the clock jumps past its time', () => {
    let fired = 0;
    new WallClockTimer(now + 60 * minute, () => {
      fired += 1;
    });

    vi.setSystemTime(now + 120 * minute);
    vi.advanceTimersByTime(29_999);
    const early = fired;
    vi.advanceTimersByTime(1);

    expect([early, fired]).toEqual([0, 1]);
  });

  it('does not fire later because the clock is set back', () => {
    let fired = 0;
    new WallClockTimer(now + 10 * minute, () => {
      fired += 1;
    });

    vi.advanceTimersByTime(minute);
    vi.setSystemTime(now - 20 * minute);
    vi.advanceTimersByTime(9 * minute - 1);
    const before = fired;
    vi.advanceTimersByTime(1);

    expect([before, fired]).toEqual([0, 1]);
  });

  it('is pending until it fires', () => {
    const timer = new WallClockTimer(now + 10 * minute, () => {});
    expect(timer.time).toBe(now + 10 * minute);
    const states = [timer.isPending];
    vi.advanceTimersByTime(10 * minute - 1);
    states.push(timer.isPending);

    vi.advanceTimersByTime(1);

    expect([...states, timer.isPending]).toEqual([true, true, false]);
  });

  it('is not pending in its callback, which may start another one', () => {
    const states: boolean[] = [];
    const timer = new WallClockTimer(now + minute, () => states.push(timer.isPending));

    vi.advanceTimersByTime(minute);

    expect(states).toEqual([false]);
  });

  it('does not fire after stop', () => {
    let fired = 0;
    const timer = new WallClockTimer(now + 10 * minute, () => {
      fired += 1;
    });
    vi.advanceTimersByTime(5 * minute);

    timer.stop();
    vi.advanceTimersByTime(60 * minute);

    expect(fired).toBe(0);
    expect(timer.isPending).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
