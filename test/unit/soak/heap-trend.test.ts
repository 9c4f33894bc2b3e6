import { expect, test } from 'vitest';
import { bytesPerCall } from '../../soak/heap-trend.ts';

/** Readings every 1000 calls. */
function readings(...heap: readonly number[]) {
  return heap.map((heapUsed, index) => ({ calls: 1000 * index, heapUsed }));
}

test('is the slope between the minima of the first and the last third', () => {
  expect(bytesPerCall(readings(1e6, 1e6, 9e6, 9e6, 1.4e6, 9e6))).toBe(100);
  expect(bytesPerCall(readings(2e6, 1e6, 9e6, 0, 9e6, 1.4e6))).toBe(100);
});

test('ignores high readings', () => {
  const flat = readings(5e6, 20e6, 5e6, 30e6, 5e6, 5e6, 25e6, 5e6, 40e6);

  expect(bytesPerCall(flat)).toBe(0);
});

test('needs two readings per third', () => {
  expect(() => bytesPerCall(readings(1, 2, 3, 4, 5))).toThrow('at least six readings');
});
