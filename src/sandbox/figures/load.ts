import type { SandboxMoment } from '../time/timeline.ts';
import { day, hour, type Zone } from '../time/zone.ts';
import { hashText, noise } from './noise.ts';

/** The usage pattern of a site or database. This pattern determines all load figures. */
export interface LoadProfile {
  readonly seed: number;
  /** Mean load of a day, in the provider's unit. */
  readonly mean: number;
  /** Hour of the day with the highest load, 0 to 23. */
  readonly peakHour: number;
  /** Share of hours without load. The lists have no rows for these hours. */
  readonly idleHours: number;
  /** Share of whole days without load. The lists have no rows for these days. */
  readonly idleDays: number;
  /** Creation of the site or database in simulated milliseconds; undefined if it existed at the start. */
  readonly since?: number;
}

interface LoadProfileOptions {
  readonly peakHour?: number | undefined;
  readonly idleHours?: number | undefined;
  readonly idleDays?: number | undefined;
  readonly since?: number;
}

/** Creates the load profile of a site or database. The default peak hour depends on the name. */
export function loadProfile(name: string, mean: number, options: LoadProfileOptions = {}): LoadProfile {
  const seed = hashText(name);
  const profile = {
    seed,
    mean,
    peakHour: options.peakHour ?? 10 + Math.floor(noise(seed, -1) * 12),
    idleHours: options.idleHours ?? 0.04,
    idleDays: options.idleDays ?? 0.03,
  };
  return options.since === undefined ? profile : { ...profile, since: options.since };
}

/** One row of a list: an hour or day that starts at `wall` (see Zone), and its unrounded value. */
export interface Row {
  readonly wall: number;
  readonly value: number;
}

const weekdays = [0.78, 1.12, 1.1, 1.08, 1.06, 1.04, 0.82];

/**
 * Rows of the last 24 hours, oldest first, with gaps. The last row is the current, incomplete hour. The dates are in clock time, and the
 * values are those of simulated time. At speed 60, the curve of a day passes within 24 minutes. The value of an hour still grows for
 * `lag` milliseconds after the hour.
 */
export function hourRows(load: LoadProfile, moment: SandboxMoment, zone: Zone, lag = 0): readonly Row[] {
  const until = zone.toWall(moment.simulated) - lag;
  const simulatedHour = Math.floor(zone.toWall(moment.simulated) / hour);
  const clockHour = Math.floor(zone.toWall(moment.instant) / hour);
  const rows: Row[] = [];
  for (let age = 23; age > 0; age -= 1) {
    const wall = (clockHour - age) * hour;
    if (isRecorded(load, simulatedHour - age, zone) && zone.exists(wall)) {
      rows.push({ wall, value: loadUntil(until, load, simulatedHour - age, zone) });
    }
  }
  rows.push({ wall: clockHour * hour, value: loadUntil(until, load, simulatedHour, zone) });
  return rows;
}

/** The rows of the last 30 days, oldest first, with gaps. Today's row is the sum of its hours so far. For `lag`, see `hourRows`. */
export function dayRows(load: LoadProfile, moment: SandboxMoment, zone: Zone, lag = 0): readonly Row[] {
  const until = zone.toWall(moment.simulated) - lag;
  const simulatedDay = Math.floor(zone.toWall(moment.simulated) / day);
  const clockDay = Math.floor(zone.toWall(moment.instant) / day);
  const rows: Row[] = [];
  for (let age = 29; age > 0; age -= 1) {
    const firstHour = (simulatedDay - age) * 24;
    const value = sumOfHours(load, firstHour, firstHour + 24, zone, until);
    if (value > 0) {
      rows.push({ wall: (clockDay - age) * day, value });
    }
  }
  const value = sumOfHours(load, simulatedDay * 24, simulatedDay * 24 + 24, zone, until);
  rows.push({ wall: clockDay * day, value });
  return rows;
}

/** Mean daily load over the last 720 complete hours (30 days). */
export function monthAverage(load: LoadProfile, moment: SandboxMoment, zone: Zone): number {
  const currentHour = Math.floor(zone.toWall(moment.simulated) / hour);
  return sumOfHours(load, currentHour - 720, currentHour, zone, currentHour * hour) / 30;
}

/** The last 30 days, oldest first, with gaps. `simulated` is the time of the measurement: the end of the day, or now for today. */
export function measuredDays(
  load: LoadProfile,
  moment: SandboxMoment,
  zone: Zone,
): readonly { wall: number; simulated: number }[] {
  const wallNow = zone.toWall(moment.simulated);
  const simulatedDay = Math.floor(wallNow / day);
  const clockDay = Math.floor(zone.toWall(moment.instant) / day);
  const days: { wall: number; simulated: number }[] = [];
  for (let age = 29; age > 0; age -= 1) {
    const endOfDay = moment.simulated - (wallNow - (simulatedDay - age + 1) * day);
    const existed = endOfDay > (load.since ?? Number.NEGATIVE_INFINITY);
    if (existed && noise(load.seed + 2, simulatedDay - age) >= load.idleDays) {
      days.push({ wall: (clockDay - age) * day, simulated: endOfDay });
    }
  }
  days.push({ wall: clockDay * day, simulated: moment.simulated });
  return days;
}

function sumOfHours(load: LoadProfile, from: number, to: number, zone: Zone, until: number): number {
  let sum = 0;
  for (let index = from; index < to; index += 1) {
    sum += loadUntil(until, load, index, zone);
  }
  return sum;
}

/** The load of an hour up to a wall-clock time. */
function loadUntil(until: number, load: LoadProfile, index: number, zone: Zone): number {
  const share = Math.min(Math.max(until / hour - index, 0), 1);
  return share === 0 ? 0 : hourLoad(load, index, zone) * share;
}

/** Load of one hour. `index` counts wall-clock hours since 1970. */
function hourLoad(load: LoadProfile, index: number, zone: Zone): number {
  if (!isRecorded(load, index, zone)) {
    return 0;
  }
  const phase = (2 * Math.PI * (index - load.peakHour)) / 24;
  const shape = 1 + 0.7 * Math.cos(phase) + 0.15 * Math.cos(2 * phase);
  const weekday = weekdays[(Math.floor(index / 24) + 4) % 7] ?? 1;
  return (load.mean / 24) * shape * weekday * (0.75 + 0.5 * noise(load.seed, index));
}

function isRecorded(load: LoadProfile, index: number, zone: Zone): boolean {
  const created = load.since === undefined || (index + 1) * hour > zone.toWall(load.since);
  return (
    created &&
    noise(load.seed + 1, index) >= load.idleHours &&
    noise(load.seed + 2, Math.floor(index / 24)) >= load.idleDays
  );
}
