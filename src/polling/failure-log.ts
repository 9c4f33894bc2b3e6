import { type Log, listNames } from '../log.ts';
import type { PollFailure } from '../results/finished-poll.ts';

/** Identifies a poller in the failure log. Objects are compared by identity and not by content. */
export interface ReportedPoll {
  readonly account: string;
  readonly collector: string;
  /** Scheme, host and port of the API. */
  readonly server: string;
  readonly section: string;
}

const minute = 60_000;
const hour = 60 * minute;

/** Number of returns after which a cause is logged only once an hour. A cause returns if it begins again within an hour of its end. */
const maxReturns = 2;

const maxNames = 5;

/** A cause of failures, and the polls that fail because of it. */
class Cause {
  readonly failure: PollFailure;
  readonly isAboutServer: boolean;
  /** Start of the cause, in Unix milliseconds. */
  readonly since = Date.now();
  readonly polls = new Set<ReportedPoll>();
  /** Time of the last log line, in milliseconds of the monotonic clock. */
  lastLine = performance.now();
  /** Number of failing polls at the last log line. */
  reported = 1;
  /** End of the cause, in milliseconds of the monotonic clock; undefined while polls fail. */
  ended: number | undefined;
  returns = 0;
  /** Number of failed polls since the last log line. */
  failedPolls = 0;
  newest: PollFailure;

  constructor(failure: PollFailure) {
    this.failure = failure;
    this.newest = failure;
    this.isAboutServer = isAboutServer(failure);
  }

  get isUnstable(): boolean {
    return this.returns >= maxReturns;
  }
}

/**
 * Logs one line per cause and not per poll, a reminder every hour, and a line when the cause ends. An unreachable server is one cause for
 * all its accounts. Rejected credentials are one cause per account. Missing permissions are one cause per account and section.
 */
export class FailureLog {
  readonly #log: Log;
  readonly #causes = new Map<string, Cause>();
  readonly #causeOf = new Map<ReportedPoll, Cause>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#review(), minute).unref();
  }

  /** Records a failed poll. Returns whether a log line was written. */
  failed(poll: ReportedPoll, failure: PollFailure): boolean {
    const key = causeKey(poll, failure);
    const known = this.#causes.get(key);
    const cause = known ?? new Cause(failure);
    const previous = this.#causeOf.get(poll);
    if (previous !== undefined && previous !== cause) this.#leave(poll, previous);
    this.#causes.set(key, cause);
    this.#causeOf.set(poll, cause);
    cause.polls.add(poll);
    cause.newest = failure;
    cause.failedPolls += 1;
    if (known === undefined) return this.#write(cause, firstMessage(failure));
    if (known.ended === undefined) return false;
    known.ended = undefined;
    if (known.isUnstable) return false;
    known.returns += 1;
    const unstable = 'polls fail intermittently, next report in an hour';
    return this.#write(known, known.isUnstable ? unstable : firstMessage(failure));
  }

  /** Records a successful poll. Returns whether a log line was written. */
  succeeded(poll: ReportedPoll): boolean {
    const cause = this.#causeOf.get(poll);
    if (cause === undefined) return false;
    this.#leave(poll, cause);
    if (cause.polls.size > 0 || cause.isUnstable) return false;
    return this.#writeEnd(cause, poll);
  }

  forget(account: string): void {
    for (const [poll, cause] of this.#causeOf) if (poll.account === account) this.#leave(poll, cause);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Removes a poll from its cause. A cause without polls ends, but is kept for an hour, because it may return. */
  #leave(poll: ReportedPoll, cause: Cause): void {
    this.#causeOf.delete(poll);
    cause.polls.delete(poll);
    if (cause.polls.size === 0) cause.ended = performance.now();
  }

  #review(): void {
    const now = performance.now();
    for (const [key, cause] of this.#causes) {
      const quiet = now - cause.lastLine;
      if (cause.ended !== undefined && now - cause.ended >= hour) {
        this.#causes.delete(key);
        if (cause.isUnstable) this.#writeEnd(cause, undefined);
      } else if (cause.isUnstable) {
        if (quiet >= hour && cause.failedPolls > 0) this.#write(cause, 'polls failed intermittently in the last hour');
      } else if (cause.ended === undefined) {
        // Polls of other accounts may fail for the same reason.
        const mayGrow = cause.isAboutServer || cause.failure.reason === 'local';
        if (quiet >= hour) this.#write(cause, 'polls still fail');
        else if (mayGrow && cause.polls.size >= 2 * cause.reported)
          this.#write(cause, 'more polls fail for the same reason');
      }
    }
  }

  #write(cause: Cause, message: string): boolean {
    const { newest, failure } = cause;
    cause.lastLine = performance.now();
    cause.reported = Math.max(cause.polls.size, 1);
    const fields = {
      ...describePolls(cause),
      reason: failure.reason,
      ...sinceOf(cause),
      ...(cause.failedPolls > 1 && { failed_polls: cause.failedPolls }),
      error: newest.message,
      ...(newest.stack !== undefined && { stack: newest.stack }),
    };
    cause.failedPolls = 0;
    const isForPeople = failure.reason === 'auth' || failure.reason === 'bug';
    this.#log[isForPeople ? 'error' : 'warn'](fields, message);
    return true;
  }

  #writeEnd(cause: Cause, poll: ReportedPoll | undefined): boolean {
    const { reason } = cause.failure;
    const message = reason === 'auth' ? 'the API accepts the credentials again' : 'polls succeed again';
    const who = cause.isAboutServer ? { api: poll?.server } : { account: poll?.account, collector: poll?.collector };
    this.#log.info({ ...who, reason, ...sinceOf(cause) }, message);
    return true;
  }
}

function firstMessage({ reason }: PollFailure): string {
  if (reason === 'auth') return 'the API rejects the credentials, pausing all calls of the account';
  return reason === 'bug' ? 'bug in the exporter, please report it' : 'poll failed';
}

function sinceOf({ since }: Cause): { readonly since?: string } {
  return Date.now() - since < minute ? {} : { since: new Date(since).toISOString() };
}

/** Whether the server is unreachable, or is not the API. */
function isAboutServer({ reason, accepted }: PollFailure): boolean {
  return reason === 'network' || reason === 'timeout' || reason === 'http' || (reason === 'payload' && !accepted);
}

function causeKey({ account, collector, server, section }: ReportedPoll, failure: PollFailure): string {
  const { reason } = failure;
  if (isAboutServer(failure)) return JSON.stringify([reason, server]);
  // Omit the method at the start of the message, because the cause is the same for all methods.
  if (reason === 'local') return JSON.stringify([reason, failure.message.slice(failure.message.indexOf(': ') + 1)]);
  if (reason === 'auth' || reason === 'limit') return JSON.stringify([reason, account]);
  return JSON.stringify([reason, account, reason === 'permission' ? section : collector]);
}

function describePolls({ polls, isAboutServer }: Cause): Readonly<Record<string, string | number>> {
  const all = [...polls];
  const accounts = new Set(all.map(({ account }) => account));
  const collectors = [...new Set(all.map(({ collector }) => collector))];
  const [account = ''] = accounts;
  return {
    ...(isAboutServer && all[0] !== undefined && { api: all[0].server }),
    ...(accounts.size > 1 ? { accounts: accounts.size } : { account }),
    [collectors.length > 1 ? 'collectors' : 'collector']: listNames(collectors, maxNames),
  };
}
