import type { LoadTraits } from '../figures/load.ts';
import { hashText, noise } from '../figures/noise.ts';

interface Habits {
  readonly peakHour?: number | undefined;
  readonly idleHours?: number | undefined;
  readonly idleDays?: number | undefined;
  readonly since?: number;
}

/** The habits of the thing of that name; what is not given follows from the name. */
export function loadTraits(name: string, mean: number, habits: Habits = {}): LoadTraits {
  const seed = hashText(name);
  const traits = {
    seed,
    mean,
    peakHour: habits.peakHour ?? 10 + Math.floor(noise(seed, -1) * 12),
    idleHours: habits.idleHours ?? 0.04,
    idleDays: habits.idleDays ?? 0.03,
  };
  return habits.since === undefined ? traits : { ...traits, since: habits.since };
}
