import type { DecodedBody } from './decoding.ts';

/** Elements to append to the payload's list under this key. If the key is undefined, the payload itself is the list. */
export interface ListSlice {
  readonly key: string | undefined;
  readonly elements: readonly unknown[];
}

/** Number of values in a slice. The main thread receives such a slice in about 1 ms. Elements are not divided. */
const sliceSize = 2000;

/** Empties the lists of a decoded body, and returns their elements in slices. */
export function takeSlices(body: DecodedBody<unknown>): readonly ListSlice[] {
  return [...listsOf(body)].flatMap(([key, list]) =>
    [...slicesOf(list.splice(0))].map((elements) => ({ key, elements })),
  );
}

/** Adds the elements of a slice to a body that `takeSlices` has emptied. */
export function addSlice(body: DecodedBody<unknown>, { key, elements }: ListSlice): void {
  const list = listsOf(body).get(key) ?? [];
  for (const element of elements) list.push(element);
}

/** The lists of a payload by key. If the payload itself is a list, its key is undefined. */
function listsOf(body: DecodedBody<unknown>): ReadonlyMap<string | undefined, unknown[]> {
  const payload = body.kind === 'result' ? body.read.payload : undefined;
  if (Array.isArray(payload)) return new Map([[undefined, payload]]);
  const entries = typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];
  return new Map(entries.filter(([, value]) => Array.isArray(value)));
}

function* slicesOf(list: readonly unknown[]): Generator<readonly unknown[]> {
  let start = 0;
  let size = 0;
  for (const [index, element] of list.entries()) {
    size += sizeOf(element);
    if (size < sliceSize && index < list.length - 1) continue;
    yield list.slice(start, index + 1);
    start = index + 1;
    size = 0;
  }
}

/** Approximate number of values in an element and its lists. */
function sizeOf(element: unknown): number {
  const values = typeof element === 'object' && element !== null ? Object.values(element) : [];
  return values.reduce<number>((size, value) => size + (Array.isArray(value) ? value.length : 1), 1);
}
