import type { Steps } from '../in-turns.ts';

/** Items to sort in one step. */
const batch = 2000;

/** The first `count` items in an order. Sorts in steps, whose work is the number of items. */
export function* firstInOrder<T>(
  items: Iterable<T>,
  count: number,
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  const kept: T[] = [];
  for (const item of items) {
    kept.push(item);
    if (kept.length < count + batch) continue;
    kept.sort(compare).splice(count);
    yield batch;
  }
  return kept.sort(compare).slice(0, count);
}
