import type { FanOutCollector, Item, ListCollector } from '../collectors/collector.ts';
import type { Family } from '../exposition/family.ts';
import type { KeptPayload } from '../exposition/kept-payload.ts';
import { rejectImplausible } from './plausibility.ts';
import { type PollContext, type PollLimits, publish } from './poll.ts';
import type { DropReason } from './snapshot.ts';

/** Milliseconds by which an answer may seem to come from the future, because clocks are corrected. */
const clockTolerance = 5 * 60_000;

/** What became of one payload: shown with this number of series, or dropped. */
export type RestoredPayload = { readonly series: number } | { readonly dropped: DropReason };

/**
 * Shows the figures of a kept payload again, for the rest of their `max_age`. Never throws: a payload that another version
 * wrote, or that is damaged, is dropped. `settlingTime` in milliseconds. `onRead` receives the payload first; if it throws, the
 * payload is dropped.
 */
export function restorePayload(
  context: PollContext,
  target: { readonly collector: ListCollector } | { readonly collector: FanOutCollector; readonly item: Item },
  kept: KeptPayload,
  limits: PollLimits,
  settlingTime: number,
  onRead: (payload: unknown) => void = () => {},
): RestoredPayload {
  if (kept.age < -clockTolerance) return { dropped: 'future' };
  if (kept.age >= limits.maxAge()) return { dropped: 'expired' };
  const { providerTime, complete } = kept;
  const time = { now: providerTime, settled: providerTime - settlingTime };
  const { collector } = target;
  try {
    const payload = kept.decode();
    const read =
      'item' in target
        ? target.collector.read(payload, context.name, target.item, time, complete)
        : target.collector.read(payload, context.name, time, complete);
    if (!read.every(isWellFormed)) return { dropped: 'damaged' };
    onRead(payload);
    const { families } = rejectImplausible(read, collector.metrics);
    const key = 'item' in target ? JSON.stringify(target.item) : '';
    const { shown } = publish(context, collector, limits, key, families, kept);
    return { series: shown };
  } catch {
    return { dropped: 'damaged' };
  }
}

/** Whether all labels are texts and all values are numbers, which the types promise only for payloads of this version. */
function isWellFormed({ labelNames, samples }: Family): boolean {
  return samples.every(
    ({ labels, value }) =>
      typeof value === 'number' &&
      Object.entries(labels).every(([name, text]) => labelNames.includes(name) && typeof text === 'string'),
  );
}

/** The item of a key of the store; undefined if the collector has no such items. */
export function itemOf({ metrics }: FanOutCollector, key: string): Item | undefined {
  try {
    const item: unknown = JSON.parse(key);
    if (typeof item !== 'object' || item === null || JSON.stringify(item) !== key) return undefined;
    const isItem = Object.entries(item).every(
      ([label, text]) =>
        typeof text === 'string' &&
        metrics.every(({ labelNames }) => labelNames.includes(label)) &&
        label !== 'account',
    );
    return isItem ? (item as Item) : undefined;
  } catch {
    return undefined;
  }
}
