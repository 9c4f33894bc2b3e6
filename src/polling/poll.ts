import { type Api, ApiClient, type ClientOptions } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { describeIssues } from '../api/payload.ts';
import type { Collector } from '../collectors/collector.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { CallCounters } from '../exposition/call-counters.ts';
import { type Log, listNames } from '../log.ts';
import type { PollFailure } from '../results/finished-poll.ts';
import { KeptPayload } from '../results/kept-payload.ts';
import { readPublishable } from '../results/publishable.ts';
import type { DropReason, RestoreReport } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import type { FailureLog } from './failure-log.ts';
import { concernsOneItem, FailureTracker, isRefusal } from './failure-tracker.ts';
import { type ItemList, type ListedItem, minRefusals, type ReceivedList } from './item-list.ts';

export interface PollContext {
  readonly name: string;
  readonly client: ClientOptions;
  readonly settlingTime: number;
  readonly store: AccountStore;
  readonly calls: CallCounters;
  readonly log: Log;
  readonly failureLog: FailureLog;
  /** The API server: scheme, host and port. */
  readonly server: string;
  /** Aborts when the account is no longer polled. */
  readonly signal: AbortSignal;
  /** Set for a trial poll, which is not retried. `first items`: the poll ends after its first successful item or three failed items. */
  readonly trial?: 'first items' | 'all items';
}

export interface PollTarget {
  readonly collector: Collector;
  readonly items: ItemList;
  /** Milliseconds for which a result is shown. Called for each result, because a newer list may stretch the interval. */
  maxAge(): number;
  /** Called with each payload; undefined if no collector takes its items from these payloads. */
  readonly onPayload: ((list: ReceivedList) => void) | undefined;
}

/** Milliseconds by which a saved time may be in the future, for example because the clock was corrected. */
export const futureTolerance = 5 * 60_000;

/**
 * Fetches the list of items if it is due, then polls the due items and shows each result. If a newer list arrives during the poll, adds new
 * items and abandons removed items. An item that the API keeps refusing does not fail the poll if other items succeed. Never rejects.
 */
export async function pollItems(context: PollContext, target: PollTarget) {
  const { collector, items } = target;
  const tracker = new FailureTracker(collector);
  const attempted = new Set<ListedItem>();
  const refusals = new Map<PollFailure, ListedItem>();

  const pollItem = async (listed: ListedItem, position: number): Promise<void> => {
    const { signal } = listed;
    attempted.add(listed);
    const outcome = await attempt(context, collector, tracker, { position, signal }, async (part) => {
      const payload = await collector.fetch(part.api, listed.item);
      const slice = new TimeSlice();
      listed.guard?.check(payload);
      const providerTime = context.client.session.clock.now;
      const kept = new KeptPayload(payload, { answered: Date.now(), providerTime, complete: part.complete });
      await slice.pause();
      const { issues } = await show(context, target, listed, payload, kept, target.maxAge(), slice);
      if (issues.length > 0) {
        const message = `${collector.methods.join(' or ')}: ${describeIssues(issues)}`;
        part.reportIssue(new ApiError(message, { reason: 'payload', accepted: true }));
      }
      await slice.pause();
      target.onPayload?.({ payload, isComplete: kept.complete });
      await slice.pause();
      // Encode the chunk now, but in a fan-out leave it to the next scrape. Otherwise, each item would encode the chunk again.
      const chunks = context.store.index.of(collector.name);
      while (listed.key === '' && chunks.refreshNext()) await slice.pause();
      await kept.compress(slice);
    });
    if (outcome === 'cancelled') return;
    const isRefused = typeof outcome === 'object' && collector.itemsFrom !== undefined && isRefusal(outcome);
    if (isRefused) refusals.set(outcome, listed);
    items.markAttempted(listed, isRefused ? 'refused' : outcome === 'succeeded' ? outcome : 'failed');
  };

  if (items.needsList) {
    const outcome = await attempt(context, collector, tracker, { position: 0 }, async (part) => {
      const payload = await collector.itemsFrom?.fetch(part.api, {});
      items.guard.check(payload);
      updateItems(context, target, { payload, isComplete: part.complete });
    });
    if (outcome === 'succeeded') items.markListDone();
  }
  for (;;) {
    const polls: Promise<void>[] = [];
    const slice = new TimeSlice();
    for (const listed of items.due()) {
      if (context.trial === 'first items' && !needsTrial(attempted.size, tracker)) break;
      if (!attempted.has(listed)) polls.push(pollItem(listed, polls.length));
      await slice.pause();
    }
    if (polls.length === 0) break;
    await Promise.all(polls);
  }
  const { failures, calls } = tracker;
  if (refusals.size === 0) return { failures, calls };
  // Remove the old figures of left-out items. Otherwise, the successful poll would make these figures look current.
  context.store.retain(collector.name, items.leaveOutRefused());
  const leftOut = new Map([...refusals].filter(([, { due }]) => !due));
  logLeftOut(context, collector, leftOut);
  return { failures: failures.filter((failure) => !leftOut.has(failure)), calls };
}

/** Maximum number of names in the log line about refused items. */
const maxNames = 5;

/** Logs the left-out items, except items that the previous poll also left out. */
function logLeftOut({ name, log }: PollContext, collector: Collector, leftOut: ReadonlyMap<PollFailure, ListedItem>) {
  const newest = [...leftOut].filter(([, { refusals }]) => refusals === minRefusals);
  const names = newest.map(([, { item }]) => Object.values(item).join(' '));
  const error = newest[0]?.[0].message;
  if (error !== undefined) {
    const fields = { account: name, collector: collector.name, items: listNames(names, maxNames), error };
    log.info(fields, 'the API keeps refusing items, leaving them out');
  }
}

const maxTrials = 3;

/** Whether a trial must poll another item: no item has succeeded so far, but another one may. */
function needsTrial(tried: number, { failures }: FailureTracker): boolean {
  return tried === 0 || (tried < maxTrials && failures.length >= tried && failures.every(concernsOneItem));
}

/** Applies a newer list, and removes the series of removed items. Returns the number of new items. */
export function updateItems({ store }: PollContext, { collector, items }: PollTarget, list: ReceivedList) {
  const added = items.update(list);
  store.retain(collector.name, items.keys);
  return added;
}

/** Shows a kept payload for the rest of its `max_age`, or returns the reason to drop it. Damaged payloads cause no exception. */
export async function showKept(
  context: PollContext,
  target: PollTarget,
  listed: Pick<ListedItem, 'key' | 'item' | 'guard' | 'signal'>,
  kept: KeptPayload,
  report: RestoreReport,
  slice: TimeSlice,
): Promise<DropReason | undefined> {
  const { age } = kept;
  const left = target.maxAge() - Math.max(0, age);
  if (age < -futureTolerance) return 'future';
  if (left <= 0) return 'expired';
  try {
    const payload = kept.decode();
    listed.guard?.check(payload);
    target.onPayload?.({ payload, isComplete: kept.complete });
    report.series += (await show(context, target, listed, payload, kept, left, slice)).series;
    return undefined;
  } catch {
    return 'damaged';
  }
}

/**
 * Shows the figures of a payload for `maxAge` milliseconds. Rejects if the payload lacks the shape that the collector expects, or if the
 * account or the item is removed meanwhile.
 */
async function show(
  { store, name: account, settlingTime, signal: ended }: PollContext,
  { collector, items: { seriesPerItem: maxSeries } }: PollTarget,
  { key, item, signal }: Pick<ListedItem, 'key' | 'item' | 'signal'>,
  payload: unknown,
  kept: KeptPayload,
  maxAge: number,
  slice: TimeSlice,
): Promise<{ readonly series: number; readonly issues: readonly string[] }> {
  const target = { account, settlingTime, maxSeries };
  const { families, issues, dropped } = await readPublishable(collector, item, payload, kept, target, slice);
  ended.throwIfAborted();
  signal.throwIfAborted();
  return { series: store.publish(collector.name, key, families, maxAge, kept, dropped), issues };
}

interface Attempt {
  readonly api: Api;
  /** False if list elements were dropped. A count of the remaining elements would be too low. */
  complete: boolean;
  /** Marks this part of the poll and its call as failed, but does not stop the part. */
  reportIssue(error: ApiError): void;
}

/**
 * Runs one part of a poll. Records each error as the failure of the part, including issues of a payload such as dropped elements. Cancels
 * the part if the account or the poll ends, or if the item is removed. Resolves with the failure if there is no payload.
 */
async function attempt(
  { name: account, client, log, calls, signal: ended }: PollContext,
  { name: collector, priority }: Collector,
  tracker: FailureTracker,
  { position, signal: unwanted }: { readonly position: number; readonly signal?: AbortSignal },
  part: (attempt: Attempt) => Promise<void>,
): Promise<'succeeded' | 'hasIssues' | 'cancelled' | PollFailure> {
  const signal = AbortSignal.any([ended, tracker.abandoned, ...(unwanted === undefined ? [] : [unwanted])]);
  let hasIssues = false;
  const reportIssue = (error: ApiError) => {
    hasIssues = true;
    if (!signal.aborted) tracker.add(error);
  };
  const api = new ApiClient(client, {
    priority,
    position,
    signal,
    onCall: ({ method, wasSent, error, read: { payload, droppedElements = 0, duplicates = 0 } = {} }) => {
      if (wasSent) tracker.calls += 1;
      if (duplicates > 0) {
        log.debug({ account, collector, method, duplicates }, 'duplicate entries in a list, the last one wins');
      }
      if (droppedElements > 0) state.complete = false;
      if (payload !== undefined && error !== undefined) reportIssue(error);
    },
  });
  const state: Attempt = {
    api,
    complete: true,
    reportIssue: (error) => {
      // If the client reported issues of the payload, it has already counted the call as failed.
      if (!hasIssues) calls.countFailure(error.reason);
      reportIssue(error);
    },
  };
  try {
    await part(state);
    if (hasIssues) return 'hasIssues';
    tracker.addSuccess();
    return 'succeeded';
  } catch (error) {
    if (signal.aborted) return 'cancelled';
    const failure = describeFailure(error);
    tracker.add(failure);
    return failure;
  }
}

function describeFailure(error: unknown): PollFailure {
  if (error instanceof ApiError) {
    const { reason, message, accepted, forbiddenMethod, status, isForeign } = error;
    return { reason, message, accepted, forbiddenMethod, status, ...(isForeign && { isForeign }) };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { reason: 'bug', message: String(error), stack, accepted: false };
}
