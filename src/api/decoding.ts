import { isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { type Envelope, maxDepth, readEnvelope, tooDeep } from './envelope.ts';
import { describeIssue, type ReadPayload, readPayload } from './payload.ts';

/** The content of a response, after its result has been read with a schema. */
export type DecodedBody<T> =
  | Exclude<Envelope, { readonly kind: 'result' }>
  | (Omit<Extract<Envelope, { readonly kind: 'result' }>, 'result'> & { readonly read: ReadPayload<T | undefined> });

/**
 * Decodes an uncompressed body, which takes up to a second for the largest bodies. Refuses a list or object with more than
 * `maxItems` entries before validation, because validating millions of entries would block the thread for a minute.
 */
export function decodeBody<T>(bytes: Uint8Array, schema: z.ZodType<T>, maxItems: number): DecodedBody<T> {
  const envelope = readEnvelope(new TextDecoder().decode(bytes));
  if (envelope.kind !== 'result') return envelope;
  // TextDecoder replaces invalid bytes, which could make different names equal.
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
