import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../fixtures/properties.ts';
import { scalarsFor } from '../fixtures/scalars.ts';

function datesIn(timeZone: string) {
  return scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone });
}

const hour = 3_600_000;

describe('dates', () => {
  it.each([
    ['UTC', '2026-03-01 12:30:05', '2026-03-01T12:30:05Z'],
    ['UTC', '2026-03-01', '2026-03-01T00:00:00Z'],
    ['Europe/Moscow', '2026-03-01 12:30:05', '2026-03-01T09:30:05Z'],
    ['Europe/Moscow', '2026-03-01', '2026-02-28T21:00:00Z'],
    ['Asia/Kathmandu', '2026-03-01', '2026-02-28T18:15:00Z'],
    ['America/New_York', '2024-02-29', '2024-02-29T05:00:00Z'],
  ])('in %s reads %s as %s', (zone, date, instant) => {
    expect(datesIn(zone).date.parse(date)).toBe(Date.parse(instant));
  });

  it.each([
    ['a gap', 'Europe/Berlin', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
    ['a gap', 'America/New_York', '2026-03-08 02:00:00', '2026-03-08T07:00:00Z'],
    ['a gap at midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    ['an overlap', 'Europe/Berlin', '2026-10-25 02:30:00', '2026-10-25T01:30:00Z'],
    ['an overlap', 'America/New_York', '2026-11-01 01:00:00', '2026-11-01T06:00:00Z'],
  ])('resolves %s in %s to the later offset: %s is %s', (_what, zone, date, instant) => {
    expect(datesIn(zone).date.parse(date)).toBe(Date.parse(instant));
  });

  it.each([null, undefined, 0, '0', '', '0000-00-00', '0000-00-00 00:00:00'])('reads %j as no date', (date) => {
    expect(datesIn('UTC').date.parse(date)).toBeUndefined();
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '2026-01-01 24:00:00',
    '2026-01-01 12:60:00',
    '2026-1-1',
    '01.02.2026',
    '2026-01-01T00:00:00Z',
    '2026-01-01 00:00',
    '2026-01-01[Europe/Berlin]',
    '+002026-01-01',
    'the day after tomorrow',
    1_767_225_600,
    -1,
    true,
    [],
    {},
  ])('rejects %j', (date) => {
    expect(datesIn('UTC').date.safeParse(date).error?.issues[0]?.message).toContain('is not a date');
  });

  it('round-trips every second of UTC', () => {
    const seconds = fc.integer({ min: Date.parse('1970-01-01') / 1000, max: Date.parse('2200-01-01') / 1000 });

    fc.assert(
      fc.property(seconds, (second) => {
        const text = new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ');

        expect(datesIn('UTC').date.parse(text)).toBe(second === 0 ? 0 : second * 1000);
      }),
    );
  });

  it('accepts or rejects any text without throwing', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(() => datesIn('Europe/Berlin').date.safeParse(text)).not.toThrow();
      }),
    );
  });
});

describe('hours and days', () => {
  it('ends an hour 3600 seconds after its start', () => {
    const start = Date.parse('2026-03-01T09:00:00Z');

    expect(datesIn('Europe/Moscow').hour.parse('2026-03-01 12:00:00')).toEqual({ start, end: start + hour });
  });

  it.each([
    ['24 hours', 'UTC', '2026-03-29', '2026-03-29T00:00:00Z', 24],
    ['23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['23 hours, its midnight missing', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['24.5 hours', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
  ])('reads a day of %s: %s, %s', (_what, zone, date, began, hours) => {
    const start = Date.parse(began);

    expect(datesIn(zone).day.parse(date)).toEqual({ start, end: start + hours * hour });
  });

  it.each(['', '2026-02-30', '2026-03-01 00:00:00', null, 0, {}])('rejects %j as a day', (day) => {
    expect(datesIn('UTC').day.safeParse(day).error?.issues[0]?.message).toContain('is not a day');
  });

  it.each(['', 'noon', '0000-00-00 00:00:00', null, 0])('rejects %j as an hour', (value) => {
    expect(datesIn('UTC').hour.safeParse(value).success).toBe(false);
  });
});
