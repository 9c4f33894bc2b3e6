import type { Failure } from '../api/error.ts';
import { sectionOf } from '../api/method.ts';
import type { Log } from '../log.ts';
import type { Poller } from './poller.ts';

interface Cause {
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

  constructor(log: Log) {
    this.#log = log;
  }

  /** `failure`: why the poll failed; undefined if it succeeded. Writes a line at the level debug, unless a cause begins or ends. */
  pollEnded(poller: Poller, failure: Failure | undefined): void {
    const fields = { account: poller.account.name, collector: poller.collector.name };
    if (failure === undefined) {
      const ended = this.forget(poller);
      if (ended === undefined) this.#log.debug(fields, 'poll succeeded');
      else this.#logEnd(ended, poller);
      return;
    }
    const { reason, message: error, stack } = failure;
    const key = keyOf(poller, failure);
    this.forget(poller, key);
    const known = this.#causes.get(key);
    const cause = known ?? { failure, since: Date.now(), affected: 0, pollers: new Set() };
    this.#causes.set(key, cause);
    if (!cause.pollers.has(poller)) cause.affected += 1;
    cause.pollers.add(poller);
    const line = { api: serverOf(poller, failure), ...fields, reason, error, stack };
    if (known !== undefined) this.#log.debug(line, 'poll failed again');
    else if (reason === 'bug') this.#log.error(line, 'bug in the exporter, please report it');
    else if (reason !== 'auth') this.#log.warn(line, 'poll failed');
    else this.#log.error(line, 'the API rejects the credentials, pausing all calls of the account');
  }

  /** Removes a poller from its cause, unless the cause has this key. Returns the cause if no poller fails because of it any more. */
  forget(poller: Poller, exceptKey?: string): Cause | undefined {
    for (const [key, cause] of this.#causes) {
      if (key === exceptKey || !cause.pollers.delete(poller)) continue;
      if (cause.pollers.size === 0) this.#causes.delete(key);
      return cause.pollers.size === 0 ? cause : undefined;
    }
    return undefined;
  }

  #logEnd({ failure, since, affected }: Cause, poller: Poller): void {
    const { reason } = failure;
    const api = serverOf(poller, failure);
    const who = api ? { api } : { account: poller.account.name, collector: poller.collector.name };
    const lasted = Date.now() - since < minute ? {} : { since: new Date(since).toISOString() };
    const message = reason === 'auth' ? 'the API accepts the credentials again' : 'polls succeed again';
    this.#log.info({ ...who, reason, ...lasted, polls: affected }, message);
  }
}

/** Scheme, host and port of the server if it is unreachable or not the API; undefined for other failures. */
function serverOf({ account }: Poller, { reason, accepted }: Failure): string | undefined {
  const isAboutServer = ['network', 'timeout', 'http'].includes(reason) || (reason === 'payload' && !accepted);
  return isAboutServer ? new URL(account.client.api.baseUrl).origin : undefined;
}

function keyOf(poller: Poller, failure: Failure): string {
  const { account, collector } = poller;
  const { reason, message } = failure;
  const server = serverOf(poller, failure);
  if (server !== undefined) return JSON.stringify([reason, server]);
  // Omit the method at the start of the message, because the cause is the same for all methods.
  if (reason === 'local') return JSON.stringify([reason, message.slice(message.indexOf(': ') + 1)]);
  if (reason === 'auth' || reason === 'limit') return JSON.stringify([reason, account.name]);
  return JSON.stringify([
    reason,
    account.name,
    reason === 'permission' ? sectionOf(collector.methods[0]) : collector.name,
  ]);
}
