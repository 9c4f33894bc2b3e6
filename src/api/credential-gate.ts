import PQueue from 'p-queue';
import { type Priority, priorities } from './budget.ts';
import { ApiError } from './error.ts';

const seconds = 1000;
const minutes = 60 * seconds;

/** Milliseconds to the next attempt after 1, 2, … 7 rejections in a row. These delays allow at most three calls in the first minute. */
const delays = [5 * seconds, 20 * seconds, minutes, 2 * minutes, 5 * minutes, 15 * minutes, 30 * minutes] as const;
const longestDelay = 60 * minutes;

interface Rejection {
  readonly secret: string;
  readonly count: number;
  /** Time of the rejection. All times are in milliseconds of the monotonic clock. */
  readonly time: number;
  readonly nextAttempt: number;
  /** The redacted answer of the API; undefined if an earlier process received it. */
  readonly answer: string | undefined;
  /** Set after the API accepted the secret. A rejection before this time increases `count`. A later rejection sets `count` to 1. */
  readonly rememberedUntil?: number;
}

/** A rejection that survives a restart. Times are in Unix milliseconds. */
export interface RejectionSnapshot {
  /** Must be hashed before it is saved. The secret of a presumed rejection is not saved. */
  readonly secret: string;
  /** Set while the API has not answered the first attempt with the secret. */
  readonly isPresumed?: true;
  readonly count: number;
  readonly rejected: number;
  readonly nextAttempt: number;
}

/**
 * Allows one call at a time with an unproven secret, until the API accepts a call. After a rejection, allows single attempts at intervals
 * of up to an hour, because repeated wrong passwords may lock the account. Allows a changed secret immediately.
 */
export class CredentialGate {
  /** The newest secret that the API accepted; undefined if the API then rejected this secret. */
  #proven: string | undefined;
  /** The newest rejection of each secret, in order of time. */
  readonly #rejections = new Map<string, Rejection>();
  readonly #attempts = new PQueue({ concurrency: 1 });
  /** The attempt in progress. If the process is killed before the answer, the attempt counts as rejected. */
  #unanswered: Rejection | undefined;
  /** Whether the previous process ended normally after the API had accepted its calls. If true, attempts are not recorded. */
  isTrusted = false;

  /** Milliseconds until a call with this secret may be sent; undefined if the API accepts the secret. */
  nextAttemptIn(secret: string): number | undefined {
    if (this.isProven(secret)) return undefined;
    return Math.max(0, (this.#rejections.get(secret)?.nextAttempt ?? 0) - performance.now());
  }

  isProven(secret: string): boolean {
    return this.#proven === secret;
  }

  /** Makes a call when no attempt is in progress. Rejects with ApiError `auth` if no attempt is due yet. */
  async attempt<T>(secret: string, priority: Priority, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const attempt = async () => {
      if (this.isProven(secret)) return undefined;
      if (this.nextAttemptIn(secret) !== 0) throw this.#refusal(secret);
      return { result: await call() };
    };
    const attempted = await this.#attempts.add(attempt, { priority: priorities[priority], signal });
    // An earlier attempt has proven the secret, so make this call outside the queue.
    return attempted === undefined ? call() : attempted.result;
  }

  /** Makes an attempt that counts as rejected until it ends. Otherwise, each kill and restart would cause another attempt. */
  async record<T>(secret: string, signal: AbortSignal, save: () => Promise<void>, call: () => Promise<T>): Promise<T> {
    if (this.isTrusted || this.isProven(secret)) return call();
    const previous = this.#rejections.get(secret);
    const count = (previous?.count ?? 0) + 1;
    const time = performance.now();
    this.#unanswered = { secret, count, time, nextAttempt: time + delayAfter(count), answer: previous?.answer };
    await save();
    try {
      return await call();
    } finally {
      // Count an aborted attempt as rejected. Otherwise, each reload would send a rejected secret again immediately.
      if (signal.aborted && this.#unanswered !== undefined && previous !== undefined) this.#add(this.#unanswered);
      this.#unanswered = undefined;
      if (!signal.aborted) void save();
    }
  }

  /** Allows all calls with this secret. If the API soon rejects the secret again, the intervals continue to grow. */
  accepted(secret: string): void {
    this.#unanswered = undefined;
    if (this.#proven === secret) return;
    this.#proven = secret;
    const rejection = this.#rejections.get(secret);
    if (rejection === undefined) return;
    const rememberedUntil = performance.now() + delayAfter(rejection.count + 1);
    this.#rejections.set(secret, { ...rejection, nextAttempt: 0, rememberedUntil });
  }

  /** Removes all rejections, so that the next call is an attempt. */
  open(): void {
    this.#rejections.clear();
  }

  /**
   * Blocks calls with this secret. If the secret was accepted before, returns the error for calls that wait for the budget. Ignores calls
   * sent before the previous rejection. `sent`: milliseconds of the monotonic clock. `answer`: the redacted answer.
   */
  rejected(secret: string, sent: number, answer: string): ApiError | undefined {
    this.#unanswered = undefined;
    this.isTrusted = false;
    const time = performance.now();
    const last = this.#rejections.get(secret);
    const previous = time < (last?.rememberedUntil ?? Number.POSITIVE_INFINITY) ? last : undefined;
    if (previous !== undefined && sent <= previous.time) return undefined;
    const count = (previous?.count ?? 0) + 1;
    this.#add({ secret, count, time, nextAttempt: time + delayAfter(count), answer });
    if (this.#proven !== secret) return undefined;
    this.#proven = undefined;
    return this.#refusal(secret);
  }

  /** The attempt in progress, if any. Otherwise the newest rejection of a secret that the API has not accepted since. */
  snapshot(): RejectionSnapshot | undefined {
    const rejections = [...this.#rejections.values()];
    const newest = this.#unanswered ?? rejections.findLast(({ rememberedUntil }) => rememberedUntil === undefined);
    if (newest === undefined) return undefined;
    const { secret, count, time, nextAttempt } = newest;
    const toWall = Date.now() - performance.now();
    const snapshot = { secret, count, rejected: time + toWall, nextAttempt: nextAttempt + toWall };
    return newest === this.#unanswered && count === 1 ? { ...snapshot, isPresumed: true } : snapshot;
  }

  /** Continues a rejection of an earlier process. Each account of a login saves its own rejection; the highest count applies. */
  restore({ secret, count, rejected, nextAttempt }: RejectionSnapshot): void {
    const now = Date.now();
    const wait = Math.min(Math.max(nextAttempt - now, 0), delayAfter(count));
    if ((this.#rejections.get(secret)?.count ?? 0) >= count) return;
    const time = performance.now() - Math.max(now - rejected, 0);
    this.#add({ secret, count, time, nextAttempt: performance.now() + wait, answer: undefined });
  }

  #add(rejection: Rejection): void {
    this.#rejections.delete(rejection.secret);
    this.#rejections.set(rejection.secret, rejection);
  }

  #refusal(secret: string): ApiError {
    const answer = this.#rejections.get(secret)?.answer;
    const wait = Math.ceil((this.nextAttemptIn(secret) ?? 0) / seconds);
    const cause =
      answer === undefined
        ? 'the API rejected the credentials, or an earlier process was killed before the answer'
        : `the API rejected the credentials (${answer})`;
    return new ApiError(`not sent: ${cause}; next attempt in ${wait} s`, { reason: 'auth' });
  }
}

function delayAfter(rejections: number): number {
  return delays[rejections - 1] ?? longestDelay;
}
