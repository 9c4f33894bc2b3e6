import PQueue from 'p-queue';
import * as z from 'zod';
import { type Priority, priorities } from './budget.ts';
import { ApiError } from './error.ts';

/** Seconds to the next attempt after 1, 2, … rejections in a row; then an hour. They allow at most three calls in the first minute. */
const delays = [5, 20, 60, 120, 300, 900, 1800] as const;
const longestDelay = 3600;

/** A rejection that survives a restart. Times are in Unix milliseconds. */
export const rejectionSnapshot = z.object({
  /** Must be hashed before it is saved. */
  secret: z.string(),
  count: z.number(),
  rejected: z.number(),
  nextAttempt: z.number(),
});

export type RejectionSnapshot = Readonly<z.infer<typeof rejectionSnapshot>>;

interface Rejection extends Omit<RejectionSnapshot, 'nextAttempt'> {
  /** In milliseconds of the monotonic clock. */
  readonly nextAttempt: number;
  /** The redacted answer of the API; undefined if an earlier process received it. */
  readonly answer?: string;
}

/**
 * Allows one call at a time with an unproven secret, until the API accepts a call. After a rejection, allows single attempts at intervals
 * of up to an hour, because repeated wrong passwords may lock the account. Allows a changed secret immediately.
 */
export class CredentialGate {
  /** The newest secret that the API accepted; undefined if the API then rejected this secret. */
  #proven: string | undefined;
  /** The newest rejection of each secret that the API has not accepted since, in order of time. */
  readonly #rejections = new Map<string, Rejection>();
  readonly #attempts = new PQueue({ concurrency: 1 });

  /** Milliseconds until a call with this secret may be sent; undefined if the API accepts the secret. */
  nextAttemptIn(secret: string): number | undefined {
    if (this.isProven(secret)) return undefined;
    return Math.max(0, (this.#rejections.get(secret)?.nextAttempt ?? 0) - performance.now());
  }

  isProven(secret: string): boolean {
    return this.#proven === secret;
  }

  /** Makes a call; with an unproven secret when no attempt is in progress. Rejects with ApiError `auth` if no attempt is due yet. */
  async attempt<T>(secret: string, priority: Priority, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    if (this.isProven(secret)) return call();
    const attempt = async () => {
      if (this.isProven(secret)) return undefined;
      if (this.nextAttemptIn(secret) !== 0) throw this.#refusal(secret);
      return { result: await call() };
    };
    const attempted = await this.#attempts.add(attempt, { priority: priorities[priority], signal });
    // An earlier attempt has proven the secret, so make this call outside the queue.
    return attempted === undefined ? call() : attempted.result;
  }

  /** Allows all calls with this secret. */
  accepted(secret: string): void {
    this.#proven = secret;
    this.#rejections.delete(secret);
  }

  /** Removes all rejections, so that the next call is an attempt. */
  open(): void {
    this.#rejections.clear();
  }

  /**
   * Blocks calls with this secret. If the secret was accepted before, returns the error for calls that wait for the budget. Ignores calls
   * that were sent with a proven secret and answered after the previous rejection. `answer`: the redacted answer.
   */
  rejected(secret: string, wasProven: boolean, answer: string): ApiError | undefined {
    const isProven = this.isProven(secret);
    if (wasProven && !isProven) return undefined;
    const count = (this.#rejections.get(secret)?.count ?? 0) + 1;
    this.#add({ secret, count, rejected: Date.now(), nextAttempt: performance.now() + delayAfter(count), answer });
    if (isProven) this.#proven = undefined;
    return isProven ? this.#refusal(secret) : undefined;
  }

  /** The newest rejection of a secret that the API has not accepted since. */
  snapshot(): RejectionSnapshot | undefined {
    const newest = [...this.#rejections.values()].at(-1);
    if (newest === undefined) return undefined;
    const { secret, count, rejected, nextAttempt } = newest;
    return { secret, count, rejected, nextAttempt: Date.now() + nextAttempt - performance.now() };
  }

  /** Continues a rejection of an earlier process. Each account of a login saves its own rejection; the highest count applies. */
  restore(rejection: RejectionSnapshot): void {
    const { secret, count, nextAttempt } = rejection;
    if ((this.#rejections.get(secret)?.count ?? 0) >= count) return;
    // The clock may have been set back.
    const wait = Math.min(Math.max(nextAttempt - Date.now(), 0), delayAfter(count));
    this.#add({ ...rejection, nextAttempt: performance.now() + wait });
  }

  /** Deletes an older entry first, because a Map keeps the position of a replaced entry. */
  #add(rejection: Rejection): void {
    this.#rejections.delete(rejection.secret);
    this.#rejections.set(rejection.secret, rejection);
  }

  #refusal(secret: string): ApiError {
    const answer = this.#rejections.get(secret)?.answer;
    const wait = Math.ceil((this.nextAttemptIn(secret) ?? 0) / 1000);
    const cause = `the API rejected the credentials${answer === undefined ? '' : ` (${answer})`}`;
    return new ApiError(`not sent: ${cause}; next attempt in ${wait} s`, { reason: 'auth' });
  }
}

/** Milliseconds to the next attempt after this number of rejections. */
function delayAfter(rejections: number): number {
  return 1000 * (delays[rejections - 1] ?? longestDelay);
}
