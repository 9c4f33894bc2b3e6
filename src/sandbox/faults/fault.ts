/** Every kind of fault, and what a caller meets. */
export const faultKinds = {
  reset: 'the connection is destroyed half-way through the body',
  silence: 'the request is accepted and never answered',
  drip: 'an endless body, one byte ten times a second',
  latency: 'the right answer, late',
  http500_html: 'HTTP 500 with a page of HTML',
  http503: 'HTTP 503 with a page of HTML',
  http429: 'HTTP 429 with Retry-After',
  redirect: 'HTTP 302 to elsewhere',
  html: 'HTTP 200 with a page of HTML',
  truncated_json: 'half of the right answer, properly ended',
  wrong_shape: 'the right envelope, but a list where an object is due or the other way round',
  wrong_type: 'the right payload, but nonsense in one field',
  oversized: 'the right answer after 64 MiB of blanks',
  gzip: 'the right answer, compressed though nobody asked',
  gzip_bomb: 'the right answer after 256 MiB of blanks, compressed to less than 1 MiB',
  AUTH_ERROR: 'an error of this code',
  INCORRECT_REQUEST: 'an error of this code',
  METHOD_ERROR: 'an error of this code',
  PERMISSION_DENIED: 'an error of this code',
  LIMIT_ERROR: 'an error of this code',
  NO_SUCH_METHOD: 'an error of this code',
  INVALID_DATA: 'an error of this code',
  METHOD_FAILED: 'an error of this code',
  unknown_code: 'an error of a code that no document names',
  numeric_code: 'an error whose code is a number',
  object_text: 'an error whose text is an object',
  echo: 'an error whose text repeats the credentials of the caller',
  permission: 'the dialect’s own refusal of a method that is not permitted',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** A fault on request: without `login` for every account, without `method` for every method. */
export interface Fault {
  readonly kind: FaultKind;
  readonly login?: string | undefined;
  /** `section/method`, or a section alone. */
  readonly method?: string | undefined;
  /** How many calls it spoils; until it is cleared where left out. */
  readonly times?: number | undefined;
  /** Milliseconds to wait before anything is sent. */
  readonly latency?: number | undefined;
  /** For wrong_type: the field that gets nonsense, the first telling one where left out. */
  readonly field?: string | undefined;
  /** For http429: seconds in Retry-After, 7 where left out. */
  readonly retryAfter?: number | undefined;
}

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}
