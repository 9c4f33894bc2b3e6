import { ApiClient } from '../api/client.ts';
import { ApiError, type Failure, failureOf } from '../api/error.ts';
import { describeIssues } from '../api/payload.ts';
import { listNames } from '../log.ts';
import { isRefusal, type ListedItem, minRefusals } from './item-list.ts';
import type { Poller } from './poller.ts';

/** After this number of failures in a row, the poll ends, because the API is probably unreachable. */
const maxConsecutiveFailures = 3;

/** Failures that may concern only one item. */
const itemReasons: ReadonlySet<Failure['reason']> = new Set(['payload', 'request', 'method', 'api', 'bug']);

/** Maximum number of names in the log line about refused items. */
const maxNames = 5;

/** Maximum number of items that a trial polls: it ends after the first success. */
const maxTrials = 3;

/** One poll of a collector: of the list of items, if the run has to fetch it, and of the items that are due. */
export class Poll {
  /** Number of sent calls. */
  calls = 0;
  /** The failures of the poll, the decisive one first. */
  readonly failures: Failure[] = [];
  readonly #poller: Poller;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** The items that the API refused, with their failures. */
  readonly #refused = new Map<Failure, ListedItem>();
  #consecutive = 0;

  constructor(poller: Poller) {
    this.#poller = poller;
    this.#signal = AbortSignal.any([poller.account.signal, this.#stop.signal]);
  }

  /** `isTrial`: ends the poll after its first successful item or three failed items. Never rejects. */
  async run(isTrial: boolean): Promise<void> {
    const { items } = this.#poller;
    if (items.listed === undefined || items.isListDue) await this.#poll(undefined, 0);
    const { attempts } = items;
    // A newer list may add items during the poll.
    while (!this.#signal.aborted) {
      const due = items.due(attempts);
      const tried = items.attempts - attempts;
      const isOver = isTrial && (tried === maxTrials || tried > this.failures.length || this.#consecutive > 0);
      if (due.length === 0 || isOver) break;
      const polls: Promise<void>[] = [];
      for (const [position, item] of (isTrial ? due.slice(0, 1) : due).entries())
        polls.push(this.#poll(item, position));
      await Promise.all(polls);
    }
    if (this.#refused.size > 0) this.#leaveOutRefused();
  }

  /** Polls an item, or the list of items. Its failures do not stop the poll, unless all other items would fail, too. */
  async #poll(item: ListedItem | undefined, position: number): Promise<void> {
    const { account, collector, items } = this.#poller;
    const { priority, itemsFrom } = collector;
    const source = item === undefined && itemsFrom !== undefined ? itemsFrom : collector;
    const client = new ApiClient(account.client, { priority, position, signal: this.#signal });
    const failures: Failure[] = [];
    try {
      const payload = await source.fetch(client, item?.item ?? {});
      this.#signal.throwIfAborted();
      const { isComplete: complete } = client;
      for (const issue of client.issues) failures.push(failureOf(issue));
      if (item === undefined) this.#poller.updateItems(payload, complete);
      else if (item.isListed) {
        item.guard?.check(payload);
        const answer = { payload, answered: Date.now(), providerTime: account.session.now, complete };
        const issues = this.#poller.show(item, answer, this.#poller.maxAge);
        if (issues.length > 0) failures.push(this.#implausible(issues, client));
        for (const follower of this.#poller.followers) follower.updateItems(payload, complete);
      }
    } catch (error) {
      failures.push(failureOf(error));
    }
    for (const call of client.calls) {
      account.countCall(call);
      if (call.error?.reason !== 'local') this.calls += 1;
    }
    // The item may have left the list meanwhile.
    if (this.#signal.aborted || item?.isListed === false) return;
    for (const failure of failures) this.#addFailure(failure);
    const failure = failures.at(-1);
    if (failure === undefined) this.#consecutive = 0;
    if (item === undefined) items.isListDue = failure !== undefined;
    else items.markAttempted(item, failure);
    if (item !== undefined && failure !== undefined && isRefusal(failure)) this.#refused.set(failure, item);
  }

  #implausible(issues: readonly string[], client: ApiClient): Failure {
    const { account, collector } = this.#poller;
    const message = `${collector.methods.join(' or ')}: ${describeIssues(issues)}`;
    // If the payload had other issues, the call already counts as failed.
    if (client.issues.length === 0) account.countFailure('payload');
    return failureOf(new ApiError(message, { reason: 'payload', accepted: true }));
  }

  #addFailure(failure: Failure): void {
    const { reason } = failure;
    // A permission may be missing for only one of several methods.
    const hasOneMethod = this.#poller.collector.methods.length === 1;
    const isForAllItems = reason === 'auth' || (reason === 'permission' && hasOneMethod);
    const isFirst = !hasOneMethod && this.failures[0]?.reason === 'permission' && reason !== 'permission';
    if (isForAllItems || isFirst) this.failures.unshift(failure);
    else this.failures.push(failure);
    this.#consecutive = itemReasons.has(reason) ? 0 : this.#consecutive + 1;
    if (isForAllItems || this.#consecutive === maxConsecutiveFailures) this.#stop.abort();
  }

  /** An item that the API keeps refusing does not fail the poll if the API answers for other items. Leaves such items out until the next run. */
  #leaveOutRefused(): void {
    const { account, collector, items } = this.#poller;
    if (!items.hasResult) return;
    const left: string[] = [];
    for (const [failure, item] of this.#refused) {
      if (item.refusals < minRefusals) continue;
      if (item.refusals === minRefusals) left.push(Object.values(item.item).join(' '));
      item.isDue = false;
      this.failures.splice(this.failures.indexOf(failure), 1);
      // The successful poll would make old figures look current.
      account.store.remove(collector.name, item.key);
    }
    const fields = { account: account.name, collector: collector.name, items: listNames(left, maxNames) };
    if (left.length > 0) account.log.info(fields, 'the API keeps refusing items, leaving them out');
  }
}
