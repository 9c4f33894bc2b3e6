import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProviderClock } from '../../../src/api/provider-clock.ts';

const minute = 60_000;
const day = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z'), toFake: ['Date', 'performance', 'setTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A clock after responses whose dates deviate from our clock by these milliseconds. */
function clockAfter(...deviations: readonly number[]): ProviderClock {
  const clock = new ProviderClock();
  for (const deviation of deviations) {
    vi.advanceTimersByTime(1000);
    clock.observe(Date.now() + deviation);
  }
  return clock;
}

it('is our clock as long as no response has a date', () => {
  const clock = clockAfter(Number.NaN);

  expect([clock.now, clock.skew]).toEqual([Date.now(), undefined]);
});

it('follows the newest date, and runs on between responses', () => {
  const clock = clockAfter(0, -20 * minute, Number.NaN);

  vi.advanceTimersByTime(3 * minute);

  expect([clock.now, clock.skew]).toEqual([Date.now() - 20 * minute, -20 * minute]);
});

it.each([-60 * minute, 60 * minute])('does not move when our clock is set by %i ms', (jump) => {
  const clock = clockAfter(0);
  const before = clock.now;

  vi.setSystemTime(Date.now() + jump);

  expect([clock.now, clock.skew]).toEqual([before, -jump]);
});

it.each([
  [day, day],
  [-day, -day],
  [day + 1, 0],
  [-day - 1, 0],
])('follows dates that deviate by at most a day: with %i ms, by %i ms', (deviation, followed) => {
  expect(clockAfter(deviation).now - Date.now()).toBe(followed);
});

it.each(['1969-12-31T23:59:59Z', '1999-01-01T00:00:00Z', '2026-06-05T12:00:00Z', '+200000-01-01T00:00:00Z'])(
  'uses our clock if responses are dated %s, and reports the deviation',
  (date) => {
    const deviation = Date.parse(date) - Date.now();

    const clock = clockAfter(deviation);

    expect([clock.now, clock.skew]).toEqual([Date.now(), deviation]);
  },
);
