import { ApiError } from '../api/error.ts';

/** Withholds a list that lost over half of its elements until a second list confirms it: failing APIs omit elements. */
export class ListGuard {
  /** Lengths of the newest accepted lists, by name. */
  #lengths: ReadonlyMap<string, number> = new Map();
  #isUnconfirmed = false;

  /** Checks a list, or each list in an object. For the first list that must be confirmed, throws ApiError with reason `payload`. */
  check(payload: unknown): void {
    const lengths = new Map<string, number>();
    // A payload that is itself a list has an empty name.
    for (const [name, list] of Object.entries(Array.isArray(payload) ? { '': payload } : Object(payload))) {
      if (!Array.isArray(list)) continue;
      const { length } = list;
      lengths.set(name, length);
      const previous = this.#lengths.get(name) ?? 0;
      if (length >= previous / 2 || this.#isUnconfirmed) continue;
      this.#isUnconfirmed = true;
      const subject = name === '' ? 'the list' : `the list of ${name}`;
      const message = `${subject} shrank from ${previous} to ${length} elements; the previous result stays until a second answer confirms it`;
      throw new ApiError(message, { reason: 'payload', accepted: true });
    }
    this.#isUnconfirmed = false;
    this.#lengths = lengths;
  }
}
