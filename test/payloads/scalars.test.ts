import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scalarsFor } from '../fixtures/scalars.ts';

const scalars = scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });

describe('numbers', () => {
  it.each([
    [12.82, 12.82],
    ['12.66', 12.66],
    ['-3,5', -3.5],
    ['20.920000076294', 20.920000076294],
    [' 18 ', 18],
    ['1e3', 1000],
    [0, 0],
  ])('reads %j as %d', (number, value) => {
    expect(scalars.number.parse(number)).toBe(value);
  });

  it.each(['', ' ', 'abc', '1 2', '1,2,3', '0x10', 'NaN', 'Infinity', '1e999', '5 GB', '1\n2', true, null, [], {}])(
    'rejects %j',
    (number) => {
      const read = scalars.number.safeParse(number);

      expect(read.error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('is not a number')]);
    },
  );

  it('round-trips every finite JSON number, as a number and as a string', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(scalars.number.parse(number)).toBe(number);
        expect(scalars.number.parse(JSON.stringify(number))).toBe(number === 0 ? 0 : number);
      }),
    );
  });

  it.each([-1, '-0.01'])('rejects the negative count %j', (number) => {
    expect(scalars.count.safeParse(number).error?.issues[0]?.message).toContain('is not a count');
  });
});

describe('flags', () => {
  it.each([true, 1, '1', false, 0, '0'])('reads %j', (flag) => {
    expect(scalars.flag.parse(flag)).toBe([true, 1, '1'].includes(flag));
  });

  it.each([2, -1, '', 'yes', 'perhaps', '01', null, [], {}])('rejects %j', (flag) => {
    expect(scalars.flag.safeParse(flag).error?.issues[0]?.message).toContain('is not a flag');
  });
});

describe('ids', () => {
  it.each([
    [299_163, '299163'],
    ['299163', '299163'],
    ['007', '007'],
  ])('reads %j as the label %j', (id, label) => {
    expect(scalars.id.parse(id)).toBe(label);
  });

  it('rejects a number that JSON has rounded, because it can equal another id, but keeps such a text', () => {
    expect(scalars.id.safeParse(JSON.parse('9007199254740993')).success).toBe(false);
    expect(scalars.id.parse(9_007_199_254_740_991)).toBe('9007199254740991');
    expect(scalars.id.parse('9007199254740993')).toBe('9007199254740993');
  });

  it.each(['', null, true, [], {}])('rejects %j', (id) => {
    expect(scalars.id.safeParse(id).error?.issues[0]?.message).toContain('is not an id');
  });
});

describe('names', () => {
  it.each(['пекарня.испытание', 'xn--80aaa0cbmg.example', 'a"b\\c\nd', '🏠'])('keeps %j unchanged', (name) => {
    expect(scalars.name.parse(name)).toBe(name);
  });

  it('replaces characters that UTF-8 cannot encode, so that duplicate labels are detected', () => {
    expect(scalars.name.parse('a\ud800')).toBe('a\ufffd');
    expect(scalars.id.parse('a\udfff')).toBe('a\ufffd');
  });

  it('rejects an empty name', () => {
    expect(scalars.name.safeParse('').error?.issues[0]?.message).toBe('is empty');
  });
});

describe('lists', () => {
  const numbers = scalars.list(z.number());

  it.each([[[]], [{}]])('reads %j as an empty list', (list) => {
    expect(numbers.parse(list)).toEqual([]);
  });

  it.each([[{ 0: 1 }], [''], ['1'], [1], [true], [undefined]])('rejects %j, which is not a list', (list) => {
    expect(numbers.safeParse(list).success).toBe(false);
  });
});

describe('error messages', () => {
  it('never quote part of a long text, which may be part of a secret', () => {
    const token = `eyJhbGciOi${'x'.repeat(300)}`;

    const message = scalars.bytes.safeParse(token).error?.issues[0]?.message ?? '';

    expect(message).toBe('a text of 310 characters is not a size');
  });

  it.each([
    [60, `"${'x'.repeat(60)}" is not a number`],
    [61, 'a text of 61 characters is not a number'],
  ])('quote texts of up to 60 characters: %i', (length, message) => {
    expect(scalars.number.safeParse('x'.repeat(length)).error?.issues[0]?.message).toBe(message);
  });

  it.each([
    [{ a: 1 }, 'an object'],
    [[1], 'a list'],
    [null, 'null'],
    [true, 'true'],
  ])('describe %j as %s', (value, description) => {
    expect(scalars.name.safeParse(value).error?.issues[0]?.message).toBe(`${description} is not a name`);
  });

  it('describe a value that is nested too deeply to print', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));

    const message = scalars.name.safeParse(deep).error?.issues[0]?.message ?? '';

    expect(message).toBe('a list is not a name');
  });
});
