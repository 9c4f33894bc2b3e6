import { expect, it } from 'vitest';
import { inTurns } from '../../src/in-turns.ts';

it('lets other work continue after each turn, and returns the result', async () => {
  const turns: number[] = [];
  let inThisTurn = 0;
  function* steps(): Generator<number, string> {
    for (let step = 0; step < 1000; step += 1) {
      if (inThisTurn === 0) {
        setImmediate(() => {
          turns.push(inThisTurn);
          inThisTurn = 0;
        });
      }
      inThisTurn += 7;
      yield 7;
    }
    return 'done';
  }

  const result = await inTurns(steps(), 100);

  expect(result).toBe('done');
  expect(turns.length).toBeGreaterThan(60);
  expect(Math.max(...turns)).toBeLessThanOrEqual(2 * 107);
});
