import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Account } from '../../../src/polling/account.ts';
import { Ticker } from '../../../src/polling/ticker.ts';
import { Clock } from '../../../src/store/clock.ts';
import { fakeClock } from '../../fixtures/polled-account.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** What a ticker needs of an account. */
class TestAccount {
  readonly name: string;
  dueAt: number;
  readonly starts: string[];
  setBack = 0;

  constructor(name: string, dueAt: number, starts: string[]) {
    this.name = name;
    this.dueAt = dueAt;
    this.starts = starts;
  }

  pollDue(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    this.starts.push(this.name);
  }

  clockWasSetBack(): void {
    this.setBack += 1;
  }
}

/** A ticker and this many accounts. `dueAt`: in milliseconds from now. */
function tickedAccounts(count: number, dueAt: (index: number) => number) {
  fakeClock('2026-03-16T14:20:00.500Z');
  const clock = new Clock();
  const starts: string[] = [];
  const accounts = Array.from(
    { length: count },
    (_, index) => new TestAccount(`a${index}`, clock.now + dueAt(index), starts),
  );
  let ticks = 0;
  const onTick = () => {
    ticks += 1;
  };
  const ticker = new Ticker(clock, () => accounts as unknown as readonly Account[], onTick);
  onTestFinished(() => ticker.stop());
  return { ticker, clock, accounts, starts, ticks: () => ticks };
}

describe('a tick', () => {
  it('comes each second, also after the clock has changed, until the ticker stops', async () => {
    const { ticker, ticks } = tickedAccounts(1, () => hour);
    const counts: number[] = [];
    ticker.start();
    ticker.start();

    for (const jump of [0, -2 * hour, 5 * hour, -30 * second]) {
      vi.setSystemTime(Date.now() + jump);
      await vi.advanceTimersByTimeAsync(10 * second);
      counts.push(ticks());
    }
    ticker.stop();
    await vi.advanceTimersByTimeAsync(minute);

    // A jump may delay a tick by a second.
    const ticksPerJump = counts.map((count, index) => count - (counts[index - 1] ?? 2));
    expect(ticksPerJump.map((count) => count >= 9 && count <= 11)).toEqual([true, true, true, true]);
    expect(ticks()).toBe(counts.at(-1));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts an account at its time, and again when it is due again', async () => {
    const { ticker, clock, accounts, starts } = tickedAccounts(1, () => 3 * second);
    ticker.start();
    const startsAfter = async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      return starts.length;
    };

    const counts = [await startsAfter(2 * second), await startsAfter(2 * second), await startsAfter(minute)];
    for (const account of accounts) account.dueAt = clock.now;
    counts.push(await startsAfter(second));

    expect(counts).toEqual([0, 1, 1, 2]);
  });

  it.each([
    ['at the start', -1, 0],
    ['after a suspend', hour, hour],
    ['after an outage', 600, 0],
  ])('starts at most ten accounts %s, the longest due first', async (_when, due, jump) => {
    const { ticker, starts } = tickedAccounts(35, (index) => due - index / 100);
    ticker.start();
    vi.setSystemTime(Date.now() + jump);
    const counts = [starts.length];

    while (starts.length < 35) {
      await vi.advanceTimersByTimeAsync(second);
      counts.push(starts.length);
    }

    expect(counts.filter((count) => count > 0)).toEqual([10, 20, 30, 35]);
    expect(starts).toEqual(Array.from({ length: 35 }, (_, index) => `a${34 - index}`));
  });

  it.each([
    [10, 10],
    [250, 10],
    [275, 11],
    [1000, 40],
  ])('of %i accounts starts %i, so that a large fleet starts within 25 seconds', (count, expected) => {
    const { ticker, starts } = tickedAccounts(count, () => -1);

    ticker.tick();
    const first = starts.length;
    for (let tick = 1; tick < 25; tick += 1) ticker.tick();

    expect([first, new Set(starts).size]).toEqual([expected, count]);
  });

  it('tells accounts that the clock was set back, once', async () => {
    const { ticker, accounts } = tickedAccounts(1, () => hour);
    ticker.start();

    for (const change of [-999, -hour, 0, hour]) {
      vi.setSystemTime(Date.now() + change);
      await vi.advanceTimersByTimeAsync(2 * second);
    }

    expect(accounts[0]?.setBack).toBe(1);
  });
});

describe('a ticker', () => {
  it.each([-hour, hour])('stays alive when the wall clock changes by %i ms', (milliseconds) => {
    const { ticker } = tickedAccounts(0, () => 0);
    ticker.start();
    vi.advanceTimersByTime(hour);

    vi.setSystemTime(Date.now() + milliseconds);

    expect(ticker.alive).toBe(true);
  });

  it('needs no timer before its start, and is not alive a minute after its last tick', () => {
    const { ticker } = tickedAccounts(0, () => 0);
    const before = [vi.getTimerCount(), ticker.alive];
    ticker.start();
    ticker.stop();

    vi.advanceTimersByTime(minute - 1);
    const early = ticker.alive;
    vi.advanceTimersByTime(1);

    expect([before, early, ticker.alive]).toEqual([[0, true], true, false]);
  });
});
