import { isUtf8 } from 'node:buffer';
import type * as z from 'zod';
import { type Envelope, readEnvelope } from './envelope.ts';
import { type ReadPayload, readPayload } from './payload.ts';

/** What a response body holds, with its result read by a schema. */
export type DecodedBody<T> =
  | Exclude<Envelope, { readonly kind: 'result' }>
  | (Omit<Extract<Envelope, { readonly kind: 'result' }>, 'result'> & { readonly read: ReadPayload<T | undefined> });

/** Reads a body without its compression. Takes up to a second for the largest ones. */
export function decodeBody<T>(bytes: Uint8Array, schema: z.ZodType<T>, maxItems: number): DecodedBody<T> {
  const envelope = readEnvelope(new TextDecoder().decode(bytes));
  if (envelope.kind !== 'result') return envelope;
  // Different texts may look the same after decoding.
  if (!isUtf8(bytes)) return { kind: 'invalid', problem: 'the response is not UTF-8' };
  const { kind, dialect, result } = envelope;
  return { kind, dialect, read: readPayload(schema, result, maxItems) };
}
