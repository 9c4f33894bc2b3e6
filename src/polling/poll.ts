import type { Api } from '../api/api.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import type { Collector, FanOutCollector, ListCollector, ReadTime } from '../collectors/collector.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { CallCounters } from '../exposition/call-counters.ts';
import type { Family } from '../exposition/family.ts';
import { KeptPayload } from '../exposition/kept-payload.ts';
import type { Log } from '../log.ts';
import type { Scalars } from '../payloads/scalars.ts';
import type { FailureLog } from './failure-log.ts';
import { FailureTracker, type PollFailure } from './failure-tracker.ts';
import type { ItemList, ListedItem, ReceivedList } from './item-list.ts';
import type { ListGuard } from './list-guard.ts';
import { implausibleError, rejectImplausible } from './plausibility.ts';
import { limitSeries } from './series-limit.ts';

/** What a poll needs of its account. */
export interface PollContext {
  readonly name: string;
  readonly client: ApiClient;
  readonly scalars: Scalars;
  readonly store: AccountStore;
  readonly calls: CallCounters;
  readonly log: Log;
  readonly failureLog: FailureLog;
  /** The API server: scheme, host and port. */
  readonly server: string;
  /** The times for a payload that just arrived. */
  readonly readTime: () => ReadTime;
  /** Aborts when the account is no longer polled. */
  readonly signal: AbortSignal;
}

export interface PollLimits {
  /** Milliseconds that a result is shown; read for each result, because a new list may stretch the interval. */
  readonly maxAge: () => number;
  readonly maxSeries: number;
}

/** How a poll went. Its results are published already. */
export interface PollOutcome {
  readonly failures: readonly PollFailure[];
  /** The failure that determines when the poll is retried; undefined without failures. */
  readonly decisive: PollFailure | undefined;
  /** API calls that were sent. */
  readonly calls: number;
  /** Series that `max_series` removed from the results. */
  readonly droppedSeries: number;
  /** What a list collector received; undefined if it failed. */
  readonly list?: ReceivedList | undefined;
}

/** Polls a list collector: one call, one result. Never rejects. */
export async function pollList(
  context: PollContext,
  collector: ListCollector,
  guard: ListGuard,
  limits: PollLimits,
): Promise<PollOutcome> {
  const failures = new FailureTracker(collector);
  let list: PollOutcome['list'];
  let droppedSeries = 0;
  await attempt(context, collector, failures, async ({ api, isComplete, reportIssue }) => {
    const payload = await collector.fetch(api, context.scalars);
    guard.check(payload);
    const time = context.readTime();
    const complete = isComplete();
    const families = plausible(collector, collector.read(payload, context.name, time, complete), reportIssue);
    ({ dropped: droppedSeries } = publish(context, collector, limits, '', families, keep(payload, time, complete)));
    list = { payload, isComplete: complete };
  });
  return { failures: failures.failures, decisive: failures.decisive, calls: failures.calls, droppedSeries, list };
}

/**
 * Polls the due items of a fan-out collector, after its list if that is due. A failing item loses only its own result. Items that a newer list adds meanwhile are polled as well; those that it removes are abandoned. Never rejects.
 */
export async function pollFanOut(
  context: PollContext,
  collector: FanOutCollector,
  items: ItemList,
  limits: PollLimits,
): Promise<PollOutcome> {
  const failures = new FailureTracker(collector);
  const attempted = new Set<ListedItem>();
  const pollItem = async (listed: ListedItem): Promise<void> => {
    const { key, item, signal } = listed;
    attempted.add(listed);
    const outcome = await attempt(
      context,
      collector,
      failures,
      async ({ api, isComplete, reportIssue }) => {
        const payload = await collector.fetch(api, context.scalars, item);
        signal.throwIfAborted();
        const time = context.readTime();
        const complete = isComplete();
        const families = plausible(collector, collector.read(payload, context.name, item, time, complete), reportIssue);
        publish(context, collector, limits, key, families, keep(payload, time, complete));
      },
      signal,
    );
    if (outcome !== 'cancelled') items.markAttempted(listed, outcome === 'succeeded');
  };

  if (items.needsList) {
    const outcome = await attempt(context, collector, failures, async ({ api, isComplete }) => {
      const payload = await collector.itemsFrom?.fetch(api, context.scalars);
      items.guard.check(payload);
      updateItems(context, collector, items, { payload, isComplete: isComplete() });
    });
    if (outcome === 'succeeded') items.markListDone();
  }
  for (let due = items.due(); due.length > 0; due = items.due().filter((listed) => !attempted.has(listed))) {
    await Promise.all(due.map(pollItem));
  }
  const { decisive, calls } = failures;
  return { failures: failures.failures, decisive, calls, droppedSeries: items.droppedSeries };
}

/** Applies a newer list: the series of removed items end immediately. Returns the number of new items. */
export function updateItems(context: PollContext, collector: Collector, items: ItemList, list: ReceivedList): number {
  const added = items.update(list);
  context.store.retain(collector.name, items.keys);
  context.store.touch();
  return added;
}

interface Attempt {
  readonly api: Api;
  /** False once elements of a list were dropped: counts of the others would be too low. */
  isComplete(): boolean;
  /** Lets the part and its call fail, without ending the part. */
  reportIssue(error: ApiError): void;
}

/**
 * Runs one part of a poll and records its failure: the only place that catches errors. A payload with dropped parts is a
 * failure, too. The part is cancelled if the account or the poll ends, or if `unwanted` aborts.
 */
async function attempt(
  context: PollContext,
  collector: Collector,
  failures: FailureTracker,
  part: (attempt: Attempt) => Promise<void>,
  unwanted?: AbortSignal,
): Promise<'succeeded' | 'failed' | 'cancelled'> {
  const signals = [context.signal, failures.abandoned, ...(unwanted === undefined ? [] : [unwanted])];
  const signal = AbortSignal.any(signals);
  let complete = true;
  let hasIssues = false;
  const reportIssue = (error: ApiError) => {
    hasIssues = true;
    if (!signal.aborted) failures.add(error);
  };
  const { name: account, client, log, calls } = context;
  const api = client.forPoll({
    priority: collector.priority,
    signal,
    onSent: () => {
      failures.calls += 1;
    },
    onDuplicates: (method, duplicates) => {
      const fields = { account, collector: collector.name, method, duplicates };
      log.debug(fields, 'duplicate entries in a list, the last one wins');
    },
    onIssue: (error, droppedElements) => {
      if (droppedElements > 0) complete = false;
      reportIssue(error);
    },
  });
  try {
    await part({
      api,
      isComplete: () => complete,
      reportIssue: (error) => {
        // The client has counted a call whose payload has other issues.
        if (!hasIssues) calls.countFailure(error.reason);
        reportIssue(error);
      },
    });
    if (hasIssues) return 'failed';
    failures.addSuccess();
    return 'succeeded';
  } catch (error) {
    if (signal.aborted) return 'cancelled';
    failures.add(describeFailure(error));
    return 'failed';
  }
}

function describeFailure(error: unknown): PollFailure {
  if (error instanceof ApiError) {
    const { reason, message, accepted, forbiddenMethod } = error;
    return { reason, message, accepted, ...(forbiddenMethod !== undefined && { forbiddenMethod }) };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { reason: 'bug', message: String(error), stack, accepted: false };
}

/** The families without impossible values, which fail the poll like a field that does not fit its schema. */
function plausible(
  collector: Collector,
  families: readonly Family[],
  reportIssue: Attempt['reportIssue'],
): readonly Family[] {
  const { families: kept, issues } = rejectImplausible(families, collector.metrics);
  if (issues.length > 0) reportIssue(implausibleError(collector, issues));
  return kept;
}

/** A payload that just arrived. */
function keep(payload: unknown, time: ReadTime, complete: boolean): KeptPayload {
  return KeptPayload.of(payload, { answered: Date.now(), providerTime: time.now, complete });
}

/** The series of a result that are shown, and those that `maxSeries` removed. */
interface Published {
  readonly shown: number;
  readonly dropped: number;
}

/** Shows a result from now on, until its payload is as old as `maxAge`. */
export function publish(
  { store }: PollContext,
  { name: collector }: Collector,
  { maxAge, maxSeries }: PollLimits,
  item: string,
  families: readonly Family[],
  payload: KeptPayload,
): Published {
  const { families: limited, dropped } = limitSeries(families, maxSeries);
  const { series } = store.publish(collector, item, limited, maxAge() - Math.max(0, payload.age), payload);
  return { shown: series, dropped };
}
