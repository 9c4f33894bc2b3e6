import { hashText } from '../../sandbox/src/figures/noise.ts';

/** Some of the items, chosen at random. The same seed chooses the same items. No two items may have the same name. */
export function randomSample<T>(
  items: readonly T[],
  count: number,
  seed: string,
  nameOf: (item: T, index: number) => string = String,
): readonly T[] {
  return items
    .map((item, index) => ({ item, order: hashText(`${seed}/${nameOf(item, index)}`) }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ item }) => item);
}
