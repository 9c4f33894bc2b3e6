import { beforeEach, expect, it, vi } from 'vitest';
import { Clock } from '../../src/store/clock.ts';

const now = Date.UTC(2026, 2, 16, 14, 20);
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now });
  return () => vi.useRealTimers();
});

/** Milliseconds that passed on the exporter's clock during a change. */
function passedDuring(change: () => void): number {
  const clock = new Clock();
  const before = clock.now;
  change();
  return clock.now - before;
}

it('counts the time that passes', () => {
  expect(passedDuring(() => vi.advanceTimersByTime(7 * minute))).toBe(7 * minute);
});

it('does not go back or slow down when the wall clock is set back', () => {
  const passed = passedDuring(() => {
    vi.setSystemTime(now - 60 * minute);
    vi.advanceTimersByTime(7 * minute);
  });

  expect(passed).toBe(7 * minute);
});

it.each([
  [60 * minute, 67 * minute],
  [1000, 7 * minute + 1000],
  [999, 7 * minute],
])('includes a jump of the wall clock by %i ms, unless it is shorter than a second', (jump, expected) => {
  const passed = passedDuring(() => {
    vi.advanceTimersByTime(7 * minute);
    vi.setSystemTime(Date.now() + jump);
  });

  expect(passed).toBe(expected);
});

it('includes each of several jumps once', () => {
  const clock = new Clock();
  const before = clock.now;

  const passed = [5, 5, 30].map((minutes) => {
    vi.setSystemTime(now + minutes * minute);
    return (clock.now - before) / minute;
  });

  expect(passed).toEqual([5, 5, 30]);
});

it('converts its times to the present wall clock', () => {
  const clock = new Clock();
  const inFiveMinutes = clock.now + 5 * minute;
  const times = [clock.toWall(inFiveMinutes), clock.toWall(Number.POSITIVE_INFINITY)];

  vi.setSystemTime(now - 60 * minute);
  times.push(clock.toWall(inFiveMinutes));

  expect(times).toEqual([now + 5 * minute, Number.POSITIVE_INFINITY, now - 55 * minute]);
});

it('reports once that the wall clock was set back, and then includes later jumps', () => {
  const clock = new Clock();
  const before = clock.now;
  const reports = [clock.wasSetBack()];

  vi.setSystemTime(now - 60 * minute);
  reports.push(clock.wasSetBack(), clock.wasSetBack());
  vi.setSystemTime(now - 50 * minute);
  reports.push(clock.wasSetBack());

  expect(reports).toEqual([false, true, false, false]);
  expect(clock.now - before).toBe(10 * minute);
});
