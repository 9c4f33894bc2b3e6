import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks. */
const interval = 50;

/** Milliseconds. Generous, since the machine may be busy: only a test that fails ever waits so long. */
const usualLimit = 150_000;

/**
 * Looks again and again until `look` gives something that is neither undefined nor false, and gives that. `look` may
 * throw, as a failing expectation does: the newest failure is the message when the time is up.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  limit = usualLimit,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + limit;
  for (;;) {
    let failure: unknown;
    try {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen as Exclude<T, undefined | false>;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) {
      if (failure !== undefined) throw failure;
      throw new Error(`waited ${limit / 1000} s in vain: ${what}`);
    }
    await pause(interval);
  }
}
