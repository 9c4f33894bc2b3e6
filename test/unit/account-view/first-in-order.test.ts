import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstInOrder } from '../../../src/account-view/first-in-order.ts';
import { runToEnd } from '../../../src/in-turns.ts';

it('the first items in an order are those of a complete sort', () => {
  const list = fc
    .integer({ min: 0, max: 7000 })
    .chain((length) => fc.tuple(fc.constant(length), fc.integer({ min: 1, max: 7919 })));
  fc.assert(
    fc.property(list, fc.integer({ min: 0, max: 300 }), ([length, factor], count) => {
      const items = Array.from({ length }, (_, index) => (index * factor) % 5003);
      const compare = (a: number, b: number) => a - b;

      expect(runToEnd(firstInOrder(items, count, compare))).toEqual(items.toSorted(compare).slice(0, count));
    }),
    { numRuns: 30 },
  );
});
