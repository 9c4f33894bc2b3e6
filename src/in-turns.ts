import { setImmediate } from 'node:timers/promises';

/**
 * Runs a generator that yields how much work each step was, and returns its result. Lets other work continue whenever
 * `turn` of it is done.
 */
export async function inTurns<T>(steps: Generator<number, T>, turn: number): Promise<T> {
  let work = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    work += step.value;
    if (work < turn) continue;
    work = 0;
    await setImmediate();
  }
}
