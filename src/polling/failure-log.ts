import type { Failure } from '../api/error.ts';
import { sectionOf } from '../api/method.ts';
import type { Collector } from '../collectors/collector.ts';
import type { Log } from '../log.ts';

/** Identifies a poller in the failure log. Objects are compared by identity and not by content. */
export interface ReportedPoller {
  readonly account: { readonly name: string; readonly server: string };
  readonly collector: Pick<Collector, 'name' | 'methods'>;
}

interface Cause {
  readonly failure: Failure;
  /** Unix milliseconds. */
  readonly since: number;
  readonly pollers: Set<ReportedPoller>;
  /** Number of pollers that failed because of this cause. */
  affected: number;
}

const minute = 60_000;

/**
 * Logs one line when a cause of failures begins, and one line when it ends. An unreachable server is one cause for all its accounts.
 * Rejected credentials are one cause per account. Missing permissions are one cause per account and section.
 */
export class FailureLog {
  readonly #log: Log;
  readonly #causes = new Map<string, Cause>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Records a failed poll. Returns whether a log line was written. */
  failed(poller: ReportedPoller, failure: Failure): boolean {
    const key = keyOf(poller, failure);
    this.#leave(poller, key);
    const known = this.#causes.get(key);
    const cause = known ?? { failure, since: Date.now(), pollers: new Set(), affected: 0 };
    this.#causes.set(key, cause);
    if (!cause.pollers.has(poller)) cause.affected += 1;
    cause.pollers.add(poller);
    if (known !== undefined) return false;
    const { reason, message: error, stack } = failure;
    const isForPeople = reason === 'auth' || reason === 'bug';
    const server = isAboutServer(failure) ? { api: poller.account.server } : {};
    const fields = { ...server, account: poller.account.name, collector: poller.collector.name, reason, error };
    this.#log[isForPeople ? 'error' : 'warn']({ ...fields, ...(stack !== undefined && { stack }) }, messageOf(reason));
    return true;
  }

  /** Records a successful poll. Returns whether a log line was written. */
  succeeded(poller: ReportedPoller): boolean {
    return this.#leave(poller).some((cause) => this.#writeEnd(cause, poller));
  }

  forget(pollers: readonly ReportedPoller[]): void {
    for (const poller of pollers) this.#leave(poller);
  }

  /** Removes a poller from its cause, unless its cause is `kept`. Returns the cause if it has ended. */
  #leave(poller: ReportedPoller, kept?: string): readonly Cause[] {
    for (const [key, cause] of this.#causes) {
      if (key === kept || !cause.pollers.delete(poller) || cause.pollers.size > 0) continue;
      this.#causes.delete(key);
      return [cause];
    }
    return [];
  }

  #writeEnd({ failure, since, affected }: Cause, { account, collector }: ReportedPoller): boolean {
    const who = isAboutServer(failure) ? { api: account.server } : { account: account.name, collector: collector.name };
    const { reason } = failure;
    const lasted = Date.now() - since < minute ? {} : { since: new Date(since).toISOString() };
    const message = reason === 'auth' ? 'the API accepts the credentials again' : 'polls succeed again';
    this.#log.info({ ...who, reason, ...lasted, polls: affected }, message);
    return true;
  }
}

function messageOf(reason: Failure['reason']): string {
  if (reason === 'auth') return 'the API rejects the credentials, pausing all calls of the account';
  return reason === 'bug' ? 'bug in the exporter, please report it' : 'poll failed';
}

/** Whether the server is unreachable, or is not the API. */
function isAboutServer({ reason, accepted }: Failure): boolean {
  return reason === 'network' || reason === 'timeout' || reason === 'http' || (reason === 'payload' && !accepted);
}

function keyOf({ account: { name, server }, collector }: ReportedPoller, failure: Failure): string {
  const { reason, message } = failure;
  if (isAboutServer(failure)) return JSON.stringify([reason, server]);
  // Omit the method at the start of the message, because the cause is the same for all methods.
  if (reason === 'local') return JSON.stringify([reason, message.slice(message.indexOf(': ') + 1)]);
  if (reason === 'auth' || reason === 'limit') return JSON.stringify([reason, name]);
  return JSON.stringify([reason, name, reason === 'permission' ? sectionOf(collector.methods[0]) : collector.name]);
}
