import { ApiError } from '../api/error.ts';

/**
 * Withholds a list that suddenly is empty or lost more than half of its elements until a second answer confirms it:
 * providers answer incompletely while they fail, and a removed item loses its series.
 */
export class ListGuard {
  /** Lengths of the newest accepted lists, by name. */
  #lengths: ReadonlyMap<string, number> = new Map();
  #isUnconfirmed = false;

  /** Throws ApiError with reason `payload` for the first of such lists. Checks a list, or each list in an object. */
  check(payload: unknown): void {
    const lengths = lengthsOf(payload);
    for (const [name, length] of lengths) {
      const previous = this.#lengths.get(name) ?? 0;
      if (length >= previous / 2 || this.#isUnconfirmed) continue;
      this.#isUnconfirmed = true;
      const list = name === '' ? 'the list' : `the list of ${name}`;
      const message = `${list} shrank from ${previous} to ${length} elements; the previous result stays until a second answer confirms it`;
      throw new ApiError(message, { reason: 'payload', accepted: true });
    }
    this.#isUnconfirmed = false;
    this.#lengths = lengths;
  }
}

/** The name of a payload that is itself a list is empty. */
function lengthsOf(payload: unknown): ReadonlyMap<string, number> {
  if (Array.isArray(payload)) return new Map([['', payload.length]]);
  const entries: readonly [string, unknown][] =
    typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];
  return new Map(entries.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length] as const] : [])));
}
