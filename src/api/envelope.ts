import * as z from 'zod';
import type { Dialect } from './dialect.ts';
import type { Reason } from './error.ts';

export type Envelope =
  | { readonly kind: 'result'; readonly dialect: Dialect; readonly result: unknown }
  | { readonly kind: 'error'; readonly dialect: Dialect | undefined; readonly code: string; readonly text: string }
  /** `isForeign`: the body is readable, but is not an answer of this API. */
  | { readonly kind: 'invalid'; readonly problem: string; readonly isForeign?: true };

const apiError = z.object({
  error_code: z.union([z.string(), z.number()]).transform(String),
  /** The provider also sends objects instead of texts: `{"type":"NOT_FOUND_ERROR","message":null}`. */
  error_text: z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' ? text : (JSON.stringify(text) ?? ''))),
});

const listedError = z.union([
  apiError.extend({ error_code: apiError.shape.error_code.nullish().transform((code) => code ?? '') }),
  z.string().transform((text) => ({ error_code: '', error_text: text })),
]);

const providerAnswer = z.union([
  z.object({ status: z.literal('success'), result: z.unknown() }),
  z.object({ status: z.literal('error'), errors: z.array(listedError).min(1) }),
  apiError,
]);

const envelope = z.union([
  z.object({ status: z.literal('success'), answer: providerAnswer }),
  z.object({ status: z.literal('success'), result: z.unknown() }),
  z.object({ status: z.literal('error') }).and(apiError),
]);

/** Maximum number of characters of an error text. This is more than redaction reads, even with the longest secret. */
const maxTextLength = 4 * 1024 * 1024;

/** Maximum levels of nesting in a result. Recursive functions would overflow the stack at much deeper levels. */
export const maxDepth = 64;

export const tooDeep = `the response is JSON nested deeper than ${maxDepth} levels`;

/** Reads the envelope of either dialect. Ignores HTTP status and Content-Type, because this API does not report errors in them. */
export function readEnvelope(body: string): Envelope {
  let parsed: z.ZodSafeParseResult<z.infer<typeof envelope>>;
  try {
    parsed = envelope.safeParse(JSON.parse(body));
  } catch (error) {
    // An error text with thousands of levels overflows the stack of JSON.stringify.
    return error instanceof RangeError ? { kind: 'invalid', problem: tooDeep } : describeNonJson(body);
  }
  if (!parsed.success) return foreign('JSON without the envelope of this API');
  const isNested = 'answer' in parsed.data;
  const answer = 'answer' in parsed.data ? parsed.data.answer : parsed.data;
  if ('result' in answer) {
    return { kind: 'result', dialect: isNested ? 'provider' : 'specification', result: answer.result };
  }
  const errors = 'errors' in answer ? answer.errors : [answer];
  const texts = errors.map((error) => error.error_text);
  return {
    kind: 'error',
    dialect: isNested ? 'provider' : undefined,
    code: errors.find(({ error_code }) => error_code !== '')?.error_code ?? '',
    text: texts.join('; ').slice(0, maxTextLength),
  };
}

function describeNonJson(body: string): Envelope {
  const text = body.trim();
  if (text === '') return { kind: 'invalid', problem: 'the response body is empty' };
  if (/^<(?:!doctype|html)/i.test(text)) return foreign('an HTML page instead of JSON');
  if (/^[[{]/.test(text)) return { kind: 'invalid', problem: 'the response is truncated or malformed JSON' };
  return foreign('text instead of JSON');
}

function foreign(what: string): Envelope {
  return { kind: 'invalid', problem: `the response is ${what}; check base_url`, isForeign: true };
}

const reasonsByCode: ReadonlyMap<string, Reason> = new Map([
  ['AUTH_ERROR', 'auth'],
  ['PERMISSION_DENIED', 'permission'],
  ['LIMIT_ERROR', 'limit'],
  ['INCORRECT_REQUEST', 'request'],
  ['NO_SUCH_METHOD', 'request'],
  ['INVALID_DATA', 'request'],
  ['METHOD_ERROR', 'method'],
  ['METHOD_FAILED', 'method'],
]);

export function reasonOfCode(code: string): Reason {
  return reasonsByCode.get(code) ?? 'api';
}
