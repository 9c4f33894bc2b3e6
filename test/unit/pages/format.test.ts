import { describe, expect, it } from 'vitest';
import { formats } from '../../../src/pages/format.ts';

const { en, ru } = formats;
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
    [172_800_000, '2 d', '2 дн.'],
  ])('of %d ms are %s', (milliseconds, english, russian) => {
    expect([en, ru].map((format) => plain(format.duration(milliseconds)))).toEqual([english, russian]);
  });

  it.each([
    [0, '<1 d', '<1 дн.'],
    [1, '1 d', '1 дн.'],
    [30, '30 d', '30 дн.'],
  ])('of %d whole days are %s', (count, english, russian) => {
    expect([en, ru].map((format) => plain(format.days(count)))).toEqual([english, russian]);
  });

  it.each([
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

  it('show exact times in UTC', () => {
    const time = Date.parse('2026-06-03T21:05:07Z');

    expect([en.time(time), en.minute(time), en.date(time)]).toEqual([
      '3 Jun 2026, 21:05:07 UTC',
      '3 Jun 2026, 21:05 UTC',
      '3 Jun 2026',
    ]);
  });
});
