import { ApiError } from './error.ts';

const seconds = 1000;
const minutes = 60 * seconds;

/** Milliseconds from each rejection to the next attempt. They allow at most three calls in the first minute. */
const delays = [5 * seconds, 20 * seconds, minutes, 2 * minutes, 5 * minutes, 15 * minutes, 30 * minutes] as const;
const longestDelay = 60 * minutes;

interface Rejection {
  readonly secret: string;
  readonly count: number;
  /** Time of the rejection. Both times are in milliseconds of the monotonic clock. */
  readonly time: number;
  readonly nextAttempt: number;
  /** The redacted answer of the API; undefined if an earlier process received it. */
  readonly answer: string | undefined;
}

/** A rejection that survives a restart. Times are in Unix milliseconds. */
export interface RejectionSnapshot {
  /** Must be hashed before it is saved. */
  readonly secret: string;
  readonly count: number;
  readonly rejected: number;
  readonly nextAttempt: number;
}

/**
 * Holds back the calls of an account after the API rejected its credentials, because repeated wrong passwords may lock the account.
 * Lets one attempt pass at increasing intervals of up to an hour. Lets a changed secret pass immediately.
 */
export class CredentialGate {
  #rejection: Rejection | undefined;
  /** The last rejection, kept after the gate opened. A new rejection before the time `remembered` continues its intervals. */
  #ended: { readonly rejection: Rejection; readonly remembered: number } | undefined;
  #attempt: PromiseWithResolvers<void> | undefined;

  get isClosed(): boolean {
    return this.#rejection !== undefined;
  }

  /** Milliseconds until the next attempt; undefined while the gate is open. */
  get nextAttemptIn(): number | undefined {
    if (this.#rejection === undefined) return undefined;
    return Math.max(0, this.#rejection.nextAttempt - performance.now());
  }

  /**
   * Lets a call with this secret pass, or rejects with an ApiError with reason `auth`. While an attempt is in progress, other calls
   * wait for its end. The caller must call `end` after the call.
   */
  async enter(secret: string): Promise<{ end(): void }> {
    while (this.#rejection !== undefined) {
      if (this.#rejection.secret !== secret) this.accepted();
      else if (this.#attempt !== undefined) await this.#attempt.promise;
      else if (this.nextAttemptIn !== 0) throw this.#refusal();
      else return this.#startAttempt();
    }
    return { end: () => {} };
  }

  /** Opens the gate. Another rejection soon afterwards continues the intervals, as if no call had been accepted. */
  accepted(): void {
    if (this.#rejection === undefined) return;
    const remembered = performance.now() + delayAfter(this.#rejection.count + 1);
    this.#ended = { rejection: this.#rejection, remembered };
    this.#rejection = undefined;
  }

  /**
   * Closes the gate and returns the error for calls that wait for the budget. If the call was sent before the gate closed, returns
   * undefined and does not count the rejection. `sent`: time of the call in milliseconds of the monotonic clock. `answer`: the
   * redacted answer of the API, which held-back calls report.
   */
  rejected(secret: string, sent: number, answer: string): ApiError | undefined {
    const isRemembered = this.#ended !== undefined && performance.now() < this.#ended.remembered;
    const newest = this.#rejection ?? (isRemembered ? this.#ended?.rejection : undefined);
    const previous = newest?.secret === secret ? newest : undefined;
    if (previous !== undefined && sent <= previous.time) return undefined;
    const count = (previous?.count ?? 0) + 1;
    const time = performance.now();
    this.#rejection = { secret, count, time, nextAttempt: time + delayAfter(count), answer };
    return this.#refusal();
  }

  snapshot(): RejectionSnapshot | undefined {
    if (this.#rejection === undefined) return undefined;
    const { secret, count, time, nextAttempt } = this.#rejection;
    const toWall = Date.now() - performance.now();
    return { secret, count, rejected: time + toWall, nextAttempt: nextAttempt + toWall };
  }

  /** Continues a rejection that an earlier process received. */
  restore({ secret, count, rejected, nextAttempt }: RejectionSnapshot): void {
    const now = Date.now();
    const wait = Math.min(Math.max(nextAttempt - now, 0), delayAfter(count));
    const time = performance.now() - Math.max(now - rejected, 0);
    this.#rejection = { secret, count, time, nextAttempt: performance.now() + wait, answer: undefined };
  }

  #startAttempt(): { end(): void } {
    const attempt = Promise.withResolvers<void>();
    this.#attempt = attempt;
    const end = () => {
      if (this.#attempt === attempt) this.#attempt = undefined;
      attempt.resolve();
    };
    return { end };
  }

  #refusal(): ApiError {
    const wait = Math.ceil((this.nextAttemptIn ?? 0) / seconds);
    const answer = this.#rejection?.answer === undefined ? '' : ` (${this.#rejection.answer})`;
    return new ApiError(`not sent: the API rejected the credentials${answer}; next attempt in ${wait} s`, {
      reason: 'auth',
    });
  }
}

function delayAfter(rejections: number): number {
  return delays[rejections - 1] ?? longestDelay;
}
