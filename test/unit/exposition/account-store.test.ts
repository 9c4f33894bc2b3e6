import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { PageIndex } from '../../../src/exposition/collector-chunks.ts';
import type { EncodedChunk } from '../../../src/exposition/encoded-chunk.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { anyPayload } from '../../fixtures/any-payload.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

function createStore() {
  const index = new PageIndex();
  const store = new AccountStore(index);
  const textOf = (chunks: readonly EncodedChunk[]) => Buffer.concat(chunks.flatMap(({ texts }) => texts)).toString();
  return {
    store,
    /** The lines of a metric on the page of all accounts, which are those on the page of this account. */
    shown: (metric = 'hosting_x') => {
      const lines = textOf([index.of('c').encoded(metric) ?? []].flat());
      expect(textOf(store.encoded('c', metric))).toBe(lines);
      return lines;
    },
  };
}

function family(name: string, ...items: readonly string[]) {
  const samples = items.map((item, index) => ({ labels: { account: 'a', item }, value: index }));
  return { name, labelNames: ['account', 'item'], samples };
}

describe('the store of an account', () => {
  it('shows nothing at first', () => {
    const { shown, store } = createStore();

    expect(shown()).toBe('');
    expect(store.series).toBe(0);
  });

  it('shows the newest result of each item', () => {
    const { store, shown } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one'), family('hosting_y', 'one')], 100, anyPayload);
    store.publish('c', '2', [family('hosting_x', 'two')], 100, anyPayload);
    store.publish('c', '1', [family('hosting_x', 'uno')], 100, anyPayload);

    expect(shown()).toBe('hosting_x{account="a",item="uno"} 0\nhosting_x{account="a",item="two"} 0\n');
    expect(store.series).toBe(2);
  });

  it('shows new values of a result that was shown before', () => {
    const { store, shown } = createStore();
    const familyOf = (value: number) => ({
      name: 'hosting_x',
      labelNames: ['account'],
      samples: [{ labels: { account: 'a' }, value }],
    });
    const texts = [1, 1, 2].map((value) => {
      store.publish('c', '', [familyOf(value)], 100, anyPayload);
      return shown();
    });

    expect(texts).toEqual([1, 1, 2].map((value) => `hosting_x{account="a"} ${value}\n`));
  });

  it('removes a metric that the newest result lacks', () => {
    const { store, shown } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one'), family('hosting_y', 'one')], 100, anyPayload);
    const before = shown('hosting_y');
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);

    expect(before).toBe('hosting_y{account="a",item="one"} 0\n');
    expect(shown('hosting_y')).toBe('');
  });

  it('expires each result at its own max_age', () => {
    const { store, shown } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);
    store.publish('c', '2', [family('hosting_x', 'two')], 200, anyPayload);

    vi.advanceTimersByTime(99);
    store.expire();
    const before = shown();
    vi.advanceTimersByTime(1);
    store.expire();
    const between = shown();
    vi.advanceTimersByTime(100);
    store.expire();

    expect(before).toContain('one');
    expect(between).toBe('hosting_x{account="a",item="two"} 0\n');
    expect(shown()).toBe('');
    expect(store.series).toBe(0);
  });

  it('expires results by the monotonic clock when the wall clock is set back', () => {
    const { store, shown } = createStore();
    store.publish('c', '', [family('hosting_x', 'one')], 100, anyPayload);

    vi.setSystemTime(Date.parse('2026-06-03T11:00:00Z'));
    vi.advanceTimersByTime(100);
    store.expire();

    expect(shown()).toBe('');
  });

  it('expires results by the wall clock when the monotonic clock stopped during suspend', () => {
    const { store, shown } = createStore();
    store.publish('c', '', [family('hosting_x', 'one')], 100, anyPayload);

    vi.setSystemTime(Date.parse('2026-06-03T13:00:00Z'));
    store.expire();

    expect(shown()).toBe('');
  });

  it('expires a series by the max_age of its newest result', () => {
    const { store, shown } = createStore();
    store.publish('c', '', [family('hosting_x', 'one')], 100, anyPayload);
    store.publish('c', '', [family('hosting_x', 'one')], 300, anyPayload);

    vi.advanceTimersByTime(200);
    store.expire();

    expect(shown()).toBe('hosting_x{account="a",item="one"} 0\n');
  });

  it('removes the results of removed items immediately', () => {
    const { store, shown } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);
    store.publish('c', '2', [family('hosting_x', 'two')], 100, anyPayload);

    store.retain('c', new Set(['2', '3']));

    expect(shown()).toBe('hosting_x{account="a",item="two"} 0\n');
    expect(store.series).toBe(1);
  });

  it('removes everything when it is cleared', () => {
    const { store, shown } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);

    store.clear();

    expect(shown()).toBe('');
  });

  it('changes its revision with every change of its series, and only then', () => {
    const { store } = createStore();
    const revisions = [store.revision];
    const note = () => revisions.push(store.revision);

    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);
    note();
    store.expire();
    note();
    store.retain('c', new Set(['1']));
    note();
    store.retain('c', new Set());
    note();

    const changed = revisions.slice(1).map((revision, index) => revision !== revisions[index]);
    expect(changed).toEqual([true, false, false, true]);
  });

  it('holds thousands of series in one result', () => {
    const { store, shown } = createStore();
    const items = Array.from({ length: 2000 }, (_, index) => String(index));

    store.publish('c', '', [family('hosting_x', ...items)], 100, anyPayload);

    expect(shown().split('\n')).toHaveLength(2001);
  });

  it('keeps the newest payload of each item until it expires', () => {
    const { store } = createStore();
    const payloads = [1, 2, 3].map(
      (value) => new KeptPayload(value, { answered: Date.now(), providerTime: Date.now(), complete: true }),
    );
    const [old = anyPayload, newest = anyPayload, other = anyPayload] = payloads;
    store.publish('c', '1', [family('hosting_x', 'one')], 100, old);
    store.publish('c', '1', [family('hosting_x', 'one')], 100, newest);
    store.publish('c', '2', [family('hosting_x', 'two')], 200, other);
    const before = [...store.payloads('c')];

    vi.advanceTimersByTime(100);

    expect(before).toEqual([
      ['1', newest],
      ['2', other],
    ]);
    expect(before[0]?.[1]).toBe(newest);
    expect([store.payloads('c').get('1'), store.payloads('c').get('2')]).toEqual([undefined, other]);
    expect([...store.payloads('c').keys()]).toEqual(['2']);
    expect([store.payloads('d').get(''), [...store.payloads('d')]]).toEqual([undefined, []]);
  });

  it('does not list an expired payload although no scrape has removed it', () => {
    const { store } = createStore();
    store.publish('c', '', [family('hosting_x', 'one')], 100, anyPayload);

    vi.advanceTimersByTime(100);

    expect([...store.payloads('c')]).toEqual([]);
  });

  it('does not show an expired payload although no scrape has removed it', () => {
    const { store } = createStore();
    store.publish('c', '', [family('hosting_x', 'one')], 100, anyPayload);

    vi.advanceTimersByTime(100);

    expect(store.payloads('c').get('')).toBeUndefined();
  });

  it('encodes the lines of a metric for this account alone, one chunk per result that has it', () => {
    const { store } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one', 'uno')], 100, anyPayload);
    store.publish('c', '2', [family('hosting_y', 'two')], 100, anyPayload);
    store.publish('c', '3', [family('hosting_x', 'three')], 100, anyPayload);

    expect(store.encoded('c', 'hosting_x').flatMap(({ texts }) => texts.map(String))).toEqual([
      'hosting_x{account="a",item="one"} 0\nhosting_x{account="a",item="uno"} 1\n',
      'hosting_x{account="a",item="three"} 0\n',
    ]);
    expect(store.encoded('d', 'hosting_x')).toEqual([]);
  });

  it('counts the series of all collectors', () => {
    const { store } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one', 'uno')], 100, anyPayload);
    store.publish('d', '', [family('hosting_z', 'one', 'two', 'three')], 100, anyPayload);

    expect(store.series).toBe(5);
  });

  it('counts the dropped series of all items of a collector', () => {
    const { store } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload, 3);
    store.publish('c', '2', [family('hosting_x', 'two')], 100, anyPayload, 4);
    store.publish('d', '', [family('hosting_z', 'one')], 100, anyPayload, 5);

    expect([store.droppedSeries('c'), store.droppedSeries('d')]).toEqual([7, 5]);
  });

  it('expires the results of all collectors, and keeps looking for the next ones', () => {
    const { store } = createStore();
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);
    store.publish('d', '', [family('hosting_z', 'one')], 200, anyPayload);
    store.publish('c', '2', [family('hosting_x', 'two')], 300, anyPayload);
    const seriesAfter = (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      store.expire();
      return store.series;
    };

    expect([100, 99, 1, 99, 1].map(seriesAfter)).toEqual([2, 2, 1, 1, 0]);
  });

  it('changes its revision when it is touched, cleared or a result expires', () => {
    const { store } = createStore();
    const revisionAfter = (change: () => void) => {
      change();
      return store.revision;
    };
    store.publish('c', '1', [family('hosting_x', 'one')], 100, anyPayload);
    store.publish('d', '1', [family('hosting_x', 'one')], 200, anyPayload);

    const revisions = [
      store.revision,
      revisionAfter(() => {
        vi.advanceTimersByTime(100);
        store.expire();
      }),
      revisionAfter(() => store.clear()),
    ];

    expect(new Set(revisions).size).toBe(3);
  });
});
