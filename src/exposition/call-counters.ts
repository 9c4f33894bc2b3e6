import type { Reason } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import type { MethodCalls } from './account-metrics.ts';

interface Counters extends MethodCalls {
  sent: number;
  readonly failed: Map<Reason, number>;
}

/** Counts the API calls of one account. The given methods start at 0, so that `increase` includes their first call. */
export class CallCounters implements Iterable<MethodCalls> {
  readonly #counters = new Map<Method, Counters>();

  constructor(methods: Iterable<Method>) {
    for (const method of methods) this.#of(method);
  }

  countCall(method: Method): void {
    this.#of(method).sent += 1;
  }

  countFailure(method: Method, reason: Reason): void {
    const { failed } = this.#of(method);
    failed.set(reason, (failed.get(reason) ?? 0) + 1);
  }

  [Symbol.iterator](): Iterator<MethodCalls> {
    return this.#counters.values();
  }

  #of(method: Method): Counters {
    const counters = this.#counters.get(method) ?? { method, sent: 0, failed: new Map() };
    this.#counters.set(method, counters);
    return counters;
  }
}
