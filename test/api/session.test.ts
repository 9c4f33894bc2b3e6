import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiSession } from '../../src/api/session.ts';

const now = Date.parse('2026-06-03T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => {
  vi.useFakeTimers({ now });
  // A process has run for a while, so that the monotonic clock differs from one that starts at 0.
  vi.advanceTimersByTime(hour);
  return () => vi.useRealTimers();
});

function restored(snapshot: Parameters<ApiSession['restore']>[0]): ApiSession {
  const session = new ApiSession(30);
  session.restore(snapshot);
  return session;
}

/** Milliseconds until a call starts. */
async function waitOf({ budget }: ApiSession): Promise<number> {
  const before = Date.now();
  const order = { priority: 'list', signal: new AbortController().signal } as const;
  const started = budget.run(
    order,
    () => true,
    async () => Date.now(),
  );
  await vi.advanceTimersByTimeAsync(3 * hour);
  return (await started) - before;
}

describe('a session', () => {
  it('has nothing to remember at first', () => {
    const nothing = { pausedUntil: undefined, rejection: undefined };

    expect(new ApiSession(30).snapshot()).toEqual(nothing);
    expect(restored({}).snapshot()).toEqual(nothing);
  });

  it.each([
    [undefined, 0],
    [-20 * minute, -20 * minute],
    [24 * hour, 24 * hour],
    [24 * hour + 1, 0],
    [-24 * hour - 1, 0],
  ])('with a clock of the API that is ahead by %s ms uses a time that is ahead by %i ms', (skew, ahead) => {
    const session = new ApiSession(30);

    session.skew = skew;

    expect(session.now - Date.now()).toBe(ahead);
  });

  it('keeps its pause and its rejection over a restart', () => {
    const first = new ApiSession(30);
    first.budget.pause(1500);
    first.gate.rejected('wrong', false, 'no');
    const snapshot = first.snapshot();

    expect(snapshot).toEqual({
      pausedUntil: Date.now() + 1500,
      rejection: { secret: 'wrong', count: 1, rejected: Date.now(), nextAttempt: Date.now() + 5000, answer: 'no' },
    });
    expect(restored(snapshot).snapshot()).toEqual(snapshot);
  });
});

describe('after a restart', () => {
  it.each([
    [10 * minute, 10 * minute],
    [2 * hour, hour],
    [0, 0],
    [-minute, 0],
  ])('a pause that ends in %i ms lasts %i ms', async (end, wait) => {
    const session = restored({ pausedUntil: Date.now() + end });

    expect(session.budget.pauseRemaining).toBe(wait);
    expect(await waitOf(session)).toBe(wait);
    expect(session.budget.pauseRemaining).toBe(0);
  });

  it.each([
    [1, 3000, 3000],
    [1, hour, 5000],
    [3, hour, minute],
    [1, -hour, 0],
  ])('the attempt after rejection %i that is due in %i ms comes after %i ms', (count, due, wait) => {
    const rejection = { secret: 'wrong', count, rejected: Date.now() - 1000, nextAttempt: Date.now() + due };

    expect(restored({ rejection }).gate.nextAttemptIn('wrong')).toBe(wait);
  });

  it('another rejection continues the intervals', () => {
    const rejection = { secret: 'wrong', count: 2, rejected: Date.now() - 1000, nextAttempt: Date.now() };
    const session = restored({ rejection });

    session.gate.rejected('wrong', false, 'no');

    expect(session.gate.nextAttemptIn('wrong')).toBe(minute);
  });
});
