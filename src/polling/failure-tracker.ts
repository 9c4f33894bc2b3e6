import type { Failure } from '../api/error.ts';
import type { Collector } from '../collectors/collector.ts';

/** After this number of failures in a row, the poll ends, because the API is probably unreachable. */
const maxConsecutiveFailures = 3;

const itemReasons: ReadonlySet<Failure['reason']> = new Set(['payload', 'request', 'method', 'api', 'bug']);

/** If a poll of an item fails for one of these reasons, the API refuses the item, for example a domain without a zone. */
const refusalReasons: ReadonlySet<Failure['reason']> = new Set(['request', 'method', 'api']);

export function isRefusal({ reason }: Failure): boolean {
  return refusalReasons.has(reason);
}

export function concernsOneItem({ reason }: Failure): boolean {
  return itemReasons.has(reason);
}

/** Collects the failures of one poll, counts its calls and decides when to abandon it. */
export class FailureTracker {
  calls = 0;
  readonly failures: Failure[] = [];
  readonly #methods: Collector['methods'];
  readonly #abandon = new AbortController();
  /** Aborts when the remaining calls of the poll would probably fail, too. */
  readonly abandoned = this.#abandon.signal;
  #consecutive = 0;

  constructor({ methods }: Pick<Collector, 'methods'>) {
    this.#methods = methods;
  }

  add(failure: Failure): void {
    const isForAllItems = this.#isForAllItems(failure);
    const [first] = this.failures;
    const replacesPermission =
      first?.reason === 'permission' && failure.reason !== 'permission' && !this.#isForAllItems(first);
    if (isForAllItems || replacesPermission) this.failures.unshift(failure);
    else this.failures.push(failure);
    this.#consecutive = concernsOneItem(failure) ? 0 : this.#consecutive + 1;
    if (isForAllItems || this.#consecutive === maxConsecutiveFailures) this.#abandon.abort();
  }

  addSuccess(): void {
    this.#consecutive = 0;
  }

  /** Whether all other items would fail for the same reason. A permission may be missing for only one of several methods. */
  #isForAllItems({ reason }: Failure): boolean {
    return reason === 'auth' || (reason === 'permission' && this.#methods.length === 1);
  }
}
