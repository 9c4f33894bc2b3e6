import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/pages/format.ts';

const en = formatOf('en', 'UTC');
const ru = formatOf('ru', 'UTC');
const gap = '\u00a0';
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('figures', () => {
  it.each([
    [0, '0 B', '0 Б'],
    [1.5, '2 B', '2 Б'],
    [999, '999 B', '999 Б'],
    [10_460, '10 kB', '10 КБ'],
    [1500, '1.5 kB', '1,5 КБ'],
    [20_000_000_000, '20 GB', '20 ГБ'],
    [2_147_483_647, '2.1 GB', '2,1 ГБ'],
    [-1_000_000, '-1 MB', '-1 МБ'],
    [999.4, '999 B', '999 Б'],
    [999.5, '1 kB', '1 КБ'],
    [999_499, '999 kB', '999 КБ'],
    [999_999, '1 MB', '1 МБ'],
    [-999_999, '-1 MB', '-1 МБ'],
    [9_960_000, '10 MB', '10 МБ'],
    [999_999_999_999, '1 TB', '1 ТБ'],
    [999_900_000_000_000_000, '1,000 PB', '1 000 ПБ'],
    [1e18, '1,000 PB', '1 000 ПБ'],
  ])('of %d bytes are %s', (bytes, english, russian) => {
    expect([en, ru].map((format) => plain(format.bytes(bytes)))).toEqual([english, russian]);
  });

  it.each([
    [0.0421, '4.2%', '4,2 %'],
    [0.856, '86%', '86 %'],
    [1.2, '120%', '120 %'],
  ])('of the share %d are %s', (ratio, english, russian) => {
    expect([en, ru].map((format) => plain(format.percent(ratio)))).toEqual([english, russian]);
  });

  it.each([
    [0, '<1 min', '<1 мин'],
    [59_999, '<1 min', '<1 мин'],
    [60_000, '1 min', '1 мин'],
    [7_199_000, '120 min', '120 мин'],
    [7_200_000, '2 h', '2 ч'],
    [172_800_000, '2 days', '2 дня'],
    [5.4 * 86_400_000, '5 days', '5 дней'],
    [21 * 86_400_000, '21 days', '21 день'],
  ])('of %d ms are %s', (milliseconds, english, russian) => {
    expect([en, ru].map((format) => plain(format.duration(milliseconds)))).toEqual([english, russian]);
  });

  it.each([
    [-2, '2 days ago', 'позавчера'],
    [-1, 'yesterday', 'вчера'],
    [0, 'today', 'сегодня'],
    [1, 'tomorrow', 'завтра'],
    [5, 'in 5 days', 'через 5 дней'],
  ])('of a time in %d days are %s', (days, english, russian) => {
    expect([en, ru].map((format) => format.relativeDay(days))).toEqual([english, russian]);
  });

  it.each([
    [0, '0 ms', '0 мс'],
    [0.0042, '4.2 ms', '4,2 мс'],
    [0.042, '42 ms', '42 мс'],
    [0.256, '0.26 s', '0,26 с'],
    [1, '1 s', '1 с'],
    [1.26, '1.3 s', '1,3 с'],
    [10.26, '10 s', '10 с'],
  ])('of %d seconds are %s', (seconds, english, russian) => {
    expect([en, ru].map((format) => plain(format.seconds(seconds)))).toEqual([english, russian]);
  });

  it('do not break between number and unit', () => {
    expect(en.bytes(1500)).toBe(`1.5${gap}kB`);
  });

  it.each([
    ['UTC', '3 Jun 2026, 21:05:07 UTC', '3 Jun 2026, 21:05 UTC', '3 Jun 2026'],
    ['Europe/Moscow', '4 Jun 2026, 00:05:07 GMT+3', '4 Jun 2026, 00:05 GMT+3', '4 Jun 2026'],
    ['America/New_York', '3 Jun 2026, 17:05:07 GMT-4', '3 Jun 2026, 17:05 GMT-4', '3 Jun 2026'],
  ])('show exact times in %s', (timeZone, time, minute, date) => {
    const format = formatOf('en', timeZone);
    const at = Date.parse('2026-06-03T21:05:07Z');

    expect([format.time(at), format.minute(at), format.date(at)]).toEqual([time, minute, date]);
  });

  it.each([
    // Midnight in Moscow is 21:00 UTC.
    ['Europe/Moscow', '2026-06-03T20:59:59Z', '2026-06-03T21:00:00Z', 1],
    ['Europe/Moscow', '2026-06-03T21:00:00Z', '2026-06-04T20:59:59Z', 0],
    ['UTC', '2026-06-03T20:59:59Z', '2026-06-03T21:00:00Z', 0],
    // The clocks of New York change in this night.
    ['America/New_York', '2026-03-08T03:00:00Z', '2026-03-09T04:00:00Z', 2],
    ['America/New_York', '2026-06-03T04:00:00Z', '2026-06-03T03:59:59Z', -1],
    ['UTC', '2026-06-03T12:00:00Z', '0001-01-01T00:00:00Z', -739_769],
    ['UTC', '2026-06-03T12:00:00Z', '+012026-06-03T00:00:00Z', 3_652_425],
  ])('count midnights in %s from %s to %s', (timeZone, now, time, days) => {
    expect(formatOf('en', timeZone).daysUntil(Date.parse(time), Date.parse(now))).toBe(days);
  });
});
