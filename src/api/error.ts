import type { Method } from './method.ts';

/** Reasons why a call failed: the values of the label `reason`. docs/reading-metrics.md says what to do about each reason. */
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
  'local',
] as const;

export type Reason = (typeof reasons)[number];

export interface ApiErrorDetails {
  readonly reason: Reason;
  readonly code?: string | undefined;
  readonly method?: Method | undefined;
  /** Milliseconds to wait before the next call, from the Retry-After header. */
  readonly retryAfter?: number | undefined;
  /** Overrides the value of `accepted` that follows from the reason. */
  readonly accepted?: boolean | undefined;
  /** The HTTP status of an answer without this API's envelope. */
  readonly status?: number | undefined;
  /** Whether the answer can be read and is not one of this API. */
  readonly isForeign?: boolean | undefined;
  readonly cause?: unknown;
}

const reasonsNotAccepted: ReadonlySet<Reason> = new Set(['network', 'timeout', 'http', 'payload', 'auth', 'local']);

/** A failed API call. The message names the method, fits in a log line and contains no secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly reason: Reason;
  readonly code: string | undefined;
  /** The method for which a permission is missing; undefined if the API grants permissions per section. */
  readonly forbiddenMethod: Method | undefined;
  readonly retryAfter: number | undefined;
  /** Whether the API answered with its envelope and did not reject the credentials. */
  readonly accepted: boolean;
  readonly status: number | undefined;
  readonly isForeign: boolean;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, { cause: details.cause });
    this.reason = details.reason;
    this.code = details.code;
    // An API with permissions per section sends AUTH_ERROR instead of PERMISSION_DENIED.
    this.forbiddenMethod = details.code === 'PERMISSION_DENIED' ? details.method : undefined;
    this.retryAfter = details.retryAfter;
    this.status = details.status;
    this.isForeign = details.isForeign === true;
    this.accepted = details.accepted ?? !reasonsNotAccepted.has(details.reason);
  }
}
