import type { Json } from './json.ts';
import type { Refusal, RefusalKind } from './refusal.ts';

/** How the sandbox answers: as the specification describes, or as the live provider does. */
export const dialects = ['specification', 'provider'] as const;

export type Dialect = (typeof dialects)[number];

/** How one dialect wraps results and errors. */
export interface EnvelopeWriter {
  readonly contentType: string;
  /** The result of a method that changes the account and returns no data. */
  readonly changed: Json;
  success(result: Json): Json;
  failure(code: string | number, text: Json): Json;
  codeOf(refusal: Refusal): string | number;
  /** The error text of a refusal. `method` is the path of the method: section/method. */
  textOf(refusal: Refusal, method: string): string;
  print(body: Json): string;
}

/** The error code of each refusal. */
const codes: Readonly<Record<RefusalKind, Readonly<Record<Dialect, string>>>> = {
  authentication: { specification: 'AUTH_ERROR', provider: 'AUTH_ERROR' },
  permission: { specification: 'PERMISSION_DENIED', provider: 'AUTH_ERROR' },
  malformed: { specification: 'INCORRECT_REQUEST', provider: 'INCORRECT_REQUEST' },
  unknown_method: { specification: 'INCORRECT_REQUEST', provider: 'NO_SUCH_METHOD' },
  invalid: { specification: 'INCORRECT_REQUEST', provider: 'INVALID_DATA' },
  failed: { specification: 'METHOD_ERROR', provider: 'METHOD_FAILED' },
  rate_limit: { specification: 'LIMIT_ERROR', provider: 'LIMIT_ERROR' },
  plan_limit: { specification: 'METHOD_ERROR', provider: 'LIMIT_ERROR' },
};

/** Codes of errors that occur before a method runs. In the provider's dialect, only these codes are in the outer envelope. */
const outerCodes: readonly (string | number)[] = [
  'AUTH_ERROR',
  'INCORRECT_REQUEST',
  'NO_SUCH_METHOD',
  'PERMISSION_DENIED',
];

export const envelopes: Readonly<Record<Dialect, EnvelopeWriter>> = {
  /** A flat envelope: `status` and `result`, or `status`, `error_code` and `error_text`. */
  specification: {
    contentType: 'application/json; charset=utf-8',
    changed: {},
    success: (result) => ({ status: 'success', result }),
    failure: (code, text) => ({ status: 'error', error_code: code, error_text: text }),
    codeOf: ({ kind }) => codes[kind].specification,
    textOf: ({ kind, message }, method) => {
      if (kind === 'authentication') return 'Incorrect login or password';
      if (kind === 'permission') return `Access to the method ${method} is forbidden`;
      return kind === 'rate_limit' ? 'Too many requests per minute' : message;
    },
    print: (body) => JSON.stringify(body),
  },
  /** The nested envelope of the provider. The media type is text/html, and the JSON is escaped as in PHP. */
  provider: {
    contentType: 'text/html; charset=utf-8',
    changed: true,
    success: (result) => ({ status: 'success', answer: { status: 'success', result } }),
    failure: (code, text) =>
      outerCodes.includes(code)
        ? { status: 'error', error_text: text, error_code: code }
        : { status: 'success', answer: { status: 'error', errors: [{ error_code: code, error_text: text }] } },
    codeOf: ({ kind, code }) => code ?? codes[kind].provider,
    textOf: ({ kind, message }, method) => {
      if (kind === 'authentication') return 'Username/password incorrect';
      if (kind === 'permission') return `Cannot access method ${method.split('/')[0] ?? method}`;
      return kind === 'rate_limit' ? 'Request limit exceeded' : message;
    },
    print: (body) =>
      JSON.stringify(body)
        .replaceAll('/', '\\/')
        .replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  },
};

/**
 * Prints a size. In the result, `bytes` is the size in bytes after rounding. The specification's dialect prints decimal units ("1.25 GB").
 * The provider's dialect rounds up to megabytes ("1250").
 */
export function printSize(bytes: number, dialect: Dialect) {
  if (dialect === 'provider') {
    const megabytes = Math.ceil(bytes / 1e6);
    return { text: String(megabytes), bytes: megabytes * 1e6 };
  }
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  const rounded = (power: number) => Number((bytes / 1000 ** power).toFixed(power === 0 ? 0 : 2));
  const fitting = units.findIndex((_, power) => rounded(power) < 1000);
  const power = fitting < 0 ? units.length - 1 : fitting;
  return { text: `${rounded(power)} ${units[power]}`, bytes: Math.round(rounded(power) * 1000 ** power) };
}
