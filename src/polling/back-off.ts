import type { Reason } from '../api/error.ts';

const firstDelay = 15_000;

/** Node.js' timers cannot wait longer than 24 days: they fire immediately. */
const longestDelay = 86_400_000;

/** Milliseconds until a poll without permission is retried: only the owner of the account can change that. */
export const permissionPause = 3_600_000;

/**
 * Milliseconds until a failed poll is retried; undefined if it is not retried. Doubles with each of the
 * `failedPolls` in a row up to the interval, with a jitter of 25 % either way.
 */
export function retryDelay(failedPolls: number, interval: number, reason: Reason | undefined): number | undefined {
  if (reason === 'auth') return undefined;
  if (reason === 'permission') return permissionPause;
  const delay = Math.min(firstDelay * 2 ** (failedPolls - 1), interval, longestDelay);
  return delay * (0.75 + Math.random() / 2);
}
