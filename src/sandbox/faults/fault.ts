export const faultKinds = {
  reset: 'the connection is reset halfway through the body',
  silence: 'the request is accepted and never answered',
  drip: 'an endless body, ten bytes per second',
  latency: 'the normal answer after a delay',
  http_500: 'HTTP 500 with an HTML page',
  http_503: 'HTTP 503 with an HTML page',
  http_429: 'HTTP 429 with an HTML page and Retry-After',
  redirect: 'HTTP 302 to a page of the sandbox',
  html: 'HTTP 200 with an HTML page',
  truncated_json: 'the first half of the normal answer',
  wrong_shape: 'the normal envelope with a list in place of an object, or an object in place of a list',
  wrong_type: 'the normal payload with an invalid value in one field',
  oversized: 'the normal answer after 64 MiB of spaces',
  gzip: 'the normal answer, compressed regardless of Accept-Encoding',
  gzip_bomb: 'the normal answer after 256 MiB of spaces, compressed to less than 1 MiB',
  auth_error: 'the error AUTH_ERROR',
  incorrect_request: 'the error INCORRECT_REQUEST',
  method_error: 'the error METHOD_ERROR',
  permission_denied: 'the error PERMISSION_DENIED',
  limit_error: 'the error LIMIT_ERROR',
  no_such_method: 'the error NO_SUCH_METHOD',
  invalid_data: 'the error INVALID_DATA',
  method_failed: 'the error METHOD_FAILED',
  unknown_code: 'an error with an undocumented code',
  numeric_code: 'an error with a numeric code',
  object_text: 'an error with an object as its text',
  echo: "an error whose text repeats the caller's credentials",
  not_permitted: "the dialect's error for a method without permission",
  late_sums: 'load that still grows after its hour or day has ended',
  clock_ahead: 'the normal answer with times from a clock that is ahead, in rows and in the Date header',
  clock_behind: 'the normal answer with times from a clock that is behind, in rows and in the Date header',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** A fault. Without `login`, a fault affects every account. Without `method`, a fault affects every method. */
export interface Fault {
  readonly kind: FaultKind;
  readonly login?: string | undefined;
  /** The method (`section/method`) or the section that the fault affects. */
  readonly method?: string | undefined;
  /** Number of calls that the fault affects; undefined if the fault has no limit. */
  readonly times?: number | undefined;
  /** Milliseconds that the sandbox waits before it sends the answer. */
  readonly latency?: number | undefined;
  /** For wrong_type: the field with the invalid value; undefined if the sandbox selects a field. */
  readonly field?: string | undefined;
  /** Seconds in the header Retry-After of http_429; 7 by default. */
  readonly retryAfter?: number | undefined;
  /** For late_sums: how long load still grows after its hour or day. For clock_ahead and clock_behind: error of the clock. Default: 900. */
  readonly seconds?: number | undefined;
}

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}
