import { day } from '../time/zone.ts';

/** From `since` (lived milliseconds) on, a figure is `value` and grows by `perDay` a lived day. */
export interface Stage {
  readonly since: number;
  readonly value: number;
  readonly perDay: number;
}

/** Oldest stage first; the first one also tells how it was before. Never empty. */
export type Growth = readonly [Stage, ...Stage[]];

export function growingFrom(since: number, value: number, perDay = 0): Growth {
  return [{ since, value, perDay }];
}

/** What was measured before `since` stays as it was. */
export function changedTo(growth: Growth, since: number, value: number, perDay = 0): Growth {
  return [...growth, { since, value, perDay }];
}

export function valueAt(growth: Growth, lived: number): number {
  return valueIn(stageAt(growth, lived), lived);
}

/** As `valueAt`, for what can't become less than nothing: whole bytes, never under a tenth of what the stage began with. */
export function bytesAt(growth: Growth, lived: number): number {
  const stage = stageAt(growth, lived);
  return Math.round(Math.max(valueIn(stage, lived), stage.value / 10));
}

/** The stage that holds at that time. */
export function stageAt(growth: Growth, lived: number): Stage {
  return growth.findLast((stage) => stage.since <= lived) ?? growth[0];
}

function valueIn({ value, perDay, since }: Stage, lived: number): number {
  return value + (perDay * (lived - since)) / day;
}
