/** A port that cannot be opened. The message is ready for stderr; the program exits with code 3. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(address: string, cause: unknown, advice: string) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`${address}: cannot listen: ${message}; ${advice}`, { cause });
  }
}
