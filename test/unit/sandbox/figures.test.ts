import { describe, expect, it } from 'vitest';
import { backupsAt } from '../../../src/sandbox/figures/backups.ts';
import { bytesAt, changeGrowth, startGrowth, valueAt } from '../../../src/sandbox/figures/growth.ts';
import { dayRows, hourRows, type LoadProfile, measuredDays, monthAverage } from '../../../src/sandbox/figures/load.ts';
import { hashText, noise } from '../../../src/sandbox/figures/noise.ts';
import { createTimeline } from '../../../src/sandbox/time/timeline.ts';
import { createZone, day, hour, printDateTime } from '../../../src/sandbox/time/zone.ts';

const utc = createZone('UTC');
const now = Date.UTC(2026, 2, 16, 14, 20);
const moment = { instant: now, simulated: now };
const busy: LoadProfile = { seed: 7, mean: 24, peakHour: 15, idleHours: 0, idleDays: 0 };

describe('noise', () => {
  it('is the same on every machine', () => {
    expect(hashText('пекарня')).toBe(3_113_007_687);
    expect(noise(1, 2)).toBe(0.054057230008766055);
    expect(noise(2, 1)).toBe(0.4929527856875211);
  });

  it('is distributed evenly over [0, 1)', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => noise(42, index));

    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    for (const share of [0.1, 0.5, 0.9]) {
      expect(values.filter((value) => value < share).length / values.length).toBeCloseTo(share, 1);
    }
  });
});

describe('growth', () => {
  it('is linear, and a change keeps earlier values', () => {
    const growth = changeGrowth(startGrowth(0, 100, 10), 5 * day, 1000, -100);

    expect([-1, 0, 2, 4.9].map((days) => valueAt(growth, days * day))).toEqual([90, 100, 120, 149]);
    expect([5, 6, 20].map((days) => valueAt(growth, days * day))).toEqual([1000, 900, -500]);
  });

  it('keeps sizes at a tenth of the initial value or more', () => {
    expect(bytesAt(startGrowth(0, 100, 50), -day)).toBe(50);
    expect(bytesAt(startGrowth(0, 100, 50), -10 * day)).toBe(10);
    expect(bytesAt(changeGrowth(startGrowth(0, 100), day, 3), 2 * day)).toBe(3);
  });
});

describe('timeline', () => {
  it('runs at the speed factor after its start', () => {
    let clock = now;
    const timeline = createTimeline({ now: () => clock }, 60);
    clock += 1000;

    expect(timeline.now()).toEqual({ instant: now + 1000, simulated: now + 60_000 });
    expect(timeline.at(now - 1000)).toEqual({ instant: now - 1000, simulated: now - 1000 });
  });
});

describe('load', () => {
  it('has a row for each of the last 24 hours, the last one incomplete', () => {
    const rows = hourRows(busy, moment, utc);
    const [later] = hourRows(busy, { instant: now + 20 * 60_000, simulated: now + 20 * 60_000 }, utc).slice(-1);

    expect(rows).toHaveLength(24);
    expect(rows.map((row) => printDateTime(row.wall)).at(0)).toBe('2026-03-15 15:00:00');
    expect(rows.map((row) => printDateTime(row.wall)).at(-1)).toBe('2026-03-16 14:00:00');
    expect(later?.value).toBeCloseTo((rows.at(-1)?.value ?? 0) * 2, 6);
  });

  it('is higher during the day than at night', () => {
    const rows = hourRows(busy, { instant: now + 9 * hour, simulated: now + 9 * hour }, utc);
    const at = (time: number) => rows.find((row) => row.wall === Date.UTC(2026, 2, 16, time))?.value ?? 0;

    expect(at(15)).toBeGreaterThan(2 * at(6));
    expect(at(14)).toBeGreaterThan(2 * at(3));
  });

  it('sums the hours of a day', () => {
    const endOfDay = { instant: now + 9.6 * hour, simulated: now + 9.6 * hour };

    const hours = hourRows(busy, endOfDay, utc).reduce((sum, row) => sum + row.value, 0);
    const [today] = dayRows(busy, endOfDay, utc).slice(-1);

    expect(today?.value).toBeCloseTo(hours, 9);
  });

  it('is the mean of 30 days for a month', () => {
    const midnight = Date.UTC(2026, 2, 17);
    const justBefore = { instant: midnight - 1, simulated: midnight - 1 };

    const days = dayRows(busy, justBefore, utc);
    const sum = days.reduce((total, row) => total + row.value, 0);

    expect(days).toHaveLength(30);
    expect(monthAverage(busy, { instant: midnight, simulated: midnight }, utc)).toBeCloseTo(sum / 30, 5);
    expect(sum / 30).toBeCloseTo(24, -1);
  });

  it('omits rows without load except the newest one', () => {
    const idle = { ...busy, idleHours: 0.5, idleDays: 0.5 };

    const hours = hourRows(idle, moment, utc);
    const days = dayRows(idle, moment, utc);

    expect(hours.length).toBeLessThan(24);
    expect(days.length).toBeLessThan(30);
    expect(printDateTime(hours.at(-1)?.wall ?? 0)).toBe('2026-03-16 14:00:00');
    expect(printDateTime(days.at(-1)?.wall ?? 0)).toBe('2026-03-16 00:00:00');
    expect(measuredDays(idle, moment, utc).length).toBe(days.length);
  });

  it('has no rows before its site or database was created', () => {
    const young = { ...busy, since: now - 3 * hour };

    expect(hourRows(young, moment, utc).map((row) => printDateTime(row.wall))).toEqual([
      '2026-03-16 11:00:00',
      '2026-03-16 12:00:00',
      '2026-03-16 13:00:00',
      '2026-03-16 14:00:00',
    ]);
    expect(dayRows(young, moment, utc)).toHaveLength(1);
  });

  it('follows simulated time under unchanged dates', () => {
    const later = { instant: now, simulated: now + 5 * hour };

    const rows = hourRows(busy, moment, utc);
    const simulatedRows = hourRows(busy, later, utc);

    expect(simulatedRows.map((row) => row.wall)).toEqual(rows.map((row) => row.wall));
    expect(simulatedRows[0]?.value).toBe(rows[5]?.value);
  });

  it('has no row for the hour that daylight saving time skips', () => {
    const berlin = createZone('Europe/Berlin');
    const noon = Date.UTC(2026, 2, 29, 10);

    const dates = hourRows(busy, { instant: noon, simulated: noon }, berlin).map((row) => printDateTime(row.wall));

    expect(dates).toHaveLength(23);
    expect(dates).toContain('2026-03-29 01:00:00');
    expect(dates).not.toContain('2026-03-29 02:00:00');
  });
});

describe('backups', () => {
  it('are made at night, newest first, with older ones thinned out', () => {
    const dates = backupsAt('files', 'shop', now, utc).map((backup) => printDateTime(backup.instant).slice(0, 13));

    expect(dates.length).toBeGreaterThan(11);
    expect(dates.length).toBeLessThan(16);
    expect(dates.toSorted().toReversed()).toEqual(dates);
    expect(dates.every((date) => /0[12]$/.test(date))).toBe(true);
  });

  it('include the current night once its backup is made', () => {
    const before = backupsAt('files', 'shop', Date.UTC(2026, 2, 16, 1), utc)[0];
    const after = backupsAt('files', 'shop', Date.UTC(2026, 2, 16, 3), utc)[0];

    expect(before?.instant).toBeLessThan(Date.UTC(2026, 2, 16));
    expect(after?.instant).toBeGreaterThan(Date.UTC(2026, 2, 16));
  });

  it('are made for databases some minutes before files, with distinct ids', () => {
    const files = backupsAt('files', 'shop', now, utc);
    const databases = backupsAt('databases', 'shop', now, utc);

    for (const [index, backup] of files.entries()) {
      const lead = backup.instant - (databases[index]?.instant ?? 0);
      expect(lead).toBeGreaterThanOrEqual(60_000);
      expect(lead).toBeLessThanOrEqual(660_000);
    }
    expect(new Set([...files, ...databases].map((backup) => backup.id)).size).toBe(files.length + databases.length);
  });
});
