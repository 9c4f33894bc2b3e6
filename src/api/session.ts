import { Budget } from './budget.ts';
import { CredentialGate } from './credential-gate.ts';
import type { Dialect } from './dialect.ts';
import type { Method } from './method.ts';
import { MethodAccess } from './method-access.ts';
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
}
