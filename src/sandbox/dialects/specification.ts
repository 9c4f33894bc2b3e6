import type { RefusalKind } from '../refusal.ts';
import type { EnvelopeWriter } from './envelope.ts';

const codes: Readonly<Record<RefusalKind, string>> = {
  authentication: 'AUTH_ERROR',
  permission: 'PERMISSION_DENIED',
  malformed: 'INCORRECT_REQUEST',
  unknown_method: 'INCORRECT_REQUEST',
  invalid: 'INCORRECT_REQUEST',
  failed: 'METHOD_ERROR',
  rate_limit: 'LIMIT_ERROR',
  plan_limit: 'METHOD_ERROR',
};

const texts: Partial<Readonly<Record<RefusalKind, string>>> = {
  authentication: 'Incorrect login or password',
  unknown_method: 'No such method',
  rate_limit: 'Too many requests per minute',
};

/** Writes a flat envelope: `status` and `result`, or `status`, `error_code` and `error_text`. */
export const specificationEnvelope: EnvelopeWriter = {
  contentType: 'application/json; charset=utf-8',
  changed: {},
  success: (result) => ({ status: 'success', result }),
  failure: (code, text) => ({ status: 'error', error_code: code, error_text: text }),
  codeOf: (refusal) => codes[refusal.kind],
  textOf: (refusal, method) =>
    refusal.kind === 'permission'
      ? `Access to the method ${method} is forbidden`
      : (texts[refusal.kind] ?? refusal.message),
  print: (body) => JSON.stringify(body),
};
