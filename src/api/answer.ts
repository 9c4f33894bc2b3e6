import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { ApiError, type ApiErrorDetails, type Reason } from './error.ts';
import type { Dialect, Method } from './method.ts';
import { describeIssue } from './payload.ts';
import type { HttpResponse } from './transport.ts';

const apiError = z.object({
  status: z.unknown().optional(),
  error_code: z.union([z.string(), z.number()]).transform(String).nullish(),
  /** The provider may send an object instead of a text: `{"type":"NOT_FOUND_ERROR","message":null}`. */
  error_text: z
    .unknown()
    .optional()
    .transform((text) => (typeof text === 'string' ? text : text === null ? '' : JSON.stringify(text))),
});

const success = z.object({ status: z.literal('success'), result: z.unknown() });

const oneError = z.union([apiError, z.string().transform((error_text) => ({ error_code: null, error_text }))]);
const oneOrMore = z.union([z.array(oneError).min(1), oneError.transform((error) => [error])]);

/** The field `errors`, or a single error. It has an error code, or the status `error` and any other field. */
const failed = z.union([
  z.object({ status: z.literal('error'), errors: oneOrMore }),
  apiError
    .refine(({ status, ...error }) => error.error_code || (status === 'error' && Object.keys(error).length > 0))
    .transform((error) => ({ errors: [error] })),
]);

/** In the provider's dialect, the field `answer` of an outer envelope contains the envelope of the specification. */
const envelope = z.union([
  z.object({ status: z.literal('success'), answer: z.union([success, failed]) }),
  success,
  failed,
  z.object({ status: z.literal('error'), answer: z.union([failed, oneOrMore.transform((errors) => ({ errors }))]) }),
]);

/** Matches the known error texts for a missing permission. Error texts for a wrong password do not mention a method. */
export const permissionText = /cannot access (?:the )?method|method disabled/i;

/** If an error has no known code, the first pattern that matches its text determines the reason. */
const reasonsByText: readonly (readonly [RegExp, Reason])[] = [
  [/^(?=.*(?:\b(?:login|username|password)\b(?![.@-]\w)|парол))(?=.*(?:incorrect|invalid|wrong|невер))/is, 'auth'],
  [permissionText, 'auth'],
  [/request limit|too many requests/i, 'limit'],
];

/** Maximum levels of nesting in a result. Much deeper nesting would overflow the stack of recursive functions. */
export const maxDepth = 64;

const tooDeep = `the response is JSON nested deeper than ${maxDepth} levels`;

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

/** HTTP statuses that mean that the server is not the API: redirects, and errors for an unknown path or HTTP method. */
const foreignStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

/**
 * Reads the envelope of either dialect, and ignores the Content-Type. If the envelope contains an error, ignores an HTTP status other than
 * 429. Throws ApiError if the answer has no result.
 */
export function readAnswer(response: HttpResponse, method: Method) {
  const { status, body } = response;
  const envelope = parse(new TextDecoder().decode(body));
  const answer = 'answer' in envelope ? envelope.answer : envelope;
  if ('errors' in answer) {
    const code = answer.errors.find(({ error_code }) => error_code)?.error_code ?? '';
    const text = answer.errors.flatMap(({ error_text }) => error_text || []).join('; ');
    const described = [code, text].filter((part) => part !== '').join(': ');
    const message = described || 'the API reports an error without code and text';
    const [, unnamed = 'api'] = reasonsByText.find(([pattern]) => pattern.test(text)) ?? [];
    // PERMISSION_DENIED concerns a single method. An API with permissions per section sends AUTH_ERROR instead.
    const forbiddenMethod = code === 'PERMISSION_DENIED' ? method : undefined;
    throw failure(response, message, { reason: reasonsByCode.get(code) ?? unnamed, code, forbiddenMethod });
  }
  if (status < 200 || status > 299) {
    const isForeign = foreignStatuses.has(status) || undefined;
    throw failure(response, describeStatus(response), { reason: 'http', status, isForeign });
  }
  if (answer instanceof ApiError) throw answer;
  // TextDecoder has replaced invalid bytes, so different names may have become equal.
  if (!isUtf8(body)) throw new ApiError('the response is not UTF-8', { reason: 'payload' });
  const dialect: Dialect = 'answer' in envelope ? 'provider' : 'specification';
  return { dialect, result: answer.result };
}

/** Returns the envelope of a body, or an error if the body has no envelope. */
function parse(body: string) {
  const foreign = (what: string) =>
    new ApiError(`the response is ${what}; check base_url`, { reason: 'payload', isForeign: true });
  try {
    const { success: isEnvelope, data } = envelope.safeParse(JSON.parse(body));
    return isEnvelope ? data : foreign('JSON without the envelope of this API');
  } catch (error) {
    // An `error_text` with thousands of nested levels overflows the stack of JSON.stringify.
    if (error instanceof RangeError) return new ApiError(tooDeep, { reason: 'payload' });
  }
  const text = body.trim();
  if (text === '') return new ApiError('the response body is empty', { reason: 'payload' });
  const challenge = "a page of the provider's protection against bots; ask the provider to admit this address";
  if (/^<.*document\.cookie/is.test(text)) return new ApiError(`the response is ${challenge}`, { reason: 'payload' });
  if (/^<(?:!doctype|html)/i.test(text)) return foreign('an HTML page instead of JSON');
  if (!/^[[{]/.test(text)) return foreign('text instead of JSON');
  return new ApiError('the response is truncated or malformed JSON', { reason: 'payload' });
}

function failure({ status, headers }: HttpResponse, message: string, details: ApiErrorDetails): ApiError {
  const reason = status === 429 ? 'limit' : details.reason;
  const { 'retry-after': header } = headers;
  const wait = typeof header === 'string' && /^\s*[1-9]\d*\s*$/.test(header) ? Number(header) * 1000 : undefined;
  return new ApiError(message, { ...details, reason, retryAfter: wait });
}

function describeStatus({ status, headers: { location } }: HttpResponse): string {
  if (status < 300 || status > 399) return `HTTP status ${status}`;
  const origin = URL.parse(`${location}`)?.origin;
  const target = origin === undefined ? '' : ` to ${origin}`;
  return `HTTP status ${status}: a redirect${target}, which is not followed; set base_url to the final address`;
}

/** Throws ApiError for a list or object with more than `maxItems` entries, because validating millions of entries takes a minute. */
export function refuseLongLists(value: unknown, maxItems: number, path: readonly PropertyKey[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  if (path.length === maxDepth) throw new ApiError(tooDeep, { reason: 'payload' });
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  if (entries.length > maxItems) {
    const problem = `has ${entries.length} entries, more than max_items (${maxItems}); raise max_items if the list is genuine`;
    throw new ApiError(describeIssue(path, problem), { reason: 'payload', accepted: true });
  }
  for (const [key, inner] of entries) if (typeof inner === 'object') refuseLongLists(inner, maxItems, [...path, key]);
}
