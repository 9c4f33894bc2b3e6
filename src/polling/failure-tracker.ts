import type { Reason } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import type { Collector } from '../collectors/collector.ts';

/** Failures in a row after which the API is considered unreachable and the remaining items are not polled. */
const maxConsecutiveFailures = 3;

/** Reasons that say nothing about the next item. */
const itemReasons: ReadonlySet<PollFailure['reason']> = new Set(['payload', 'request', 'method', 'api', 'bug']);

/** Why a poll, or one item of it, failed. */
export interface PollFailure {
  /** `bug` if the exporter failed and not the API. */
  readonly reason: Reason | 'bug';
  readonly message: string;
  /** Of a bug. */
  readonly stack?: string | undefined;
  /** Whether the API answered and accepted the credentials. */
  readonly accepted: boolean;
  /** The method to permit, if the API grants permissions per method. */
  readonly forbiddenMethod?: Method | undefined;
}

/** Collects the failures of one poll, counts its calls and decides when to abandon it. */
export class FailureTracker {
  readonly failures: PollFailure[] = [];
  /** API calls that were sent. */
  calls = 0;
  readonly #collector: Collector;
  readonly #abandon = new AbortController();
  #consecutive = 0;
  #decisive: PollFailure | undefined;

  constructor(collector: Collector) {
    this.#collector = collector;
  }

  /** Aborts when the remaining calls of the poll would probably fail, too. */
  get abandoned(): AbortSignal {
    return this.#abandon.signal;
  }

  /** The failure that determines when the poll is retried; undefined without failures. */
  get decisive(): PollFailure | undefined {
    return this.#decisive ?? this.failures.find(({ reason }) => reason !== 'permission') ?? this.failures[0];
  }

  add(failure: PollFailure): void {
    this.failures.push(failure);
    this.#consecutive = itemReasons.has(failure.reason) ? 0 : this.#consecutive + 1;
    const isForAllItems = this.#isForAllItems(failure);
    if (isForAllItems) this.#decisive = failure;
    if (isForAllItems || this.#consecutive === maxConsecutiveFailures) this.#abandon.abort();
  }

  addSuccess(): void {
    this.#consecutive = 0;
  }

  /** Whether every other item would fail for the same reason; a permission may apply to one of several methods only. */
  #isForAllItems({ reason }: PollFailure): boolean {
    return reason === 'auth' || (reason === 'permission' && this.#collector.methods.length === 1);
  }
}
