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
  const clock = new ProviderClock();

  expect([clock.now, clock.skew]).toEqual([Date.now(), undefined]);
});

it('runs on between responses', () => {
  const clock = clockAfter(-20 * minute);

  vi.advanceTimersByTime(3 * minute);

  expect(clock.now).toBe(Date.now() - 20 * minute);
  expect(clock.skew).toBe(-20 * minute);
});

it('does not follow a minority of dates, such as those of a cached response or of one server with a wrong clock', () => {
  expect(clockAfter(0, 0, -300 * minute, 0, 90 * minute).skew).toBe(0);
});

it('follows the provider when its clock is set', () => {
  const before = Array.from({ length: 20 }, () => 0);
  const after = Array.from({ length: 5 }, () => 10 * minute);

  expect(clockAfter(...before, ...after).skew).toBe(10 * minute);
});

it('prefers the earlier one of two dates, so that no hour ends too early', () => {
  expect(clockAfter(5000, 9000).skew).toBe(5000);
});

it.each([-60 * minute, 60 * minute])('does not move when our clock is set by %i ms', (jump) => {
  const clock = clockAfter(0, 0, 0);
  const before = clock.now;

  vi.setSystemTime(Date.now() + jump);

  expect(clock.now).toBe(before);
  expect(clock.skew).toBe(-jump);
});

it('follows the first response after a suspend, during which the monotonic clock stands still', () => {
  const clock = clockAfter(0, 0, 0, 0, 0, 0, 0, 0, 0);

  vi.setSystemTime(Date.now() + 480 * minute);
  clock.observe(Date.now());

  expect(clock.skew).toBe(0);
});

it.each([
  [1000, -1000],
  [-1000, 1000],
  [1001, 0],
  [-1001, 0],
])(
  'keeps its dates only as long as our clock jumps by at most a second: after %i ms, deviates by %i ms',
  (jump, skew) => {
    const clock = clockAfter(0, 0, 0, 0, 0);

    vi.setSystemTime(Date.now() + jump);
    clock.observe(Date.now());

    expect(clock.skew).toBe(skew);
  },
);

it.each([
  [day, day],
  [-day, -day],
  [day + 1, 0],
  [-day - 1, 0],
])('follows dates that deviate by at most a day: with %i ms, by %i ms', (deviation, followed) => {
  const clock = clockAfter(deviation, deviation, deviation);

  expect(clock.now - Date.now()).toBe(followed);
});

it.each([
  '1969-12-31T23:59:59Z',
  '1999-01-01T00:00:00Z',
  '2026-06-05T12:00:00Z',
  '2200-01-01T00:00:00Z',
  '+200000-01-01T00:00:00Z',
])('uses our clock if responses are dated %s, and reports the deviation', (date) => {
  const deviation = Date.parse(date) - Date.now();

  const clock = clockAfter(deviation, deviation, deviation);

  expect([clock.now, clock.skew]).toEqual([Date.now(), deviation]);
});
