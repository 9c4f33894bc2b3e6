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

/** A poll that only tries whether calls succeed again ends after this number of items, or after the first success. */
const maxTrials = 3;

/** One poll of a collector. Polls the list of items if it is due, and then the due items. */
export class Poll {
  /** Number of sent calls. */
  calls = 0;
  readonly #poller: Poller;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  /** The failures of each attempted item. The key undefined stands for the list of items. */
  readonly #failures = new Map<ListedItem | undefined, readonly Failure[]>();
  #consecutive = 0;

  constructor(poller: Poller) {
    this.#poller = poller;
    this.#signal = AbortSignal.any([poller.account.signal, this.#stop.signal]);
  }

  /** The failures of the poll, the most decisive failure first. */
  get failures(): readonly Failure[] {
    return [...this.#failures.values()].flat().sort((one, other) => this.#rank(one) - this.#rank(other));
  }

  /** `isTrial`: ends the poll after its first successful item or three failed items. Never rejects. */
  async run(isTrial: boolean): Promise<void> {
    const { items } = this.#poller;
    if (items.isListDue) await this.#poll(undefined, 0);
    // A newer list may add items during the poll.
    for (let round = 0; !this.#signal.aborted; round += 1) {
      const due = items.due.filter((item) => !this.#failures.has(item));
      const isOver = isTrial && (round === maxTrials || items.hasResult || this.#consecutive > 0);
      if (due.length === 0 || isOver) break;
      await Promise.all((isTrial ? due.slice(0, 1) : due).map((item, position) => this.#poll(item, position)));
    }
    if (items.hasResult) this.#leaveOutRefused();
  }

  /** Polls an item, or the list of items if `item` is undefined. A failure stops the poll only if all items would probably fail. */
  async #poll(item: ListedItem | undefined, position: number): Promise<void> {
    this.#failures.set(item, []);
    const { account, collector, followers, items } = this.#poller;
    const { priority, itemsFrom } = collector;
    const source = item === undefined && itemsFrom !== undefined ? itemsFrom : collector;
    const client = new ApiClient(account.client, { priority, position, signal: this.#signal });
    const isListed = () => item !== undefined && items.all.get(item.key) === item;
    const failures: Failure[] = [];
    try {
      const payload = await source.fetch(client, item?.item ?? {});
      this.#signal.throwIfAborted();
      const { isComplete: complete } = client;
      for (const issue of client.issues) failures.push(failureOf(issue));
      if (item === undefined) this.#poller.updateItems(payload, complete);
      else if (isListed()) {
        item.guard?.check(payload);
        const answer = { payload, answered: Date.now(), providerTime: account.session.now, complete };
        const issues = this.#poller.show(item, answer, this.#poller.maxAge);
        if (issues.length > 0) {
          const message = `${collector.methods.join(' or ')}: ${describeIssues(issues)}`;
          // If the payload had other issues, the call already counts as failed.
          if (client.issues.length === 0) account.countFailure('payload');
          failures.push(failureOf(new ApiError(message, { reason: 'payload', accepted: true })));
        }
        for (const follower of followers) follower.updateItems(payload, complete);
      }
    } catch (error) {
      failures.push(failureOf(error));
    }
    for (const call of client.calls) {
      account.countCall(call);
      if (call.error?.reason !== 'local') this.calls += 1;
    }
    // A newer list may have removed the item during its poll.
    if (this.#signal.aborted || (item !== undefined && !isListed())) return;
    this.#failures.set(item, failures);
    if (item === undefined) items.isListDue = failures.length > 0;
    else items.markAttempted(item, failures.at(-1));
    if (failures.length === 0) this.#consecutive = 0;
    for (const failure of failures) {
      this.#consecutive = itemReasons.has(failure.reason) ? 0 : this.#consecutive + 1;
      if (this.#rank(failure) === 0 || this.#consecutive === maxConsecutiveFailures) this.#stop.abort();
    }
  }

  /** A lower rank is more decisive. 0: all items would fail. 1: other failures. 2: only one of several methods may lack a permission. */
  #rank({ reason }: Failure): number {
    if (reason === 'auth') return 0;
    if (reason !== 'permission') return 1;
    return this.#poller.collector.methods.length === 1 ? 0 : 2;
  }

  /** Until the next run, leaves out items that the API keeps refusing. If other items have results, refusals do not make the poll fail. */
  #leaveOutRefused(): void {
    const { account, collector } = this.#poller;
    const left: string[] = [];
    for (const [item, failures] of this.#failures) {
      if (item === undefined || item.refusals < minRefusals || !failures.some(isRefusal)) continue;
      if (item.refusals === minRefusals) left.push(Object.values(item.item).join(' '));
      item.isDue = false;
      this.#failures.delete(item);
      // The poll now counts as successful, which would make old figures of the item look current.
      account.store.remove(collector.name, item.key);
    }
    const fields = { account: account.name, collector: collector.name, items: listNames(left, maxNames) };
    if (left.length > 0) account.log.info(fields, 'the API keeps refusing items, leaving them out');
  }
}
