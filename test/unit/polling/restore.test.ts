import { beforeEach, describe, expect, it, vi } from 'vitest';
import { databases } from '../../../src/collectors/databases.ts';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { PageIndex } from '../../../src/exposition/collector-chunks.ts';
import { ItemList } from '../../../src/polling/item-list.ts';
import { type PollContext, showKept } from '../../../src/polling/poll.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { RestoreReport } from '../../../src/results/snapshot.ts';
import { TimeSlice } from '../../../src/runtime/time-slice.ts';

const now = Date.parse('2026-06-03T12:00:00Z');
const minute = 60_000;
const maxAge = 25 * minute;

beforeEach(() => {
  vi.useFakeTimers({ now });
  return () => vi.useRealTimers();
});

/** Restores a list of databases that is this old, in milliseconds. */
async function restoreList(payload: unknown, { age = minute, complete = true, maxSeries = 100 } = {}) {
  const store = new AccountStore(new PageIndex());
  // The parts of the context that polls need.
  const context = {
    name: 'shop',
    store,
    settlingTime: minute,
    signal: new AbortController().signal,
  } as unknown as PollContext;
  const kept = new KeptPayload(payload, { answered: now - age, providerTime: now - age, complete });
  const items = new ItemList(databases, maxSeries, []);
  const target = { collector: databases, items, maxAge: () => maxAge, onPayload: () => {} };
  const report = new RestoreReport();
  const { signal } = new AbortController();
  const listed = { key: '', item: {}, guard: undefined, signal };
  const dropped = await showKept(context, target, listed, kept, report, new TimeSlice());
  const outcome = dropped === undefined ? { series: report.series } : { dropped };
  return {
    outcome,
    store,
    shown: (metric: string) =>
      store
        .encoded('databases', metric)
        .flatMap(({ texts }) => texts.map(String))
        .join(''),
  };
}

const list = [
  { name: 'a', size: 5, remoteAccesses: 1 },
  { name: 'b', size: 7 },
];

describe('a kept list', () => {
  it('is shown again', async () => {
    const { outcome, shown } = await restoreList(list);

    expect(outcome).toEqual({ series: 4 });
    expect(shown('hosting_databases')).toBe('hosting_databases{account="shop"} 2\n');
    expect(shown('hosting_database_size_bytes')).toContain('{account="shop",database="b"} 7\n');
  });

  it.each([
    [maxAge - 1, undefined],
    [maxAge, 'expired'],
    [-5 * minute, undefined],
    [-5 * minute - 1, 'future'],
  ])('that is %i ms old is dropped as %s', async (age, dropped) => {
    const { outcome } = await restoreList(list, { age });

    expect('dropped' in outcome ? outcome.dropped : undefined).toBe(dropped);
  });

  it('is shown for the rest of its max_age', async () => {
    const { shown, store } = await restoreList(list, { age: 20 * minute });
    const shownAfter = (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      store.expire();
      return shown('hosting_databases') !== '';
    };

    expect([shownAfter(5 * minute - 1), shownAfter(1)]).toEqual([true, false]);
  });

  it('has no counts if it was incomplete', async () => {
    const { outcome, shown } = await restoreList(list, { complete: false });

    expect(outcome).toMatchObject({ series: 2 });
    expect(shown('hosting_databases')).toBe('');
  });

  it('is limited by max_series', async () => {
    expect((await restoreList(list, { maxSeries: 3 })).outcome).toMatchObject({ series: 3 });
  });

  it.each([
    ['no list', 'text'],
    ['a label that is a number', [{ name: 5, size: 1 }]],
    ['a value that is a text', [{ name: 'a', size: '1' }]],
    ['null', null],
  ])('is dropped as damaged if it is or has %s', async (_what, payload) => {
    expect((await restoreList(payload)).outcome).toEqual({ dropped: 'damaged' });
  });

  it('loses impossible values', async () => {
    const { outcome, shown } = await restoreList([{ name: 'a', size: -1 }]);

    expect(outcome).toMatchObject({ series: 1 });
    expect(shown('hosting_database_size_bytes')).toBe('');
  });
});
