import { describe, expect, it } from 'vitest';
import { createZone, printDate, printDateTime } from '../../../src/sandbox/time/zone.ts';

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

  it('detects the hour that daylight saving time skips', () => {
    const zone = createZone('Europe/Berlin');

    expect(zone.exists(Date.UTC(2026, 2, 29, 1, 30))).toBe(true);
    expect(zone.exists(Date.UTC(2026, 2, 29, 2, 30))).toBe(false);
    expect(zone.exists(Date.UTC(2026, 2, 29, 3, 30))).toBe(true);
  });

  it('uses the later offset for an ambiguous hour', () => {
    const zone = createZone('Europe/Berlin');

    expect(zone.toInstant(Date.UTC(2026, 9, 25, 2, 30))).toBe(Date.UTC(2026, 9, 25, 1, 30));
  });

  it('uses the later offset for a skipped hour', () => {
    const zone = createZone('Europe/Berlin');

    expect(zone.toInstant(Date.UTC(2026, 2, 29, 2, 30))).toBe(Date.UTC(2026, 2, 29, 0, 30));
  });

  it('throws for an unknown zone', () => {
    expect(() => createZone('Nowhere/Land')).toThrow(RangeError);
  });
});

describe('printDate', () => {
  it('omits the time', () => {
    expect(printDate(Date.UTC(2026, 2, 16, 23, 59))).toBe('2026-03-16');
  });
});
