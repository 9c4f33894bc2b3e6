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
  /** Creation of the site or database in simulated milliseconds; undefined if it existed when the sandbox started. */
  readonly since?: number | undefined;
}

type LoadProfileOptions = { readonly [Option in 'peakHour' | 'idleHours' | 'idleDays' | 'since']?: number | undefined };

/** Creates the load profile of a site or database. The default peak hour depends on the name. */
export function loadProfile(name: string, mean: number, options: LoadProfileOptions = {}): LoadProfile {
  const seed = hashText(name);
  return {
    seed,
    mean,
    peakHour: options.peakHour ?? 10 + Math.floor(noise(seed, -1) * 12),
    idleHours: options.idleHours ?? 0.04,
    idleDays: options.idleDays ?? 0.03,
    since: options.since,
  };
}

/** One row of a list: an hour or day that starts at `wall` (see Zone), and its unrounded value. */
export interface Row {
  readonly wall: number;
  readonly value: number;
}

const weekdays = [0.78, 1.12, 1.1, 1.08, 1.06, 1.04, 0.82];

/**
 * Rows of the last 24 hours, oldest first, with gaps. The last row is the current, incomplete hour. Dates follow the clock, and values
 * follow simulated time: at speed 60, a simulated day passes within 24 minutes. The value of an hour still grows for `lag` milliseconds
 * after the end of the hour.
 */
export function hourRows(load: LoadProfile, moment: SandboxMoment, zone: Zone, lag = 0): readonly Row[] {
  const until = zone.toWall(moment.simulated) - lag;
  return ages(24, hour, moment, zone)
    .filter(({ age, wall, simulated }) => age === 0 || (isRecorded(load, simulated, zone) && zone.exists(wall)))
    .map(({ wall, simulated }) => ({ wall, value: loadUntil(until, load, simulated, zone) }));
}

/** The rows of the last 30 days, oldest first, with gaps. Today's row is the sum of its hours so far. For `lag`, see `hourRows`. */
export function dayRows(load: LoadProfile, moment: SandboxMoment, zone: Zone, lag = 0): readonly Row[] {
  const until = zone.toWall(moment.simulated) - lag;
  return ages(30, day, moment, zone)
    .map(({ age, wall, simulated }) => ({
      age,
      wall,
      value: sumOfHours(load, simulated * 24, simulated * 24 + 24, zone, until),
    }))
    .filter(({ age, value }) => age === 0 || value > 0);
}

/**
 * The last hours or days, oldest first. `length`: an hour or a day in milliseconds. `wall`: the start in clock time. `simulated`: the
 * number of the hour or day in simulated time, counted from 1970. The current hour or day has age 0 and is incomplete.
 */
function ages(count: number, length: number, { instant, simulated }: SandboxMoment, zone: Zone) {
  const [clock, simulatedNow] = [instant, simulated].map((time) => Math.floor(zone.toWall(time) / length));
  return Array.from({ length: count }, (_, index) => {
    const age = count - 1 - index;
    return { age, wall: ((clock ?? 0) - age) * length, simulated: (simulatedNow ?? 0) - age };
  });
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
  return ages(30, day, moment, zone).flatMap(({ age, wall, simulated }) => {
    if (age === 0) return [{ wall, simulated: moment.simulated }];
    const endOfDay = moment.simulated - (wallNow - (simulated + 1) * day);
    const existed = endOfDay > (load.since ?? Number.NEGATIVE_INFINITY);
    return existed && noise(load.seed + 2, simulated) >= load.idleDays ? [{ wall, simulated: endOfDay }] : [];
  });
}

function sumOfHours(load: LoadProfile, from: number, to: number, zone: Zone, until: number): number {
  let sum = 0;
  for (let index = from; index < to; index += 1) {
    sum += loadUntil(until, load, index, zone);
  }
  return sum;
}

/** The load of the hour `index` until the wall-clock time `until`. */
function loadUntil(until: number, load: LoadProfile, index: number, zone: Zone): number {
  const share = Math.min(Math.max(until / hour - index, 0), 1);
  return share === 0 ? 0 : hourLoad(load, index, zone) * share;
}

/** Load of one hour. `index` counts wall-clock hours since 1970. */
function hourLoad(load: LoadProfile, index: number, zone: Zone): number {
  if (!isRecorded(load, index, zone)) return 0;
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
