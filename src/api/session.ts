import { Budget } from './budget.ts';
import { CredentialGate, type RejectionSnapshot } from './credential-gate.ts';
import type { Dialect } from './dialect.ts';
import type { Method } from './method.ts';
import { type AccessSnapshot, MethodAccess } from './method-access.ts';
import { ProviderClock } from './provider-clock.ts';

/**
 * What the exporter must remember about one login of one API server: a reload that forgot it would exceed the budget,
 * end pauses and repeat rejected credentials.
 */
export class ApiSession {
  readonly budget: Budget;
  readonly access = new MethodAccess();
  readonly gate = new CredentialGate();
  readonly clock = new ProviderClock();
  /** Methods that the API does not offer, with the time by the monotonic clock until which they are not called. */
  readonly unknownMethods = new Map<Method, number>();
  /** Optional methods that the API has answered: a later refusal is a failure. */
  readonly offeredMethods = new Set<Method>();
  /** Detected from the newest answer. */
  dialect: Dialect = 'specification';

  constructor(requestsPerMinute: number) {
    this.budget = new Budget(requestsPerMinute);
  }

  snapshot(): SessionSnapshot {
    const toWall = Date.now() - performance.now();
    return {
      nextCall: this.budget.nextCall + toWall,
      pausedUntil: this.budget.pauseRemaining > 0 ? Date.now() + this.budget.pauseRemaining : undefined,
      rejection: this.gate.snapshot(),
      access: this.access.snapshot(),
      unknownMethods: [...this.unknownMethods].map(([method, until]) => [method, until + toWall]),
      offeredMethods: [...this.offeredMethods],
      dialect: this.dialect,
    };
  }

  /** Continues where a session of an earlier process stopped. Times in the future are limited to what they can be. */
  restore({
    nextCall,
    pausedUntil,
    rejection,
    access,
    unknownMethods,
    offeredMethods,
    dialect,
  }: SessionSnapshot): void {
    const now = Date.now();
    this.budget.delay(nextCall - now);
    if (pausedUntil !== undefined && pausedUntil > now) this.budget.pause(Math.min(pausedUntil - now, maxPause));
    if (rejection !== undefined) this.gate.restore(rejection);
    this.access.restore(access);
    for (const [method, until] of unknownMethods) {
      this.unknownMethods.set(method, performance.now() + Math.min(until - now, unknownMethodLifetime));
    }
    for (const method of offeredMethods) this.offeredMethods.add(method);
    this.dialect = dialect;
  }
}

/** What a session remembers over a restart. Times in Unix milliseconds. */
export interface SessionSnapshot {
  /** When the budget allows the next call. */
  readonly nextCall: number;
  /** End of the pause that the API asked for. */
  readonly pausedUntil: number | undefined;
  readonly rejection: RejectionSnapshot | undefined;
  readonly access: AccessSnapshot;
  readonly unknownMethods: readonly (readonly [Method, number])[];
  readonly offeredMethods: readonly Method[];
  readonly dialect: Dialect;
}

/** Milliseconds until a method that the API did not know is called again. */
export const unknownMethodLifetime = 86_400_000;

/** Longest pause in milliseconds: the API limits calls per minute, not per day. */
export const maxPause = 3_600_000;
