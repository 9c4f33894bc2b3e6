/** Ends something that a test started. */
type End = () => Promise<unknown> | unknown;

/** What a test started, so that all of it ends however the test does: hand `end` to afterEach or afterAll. */
export class Belongings {
  readonly #ends: End[] = [];

  add(end: End): void {
    this.#ends.push(end);
  }

  /** The newest first; a failing one does not keep the others. */
  readonly end = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'what the test started did not end well');
  };
}
