/** Why a call failed. A closed set: each is a value of the label `reason`, and the README says what to do about it. */
export const reasons = [
  'network',
  'timeout',
  'http',
  'payload',
  'auth',
  'permission',
  'limit',
  'request',
  'method',
  'api',
] as const;

export type Reason = (typeof reasons)[number];

export interface ApiErrorDetails {
  readonly reason: Reason;
  /** The API's own `error_code`, where it sent one. */
  readonly code?: string | undefined;
  /** Milliseconds that the API asks us to wait, from Retry-After. */
  readonly retryAfter?: number | undefined;
  /** See the property; told by the reason, but for `payload`. */
  readonly accepted?: boolean | undefined;
  readonly cause?: unknown;
}

const unanswered: ReadonlySet<Reason> = new Set(['network', 'timeout', 'http', 'payload', 'auth']);

/** A failed call of the API. Its message says what happened and where, is fit for a log line, and holds no secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: Reason;
  readonly code: string | undefined;
  readonly retryAfter: number | undefined;
  /** Whether the API answered in its own envelope and did not refuse the credentials. */
  readonly accepted: boolean;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause });
    this.reason = details.reason;
    this.code = details.code;
    this.retryAfter = details.retryAfter;
    this.accepted = details.accepted ?? !unanswered.has(details.reason);
  }
}
