import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleOf } from '../../src/polling/schedule.ts';

const minute = 60_000;
const hour = 60 * minute;
const noon = Date.parse('2026-06-03T12:00:00Z');

function cron(pattern: string, timeZone = 'UTC') {
  return { kind: 'cron', pattern, timeZone } as const;
}

describe('runs at an interval', () => {
  it('are evenly spaced, each run strictly after the previous run', () => {
    const seed = fc.string();
    const interval = fc.integer({ min: 1000, max: 7 * 24 * hour });
    const time = fc.integer({ min: 0, max: 4 * 10 ** 12 });

    fc.assert(
      fc.property(seed, interval, time, (text, every, now) => {
        const schedule = scheduleOf({ kind: 'every', interval: every }, text);

        const first = schedule(now).next;
        const second = schedule(first).next;

        expect(first).toBeGreaterThan(now);
        expect(first - now).toBeLessThanOrEqual(every);
        expect(second - first).toBe(every);
        expect(schedule(now).interval).toBe(every);
      }),
    );
  });

  it('are at the same times for the same seed, so that a restart does not move them', () => {
    const config = { kind: 'every', interval: 5 * minute } as const;

    const next = (seed: string, time: number) => scheduleOf(config, seed)(time).next;

    // The literal value keeps the times across versions.
    expect(next('shop account', noon)).toBe(1_780_488_104_428);
    expect(next('shop account', noon + 7 * minute)).toBe(next('shop account', noon) + 10 * minute);
    expect(next('blog account', noon)).not.toBe(next('shop account', noon));
  });

  it('of hundreds of accounts are spread over the interval', () => {
    const slots = new Array<number>(10).fill(0);
    for (let account = 0; account < 500; account += 1) {
      const next = scheduleOf({ kind: 'every', interval: 5 * minute }, `fleet-${account} account`)(noon).next;
      const slot = Math.min(9, Math.floor((next - noon - 1) / (30 * 1000)));
      slots[slot] = (slots[slot] ?? 0) + 1;
    }

    expect(Math.min(...slots)).toBeGreaterThan(25);
    expect(Math.max(...slots)).toBeLessThan(80);
  });
});

describe('runs by a cron pattern', () => {
  it('are within the minute after the pattern, at the same second each time', () => {
    const schedule = scheduleOf(cron('7 * * * *'), 'shop site_load');

    const first = schedule(noon).next;
    const second = schedule(first).next;

    // The literal value keeps the times across versions.
    expect(first - noon).toBe(7 * minute + 57_786);
    expect(second - first).toBe(hour);
  });

  it('of many schedules are spread over the whole minute', () => {
    const shifts = Array.from({ length: 100 }, (_, index) => {
      const schedule = scheduleOf(cron('7 * * * *'), `account${index} site_load`);
      return schedule(noon).next - noon - 7 * minute;
    });

    expect(Math.min(...shifts)).toBeLessThan(0.1 * minute);
    expect(Math.max(...shifts)).toBeGreaterThan(0.9 * minute);
    expect(Math.max(...shifts)).toBeLessThan(minute);
  });

  it('follow the time zone and its DST changes', () => {
    const schedule = scheduleOf(cron('0 6 * * *', 'Europe/Berlin'), 'shop account');
    const inUtc = scheduleOf(cron('0 6 * * *'), 'shop account');
    const shift = schedule(noon).next - Date.parse('2026-06-04T04:00:00Z');

    const winter = schedule(Date.parse('2026-12-01T12:00:00Z')).next;
    const change = schedule(Date.parse('2026-10-24T12:00:00Z')).interval;

    expect(shift).toBeGreaterThanOrEqual(0);
    expect(shift).toBeLessThan(minute);
    expect(winter).toBe(Date.parse('2026-12-02T05:00:00Z') + shift);
    expect(change).toBe(25 * hour);
    expect(inUtc(noon).next).toBe(Date.parse('2026-06-04T06:00:00Z') + shift);
  });

  it('of a cron pattern in seconds are spread over less than the interval', () => {
    const schedule = scheduleOf(cron('*/10 * * * * *'), 'shop account');

    const next = schedule(noon).next;

    expect(next - noon).toBeLessThanOrEqual(20_000);
    expect(schedule(noon).interval).toBe(10_000);
  });

  it("have an interval that spans a weekend without runs, so that Friday's results outlive it", () => {
    const schedule = scheduleOf(cron('0 9-17 * * 1-5'), 'shop account');
    const friday = Date.parse('2026-06-05T17:01:30Z');
    const sunday = Date.parse('2026-06-07T12:00:00Z');

    expect(schedule(Date.parse('2026-06-05T12:01:30Z')).interval).toBe(hour);
    expect(schedule(friday).interval).toBe(64 * hour);
    expect(schedule(sunday).interval).toBe(64 * hour);
  });

  it('have the interval from the newest run to the next one, at any time and in any order', () => {
    const schedule = scheduleOf(cron('0 9-17 * * 1-5'), 'shop account');
    const friday = Date.parse('2026-06-05T17:00:00Z');
    const monday = Date.parse('2026-06-08T09:00:00Z');
    const shift = schedule(Date.parse('2026-06-05T16:30:00Z')).next - friday;
    const at = (time: number) => schedule(time + shift).interval;

    const intervals = [friday - 1, friday, monday - 1, monday, monday + hour, friday, friday - hour].map(at);

    expect(shift).toBeGreaterThan(0);
    expect(intervals).toEqual([hour, 64 * hour, 64 * hour, hour, hour, 64 * hour, hour]);
  });

  it('end if the pattern has no further runs, and the newest run counts forever', () => {
    const schedule = scheduleOf(cron('0 0 12 1 1 * 2020'), 'shop account');

    expect(schedule(noon).next).toBe(Number.POSITIVE_INFINITY);
    expect(schedule(noon).interval).toBe(Number.POSITIVE_INFINITY);
  });
});
