import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyText } from '../fixtures/properties.ts';
import { scalarsFor } from '../fixtures/scalars.ts';

const decimal = scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });
const binary = scalarsFor({ sizeUnits: 'binary', numberFormat: 'auto', timeZone: 'UTC' });

/** Every unit with its bytes, with decimal and with binary units. */
const units: readonly (readonly [string, number, number])[] = [
  ['B', 1, 1],
  ['byte', 1, 1],
  ['bytes', 1, 1],
  ['K', 1e3, 1024],
  ['KB', 1e3, 1024],
  ['M', 1e6, 1024 ** 2],
  ['MB', 1e6, 1024 ** 2],
  ['G', 1e9, 1024 ** 3],
  ['GB', 1e9, 1024 ** 3],
  ['T', 1e12, 1024 ** 4],
  ['TB', 1e12, 1024 ** 4],
  ['P', 1e15, 1024 ** 5],
  ['PB', 1e15, 1024 ** 5],
  ['KiB', 1024, 1024],
  ['MiB', 1024 ** 2, 1024 ** 2],
  ['GiB', 1024 ** 3, 1024 ** 3],
  ['TiB', 1024 ** 4, 1024 ** 4],
  ['PiB', 1024 ** 5, 1024 ** 5],
  ['Б', 1, 1],
  ['байт', 1, 1],
  ['КБ', 1e3, 1024],
  ['МБ', 1e6, 1024 ** 2],
  ['ГБ', 1e9, 1024 ** 3],
  ['ТБ', 1e12, 1024 ** 4],
];

it.each(units)('reads 3 %s as 3 × %d bytes, or 3 × %d with binary units', (unit, bytes, binaryBytes) => {
  expect(decimal.bytes.parse(`3 ${unit}`)).toBe(3 * bytes);
  expect(binary.bytes.parse(`3 ${unit}`)).toBe(3 * binaryBytes);
});

it('refuses a comma that could separate thousands, and says which setting decides', () => {
  expect(decimal.megabytes.safeParse('1,024 MB').error?.issues.map(({ message }) => message)).toEqual([
    '"1,024 MB" is ambiguous; set number_format to dot if the comma separates thousands, or to comma if it is the decimal mark',
  ]);
});

it('round-trips megabytes and bytes, as a number or a string', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), (number) => {
      expect(decimal.bytes.parse(number)).toBe(number);
      expect(decimal.bytes.parse(String(number))).toBe(number);
      expect(decimal.megabytes.parse(number)).toBe(number * 1_000_000);
      expect(decimal.megabytes.parse(String(number))).toBe(number * 1_000_000);
      expect(binary.megabytes.parse(String(number))).toBe(number * 1_048_576);
    }),
  );
});

it.each([
  ['12 345,67 МБ', 12_345_670_000],
  ['1 234 567.5 KB', 1_234_567_500],
  ['  44.5 MB ', 44_500_000],
  ['0 B', 0],
  ['0,4 B', 0],
  ['0.5 b', 1],
  ['2gb', 2_000_000_000],
  ['7  MB', 7_000_000],
  [44, 44_000_000],
  ['44.5', 44_500_000],
])('reads %j as %d bytes', (size, bytes) => {
  expect(decimal.megabytes.parse(size)).toBe(bytes);
});

it.each([
  '',
  ' ',
  'MB',
  '-1 MB',
  '+1 MB',
  '1.2.3 MB',
  '1,234,567 B',
  '1.234,5 B',
  '12 34 MB',
  '1234 567 B',
  '1e3 MB',
  '0x10 B',
  '.5 MB',
  '5. MB',
  '5 parsecs',
  '5 MB/s',
  '5 MB 3',
  '١ MB',
  'Infinity B',
  'NaN',
  'constructor',
  '1 constructor',
  '1 __proto__',
  `${'9'.repeat(400)} B`,
])('rejects the text %j', (size) => {
  const read = decimal.bytes.safeParse(size);

  expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('is not a size')]);
});

it.each([-1, -0.5, 1e308, null, true, ['1 MB'], { size: 1 }])('rejects %j', (size) => {
  const read = decimal.megabytes.safeParse(size);

  expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('is not a size')]);
});

it('accepts or rejects any text, and returns only whole bytes', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const read = decimal.bytes.safeParse(text);

      expect(read.success ? Number.isInteger(read.data) && read.data >= 0 : true).toBe(true);
    }),
  );
});
