import { setImmediate } from 'node:timers/promises';

/** Work in small steps. Yields how much work each step was, and returns the result. */
export type Steps<T> = Generator<number, T>;

/** Does all steps and returns their result. Lets other work continue whenever `turn` of the work is done. */
export async function inTurns<T>(steps: Steps<T>, turn: number): Promise<T> {
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

/** Does all steps at once and returns their result. */
export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
