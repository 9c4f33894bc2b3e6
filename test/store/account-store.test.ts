import { beforeEach, expect, it, vi } from 'vitest';
import { AccountStore, ownMetrics } from '../../src/store/account-store.ts';
import { Clock } from '../../src/store/clock.ts';
import type { Result } from '../../src/store/result.ts';
import { resultOf } from '../fixtures/viewed-account.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
  return () => vi.useRealTimers();
});

function createStore() {
  const store = new AccountStore(new Clock());
  return {
    store,
    /** Shows a result of the collector `c` for this number of milliseconds. */
    show: (item: string, families: Result['families'], maxAge = 100, parts: Partial<Result> = {}) => {
      store.set('c', item, resultOf(store, { families, expires: store.clock.now + maxAge, ...parts }));
    },
    /** The lines of a metric. */
    shown: (metric = 'hosting_x') =>
      store
        .lines('c', metric)
        .map((text) => Buffer.from(text).toString())
        .join(''),
  };
}

function family(name: string, ...items: readonly string[]) {
  const samples = items.map((item, index) => ({ labels: { account: 'a', item }, value: index }));
  return { name, labelNames: ['account', 'item'], samples };
}

const one = [family('hosting_x', 'one')];
const two = [family('hosting_x', 'two')];

it('shows nothing at first', () => {
  const { shown, store } = createStore();

  expect([shown(), store.series, store.families(), store.results('c').size]).toEqual(['', 0, [], 0]);
});

it('shows the newest result of each item, without metrics that it lacks', () => {
  const { store, show, shown } = createStore();
  show('1', [family('hosting_x', 'one'), family('hosting_y', 'one')]);
  show('2', two);
  const before = shown('hosting_y');
  show('1', [family('hosting_x', 'uno')]);

  expect(shown()).toBe('hosting_x{account="a",item="uno"} 0\nhosting_x{account="a",item="two"} 0\n');
  expect([before, shown('hosting_y')]).toEqual(['hosting_y{account="a",item="one"} 0\n', '']);
  expect(store.series).toBe(2);
});

it('expires each result at its own time', () => {
  const { store, show, shown } = createStore();
  show('1', one, 100);
  show('2', two, 200);

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
  expect([shown(), store.series]).toEqual(['', 0]);
});

it('expires a series with its newest result', () => {
  const { store, show, shown } = createStore();
  show('', one, 100);
  show('', one, 300);

  vi.advanceTimersByTime(200);
  store.expire();

  expect(shown()).toBe('hosting_x{account="a",item="one"} 0\n');
});

it.each([
  ['monotonic clock when the wall clock is set back', '2026-06-03T11:00:00Z', 1000],
  ['wall clock when the monotonic clock stopped during suspend', '2026-06-03T13:00:00Z', 0],
])('expires results by the %s', (_clock, wall, passed) => {
  const { store, show, shown } = createStore();
  show('', one, 1000);

  vi.setSystemTime(Date.parse(wall));
  vi.advanceTimersByTime(passed);
  store.expire();

  expect(shown()).toBe('');
});

it('omits expired results although no scrape has removed them', () => {
  const { store, show } = createStore();
  show('1', one, 100, { dropped: 3 });
  show('2', two, 200, { dropped: 4 });
  const before = [[...store.results('c').keys()], store.families(), store.droppedSeries('c')];

  vi.advanceTimersByTime(100);

  expect(before).toEqual([['1', '2'], [...one, ...two], 7]);
  expect([[...store.results('c').keys()], store.families(), store.droppedSeries('c')]).toEqual([['2'], two, 4]);
});

it('removes the results of removed items immediately', () => {
  const { store, show, shown } = createStore();
  show('1', one);
  show('2', two);

  store.retain('c', new Set(['2', '3']));
  store.retain('unknown', new Set());

  expect(shown()).toBe('hosting_x{account="a",item="two"} 0\n');
  expect(store.series).toBe(1);
});

it('selects the results of collectors', () => {
  const { store, show } = createStore();
  show('1', one, 100, { dropped: 3 });
  store.set('d', '', resultOf(store, { families: two, dropped: 5 }));
  store.setOwn([family('hosting_up', 'x')]);
  const namesOf = (collector: string) =>
    ['hosting_x', 'hosting_up'].filter((metric) => store.lines(collector, metric).length > 0);

  expect(store.families(['d', 'e'])).toEqual(two);
  expect([store.droppedSeries('c'), store.droppedSeries('d'), store.series]).toEqual([3, 5, 2]);
  expect([namesOf('c'), namesOf('d'), namesOf('e')]).toEqual([['hosting_x'], ['hosting_x'], []]);
  expect(namesOf(ownMetrics)).toEqual(['hosting_up']);
});

it('names the metrics whose lines have changed, once', () => {
  const { store, show } = createStore();
  const other = [family('hosting_y', 'one', 'two')];
  const changes = [
    () => show('1', one, 100),
    () => show('1', one, 100),
    () => show('1', [family('hosting_x', 'other')], 100),
    () => show('2', [...two, ...other], 200),
    () => show('2', [...two, family('hosting_y', 'one')], 200),
    () => show('2', two, 200),
    () => store.retain('c', new Set(['1', '2'])),
    () => store.setOwn([family('hosting_up', 'x')]),
    () => store.setOwn([family('hosting_up', 'x')]),
    () => store.setOwn([]),
    () => vi.advanceTimersByTime(100),
    () => store.expire(),
    () => store.retain('c', new Set()),
  ].map((change) => {
    change();
    return [...store.takeChanged()].map((metric) => metric.replace('hosting_', '')).join();
  });

  expect(changes).toEqual(['x', '', 'x', 'x,y', 'y', 'y', '', 'up', '', 'up', '', 'x', 'x']);
});

it('changes its revision with every result and with every update of the own metrics', () => {
  const { store, show } = createStore();
  const changes = [
    () => show('1', one, 100),
    () => show('1', one, 100),
    () => store.retain('c', new Set(['1'])),
    () => store.setOwn([]),
    () => store.expire(),
    () => vi.advanceTimersByTime(100),
    () => store.expire(),
    () => show('2', two, 200),
    () => store.retain('c', new Set()),
  ].map((change) => {
    const before = store.revision;
    change();
    return store.revision !== before;
  });

  expect(changes).toEqual([true, true, false, true, false, false, true, true, true]);
});
