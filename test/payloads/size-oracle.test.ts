import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../fixtures/properties.ts';
import { scalarsFor } from '../fixtures/scalars.ts';

type Format = 'auto' | 'comma' | 'dot';

const spaces = [' ', '\t', '\u00a0', '\u2009', '\u202f'];

/** Bytes of each unit in lower case, with decimal units. */
const bytesPerUnit: ReadonlyMap<string, bigint> = new Map([
  ...['', 'b', 'byte', 'bytes', 'б', 'байт', 'байта', 'байтов'].map((unit) => [unit, 1n] as const),
  ...['kmgtpe', 'кмгтпэ'].flatMap((letters, script) =>
    [...letters].flatMap((letter, index) => {
      const exponent = BigInt(index + 1);
      const [unit, binary] = script === 0 ? ['b', 'ib'] : ['б', 'иб'];
      return [[`${letter}${unit}`, 1000n ** exponent] as const, [`${letter}${binary}`, 1024n ** exponent] as const];
    }),
  ),
]);

/** A size as an exact fraction of bytes; undefined for a text that is not one size only. Reads one character after the other. */
function exactBytes(
  text: string,
  format: Format,
): { readonly numerator: bigint; readonly denominator: bigint } | undefined {
  const runs = [''];
  const separators: string[] = [];
  let unit = '';
  for (const character of text) {
    const isDigit = character >= '0' && character <= '9';
    if (isDigit && unit === '') runs[runs.length - 1] += character;
    else if (/\p{L}/u.test(character)) unit += character;
    else if (unit !== '') return undefined;
    else {
      separators.push(spaces.includes(character) ? ' ' : character);
      runs.push('');
    }
  }
  while (runs.at(-1) === '' && separators.at(-1) === ' ') {
    runs.pop();
    separators.pop();
  }
  const factor = bytesPerUnit.get(unit.toLowerCase());
  if (factor === undefined || runs.includes('')) return undefined;
  const decimalMarks = { auto: ['.', ','], comma: [','], dot: ['.'] }[format];
  const hasFraction = decimalMarks.includes(separators.at(-1) ?? '');
  const groupSeparators = hasFraction ? separators.slice(0, -1) : separators;
  const fraction = hasFraction ? (runs.pop() ?? '') : '';
  const [first = '', ...others] = runs;
  if (groupSeparators.length > 0) {
    const allowed = { auto: [' '], comma: [' ', '.'], dot: [' ', ','] }[format];
    const isOneKind = new Set(groupSeparators).size === 1 && allowed.includes(groupSeparators[0] ?? '');
    if (!isOneKind || first.startsWith('0') || first.length > 3 || others.some((run) => run.length !== 3))
      return undefined;
  } else if (format === 'auto' && separators[0] === ',' && fraction.length === 3) {
    // The comma may separate thousands.
    if (first.length <= 3 && !first.startsWith('0')) return undefined;
  }
  return { numerator: BigInt(runs.join('') + fraction) * factor, denominator: 10n ** BigInt(fraction.length) };
}

const run = fc.tuple(fc.constantFrom('', '', '', '0'), fc.integer({ min: 0, max: 4 }), fc.nat(9999)).map(
  ([zero, length, number]) =>
    `${zero}${String(number)
      .padStart(4, '7')
      .slice(4 - length)}`,
);
const separator = fc.constantFrom('.', ',', '.', ',', ...spaces);
const units = [...bytesPerUnit.keys(), 'MB', 'Гб', 'XB', 'bit'];
const sizes = fc
  .tuple(
    run,
    fc.array(fc.tuple(separator, run), { maxLength: 3 }),
    fc.constantFrom('', ...spaces),
    fc.constantFrom(...units),
  )
  .map(([first, more, space, unit]) => `${first}${more.flat().join('')}${space}${unit}`);

it.each<[Format]>([['auto'], ['comma'], ['dot']])(
  'reads any size with number_format %s as exact arithmetic does, or refuses it',
  (numberFormat) => {
    const { bytes } = scalarsFor({ sizeUnits: 'decimal', numberFormat, timeZone: 'UTC' });
    const numRuns = propertyRuns(34_000);
    let read = 0;
    fc.assert(
      fc.property(sizes, (text) => {
        const exact = exactBytes(text.trim(), numberFormat);
        const { data } = bytes.safeParse(text);

        if (exact === undefined || data === undefined) {
          expect([text, data]).toEqual([text, exact]);
          return;
        }
        read += 1;
        const expected = Number(exact.numerator) / Number(exact.denominator);
        expect(Math.abs(data - expected), text).toBeLessThanOrEqual(Math.max(0.5, expected * 1e-14));
      }),
      { numRuns },
    );
    expect(read).toBeGreaterThan(numRuns / 20);
  },
);
