import type { Reason } from '../api/error.ts';
import type { Calls } from './account-metrics.ts';

/** Counts the API calls of one account. */
export class CallCounters implements Calls {
  sent = 0;
  readonly failed = new Map<Reason, number>();

  countCall(): void {
    this.sent += 1;
  }

  countFailure(reason: Reason): void {
    this.failed.set(reason, (this.failed.get(reason) ?? 0) + 1);
  }
}
