import { ApiError } from './error.ts';

const seconds = 1000;
const minutes = 60 * seconds;

/** Milliseconds between the rejections of a password and the next attempts: at most three calls in the first minute. */
const delays = [5 * seconds, 20 * seconds, minutes, 2 * minutes, 5 * minutes, 15 * minutes, 30 * minutes] as const;
const longestDelay = 60 * minutes;

interface Rejection {
  readonly secret: string;
  readonly count: number;
  /** Monotonic clock, in milliseconds. */
  readonly time: number;
  readonly nextAttempt: number;
  /** What the API answered; undefined if an earlier process asked. */
  readonly answer: string | undefined;
}

/** A rejection that outlives the process. Times in Unix milliseconds. */
export interface RejectionSnapshot {
  /** The rejected secret. It must not be written anywhere. */
  readonly secret: string;
  /** Rejections in a row. */
  readonly count: number;
  readonly rejected: number;
  readonly nextAttempt: number;
}

/**
 * Holds back the calls of an account after the API rejected its credentials, because repeated wrong passwords may lock the
 * account. One attempt passes at increasing intervals up to an hour; a changed secret passes immediately.
 */
export class CredentialGate {
  #rejection: Rejection | undefined;
  /** The rejection that an accepted call ended, and until when another one continues its intervals. */
  #ended: { readonly rejection: Rejection; readonly remembered: number } | undefined;
  /** The call that passes the closed gate. */
  #attempt: PromiseWithResolvers<void> | undefined;
  #closing = new AbortController();

  get isClosed(): boolean {
    return this.#rejection !== undefined;
  }

  /** A signal for a call that waits for the budget: aborts with an ApiError if the gate closes before `end`. */
  signalWhileWaiting(): { readonly signal: AbortSignal; end(): void } {
    const closing = this.#closing.signal;
    const waiting = new AbortController();
    const abort = () => waiting.abort(closing.reason);
    closing.addEventListener('abort', abort);
    return { signal: waiting.signal, end: () => closing.removeEventListener('abort', abort) };
  }

  /** Milliseconds until the next attempt; undefined while the gate is open. */
  get nextAttemptIn(): number | undefined {
    if (this.#rejection === undefined) return undefined;
    return Math.max(0, this.#rejection.nextAttempt - performance.now());
  }

  /**
   * Lets a call with this secret pass, or rejects with an ApiError with reason `auth`. Calls that come during an attempt wait
   * for its answer. `end` must be called after the call.
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
   * Closes the gate; calls that wait for the budget are rejected. `sent` is the time of the call by the monotonic clock: calls
   * that were under way when the gate closed are not further attempts. The calls that are held back report `answer`, the
   * redacted answer of the API.
   */
  rejected(secret: string, sent: number, answer: string): void {
    const newest = this.#rejection ?? this.#remembered;
    const previous = newest?.secret === secret ? newest : undefined;
    if (previous !== undefined && sent <= previous.time) return;
    const count = (previous?.count ?? 0) + 1;
    const time = performance.now();
    this.#rejection = { secret, count, time, nextAttempt: time + delayAfter(count), answer };
    const closing = this.#closing;
    this.#closing = new AbortController();
    closing.abort(this.#refusal());
  }

  /** The current rejection. */
  snapshot(): RejectionSnapshot | undefined {
    if (this.#rejection === undefined) return undefined;
    const { secret, count, time, nextAttempt } = this.#rejection;
    const toWall = Date.now() - performance.now();
    return { secret, count, rejected: time + toWall, nextAttempt: nextAttempt + toWall };
  }

  /** Closes the gate after a rejection by an earlier process. */
  restore({ secret, count, rejected, nextAttempt }: RejectionSnapshot): void {
    const now = Date.now();
    const wait = Math.min(Math.max(nextAttempt - now, 0), delayAfter(count));
    const time = performance.now() - Math.max(now - rejected, 0);
    this.#rejection = { secret, count, time, nextAttempt: performance.now() + wait, answer: undefined };
  }

  get #remembered(): Rejection | undefined {
    return this.#ended !== undefined && performance.now() < this.#ended.remembered ? this.#ended.rejection : undefined;
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
