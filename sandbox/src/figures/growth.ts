import { day } from '../time/zone.ts';

/** The figure is `value` at `since` (simulated milliseconds). After `since`, the figure grows by `perDay` per simulated day. */
export interface Segment {
  readonly since: number;
  readonly value: number;
  readonly perDay: number;
}

/** Segments, oldest first. The first segment also applies to all earlier times. */
export type Growth = readonly [Segment, ...Segment[]];

export function startGrowth(since: number, value: number, perDay = 0): Growth {
  return [{ since, value, perDay }];
}

/** Adds a segment. Values before `since` do not change. */
export function changeGrowth(growth: Growth, since: number, value: number, perDay = 0): Growth {
  return [...growth, { since, value, perDay }];
}

export function valueAt(growth: Growth, simulated: number): number {
  return valueIn(segmentAt(growth, simulated), simulated);
}

/** Like `valueAt`, but in whole bytes, and at least a tenth of the segment's initial value. */
export function bytesAt(growth: Growth, simulated: number): number {
  const segment = segmentAt(growth, simulated);
  return Math.round(Math.max(valueIn(segment, simulated), segment.value / 10));
}

/** The segment that applies at a simulated time. */
export function segmentAt(growth: Growth, simulated: number): Segment {
  return growth.findLast((segment) => segment.since <= simulated) ?? growth[0];
}

function valueIn({ value, perDay, since }: Segment, simulated: number): number {
  return value + (perDay * (simulated - since)) / day;
}
