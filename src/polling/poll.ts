import { type Api, ApiClient } from '../api/client.ts';
import { ApiError, type Failure } from '../api/error.ts';
import { describeIssues } from '../api/payload.ts';
import { listNames } from '../log.ts';
import type { Answer } from '../store/result.ts';
import type { Account } from './account.ts';
import { concernsOneItem, FailureTracker, isRefusal } from './failure-tracker.ts';
import { type ListedItem, minRefusals } from './item-list.ts';
import type { Poller } from './poller.ts';

/** Maximum number of items that a trial polls: it ends after the first success. */
const maxTrials = 3;

/** Maximum number of names in the log line about refused items. */
const maxNames = 5;

/** How a part of a poll ended. `hasIssues`: there is a payload, but parts of it failed. */
type Outcome = 'succeeded' | 'hasIssues' | 'cancelled' | Failure;

/** A part of a poll: one item, or the list of items. */
interface Part {
  readonly api: Api;
  /** Aborts if the account or the poll ends, or if the item is removed. */
  readonly signal: AbortSignal;
  /** False if list elements were dropped. A count of the remaining elements would be too low. */
  isComplete: boolean;
  hasIssues: boolean;
}

/** One poll of a collector. If a newer list arrives meanwhile, polls new items and abandons removed items. */
export class Poll {
  readonly #account: Account;
  readonly #poller: Poller;
  readonly #tracker: FailureTracker;
  readonly #attempted = new Set<ListedItem>();
  readonly #refusals = new Map<Failure, ListedItem>();

  constructor(account: Account, poller: Poller) {
    this.#account = account;
    this.#poller = poller;
    this.#tracker = new FailureTracker(poller.collector);
  }

  get calls(): number {
    return this.#tracker.calls;
  }

  /** Resolves with the failures of the poll, the decisive one first. Never rejects. */
  async run(): Promise<readonly Failure[]> {
    if (this.#poller.items.needsList) await this.#fetchList();
    for (let due = this.#nextItems(); due.length > 0; due = this.#nextItems()) {
      await Promise.all(due.map((listed, position) => this.#pollItem(listed, position)));
    }
    return this.#refusals.size === 0 ? this.#tracker.failures : this.#leaveOutRefused();
  }

  #nextItems(): readonly ListedItem[] {
    const { failures } = this.#tracker;
    const due = this.#poller.items.due().filter((listed) => !this.#attempted.has(listed));
    if (this.#account.trial !== 'first items') return due;
    const tried = this.#attempted.size;
    const mayWork = tried === 0 || (tried < maxTrials && failures.length >= tried && failures.every(concernsOneItem));
    return mayWork ? due.slice(0, 1) : [];
  }

  async #fetchList(): Promise<void> {
    const { collector, items } = this.#poller;
    const outcome = await this.#attempt({ position: 0 }, async (part) => {
      const payload = await collector.itemsFrom?.fetch(part.api, {});
      items.guard.check(payload);
      this.#poller.updateItems({ payload, isComplete: part.isComplete });
    });
    if (outcome === 'succeeded') items.markListDone();
  }

  async #pollItem(listed: ListedItem, position: number): Promise<void> {
    const { collector, items } = this.#poller;
    this.#attempted.add(listed);
    const outcome = await this.#attempt({ position, signal: listed.signal }, async (part) => {
      const payload = await collector.fetch(part.api, listed.item);
      part.signal.throwIfAborted();
      listed.guard?.check(payload);
      const providerTime = this.#account.session.now;
      this.#show(listed, part, { payload, answered: Date.now(), providerTime, complete: part.isComplete });
    });
    if (outcome === 'cancelled') return;
    const isRefused = typeof outcome === 'object' && collector.itemsFrom !== undefined && isRefusal(outcome);
    if (isRefused) this.#refusals.set(outcome, listed);
    items.markAttempted(listed, isRefused ? 'refused' : outcome === 'succeeded' ? outcome : 'failed');
  }

  #show(listed: ListedItem, part: Part, answer: Answer): void {
    const issues = this.#poller.show(listed, answer, this.#poller.maxAge);
    if (issues.length > 0) {
      const message = `${this.#poller.collector.methods.join(' or ')}: ${describeIssues(issues)}`;
      // If the client reported issues of the payload, it has already counted the call as failed.
      if (!part.hasIssues) this.#account.calls.countFailure('payload');
      this.#addIssue(part, new ApiError(message, { reason: 'payload', accepted: true }));
    }
    this.#account.applyList(this.#poller, { payload: answer.payload, isComplete: answer.complete });
  }

  /** Records each error as a failure of the poll. Cancels the part if the account or the poll ends, or if the item is removed. */
  async #attempt(
    { position, signal: removed }: { readonly position: number; readonly signal?: AbortSignal },
    work: (part: Part) => Promise<void>,
  ): Promise<Outcome> {
    const { client, signal: stopped } = this.#account;
    const { priority } = this.#poller.collector;
    const signal = AbortSignal.any([stopped, this.#tracker.abandoned, ...(removed === undefined ? [] : [removed])]);
    const api = new ApiClient(client, {
      priority,
      position,
      signal,
      onCall: (outcome) => {
        this.#account.countCall(outcome);
        const { wasSent, method, error, read: { payload, droppedElements = 0, duplicates = 0 } = {} } = outcome;
        if (wasSent) this.#tracker.calls += 1;
        if (duplicates > 0) this.#logDuplicates(method, duplicates);
        if (droppedElements > 0) part.isComplete = false;
        if (payload !== undefined && error !== undefined) this.#addIssue(part, error);
      },
    });
    const part: Part = { api, signal, isComplete: true, hasIssues: false };
    try {
      await work(part);
      if (part.hasIssues) return 'hasIssues';
      this.#tracker.addSuccess();
      return 'succeeded';
    } catch (error) {
      if (signal.aborted) return 'cancelled';
      const failure = describeFailure(error);
      this.#tracker.add(failure);
      return failure;
    }
  }

  /** Marks the part as failed, but does not stop it. */
  #addIssue(part: Part, error: ApiError): void {
    part.hasIssues = true;
    this.#tracker.add(describeFailure(error));
  }

  /** An item that the API keeps refusing does not fail the poll if other items succeed. Returns the other failures. */
  #leaveOutRefused(): readonly Failure[] {
    const { collector, items } = this.#poller;
    // Remove the old figures of left-out items. Otherwise, the successful poll would make these figures look current.
    this.#account.store.retain(collector.name, items.leaveOutRefused());
    const leftOut = new Map([...this.#refusals].filter(([, { due }]) => !due));
    this.#logLeftOut([...leftOut].filter(([, { refusals }]) => refusals === minRefusals));
    return this.#tracker.failures.filter((failure) => !leftOut.has(failure));
  }

  #logLeftOut(leftOut: readonly (readonly [Failure, ListedItem])[]): void {
    const [first] = leftOut;
    if (first === undefined) return;
    const names = leftOut.map(([, { item }]) => Object.values(item).join(' '));
    const fields = {
      collector: this.#poller.collector.name,
      items: listNames(names, maxNames),
      error: first[0].message,
    };
    const { name: account, log } = this.#account;
    log.info({ account, ...fields }, 'the API keeps refusing items, leaving them out');
  }

  #logDuplicates(method: string, duplicates: number): void {
    const { name: account, log } = this.#account;
    const fields = { account, collector: this.#poller.collector.name, method, duplicates };
    log.debug(fields, 'duplicate entries in a list, the last one wins');
  }
}

function describeFailure(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { reason, message, accepted, forbiddenMethod, status, isForeign } = error;
    return { reason, message, accepted, forbiddenMethod, status, ...(isForeign && { isForeign }) };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { reason: 'bug', message: String(error), stack, accepted: false };
}
