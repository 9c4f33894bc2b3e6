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
  /** `section/method`, as in the call's path. */
  readonly method: string;
  /** The API's own `error_code`, where it sent one. */
  readonly code?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** Milliseconds that the API asks us to wait, from Retry-After. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A failed call of the API. Its message says what happened and where, is fit for a log line, and holds no secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: Reason;
  readonly method: string;
  readonly code: string | undefined;
  readonly httpStatus: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(`${details.method}: ${message}`, { cause: details.cause });
    this.reason = details.reason;
    this.method = details.method;
    this.code = details.code;
    this.httpStatus = details.httpStatus;
    this.retryAfter = details.retryAfter;
  }
}
