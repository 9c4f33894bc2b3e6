import * as z from 'zod';
import type { Dialect } from './dialect.ts';
import type { Reason } from './error.ts';

/** What an envelope holds: a result, the API's refusal, or nothing that can be told. */
export type Opened =
  | { readonly kind: 'result'; readonly dialect: Dialect; readonly result: unknown }
  | { readonly kind: 'refusal'; readonly dialect: Dialect | undefined; readonly code: string; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string };

const refusal = z.object({
  error_code: z.union([z.string(), z.number()]).transform(String),
  /** Seen as an object, too: `{"type":"NOT_FOUND_ERROR","message":null}`. */
  error_text: z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' ? text : (JSON.stringify(text) ?? ''))),
});

const providerAnswer = z.union([
  z.object({ status: z.literal('success'), result: z.unknown() }),
  z.object({ status: z.literal('error'), errors: z.array(refusal).min(1) }),
  refusal,
]);

/** Levels of nesting that an answer may have: far more than any has, and few enough to be walked. */
const maxDepth = 64;

const envelope = z.union([
  z.object({ status: z.literal('success'), answer: providerAnswer }),
  z.object({ status: z.literal('success'), result: z.unknown() }),
  z.object({ status: z.literal('error') }).and(refusal),
]);

/** Opens the envelope of either dialect. HTTP status and Content-Type play no part: they carry no meaning in this API. */
export function openEnvelope(body: string): Opened {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { kind: 'unreadable', why: describeNoJson(body) };
  }
  if (isDeeperThan(json, maxDepth)) return { kind: 'unreadable', why: 'JSON, but nested too deeply' };
  const parsed = envelope.safeParse(json);
  if (!parsed.success) return { kind: 'unreadable', why: 'JSON, but not the envelope of this API' };
  const opened = parsed.data;
  if ('error_code' in opened) {
    return { kind: 'refusal', dialect: undefined, code: opened.error_code, text: opened.error_text };
  }
  if ('result' in opened) return { kind: 'result', dialect: 'specification', result: opened.result };
  const { answer } = opened;
  if ('result' in answer) return { kind: 'result', dialect: 'provider', result: answer.result };
  const errors = 'errors' in answer ? answer.errors : [answer];
  return {
    kind: 'refusal',
    dialect: 'provider',
    code: errors[0]?.error_code ?? '',
    text: errors.map((error) => error.error_text).join('; '),
  };
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function describeNoJson(body: string): string {
  const text = body.trim();
  if (text === '') return 'an empty body';
  if (/^<(?:!doctype|html)/i.test(text)) return 'an HTML page instead of JSON';
  if (/^[[{]/.test(text)) return 'JSON that breaks off or is malformed';
  return 'text that is not JSON';
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

/** The reason behind one of the API's codes; `api` for a code that nobody has documented. */
export function reasonOfCode(code: string): Reason {
  return reasonsByCode.get(code) ?? 'api';
}
