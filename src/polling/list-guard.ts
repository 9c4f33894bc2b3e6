import { ApiError } from '../api/error.ts';

/**
 * Withholds a list that suddenly is empty or lost more than half of its elements until a second answer confirms it:
 * providers answer incompletely while they fail, and a removed item loses its series.
 */
export class ListGuard {
  /** Length of the newest accepted list. */
  #length: number | undefined;
  #isUnconfirmed = false;

  /** Throws ApiError with reason `payload` for the first of such lists. Payloads that are not lists pass. */
  check(list: unknown): void {
    if (!Array.isArray(list)) return;
    const previous = this.#length ?? 0;
    const shrank = list.length < previous / 2;
    if (shrank && !this.#isUnconfirmed) {
      this.#isUnconfirmed = true;
      const message = `the list shrank from ${previous} to ${list.length} elements; the previous result stays until a second answer confirms it`;
      throw new ApiError(message, { reason: 'payload', accepted: true });
    }
    this.#isUnconfirmed = false;
    this.#length = list.length;
  }
}
