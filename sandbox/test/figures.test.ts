import { describe, expect, it } from 'vitest';
import { backupsAt } from '../src/figures/backups.ts';
import { changeGrowth, startGrowth, valueAt } from '../src/figures/growth.ts';
import { dayRows, hourRows, type LoadProfile, measuredDays } from '../src/figures/load.ts';
import { createZone, day, hour, printDateTime } from '../src/time/zone.ts';

const utc = createZone('UTC');
const now = Date.UTC(2026, 2, 16, 14, 20);
const moment = { instant: now, simulated: now };
const busy: LoadProfile = { seed: 7, mean: 24, peakHour: 15, idleHours: 0, idleDays: 0 };

it('growth is linear, and a change keeps earlier values', () => {
  const growth = changeGrowth(startGrowth(0, 100, 10), 5 * day, 1000, -100);

  expect([-1, 0, 2, 4.9].map((days) => valueAt(growth, days * day))).toEqual([90, 100, 120, 149]);
  expect([5, 6, 20].map((days) => valueAt(growth, days * day))).toEqual([1000, 900, -500]);
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

    const hours = hourRows(young, moment, utc).map((row) => printDateTime(row.wall).slice(0, 13));
    expect(hours).toEqual(['2026-03-16 11', '2026-03-16 12', '2026-03-16 13', '2026-03-16 14']);
    expect(dayRows(young, moment, utc)).toHaveLength(1);
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

describe('createZone', () => {
  it.each([
    ['UTC', '2026-03-16 14:20:05'],
    ['Europe/Moscow', '2026-03-16 17:20:05'],
    ['America/St_Johns', '2026-03-16 11:50:05'],
    ['Asia/Kolkata', '2026-03-16 19:50:05'],
  ])('converts to and from the time of %s', (name, printed) => {
    const instant = Date.UTC(2026, 2, 16, 14, 20, 5);

    const zone = createZone(name);

    expect(printDateTime(zone.toWall(instant))).toBe(printed);
    expect(zone.toInstant(zone.toWall(instant))).toBe(instant);
  });

  it('uses the later offset for an ambiguous and for a skipped hour', () => {
    const zone = createZone('Europe/Berlin');

    expect(zone.toInstant(Date.UTC(2026, 9, 25, 2, 30))).toBe(Date.UTC(2026, 9, 25, 1, 30));
    expect(zone.toInstant(Date.UTC(2026, 2, 29, 2, 30))).toBe(Date.UTC(2026, 2, 29, 0, 30));
  });
});
