import * as z from 'zod';
import { ApiError } from './error.ts';

/** Seconds to wait after each of the first seven rejections in a row; then an hour. The first minute has at most three attempts. */
const delays = [5, 20, 60, 120, 300, 900, 1800] as const;

/** A rejection, as it is saved. Times are in Unix milliseconds; in the gate, `nextAttempt` is in milliseconds of the monotonic clock. */
export const rejection = z.object({
  /** The rejected password or token. Must be hashed before it is saved. */
  secret: z.string(),
  count: z.number(),
  rejected: z.number(),
  nextAttempt: z.number(),
  /** The redacted error message of the API. Earlier versions did not save it. */
  answer: z.string().optional(),
});

type Rejection = Readonly<z.infer<typeof rejection>>;

/**
 * Allows one call at a time until the API accepts the secret. Each rejection makes the delay until the next attempt longer, up to an hour,
 * because repeated wrong passwords may lock the account. Allows a changed secret immediately.
 */
export class CredentialGate {
  /** The secret that the API accepted last; undefined if the API has rejected it since. */
  proven: string | undefined;
  /** The newest rejection of each secret that the API has not accepted since. */
  readonly #rejections = new Map<string, Rejection>();

  /** Milliseconds until a call with this secret may be sent; undefined if the API accepts the secret. */
  nextAttemptIn(secret: string): number | undefined {
    if (this.proven === secret) return undefined;
    return Math.max(0, (this.#rejections.get(secret)?.nextAttempt ?? 0) - performance.now());
  }

  /** Allows a call, and returns whether calls with this secret may overlap. Throws ApiError `auth` if no attempt is due yet. */
  admit(secret: string): boolean {
    if (this.proven === secret) return true;
    const milliseconds = this.nextAttemptIn(secret) ?? 0;
    if (milliseconds === 0) return false;
    const { answer } = this.#rejections.get(secret) ?? {};
    const cause = `the API rejected the credentials${answer === undefined ? '' : ` (${answer})`}`;
    const message = `not sent: ${cause}; next attempt in ${Math.ceil(milliseconds / 1000)} s`;
    throw new ApiError(message, { reason: 'auth' });
  }

  /** Allows all calls with this secret, because the API accepted it. */
  accepted(secret: string): void {
    this.proven = secret;
    this.#rejections.delete(secret);
  }

  /** Removes all rejections, so that the next attempt is not delayed. */
  open(): void {
    this.#rejections.clear();
  }

  /** Blocks calls with this secret. A call sent before the previous rejection does not count. `answer`: the redacted error message. */
  rejected(secret: string, wasProven: boolean, answer: string): void {
    const isProven = this.proven === secret;
    if (wasProven && !isProven) return;
    const count = (this.#rejections.get(secret)?.count ?? 0) + 1;
    const nextAttempt = performance.now() + delayAfter(count);
    this.#rejections.set(secret, { secret, count, rejected: Date.now(), nextAttempt, answer });
    if (isProven) this.proven = undefined;
  }

  /** The newest rejection of a secret that the API has not accepted since. */
  snapshot(): Rejection | undefined {
    const [newest] = [...this.#rejections.values()].toSorted((one, other) => other.rejected - one.rejected);
    return newest && { ...newest, nextAttempt: Date.now() + newest.nextAttempt - performance.now() };
  }

  /**
   * Applies a saved rejection, unless the API has accepted the secret since. If several accounts with the same login saved a rejection, the
   * rejection with the highest count applies.
   */
  restore(saved: Rejection): void {
    const { secret, count, nextAttempt } = saved;
    if (this.proven === secret || (this.#rejections.get(secret)?.count ?? 0) >= count) return;
    // If the clock was set back, `nextAttempt` may be too far in the future.
    const wait = Math.min(Math.max(nextAttempt - Date.now(), 0), delayAfter(count));
    this.#rejections.set(secret, { ...saved, nextAttempt: performance.now() + wait });
  }
}

/** Milliseconds to the next attempt after this number of rejections. */
function delayAfter(rejections: number): number {
  return 1000 * (delays[rejections - 1] ?? 3600);
}
