import { deserialize } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assemble, disassemble } from '../../../src/api/pieces.ts';

/** The number of values in a value, itself included. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

it('restores any value', async () => {
  const repeated = fc
    .tuple(fc.jsonValue(), fc.integer({ min: 0, max: 5000 }))
    .map(([value, times]) => Array(times).fill(value));
  const nested = fc.record({ list: repeated, lists: fc.array(repeated, { maxLength: 3 }), text: fc.string() });

  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), repeated, nested), async (value) => {
      expect(await assemble(disassemble(value))).toStrictEqual(structuredClone(value));
    }),
    { numRuns: 60 },
  );
});

it('keeps what JSON cannot represent', async () => {
  const values = [undefined, { a: undefined }, Number.NaN, Number.POSITIVE_INFINITY, -0];

  expect(await assemble(disassemble(values))).toStrictEqual(values);
});

it.each([
  ['a list', Array.from({ length: 100_000 }, (_, index) => ({ name: `n${index}`, size: index }))],
  ['lists in an object', { hours: Array(50_000).fill({ value: 1 }), days: Array(50_000).fill({ value: 1 }) }],
  ['a list in an element', [{ id: 1, domains: Array(100_000).fill('a') }, { id: 2 }]],
  ['lists in the elements of a list', Array.from({ length: 300 }, () => ({ domains: Array(300).fill({ fqdn: 'a' }) }))],
])('splits %s, so that no piece takes long', async (_what, value) => {
  const pieces = disassemble(value);

  const weights = pieces.map((piece) => countValues(deserialize(piece)));
  expect(Math.max(...weights)).toBeLessThan(5000);
  expect(await assemble(pieces)).toStrictEqual(value);
});

it('lets the event loop turn between pieces', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const pieces = disassemble(Array(100_000).fill({ name: 'a' }));

  await assemble(pieces);
  clearImmediate(timer);

  expect(pieces.length).toBeGreaterThan(50);
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
});
