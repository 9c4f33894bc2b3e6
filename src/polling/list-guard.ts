import { ApiError } from '../api/error.ts';
import type { Collector } from '../collectors/collector.ts';

/**
 * Withholds a list that lost over half of its elements, because failing APIs omit elements. A second answer confirms the list if the two
 * lengths differ by at most a tenth. Otherwise, a further answer must confirm the second list.
 */
export class ListGuard {
  /** Lengths of the newest accepted lists, by name. */
  readonly #accepted = new Map<string, number>();
  /** Lengths of the lists that were too short in the newest answer, by name. */
  #short: ReadonlyMap<string, number> = new Map();
  /** Number of restored items of each collector, until a payload is accepted. */
  readonly #restored = new Map<Collector, number>();

  /** Compares the next list's length with the number of a collector's restored items. Does nothing if the list itself was restored. */
  protect(collector: Collector, items: number): void {
    if (this.#accepted.size === 0) this.#restored.set(collector, items);
  }

  /** Checks a list, or each list in an object. Throws ApiError with reason `payload` for the first list that must be confirmed. */
  check(payload: unknown): void {
    const lengths = new Map<string, number>();
    const short = new Map<string, number>();
    // A payload that is itself a list has an empty name.
    for (const [name, list] of Object.entries(Array.isArray(payload) ? { '': payload } : Object(payload))) {
      if (Array.isArray(list)) lengths.set(name, list.length);
    }
    const previous = new Map(this.#accepted);
    for (const [collector, items] of this.#restored) {
      const name = `items of ${collector.name}`;
      previous.set(name, items);
      lengths.set(name, collector.items(payload).length);
    }
    let message: string | undefined;
    for (const [name, length] of lengths) {
      const before = previous.get(name) ?? 0;
      if (length >= before / 2) continue;
      short.set(name, length);
      const first = this.#short.get(name);
      if (first !== undefined && Math.abs(length - first) <= Math.max(length, first) / 10) continue;
      const subject = name === '' ? 'the list' : `the list of ${name}`;
      message ??= `${subject} shrank from ${before} to ${length} elements; the previous result stays until a second answer confirms the new list`;
    }
    this.#short = short;
    if (message !== undefined) throw new ApiError(message, { reason: 'payload', accepted: true });
    this.#restored.clear();
    for (const [name, length] of lengths) this.#accepted.set(name, length);
  }
}
