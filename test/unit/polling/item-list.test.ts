import { describe, expect, it } from 'vitest';
import { backups } from '../../../src/collectors/backups.ts';
import { databaseLoadDetail } from '../../../src/collectors/database-load-detail.ts';
import { ItemList, type ItemOutcome } from '../../../src/polling/item-list.ts';

const metrics = databaseLoadDetail.metrics.length;

function listOf(...names: readonly string[]) {
  return { payload: names.map((name) => ({ name })), isComplete: true };
}

function createList({ maxItems = 100, fetchesList = false, rest = 0 } = {}): ItemList {
  return new ItemList(databaseLoadDetail, maxItems * metrics + rest, fetchesList);
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
    const items = new ItemList(backups, 1000, false);

    expect(items.needsList).toBe(false);
    expect(items.calls).toBe(2);
  });

  it('are due until they succeed, and again in the next run', () => {
    const items = createList();
    items.update(listOf('a', 'b'));
    const first = dueOf(items);

    for (const listed of items.due())
      items.markAttempted(listed, listed.item['database'] === 'a' ? 'succeeded' : 'failed');
    const retry = dueOf(items);
    items.startRun();

    expect([first, retry, dueOf(items).toSorted()]).toEqual([['a', 'b'], ['b'], ['a', 'b']]);
  });

  it('are polled in the order of their attempts, so that failing ones do not block the others', () => {
    const items = createList();
    items.update(listOf('a', 'b', 'c'));
    const [a, b] = items.due();
    if (a !== undefined && b !== undefined) for (const listed of [b, a]) items.markAttempted(listed, 'failed');

    expect(dueOf(items)).toEqual(['c', 'b', 'a']);
  });

  it('are left out until the next run after two refusals in a row, if another item was answered', () => {
    const items = createList();
    items.update(listOf('a', 'refused', 'once', 'failed'));
    const attempt = (outcome: (database: string) => ItemOutcome) => {
      for (const listed of items.due()) items.markAttempted(listed, outcome(listed.item['database'] ?? ''));
      items.leaveOutRefused();
      return [dueOf(items).toSorted(), items.refused];
    };

    const first = attempt((name) => (name === 'a' ? 'succeeded' : 'refused'));
    const second = attempt((name) => (name === 'refused' ? 'refused' : name === 'failed' ? 'failed' : 'succeeded'));
    items.startRun();
    const all = [dueOf(items).toSorted(), items.refused];
    const next = attempt(() => 'succeeded');

    expect(first).toEqual([['failed', 'once', 'refused'], 0]);
    expect(second).toEqual([['failed'], 1]);
    expect(all).toEqual([['a', 'failed', 'once', 'refused'], 1]);
    expect(next).toEqual([[], 0]);
  });

  it('stay due if all of them are refused', () => {
    const items = createList();
    items.update(listOf('a', 'b'));

    for (let attempt = 1; attempt <= 3; attempt += 1) {
      for (const listed of items.due()) items.markAttempted(listed, 'refused');
      expect([...items.leaveOutRefused()]).toEqual([keyOf('a'), keyOf('b')]);
    }

    expect(dueOf(items)).toEqual(['a', 'b']);
    expect(items.refused).toBe(2);
  });

  it('follow a newer list: new ones are due, removed ones are cancelled', () => {
    const items = createList();
    items.update(listOf('kept', 'gone'));
    const [kept, gone] = items.due();
    for (const listed of items.due()) items.markAttempted(listed, 'succeeded');

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

    for (const listed of items.due()) items.markAttempted(listed, 'succeeded');

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

    if (gone !== undefined) items.markAttempted(gone, 'failed');

    expect(dueOf(items)).toEqual(['a']);
  });
});
