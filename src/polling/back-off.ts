import type { Reason } from '../api/error.ts';

const firstDelay = 15_000;

/** However rare the turns are: timers can't wait for longer than 24 days, and would fire at once. */
const longestDelay = 86_400_000;

/** Milliseconds after which a poll that lacks a permission asks again: only the owner of the account can change that. */
export const permissionPause = 3_600_000;

/**
 * Milliseconds until a failed poll is tried again, out of turn; undefined where it waits for its turn. Doubles with
 * each of `attempts`, up to the interval, and is spread by a quarter either way.
 */
export function retryDelay(attempts: number, interval: number, reason: Reason | undefined): number | undefined {
  if (reason === 'auth') return undefined;
  if (reason === 'permission') return permissionPause;
  const delay = Math.min(firstDelay * 2 ** (attempts - 1), interval, longestDelay);
  return delay * (0.75 + Math.random() / 2);
}
