import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scheduler } from '../../../src/polling/scheduler.ts';

const hour = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 16, 14, 20) });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the scheduler', () => {
  it.each([-hour, hour])('stays alive when the wall clock changes by %i ms', (milliseconds) => {
    const scheduler = new Scheduler();
    vi.advanceTimersByTime(hour);

    vi.setSystemTime(Date.now() + milliseconds);

    expect(scheduler.alive).toBe(true);
  });

  it('is not alive a minute after its last heartbeat', () => {
    const scheduler = new Scheduler();
    scheduler.stop();

    vi.advanceTimersByTime(59_000);
    const early = scheduler.alive;
    vi.advanceTimersByTime(1000);

    expect([early, scheduler.alive]).toEqual([true, false]);
  });
});
