import type { LoadProfile } from '../figures/load.ts';
import { hashText, noise } from '../figures/noise.ts';

interface LoadProfileOptions {
  readonly peakHour?: number | undefined;
  readonly idleHours?: number | undefined;
  readonly idleDays?: number | undefined;
  readonly since?: number;
}

/** Creates the load profile of a site or database. Missing options are derived from the name. */
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
