import * as z from 'zod';
import { Budget } from './budget.ts';
import { CredentialGate, rejection } from './credential-gate.ts';
import type { ApiError } from './error.ts';
import type { Dialect, Method } from './method.ts';
import type { HttpResponse } from './transport.ts';

/** Receives each answer before it is decoded, and the error of each call without an answer. Both can contain the secret. */
export type AnswerObserver = (call: AnsweredCall, answer: HttpResponse | ApiError) => void;

export interface AnsweredCall {
  readonly method: Method;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The part of a session that survives a restart. `pausedUntil`: end of the pause in Unix milliseconds. */
export const sessionSnapshot = z.object({
  pausedUntil: z.number().optional(),
  rejection: rejection.optional(),
});

/** The state of one login at one API server. Reloads keep it, so that the budget continues and rejected credentials are not retried. */
export class ApiSession {
  readonly budget: Budget;
  readonly gate = new CredentialGate();
  /** Milliseconds by which the newest Date header of the API is ahead of the local clock; undefined if no response had a date. */
  skew: number | undefined;
  /**
   * What the newest answer to each method says: the call was accepted, the credentials were rejected, or the method is unknown. For an
   * unknown method, the value is the time of the next attempt in milliseconds of the monotonic clock.
   */
  readonly methods = new Map<Method, 'accepted' | 'rejected' | number>();
  dialect: Dialect = 'specification';
  readonly onAnswer: AnswerObserver | undefined;

  constructor(requestsPerMinute: number, onAnswer?: AnswerObserver) {
    this.budget = new Budget(requestsPerMinute);
    this.onAnswer = onAnswer;
  }

  /** The API's time in Unix milliseconds; the local time if the skew is unknown. Ignores a skew above a day: a clock is then wrong. */
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
