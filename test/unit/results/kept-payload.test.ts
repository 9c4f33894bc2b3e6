import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptPayload } from '../../../src/results/kept-payload.ts';

const now = Date.parse('2026-06-03T12:00:00Z');
const minute = 60_000;
const payload = [{ name: 'кофейня "1"\n', size: 5.5 }];

beforeEach(() => {
  vi.useFakeTimers({ now });
  return () => vi.useRealTimers();
});

function arrival(answered = now) {
  return { answered, providerTime: answered - 5000, complete: false };
}

describe('a kept payload', () => {
  it('keeps its times and whether it was complete', () => {
    const kept = new KeptPayload(payload, arrival());

    expect([kept.answered, kept.providerTime, kept.complete]).toEqual([now, now - 5000, false]);
  });

  it('is decoded to equal values, each time to another object', () => {
    const kept = new KeptPayload(payload, arrival());

    const [first, second] = [kept.decode(), kept.decode()];

    expect([first, second]).toEqual([payload, payload]);
    expect(first).not.toBe(payload);
    expect(first).not.toBe(second);
    expect(kept.json).toBe(JSON.stringify(payload));
  });

  it.each([-1, 0, 1])('of a mebibyte of JSON, plus %i bytes, is the same after it is compressed', async (more) => {
    // The JSON text has two quotation marks.
    const text = 'x'.repeat(1024 * 1024 - 2 + more);
    const kept = new KeptPayload(text, arrival());

    await kept.compress();

    expect(kept.decode() === text).toBe(true);
  });

  it('from JSON text gives its payload away once, so that a change of it does not reach later readers', () => {
    const fresh = structuredClone(payload);
    const kept = new KeptPayload(fresh, arrival(), JSON.stringify(payload));

    const first = kept.decode();

    expect(first).toBe(fresh);
    expect(kept.decode()).not.toBe(fresh);
    expect(kept.decode()).toEqual(payload);
  });

  it('from JSON text is the same before and after it is compressed, also twice', async () => {
    const kept = new KeptPayload(structuredClone(payload), arrival(), JSON.stringify(payload));
    const before = kept.json;

    await kept.compress();
    await kept.compress();

    expect([before, kept.json]).toEqual([JSON.stringify(payload), JSON.stringify(payload)]);
    expect(kept.decode()).toEqual(payload);
  });

  it('is compressed in pieces if it is large, also in the middle of a character', async () => {
    const large = Array.from({ length: 100_000 }, (_, index) => `сайт-${index}.example`);
    const kept = new KeptPayload(large, arrival());
    const turns = vi.fn(async () => {});

    await kept.compress({ pause: turns });

    expect(turns).toHaveBeenCalledTimes(3);
    expect(kept.decode()).toEqual(large);
  });

  it('ages from its answer, which may be earlier than its construction', () => {
    const kept = new KeptPayload(payload, arrival(now - 3 * minute));
    const first = kept.age;

    vi.advanceTimersByTime(minute);

    expect([first, kept.age]).toEqual([3 * minute, 4 * minute]);
  });

  it('ages by the clock that saw more time', () => {
    const suspended = new KeptPayload(payload, arrival());
    vi.setSystemTime(now + 60 * minute);
    const afterSuspend = suspended.age;
    const setBack = new KeptPayload(payload, arrival(now + 50 * minute));
    vi.setSystemTime(now);
    vi.advanceTimersByTime(minute);

    expect([afterSuspend, setBack.age]).toEqual([60 * minute, 11 * minute]);
  });

  it('has a negative age if its answer has a date in the future', () => {
    expect(new KeptPayload(payload, arrival(now + minute)).age).toBe(-minute);
  });
});
