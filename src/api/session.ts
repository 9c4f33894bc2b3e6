import { Budget } from './budget.ts';
import { CredentialGate } from './credential-gate.ts';
import type { Dialect } from './dialect.ts';
import type { Method } from './method.ts';
import { SectionAccess } from './section-access.ts';

/**
 * What the exporter must remember about one login of one API server: a reload that forgot it would exceed the budget,
 * end pauses and repeat rejected credentials.
 */
export class ApiSession {
  readonly budget: Budget;
  readonly sections = new SectionAccess();
  readonly gate = new CredentialGate();
  /** Methods that the API does not know, with the time in Unix milliseconds until which they are not called. */
  readonly unknownMethods = new Map<Method, number>();
  /** Detected from the newest answer. */
  dialect: Dialect = 'specification';

  constructor(requestsPerMinute: number) {
    this.budget = new Budget(requestsPerMinute);
  }
}
