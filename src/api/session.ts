import * as z from 'zod';
import { Budget } from './budget.ts';
import { CredentialGate, rejection } from './credential-gate.ts';
import type { ApiError } from './error.ts';
import type { Dialect, Method } from './method.ts';
import type { HttpResponse } from './transport.ts';

/** Receives each answer before decoding, and each failure to get an answer. An answer or failure can contain the secret. */
export type AnswerObserver = (call: AnsweredCall, answer: HttpResponse | ApiError) => void;

export interface AnsweredCall {
  readonly method: Method;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The part of a session that survives a restart. `pausedUntil`: Unix milliseconds. */
export const sessionSnapshot = z.object({
  pausedUntil: z.number().optional(),
  rejection: rejection.optional(),
});

/** The state of one login at one API server. Reloads keep this state: they must not reset the budget or retry rejected credentials. */
export class ApiSession {
  readonly budget: Budget;
  readonly gate = new CredentialGate();
  /** Milliseconds by which the newest Date header of the API is ahead of the local clock; undefined if no response had a date. */
  skew: number | undefined;
  /**
   * The newest answer to each method: accepted, credentials rejected, or unknown. An unknown method has the time of its next attempt in
   * milliseconds of the monotonic clock.
   */
  readonly methods = new Map<Method, 'accepted' | 'rejected' | number>();
  dialect: Dialect = 'specification';
  readonly onAnswer: AnswerObserver | undefined;

  constructor(requestsPerMinute: number, onAnswer?: AnswerObserver) {
    this.budget = new Budget(requestsPerMinute);
    this.onAnswer = onAnswer;
  }

  /** Unix milliseconds by the clock of the API; the local time if the skew is unknown or more than a day: one clock was never set. */
  get now(): number {
    const { skew = 0 } = this;
    return Date.now() + (Math.abs(skew) > 86_400_000 ? 0 : skew);
  }

  snapshot() {
    const { pauseRemaining } = this.budget;
    return {
      pausedUntil: pauseRemaining > 0 ? Date.now() + pauseRemaining : undefined,
      rejection: this.gate.snapshot(),
    };
  }

  /** Continues a session of an earlier process. */
  restore({ pausedUntil, rejection }: z.infer<typeof sessionSnapshot>): void {
    const pause = pausedUntil === undefined ? 0 : pausedUntil - Date.now();
    if (pause > 0) this.budget.pause(pause);
    if (rejection !== undefined) this.gate.restore(rejection);
  }
}
