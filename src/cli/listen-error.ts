import { BlockedError } from './blocked-error.ts';

/** A port that cannot be opened. */
export class ListenError extends BlockedError {
  override readonly name = 'ListenError';

  constructor(address: string, cause: unknown, advice: string) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`${address}: cannot listen: ${message}; ${advice}`, { cause });
  }
}
