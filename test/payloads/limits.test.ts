import { expect, it } from 'vitest';
import { scalarsFor } from '../fixtures/scalars.ts';

const scalars = scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });

it.each([
  null,
  undefined,
  0,
  -1,
  '0',
  '-1',
  '0 MB',
  '0,0 GB',
  '-5 MB',
  2_147_483_647,
  '2147483647',
  '2147483647 MB',
  '2 147 483 647,00 МБ',
  'unlimited',
  'Unlimited',
  'UNLIMITED',
  ' unlimited ',
  '∞',
])('reads %j as no limit', (limit) => {
  expect(scalars.megabytesLimit.parse(limit)).toBeUndefined();
});

it.each([
  [20_000, 20_000_000_000],
  ['20000', 20_000_000_000],
  ['20 GB', 20_000_000_000],
  ['0.5 GB', 500_000_000],
  ['0,5 GB', 500_000_000],
  ['0,25 ТБ', 250_000_000_000],
  ['2147483648', 2_147_483_648_000_000],
  ['2147483647.5 KB', 2_147_483_647_500],
])('reads the limit %j as %d bytes', (limit, bytes) => {
  expect(scalars.megabytesLimit.parse(limit)).toBe(bytes);
});

it('refuses ambiguous limits and counts, and reads them with a number format', () => {
  const formats = (['comma', 'dot'] as const).map((numberFormat) =>
    scalarsFor({ sizeUnits: 'decimal', numberFormat, timeZone: 'UTC' }),
  );

  expect(scalars.megabytesLimit.safeParse('1,024 MB').error?.issues[0]?.message).toContain('set number_format');
  expect(scalars.limit.safeParse('-1,024').error?.issues[0]?.message).toContain('set number_format');
  expect(scalars.count.safeParse('1,024').error?.issues[0]?.message).toContain('set number_format');
  expect(formats.map(({ limit }) => limit.parse('1,024'))).toEqual([1.024, 1024]);
  expect(formats.map(({ count }) => count.parse('1,024e1'))).toEqual([10.24, 10_240]);
  expect(formats[1]?.megabytesLimit.parse('2,147,483,647 MB')).toBeUndefined();
});

it.each([
  [25, 25],
  ['25', 25],
  ['0,5', 0.5],
  ['2147483646', 2_147_483_646],
])('reads the count limit %j as %d', (limit, value) => {
  expect(scalars.limit.parse(limit)).toBe(value);
});

it.each(['', 'no limit', '0 parsecs', '0x10', '0abc', '-', '-five MB', '5 parsecs', 'unlimited MB', true, [], {}])(
  'rejects %j',
  (limit) => {
    const read = scalars.megabytesLimit.safeParse(limit);

    expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('is not a limit')]);
  },
);
