import * as z from 'zod';
import type { Method } from './method.ts';

/** What to do about a failed call, for each reason. A test compares the table in docs/metrics.md with these texts. */
export const reasonAdvice = {
  network:
    'Check base_url, the network, and the proxy (HTTPS_PROXY). For a private certificate authority, set ca_file.',
  timeout: 'The provider is slow. If many calls time out, raise timeout.',
  http: "Check base_url. A 5xx is the provider's problem.",
  payload:
    'If a field is invalid, the message names the field, and only the series of this field are missing. If a number such as 1,024 MB is ambiguous, set number_format. Otherwise check base_url. If the error remains, please open an issue.',
  auth: 'Check login and password. Check that API access is enabled in the control panel. Use the API password, not the password of the control panel.',
  permission:
    'Tick the section for the API password in the control panel. If check names a method, permit this method. If you do not need the collector, disable it.',
  limit:
    'Do nothing: the exporter pauses for the time that the API requests, or for a minute. If the error returns, lower requests_per_minute or poll less often.',
  request: 'The provider may use another dialect of the API: try input_format, or disable the collector.',
  method: 'Wait. If the error remains, ask the provider.',
  api: 'The message contains the error code. Please open an issue.',
  local: 'The message says what is wrong.',
};

/** Why a call failed: the values of the label `reason`. */
export type Reason = keyof typeof reasonAdvice;

export const reasons = Object.keys(reasonAdvice) as readonly Reason[];

/** Why a call or poll failed. Survives a restart. */
export const failure = z.object({
  /** `bug`: an error in the exporter's code. */
  reason: z.enum([...reasons, 'bug']),
  /** Names the method, fits in a log line and contains no secret. */
  message: z.string(),
  /** Whether the API answered with its envelope and did not reject the credentials. */
  accepted: z.boolean(),
  /** The method for which a permission is missing; undefined for other failures, and if the API grants permissions per section. */
  forbiddenMethod: z.custom<Method>((value) => /^[a-z]+\/(?:get|is)[A-Za-z]+$/.test(String(value))).optional(),
  /** The HTTP status if the call failed because of it. */
  status: z.number().optional(),
  /** Whether the answer shows that the server is not this API. */
  isForeign: z.boolean().optional(),
  /** Only a bug has a stack. */
  stack: z.string().optional(),
});

export type Failure = Readonly<z.infer<typeof failure>>;

export interface ApiErrorDetails extends Partial<Omit<Failure, 'reason' | 'message' | 'stack'>> {
  readonly reason: Reason;
  /** The error code of the API. */
  readonly code?: string | undefined;
  /** Milliseconds to wait before the next call, according to the Retry-After header. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

const reasonsNotAccepted: ReadonlySet<Reason> = new Set(['network', 'timeout', 'http', 'payload', 'auth', 'local']);

/** A failed API call. */
export class ApiError extends Error implements Failure, ApiErrorDetails {
  override readonly name = 'ApiError';
  declare readonly reason: Reason;
  declare readonly accepted: boolean;
  declare readonly forbiddenMethod: Method | undefined;
  declare readonly status: number | undefined;
  declare readonly isForeign: boolean | undefined;
  declare readonly code: string | undefined;
  declare readonly retryAfter: number | undefined;

  constructor(message: string, { cause, accepted, ...details }: ApiErrorDetails) {
    super(message, { cause });
    Object.assign(this, details, { accepted: accepted ?? !reasonsNotAccepted.has(details.reason) });
  }
}

/** Converts an error to a failure. An error other than ApiError is a bug. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return { ...failure.parse(error), stack: undefined };
  const stack = error instanceof Error ? error.stack : undefined;
  return { reason: 'bug', message: String(error), stack, accepted: false };
}
