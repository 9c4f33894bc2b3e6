import type { RefusalKind } from '../refusal.ts';
import type { EnvelopeWriter } from './envelope.ts';

const codes: Readonly<Record<RefusalKind, string>> = {
  authentication: 'AUTH_ERROR',
  permission: 'AUTH_ERROR',
  malformed: 'INCORRECT_REQUEST',
  unknown_method: 'NO_SUCH_METHOD',
  invalid: 'INVALID_DATA',
  failed: 'METHOD_FAILED',
  rate_limit: 'LIMIT_ERROR',
  plan_limit: 'LIMIT_ERROR',
};

const texts: Partial<Readonly<Record<RefusalKind, string>>> = {
  authentication: 'Username/password incorrect',
  unknown_method: 'No such method',
  rate_limit: 'Request limit exceeded',
};

/** Codes of errors that occur before a method runs. The outer level of the envelope contains these codes, the inner level all others. */
const outerCodes: ReadonlySet<string | number> = new Set([
  'AUTH_ERROR',
  'INCORRECT_REQUEST',
  'NO_SUCH_METHOD',
  'PERMISSION_DENIED',
]);

/** Writes the nested envelope of the provider. The media type is text/html, and the JSON escapes are those of PHP. */
export const providerEnvelope: EnvelopeWriter = {
  contentType: 'text/html; charset=utf-8',
  changed: true,
  success: (result) => ({ status: 'success', answer: { status: 'success', result } }),
  failure: (code, text) =>
    outerCodes.has(code)
      ? { status: 'error', error_text: text, error_code: code }
      : { status: 'success', answer: { status: 'error', errors: [{ error_code: code, error_text: text }] } },
  codeOf: (refusal) => refusal.code ?? codes[refusal.kind],
  textOf: (refusal, method) =>
    refusal.kind === 'permission'
      ? `Cannot access method ${method.split('/')[0] ?? method}`
      : (texts[refusal.kind] ?? refusal.message),
  print: (body) =>
    JSON.stringify(body)
      .replaceAll('/', '\\/')
      .replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
};
