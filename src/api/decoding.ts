import { isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { type Envelope, maxDepth, readEnvelope, tooDeep } from './envelope.ts';
import { describeIssue, type ReadPayload, readPayload } from './payload.ts';

export type DecodedBody<T> =
  | Exclude<Envelope, { readonly kind: 'result' }>
  | (Omit<Extract<Envelope, { readonly kind: 'result' }>, 'result'> & { readonly read: ReadPayload<T | undefined> });

/** Decodes a body. First refuses lists and objects with more than `maxItems` entries, because validating millions takes a minute. */
export function decodeBody<T>(bytes: Uint8Array, schema: z.ZodType<T>, maxItems: number): DecodedBody<T> {
  const envelope = readEnvelope(new TextDecoder().decode(bytes));
  if (envelope.kind !== 'result') return envelope;
  // TextDecoder would replace invalid bytes, and different names could become equal.
  if (!isUtf8(bytes)) return { kind: 'invalid', problem: 'the response is not UTF-8' };
  const { kind, dialect, result } = envelope;
  const excess = findExcess(result, maxItems);
  if (excess === undefined) return { kind, dialect, read: readPayload(schema, result) };
  if (excess.length === undefined) return { kind: 'invalid', problem: tooDeep };
  const issue = describeIssue(excess.path, `has ${excess.length} entries, more than max_items (${maxItems})`);
  return { kind, dialect, read: { payload: undefined, issues: [issue], droppedElements: 0, duplicates: 0 } };
}

/** A list or object with too many entries, or nested too deeply. If it is nested too deeply, `length` is undefined. */
interface Excess {
  readonly path: readonly PropertyKey[];
  readonly length: number | undefined;
}

function findExcess(value: unknown, maxItems: number, levels = maxDepth): Excess | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return { path: [], length: undefined };
  // Check the length first, because visiting millions of elements takes long.
  const length = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (length > maxItems) return { path: [], length };
  const entries: Iterable<[PropertyKey, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) {
    const excess = findExcess(inner, maxItems, levels - 1);
    if (excess !== undefined) return { path: [key, ...excess.path], length: excess.length };
  }
  return undefined;
}

/** Elements to append to the payload's list under this key. If the key is undefined, the payload itself is the list. */
export interface ListSlice {
  readonly key: string | undefined;
  readonly elements: readonly unknown[];
}

/** Minimum number of values in each slice except the last. The main thread receives this number of values in about 1 ms. */
const sliceSize = 2000;

/** Empties the lists of a decoded body, and returns their elements in slices. */
export function takeSlices(body: DecodedBody<unknown>): readonly ListSlice[] {
  return [...listsOf(body)].flatMap(([key, list]) =>
    [...slicesOf(list.splice(0))].map((elements) => ({ key, elements })),
  );
}

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
