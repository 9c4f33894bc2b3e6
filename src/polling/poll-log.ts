import type { Failure } from '../api/error.ts';
import { sectionOf } from '../api/method.ts';
import type { Log } from '../log.ts';
import type { Account } from './account.ts';
import type { Poller } from './poller.ts';
import { timeZoneDoubt } from './time-zone-doubt.ts';

interface Cause {
  readonly key: string;
  readonly failure: Failure;
  /** Unix milliseconds. */
  readonly since: number;
  /** Number of pollers that failed because of this cause. */
  affected: number;
  /** The pollers that still fail. */
  readonly pollers: Set<Poller>;
}

const minute = 60_000;

/**
 * Logs finished polls. For people, logs one line when a cause of failures begins, and one when it ends. An unreachable server is one cause
 * for all its accounts. Rejected credentials are one cause per account. Missing permissions are one cause per account and section.
 */
export class PollLog {
  readonly #log: Log;
  readonly #causes = new Map<string, Cause>();
  readonly #failing = new Map<Poller, Cause>();
  readonly #stretched = new WeakSet<Account>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `failure`: why the poll failed; undefined if it succeeded. Writes a line at the level debug, unless a cause begins or ends. */
  pollEnded(poller: Poller, failure: Failure | undefined): void {
    const fields = { account: poller.account.name, collector: poller.collector.name };
    const before = this.#failing.get(poller);
    if (failure === undefined) {
      if (before !== undefined) this.forget(poller);
      if (before?.pollers.size === 0) this.#logEnd(before, poller);
      else this.#log.debug(fields, 'poll succeeded');
      return;
    }
    const { reason, message: error, stack } = failure;
    const key = keyOf(poller, failure);
    if (before?.key !== key) this.forget(poller);
    const known = this.#causes.get(key);
    const cause = known ?? { key, failure, since: Date.now(), affected: 0, pollers: new Set() };
    this.#causes.set(key, cause);
    this.#failing.set(poller, cause);
    if (!cause.pollers.has(poller)) cause.affected += 1;
    cause.pollers.add(poller);
    const api = isAboutServer(failure) ? { api: poller.account.server } : {};
    const line = { ...api, ...fields, reason, error, ...(stack !== undefined && { stack }) };
    if (known !== undefined) this.#log.debug(line, 'poll failed again');
    else if (reason === 'bug') this.#log.error(line, 'bug in the exporter, please report it');
    else if (reason !== 'auth') this.#log.warn(line, 'poll failed');
    else this.#log.error(line, 'the API rejects the credentials, pausing all calls of the account');
  }

  /** Warns each time that an account begins to need more calls than its budget allows. */
  reportStretch(account: Account): void {
    const { name, stretch, load } = account;
    const isTooMuch = stretch > 1 || load.callsPerMinute > load.budget;
    if (isTooMuch && !this.#stretched.has(account)) {
      const fields = { calls_per_minute: load.callsPerMinute, budget: load.budget, factor: Number(stretch.toFixed(2)) };
      this.#log.warn({ account: name, ...fields }, 'the schedules require more calls than the budget allows');
    }
    if (isTooMuch) this.#stretched.add(account);
    else this.#stretched.delete(account);
  }

  /** Warns if the load histories of an account do not fit its time zone. Returns whether it has warned. */
  reportTimeZone({ name, timeZone, store }: Account): boolean {
    const doubt = timeZoneDoubt(store, timeZone);
    if (doubt === undefined) return false;
    const fields = { account: name, time_zone: timeZone, ...doubt };
    this.#log.warn(fields, "the newest load and the provider's clock differ by hours, check time_zone");
    return true;
  }

  /** Removes a poller from its cause. */
  forget(poller: Poller): void {
    const cause = this.#failing.get(poller);
    this.#failing.delete(poller);
    cause?.pollers.delete(poller);
    if (cause?.pollers.size === 0) this.#causes.delete(cause.key);
  }

  #logEnd({ failure, since, affected }: Cause, { account, collector }: Poller): void {
    const { reason } = failure;
    const who = isAboutServer(failure) ? { api: account.server } : { account: account.name, collector: collector.name };
    const lasted = Date.now() - since < minute ? {} : { since: new Date(since).toISOString() };
    const message = reason === 'auth' ? 'the API accepts the credentials again' : 'polls succeed again';
    this.#log.info({ ...who, reason, ...lasted, polls: affected }, message);
  }
}

/** Whether the server is unreachable, or is not the API. */
function isAboutServer({ reason, accepted }: Failure): boolean {
  return reason === 'network' || reason === 'timeout' || reason === 'http' || (reason === 'payload' && !accepted);
}

function keyOf({ account: { name, server }, collector }: Poller, failure: Failure): string {
  const { reason, message } = failure;
  if (isAboutServer(failure)) return JSON.stringify([reason, server]);
  // Omit the method at the start of the message, because the cause is the same for all methods.
  if (reason === 'local') return JSON.stringify([reason, message.slice(message.indexOf(': ') + 1)]);
  if (reason === 'auth' || reason === 'limit') return JSON.stringify([reason, name]);
  return JSON.stringify([reason, name, reason === 'permission' ? sectionOf(collector.methods[0]) : collector.name]);
}
