/** A flag that does not fit the configuration. The message is ready for stderr; the program exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
