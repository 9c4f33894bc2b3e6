import { Budget } from './budget.ts';
import { CredentialGate } from './credential-gate.ts';
import type { Dialect } from './dialect.ts';
import type { Method } from './method.ts';
import { MethodAccess } from './method-access.ts';
import { ProviderClock } from './provider-clock.ts';
import type { HttpResponse, TransportError } from './transport.ts';

/** Receives each answer before decoding, and each failure to get an answer. An answer or failure can contain the secret. */
export type AnswerObserver = (call: AnsweredCall, answer: HttpResponse | TransportError) => void;

export interface AnsweredCall {
  readonly method: Method;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The state of one login at one API server. Reloads keep this state: they must not reset the budget or retry rejected credentials. */
export class ApiSession {
  readonly budget: Budget;
  readonly access = new MethodAccess();
  readonly gate = new CredentialGate();
  readonly clock = new ProviderClock();
  /** Methods that the API does not offer, each with the time of its next attempt in milliseconds of the monotonic clock. */
  readonly unknownMethods = new Map<Method, number>();
  /** Optional methods that the API has answered. If the API refuses one of these methods later, the call fails. */
  readonly offeredMethods = new Set<Method>();
  dialect: Dialect = 'specification';
  readonly onAnswer: AnswerObserver | undefined;

  constructor(requestsPerMinute: number, onAnswer?: AnswerObserver) {
    this.budget = new Budget(requestsPerMinute);
    this.onAnswer = onAnswer;
  }

  snapshot() {
    const toWall = Date.now() - performance.now();
    return {
      nextCall: this.budget.nextCall + toWall,
      pausedUntil: this.budget.pauseRemaining > 0 ? Date.now() + this.budget.pauseRemaining : undefined,
      rejection: this.gate.snapshot(),
      access: this.access.snapshot(),
      unknownMethods: [...this.unknownMethods].map(([method, until]) => [method, until + toWall] as const),
      offeredMethods: [...this.offeredMethods],
      dialect: this.dialect,
    };
  }

  /** Continues a session of an earlier process. Shortens waits that are too long, because the clock may have been set back. */
  restore(snapshot: SessionSnapshot): void {
    const now = Date.now();
    const { pausedUntil, rejection } = snapshot;
    this.budget.delay(snapshot.nextCall - now);
    if (pausedUntil !== undefined && pausedUntil > now) this.budget.pause(Math.min(pausedUntil - now, maxPause));
    if (rejection !== undefined) this.gate.restore(rejection);
    this.gate.isTrusted = rejection === undefined && snapshot.access.accepted.length > 0;
    this.access.restore(snapshot.access);
    for (const [method, until] of snapshot.unknownMethods) {
      this.unknownMethods.set(method, performance.now() + Math.min(until - now, unknownMethodLifetime));
    }
    for (const method of snapshot.offeredMethods) this.offeredMethods.add(method);
    this.dialect = snapshot.dialect;
  }
}

/** The part of a session that survives a restart. Times are in Unix milliseconds. */
export type SessionSnapshot = ReturnType<ApiSession['snapshot']>;

/** Milliseconds until an unknown method is called again. */
export const unknownMethodLifetime = 86_400_000;

/** Longest pause in milliseconds. An hour is enough, because the API limits the calls per minute and not per day. */
export const maxPause = 3_600_000;
