import type { PollFailure } from '../results/finished-poll.ts';

const firstDelay = 15_000;

/** Longest delay in milliseconds. Timers of Node.js that wait longer than 24 days fire immediately. */
const longestDelay = 86_400_000;

/** Milliseconds until a poll without permission is retried. Only the account's owner can grant the permission, which takes time. */
const permissionPause = 3_600_000;

/** Milliseconds until the retry; undefined for no retry. Doubles with each failed poll in a row, up to the interval, ±25 %. */
export function retryDelay(failedPolls: number, interval: number, reason: PollFailure['reason']): number | undefined {
  if (reason === 'auth' || reason === 'bug') return undefined;
  if (reason === 'permission') return permissionPause;
  const delay = Math.min(firstDelay * 2 ** (failedPolls - 1), interval, longestDelay);
  return delay * (0.75 + Math.random() / 2);
}
