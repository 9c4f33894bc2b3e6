import { ApiError } from '../api/error.ts';

/**
 * Withholds a payload in which a list lost over half of its elements, because failing APIs omit elements. A second payload confirms the
 * list if the two lengths differ by at most a tenth. Otherwise, a further payload must confirm the second one.
 */
export class ListGuard {
  /** Lengths of the lists of the newest accepted payload, by name. */
  #accepted: ReadonlyMap<string, number> = new Map();
  /** Lengths of the lists that were too short in the newest payload, by name. */
  #short: ReadonlyMap<string, number> = new Map();

  /**
   * Checks a list, or each list in an object. Throws ApiError with reason `payload` for the first list that must be confirmed. The first
   * payload is always accepted.
   */
  check(payload: unknown): void {
    const lengths = new Map<string, number>();
    // A payload that is itself a list has an empty name.
    for (const [name, list] of Object.entries(Array.isArray(payload) ? { '': payload } : Object(payload))) {
      if (Array.isArray(list)) lengths.set(name, list.length);
    }
    const short = new Map<string, number>();
    let message: string | undefined;
    for (const [name, before] of this.#accepted) {
      // A list that is missing would also end the series of its elements.
      const length = lengths.get(name) ?? 0;
      if (length >= before / 2) continue;
      short.set(name, length);
      const first = this.#short.get(name);
      if (first !== undefined && Math.abs(length - first) <= Math.max(length, first) / 10) continue;
      const subject = name === '' ? 'the list' : `the list of ${name}`;
      message ??= `${subject} shrank from ${before} to ${length} elements; the previous result stays until a second answer confirms the new list`;
    }
    this.#short = short;
    if (message !== undefined) throw new ApiError(message, { reason: 'payload', accepted: true });
    this.#accepted = lengths;
  }
}
