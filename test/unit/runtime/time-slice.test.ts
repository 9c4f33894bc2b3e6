import { expect, it, onTestFinished, vi } from 'vitest';
import { mapInSlices, TimeSlice } from '../../../src/runtime/time-slice.ts';

/** Turns of the event loop so far. */
function countTurns(): () => number {
  let turns = 0;
  let immediate = setImmediate(count);
  function count() {
    turns += 1;
    immediate = setImmediate(count);
  }
  onTestFinished(() => clearImmediate(immediate));
  return () => turns;
}

function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

it('a slice pauses when five milliseconds have passed, and then begins again', async () => {
  stopClock();
  const turns = countTurns();
  const slice = new TimeSlice();

  vi.advanceTimersByTime(4);
  expect(slice.pause()).toBeUndefined();
  vi.advanceTimersByTime(1);
  const pause = slice.pause();
  expect(pause).toBeInstanceOf(Promise);
  await pause;

  expect(turns()).toBeGreaterThan(0);
  expect(slice.pause()).toBeUndefined();
});

it('of several works, each turn of the event loop has one slice', async () => {
  stopClock();
  const turns = countTurns();
  const slices = Array.from({ length: 10 }, () => new TimeSlice());
  vi.advanceTimersByTime(5);
  const turnOf: number[] = [];

  await Promise.all(
    slices.map(async (slice) => {
      await slice.pause();
      turnOf.push(turns());
    }),
  );

  expect(new Set(turnOf).size).toBe(10);
});

it('results have the order of their items, with a pause after each slice', async () => {
  stopClock();
  const turns = countTurns();

  const results = await mapInSlices(['a', 'b', 'c'], (item) => {
    vi.advanceTimersByTime(5);
    return [item, turns()] as const;
  });

  expect(results.map(([item]) => item)).toEqual(['a', 'b', 'c']);
  expect(new Set(results.map(([, turn]) => turn)).size).toBe(3);
});
