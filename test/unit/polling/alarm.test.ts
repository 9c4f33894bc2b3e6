import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Alarm } from '../../../src/polling/alarm.ts';

const now = Date.UTC(2026, 2, 16, 14, 20);
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('An alarm', () => {
  it('rings once, at its moment', () => {
    const rung: number[] = [];
    new Alarm(now + 90 * minute, () => rung.push(Date.now()));

    vi.advanceTimersByTime(90 * minute - 1);
    const before = [...rung];
    vi.advanceTimersByTime(90 * minute);

    expect(before).toEqual([]);
    expect(rung).toEqual([now + 90 * minute]);
  });

  it('rings soon, and not before it has been made, where its moment has passed', () => {
    let rung = 0;
    new Alarm(now - minute, () => {
      rung += 1;
    });
    const before = rung;

    vi.advanceTimersByTime(1);

    expect([before, rung]).toEqual([0, 1]);
  });

  it('rings within half a minute where the clock jumped over its moment', () => {
    let rung = 0;
    new Alarm(now + 60 * minute, () => {
      rung += 1;
    });

    vi.setSystemTime(now + 120 * minute);
    vi.advanceTimersByTime(30_000);

    expect(rung).toBe(1);
  });

  it('does not wait until the clock has caught up where that was set back', () => {
    let rung = 0;
    new Alarm(now + 10 * minute, () => {
      rung += 1;
    });

    vi.advanceTimersByTime(minute);
    vi.setSystemTime(now - 20 * minute);
    vi.advanceTimersByTime(9 * minute - 1);
    const before = rung;
    vi.advanceTimersByTime(1);

    expect([before, rung]).toEqual([0, 1]);
  });

  it('that was stopped never rings', () => {
    let rung = 0;
    const alarm = new Alarm(now + 10 * minute, () => {
      rung += 1;
    });
    vi.advanceTimersByTime(5 * minute);

    alarm.stop();
    vi.advanceTimersByTime(60 * minute);

    expect(rung).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
