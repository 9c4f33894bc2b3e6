import { describe, expect, it } from 'vitest';
import { AccountStore } from '../../../src/exposition/account-store.ts';

function family(name: string, ...items: readonly string[]) {
  const samples = items.map((item, index) => ({ labels: { account: 'a', item }, value: index }));
  return { name, labelNames: ['account', 'item'], samples };
}

function shown(store: AccountStore, metric = 'hosting_x'): string {
  return store
    .blocks('c', metric)
    .map(({ text }) => text.toString('utf8'))
    .join('');
}

function seriesCount(store: AccountStore): string | undefined {
  const lines = store.metrics.lines.get('hosting_exporter_collector_series') ?? '';
  return /collector="c"\} (\d+)/.exec(lines)?.[1];
}

describe('what an account shows', () => {
  it('is nothing at first', () => {
    const store = new AccountStore('a', 30);

    expect(store.blocks('c', 'hosting_x')).toEqual([]);
  });

  it('is the newest result of each item', () => {
    const store = new AccountStore('a', 30);
    store.publish('c', '1', [family('hosting_x', 'one'), family('hosting_y', 'one')], 100);
    store.publish('c', '2', [family('hosting_x', 'two')], 100);
    store.publish('c', '1', [family('hosting_x', 'uno')], 100);

    expect(shown(store)).toBe('hosting_x{account="a",item="uno"} 0\nhosting_x{account="a",item="two"} 0\n');
    expect(shown(store, 'hosting_y')).toBe('');
    expect(seriesCount(store)).toBe('2');
  });

  it('ends for each item at its own time', () => {
    const store = new AccountStore('a', 30);
    store.publish('c', '1', [family('hosting_x', 'one')], 100);
    store.publish('c', '2', [family('hosting_x', 'two')], 200);

    store.expire(99);
    const before = shown(store);
    store.expire(100);
    const between = shown(store);
    store.expire(200);

    expect(before).toContain('one');
    expect(between).toBe('hosting_x{account="a",item="two"} 0\n');
    expect(shown(store)).toBe('');
    expect(seriesCount(store)).toBe('0');
  });

  it('lives on with a newer result', () => {
    const store = new AccountStore('a', 30);
    store.publish('c', '', [family('hosting_x', 'one')], 100);
    store.publish('c', '', [family('hosting_x', 'one')], 300);

    store.expire(200);

    expect(shown(store)).not.toBe('');
  });

  it('ends at once for items that are gone', () => {
    const store = new AccountStore('a', 30);
    store.publish('c', '1', [family('hosting_x', 'one')], 100);
    store.publish('c', '2', [family('hosting_x', 'two')], 100);

    store.retain('c', new Set(['2', '3']));

    expect(shown(store)).toBe('hosting_x{account="a",item="two"} 0\n');
    expect(seriesCount(store)).toBe('1');
  });

  it('does not begin with an item that was gone before its first result', () => {
    const store = new AccountStore('a', 30);
    store.retain('c', new Set(['2']));

    store.publish('c', '1', [family('hosting_x', 'one')], 100);
    store.publish('c', '2', [family('hosting_x', 'two')], 100);

    expect(shown(store)).toBe('hosting_x{account="a",item="two"} 0\n');
  });

  it('holds many items without trouble', () => {
    const store = new AccountStore('a', 30);
    const items = Array.from({ length: 2000 }, (_, index) => String(index));

    store.publish('c', '', [family('hosting_x', ...items)], 100);

    expect(shown(store).split('\n')).toHaveLength(2001);
  });
});
