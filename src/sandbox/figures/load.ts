import type { Moment } from '../time/timeline.ts';
import { day, hour, type Zone } from '../time/zone.ts';
import { noise } from './noise.ts';

/** How a site or a database is used, from which every figure of its load follows. */
export interface LoadTraits {
  readonly seed: number;
  /** Mean load of a day, in the provider's unit. */
  readonly mean: number;
  /** Hour of the day, 0 to 23, at which it is busiest. */
  readonly peakHour: number;
  /** Share of hours, and of whole days, in which nothing is recorded: their rows are left out. */
  readonly idleHours: number;
  readonly idleDays: number;
  /** Lived milliseconds at which it was created; undefined for what was always there. */
  readonly since?: number;
}

/** One row of a list: the hour or day that begins at `wall` (see Zone), and its figure before rounding. */
export interface Row {
  readonly wall: number;
  readonly value: number;
}

const weekdays = [0.78, 1.12, 1.1, 1.08, 1.06, 1.04, 0.82];

/**
 * The last 24 hours, oldest first, with gaps; the last row is the hour that is still growing. Hours are looked up by lived
 * time and dated by the clock, so at speed 60 the curve of a day passes in 24 minutes under today's dates.
 */
export function hourRows(load: LoadTraits, moment: Moment, zone: Zone): readonly Row[] {
  const lived = Math.floor(zone.toWall(moment.lived) / hour);
  const dated = Math.floor(zone.toWall(moment.instant) / hour);
  const rows: Row[] = [];
  for (let back = 23; back > 0; back -= 1) {
    const wall = (dated - back) * hour;
    if (isRecorded(load, lived - back, zone) && zone.exists(wall)) {
      rows.push({ wall, value: hourLoad(load, lived - back, zone) });
    }
  }
  rows.push({ wall: dated * hour, value: growingHour(load, moment, zone) });
  return rows;
}

/** The last 30 days, oldest first, with gaps; the last row is today, the sum of its hours so far. */
export function dayRows(load: LoadTraits, moment: Moment, zone: Zone): readonly Row[] {
  const lived = Math.floor(zone.toWall(moment.lived) / day);
  const dated = Math.floor(zone.toWall(moment.instant) / day);
  const rows: Row[] = [];
  for (let back = 29; back > 0; back -= 1) {
    const first = (lived - back) * 24;
    const value = sumOfHours(load, first, first + 24, zone);
    if (value > 0) {
      rows.push({ wall: (dated - back) * day, value });
    }
  }
  const newest = Math.floor(zone.toWall(moment.lived) / hour);
  const value = sumOfHours(load, lived * 24, newest, zone) + growingHour(load, moment, zone);
  rows.push({ wall: dated * day, value });
  return rows;
}

/** Mean load of a day over the last 720 whole hours, which are 30 days. */
export function monthAverage(load: LoadTraits, moment: Moment, zone: Zone): number {
  const newest = Math.floor(zone.toWall(moment.lived) / hour);
  return sumOfHours(load, newest - 720, newest, zone) / 30;
}

/** The last 30 days, oldest first, with gaps, each with the lived time at which it was measured: its end, or now. */
export function measuredDays(load: LoadTraits, moment: Moment, zone: Zone): readonly { wall: number; lived: number }[] {
  const wallNow = zone.toWall(moment.lived);
  const lived = Math.floor(wallNow / day);
  const dated = Math.floor(zone.toWall(moment.instant) / day);
  const days: { wall: number; lived: number }[] = [];
  for (let back = 29; back > 0; back -= 1) {
    const measured = moment.lived - (wallNow - (lived - back + 1) * day);
    if (measured > (load.since ?? Number.NEGATIVE_INFINITY) && noise(load.seed + 2, lived - back) >= load.idleDays) {
      days.push({ wall: (dated - back) * day, lived: measured });
    }
  }
  days.push({ wall: dated * day, lived: moment.lived });
  return days;
}

function growingHour(load: LoadTraits, moment: Moment, zone: Zone): number {
  const wall = zone.toWall(moment.lived);
  const index = Math.floor(wall / hour);
  return hourLoad(load, index, zone) * (wall / hour - index);
}

function sumOfHours(load: LoadTraits, from: number, to: number, zone: Zone): number {
  let sum = 0;
  for (let index = from; index < to; index += 1) {
    sum += hourLoad(load, index, zone);
  }
  return sum;
}

/** Load of one hour, counted from 1970 on the wall clock. */
function hourLoad(load: LoadTraits, index: number, zone: Zone): number {
  if (!isRecorded(load, index, zone)) {
    return 0;
  }
  const phase = (2 * Math.PI * (index - load.peakHour)) / 24;
  const shape = 1 + 0.7 * Math.cos(phase) + 0.15 * Math.cos(2 * phase);
  const weekday = weekdays[(Math.floor(index / 24) + 4) % 7] ?? 1;
  return (load.mean / 24) * shape * weekday * (0.75 + 0.5 * noise(load.seed, index));
}

function isRecorded(load: LoadTraits, index: number, zone: Zone): boolean {
  const created = load.since === undefined || (index + 1) * hour > zone.toWall(load.since);
  return (
    created &&
    noise(load.seed + 1, index) >= load.idleHours &&
    noise(load.seed + 2, Math.floor(index / 24)) >= load.idleDays
  );
}
