import type { Failure } from '../api/error.ts';
import { sectionOf } from '../api/method.ts';
import type { Log } from '../log.ts';
import type { Poller } from './poller.ts';

interface Cause {
  readonly reason: Failure['reason'];
  /** URL of the server that is unreachable or that is not the API; undefined for other causes. */
  readonly api: string | undefined;
  /** Time at which the cause began, in Unix milliseconds. */
  readonly since: number;
  /** Number of pollers that failed because of this cause. */
  affected: number;
  /** The pollers that still fail because of this cause. */
  readonly pollers: Set<Poller>;
}

const minute = 60_000;

/**
 * Logs each finished poll at the level debug, or at a higher level if a cause of failures begins or ends. An unreachable server is one
 * cause for all its accounts. Rejected credentials are one cause per account. Missing permissions are one cause per account and section.
 */
export class PollLog {
  readonly #log: Log;
  readonly #causes = new Map<string, Cause>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `failure`: why the poll failed; undefined if it succeeded. */
  pollEnded(poller: Poller, failure: Failure | undefined): void {
    const { account, collector } = poller;
    const fields = { account: account.name, collector: collector.name };
    if (failure === undefined) {
      const ended = this.forget(poller);
      if (ended === undefined) this.#log.debug(fields, 'poll succeeded');
      else this.#logEnd(ended, fields);
      return;
    }
    const { reason, message: error, stack } = failure;
    const api = isAboutServer(failure) ? new URL(account.client.api.baseUrl).origin : undefined;
    const key = JSON.stringify([reason, api ?? subjectOf(poller, failure)]);
    this.forget(poller, key);
    const known = this.#causes.get(key);
    const cause = known ?? { reason, api, since: Date.now(), affected: 0, pollers: new Set() };
    this.#causes.set(key, cause);
    if (!cause.pollers.has(poller)) cause.affected += 1;
    cause.pollers.add(poller);
    const line = { api, ...fields, reason, error, stack };
    if (known !== undefined) this.#log.debug(line, 'poll failed again');
    else if (reason === 'bug') this.#log.error(line, 'bug in the exporter, please report it');
    else if (reason !== 'auth') this.#log.warn(line, 'poll failed');
    else this.#log.error(line, 'the API rejects the credentials, pausing all calls of the account');
  }

  /** Removes a poller from its cause, unless the key of the cause is `exceptKey`. Returns the cause if its last poller was removed. */
  forget(poller: Poller, exceptKey?: string): Cause | undefined {
    for (const [key, cause] of this.#causes) {
      if (key === exceptKey || !cause.pollers.delete(poller)) continue;
      if (cause.pollers.size === 0) this.#causes.delete(key);
      return cause.pollers.size === 0 ? cause : undefined;
    }
    return undefined;
  }

  #logEnd({ reason, api, since, affected }: Cause, fields: object): void {
    const lasted = Date.now() - since < minute ? {} : { since: new Date(since).toISOString() };
    const message = reason === 'auth' ? 'the API accepts the credentials again' : 'polls succeed again';
    this.#log.info({ ...(api ? { api } : fields), reason, ...lasted, polls: affected }, message);
  }
}

/** Whether the server is unreachable, or is not the API. */
function isAboutServer({ reason, accepted }: Failure): boolean {
  return reason === 'network' || reason === 'timeout' || reason === 'http' || (reason === 'payload' && !accepted);
}

/** Returns what a failure concerns, such as an account and a section. Failures with equal reasons and equal subjects have one cause. */
function subjectOf({ account, collector }: Poller, { reason, message }: Failure): readonly string[] {
  // Omit the method at the start of the message, because the cause is the same for all methods.
  if (reason === 'local') return [message.slice(message.indexOf(': ') + 1)];
  if (reason === 'auth' || reason === 'limit') return [account.name];
  return [account.name, reason === 'permission' ? sectionOf(collector.methods[0]) : collector.name];
}
