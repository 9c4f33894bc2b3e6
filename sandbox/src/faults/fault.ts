import type { EnvelopeWriter } from '../dialect.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { ApiRequest } from '../request.ts';

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
  /** For late_sums: for how long load grows after its hour or day. For clock_ahead, clock_behind: the error of the clock. Default: 900. */
  readonly seconds?: number | undefined;
}

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}

/** The active faults. If several faults match a call, the newest applies. A new fault replaces a fault with equal login and method. */
export class FaultList {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** All active faults. `times` is the number of remaining calls. */
  get all(): readonly Fault[] {
    return this.#faults.map(({ fault, left }) => (fault.times === undefined ? fault : { ...fault, times: left }));
  }

  set(fault: Fault): void {
    this.#faults = [
      { fault, left: fault.times ?? Number.POSITIVE_INFINITY },
      ...this.#faults.filter((other) => other.fault.login !== fault.login || other.fault.method !== fault.method),
    ].filter(({ left }) => left > 0);
  }

  clear(): void {
    this.#faults = [];
  }

  /** Returns the fault that affects a call, and counts the call for this fault. `method` is section/method. */
  take(login: string | undefined, method: string): Fault | undefined {
    const match = this.#faults.find(({ fault, left }) => left > 0 && matches(fault, login, method));
    if (match === undefined) return undefined;
    match.left -= 1;
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return match.fault;
  }
}

function matches(fault: Fault, login: string | undefined, method: string): boolean {
  return (
    (fault.login === undefined || fault.login === login) &&
    (fault.method === undefined || fault.method === method || method.startsWith(`${fault.method}/`))
  );
}

const errors: Partial<Readonly<Record<FaultKind, readonly [code: string | number, text: string]>>> = {
  auth_error: ['AUTH_ERROR', 'Username/password incorrect'],
  incorrect_request: ['INCORRECT_REQUEST', 'The request is malformed'],
  method_error: ['METHOD_ERROR', 'The method failed'],
  permission_denied: ['PERMISSION_DENIED', 'Access to the method is forbidden'],
  limit_error: ['LIMIT_ERROR', 'Request limit exceeded'],
  no_such_method: ['NO_SUCH_METHOD', 'No such method'],
  invalid_data: ['INVALID_DATA', 'Incorrect input data'],
  method_failed: ['METHOD_FAILED', 'The method failed'],
  unknown_code: ['MAINTENANCE_WINDOW', 'The account is being moved to another server'],
  numeric_code: [1208, 'The password is too weak'],
};

/** The body of an answer with an error in the envelope; undefined if this kind of fault does not put an error in the envelope. */
export function failureFor(kind: FaultKind, envelope: EnvelopeWriter, request: ApiRequest): Json | undefined {
  const error = errors[kind];
  if (error !== undefined) return envelope.failure(...error);
  const failed = envelope.codeOf(new Refusal('failed'));
  switch (kind) {
    case 'object_text':
      return envelope.failure(failed, { type: 'NOT_FOUND_ERROR', message: null });
    case 'echo':
      return envelope.failure(failed, `Could not serve ${describe(request)}`);
    case 'not_permitted': {
      const refusal = new Refusal('permission');
      return envelope.failure(envelope.codeOf(refusal), envelope.textOf(refusal, request.method));
    }
    default:
      return undefined;
  }
}

function describe({ login, password, token, raw }: ApiRequest): string {
  const parts = [`login=${login ?? ''}`, `passwd=${password ?? ''}`, `Authorization: Bearer ${token ?? ''}`, raw];
  return parts.join(' ');
}
