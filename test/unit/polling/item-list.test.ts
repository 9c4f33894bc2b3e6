import { describe, expect, it } from 'vitest';
import { backups } from '../../../src/collectors/backups.ts';
import { databaseLoad } from '../../../src/collectors/database-load.ts';
import { databaseLoadDetail } from '../../../src/collectors/database-load-detail.ts';
import { ItemList } from '../../../src/polling/item-list.ts';

const metrics = databaseLoadDetail.metrics.length;

function listOf(...names: readonly string[]) {
  return { payload: names.map((name) => ({ name })), isComplete: true };
}

function createList({ maxItems = 100, fetchesList = false, rest = 0 } = {}): ItemList {
  return new ItemList(databaseLoadDetail, maxItems * metrics + rest, fetchesList ? [] : [databaseLoad]);
}

function dueOf(items: ItemList): readonly (string | undefined)[] {
  return items.due().map(({ item }) => item['database']);
}

function keyOf(name: string): string {
  return JSON.stringify({ database: name });
}

describe('the items of a fan-out', () => {
  it('are unknown at first: a poll needs the list and makes one call', () => {
    const items = createList();

    expect(items.needsList).toBe(true);
    expect(items.calls).toBe(1);
    expect(items.keys.size).toBe(0);
    expect(items.due()).toEqual([]);
    expect(items.excludedSeries).toBe(0);
    expect(items.get(keyOf('a'))).toBeUndefined();
  });

  it('are known at once if no list names them', () => {
    const items = new ItemList(backups, 1000, []);

    expect(items.needsList).toBe(false);
    expect(items.calls).toBeGreaterThan(1);
  });

  it('are due until they succeed, and again in the next run', () => {
    const items = createList();
    items.update(listOf('a', 'b'));
    const first = dueOf(items);

    for (const listed of items.due()) items.markAttempted(listed, listed.item['database'] === 'a');
    const retry = dueOf(items);
    items.startRun();

    expect([first, retry, dueOf(items).toSorted()]).toEqual([['a', 'b'], ['b'], ['a', 'b']]);
  });

  it('are polled in the order of their attempts, so that failing ones do not block the others', () => {
    const items = createList();
    items.update(listOf('a', 'b', 'c'));
    const [a, b] = items.due();
    if (a !== undefined && b !== undefined) for (const listed of [b, a]) items.markAttempted(listed, false);

    expect(dueOf(items)).toEqual(['c', 'b', 'a']);
  });

  it('follow a newer list: new ones are due, removed ones are cancelled', () => {
    const items = createList();
    items.update(listOf('kept', 'gone'));
    const [kept, gone] = items.due();
    for (const listed of items.due()) items.markAttempted(listed, true);

    const added = items.update(listOf('kept', 'new', 'newer'));

    expect(added).toBe(2);
    expect(dueOf(items)).toEqual(['new', 'newer']);
    expect([kept?.signal.aborted, gone?.signal.aborted]).toEqual([false, true]);
    expect(items.calls).toBe(3);
  });

  it('are not removed by an incomplete list', () => {
    const items = createList();
    items.update(listOf('a', 'b'));

    const added = items.update({ ...listOf('c'), isComplete: false });

    expect(added).toBe(1);
    expect([...items.keys].toSorted()).toEqual(['a', 'b', 'c'].map(keyOf));
  });

  it.each([
    [2, 0],
    [2, metrics - 1],
  ])('fit max_series of %i items and %i series, and the others count as dropped', (maxItems, rest) => {
    const items = createList({ maxItems, rest });

    items.update(listOf('a', 'b', 'c', 'd', 'e'));

    expect([...items.keys]).toEqual(['a', 'b'].map(keyOf));
    expect(items.excludedSeries).toBe(3 * metrics);
    items.update(listOf('a', 'b'));
    expect(items.excludedSeries).toBe(0);
  });

  it.each([
    [true, [true, false, true]],
    [false, [true, false, false]],
  ])('need their list in each run if no collector provides it: %s', (fetchesList, expected) => {
    const items = createList({ fetchesList });
    const needed = [items.needsList];
    items.startRun();
    items.update(listOf('a'));
    items.markListDone();
    needed.push(items.needsList);
    items.startRun();

    expect([...needed, items.needsList]).toEqual(expected);
  });

  it('keep needing their list until it was fetched', () => {
    const items = createList({ fetchesList: true });
    items.update(listOf('a'));
    items.startRun();
    const first = items.needsList;

    for (const listed of items.due()) items.markAttempted(listed, true);

    expect([first, items.needsList]).toEqual([true, true]);
  });

  it('of an earlier process are not due, unless marked', () => {
    const items = createList({ maxItems: 3 });
    items.addPolled(['a', 'b', 'c', 'd'].map((database) => ({ database })));
    const due = dueOf(items);
    const restored = [...items.keys];

    const b = items.get(keyOf('b'));
    if (b !== undefined) b.due = true;

    expect(due).toEqual([]);
    expect(restored).toEqual(['a', 'b', 'c'].map(keyOf));
    expect(dueOf(items)).toEqual(['b']);
    expect(items.excludedSeries).toBe(metrics);
    expect(items.update(listOf('a', 'b'))).toBe(0);
    expect([...items.keys]).toEqual(['a', 'b'].map(keyOf));
  });

  it('ignore an attempt at an item that was removed meanwhile', () => {
    const items = createList();
    items.update(listOf('gone'));
    const [gone] = items.due();
    items.update(listOf('a'));

    if (gone !== undefined) items.markAttempted(gone, false);

    expect(dueOf(items)).toEqual(['a']);
  });
});
