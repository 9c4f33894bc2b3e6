import type { Reason } from '../api/error.ts';

/** Counts the API calls of one account since the start. */
export class CallCounters {
  sent = 0;
  readonly failed = new Map<Reason, number>();
  #failures = 0;

  get revision(): number {
    return this.sent + this.#failures;
  }

  countFailure(reason: Reason): void {
    this.#failures += 1;
    this.failed.set(reason, (this.failed.get(reason) ?? 0) + 1);
  }
}
