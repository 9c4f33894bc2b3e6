import { describe, expect, it } from 'vitest';
import { readHistories } from '../../../src/account-view/histories.ts';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { KeptPayload } from '../../../src/exposition/kept-payload.ts';
import { PageIndex } from '../../../src/exposition/page-index.ts';
import { runToEnd } from '../../../src/in-turns.ts';
import type { HistoryRow } from '../../../src/payloads/load-history.ts';

const hour = 3_600_000;
const day = 24 * hour;
const midnight = Date.parse('2026-06-03T00:00:00Z');

function row(end: number, value: number | null, length: number): HistoryRow {
  return { period: { start: end - length, end }, value };
}

/** By database: its days, as `[days before midnight, value]`. */
function storeWith(databases: Readonly<Record<string, readonly (readonly [number, number | null])[]>>): AccountStore {
  const store = new AccountStore(new PageIndex());
  for (const [database, rows] of Object.entries(databases)) {
    const days = rows.map(([age, value]) => row(midnight - age * day, value, day));
    const arrival = { answered: midnight + 1000, providerTime: midnight + 1000, complete: true };
    const kept = KeptPayload.of({ hours: [], days, sizeDays: days }, arrival);
    store.publish('database_load_detail', JSON.stringify({ database }), [], hour, kept);
  }
  return store;
}

function daysOf(store: AccountStore, ...databases: readonly string[]) {
  const items = databases.map((database) => ({ database }));
  return runToEnd(readHistories(store, { name: 'database_load_detail' }, items)).map((histories) => histories?.days);
}

describe('histories', () => {
  it('have a gap for each period that the API does not mention, in any order of its rows', () => {
    const [days] = daysOf(
      storeWith({
        a: [
          [3, 30],
          [0, 10],
          [1, null],
        ],
      }),
      'a',
    );

    expect(days).toMatchObject({ from: midnight - 30 * day, to: midnight });
    expect(days?.values.slice(-5)).toEqual([undefined, 30, undefined, undefined, 10]);
    expect(days?.values).toHaveLength(30);
  });

  it('end with the same period, so that they can be compared', () => {
    const store = storeWith({ a: [[0, 1]], b: [[2, 5]] });

    const [a, b] = daysOf(store, 'a', 'b');

    expect([a?.to, b?.to]).toEqual([midnight, midnight]);
    expect(b?.values.slice(-3)).toEqual([5, undefined, undefined]);
  });

  it('leave out a period that had not ended when the API answered, and older ones than 30 days', () => {
    const [days] = daysOf(
      storeWith({
        a: [
          [-1, 7],
          [0, 8],
          [29, 9],
          [30, 10],
        ],
      }),
      'a',
    );

    expect(days?.values.filter((value) => value !== undefined)).toEqual([9, 8]);
  });

  it('are unknown without a payload and without values', () => {
    expect(daysOf(storeWith({ a: [], b: [[0, null]] }), 'a', 'b', 'c')).toEqual([undefined, undefined, undefined]);
  });

  it('align days of 23 and 25 hours', () => {
    const store = new AccountStore(new PageIndex());
    const days = [
      row(midnight, 3, day),
      row(midnight - day, 2, 23 * hour),
      row(midnight - day - 23 * hour, 1, 25 * hour),
    ];
    const arrival = { answered: midnight, providerTime: midnight, complete: true };
    store.publish('site_load_detail', '{"site_id":"1"}', [], hour, KeptPayload.of({ hours: [], days }, arrival));

    const [histories] = runToEnd(readHistories(store, { name: 'site_load_detail' }, [{ site_id: '1' }]));

    expect(histories?.days?.values.slice(-3)).toEqual([1, 2, 3]);
    expect(histories?.sizes).toBeUndefined();
  });

  it('have a day of hours, and sizes apart from loads', () => {
    const store = new AccountStore(new PageIndex());
    const hours = [row(midnight, 2, hour), row(midnight - 23 * hour, 1, hour), row(midnight - 24 * hour, 9, hour)];
    const payload = { hours, days: [row(midnight, 3, day)], sizeDays: [row(midnight, 4, day)] };
    const arrival = { answered: midnight, providerTime: midnight, complete: true };
    store.publish('database_load_detail', '{"database":"a"}', [], hour, KeptPayload.of(payload, arrival));

    const [histories] = runToEnd(readHistories(store, { name: 'database_load_detail' }, [{ database: 'a' }]));

    expect(histories?.hours).toEqual({
      from: midnight - day,
      to: midnight,
      values: [1, ...new Array(22).fill(undefined), 2],
    });
    expect(histories?.days?.values.slice(-2)).toEqual([undefined, 3]);
    expect(histories?.sizes?.values.slice(-2)).toEqual([undefined, 4]);
  });

  it('decode only the payloads of the requested items', () => {
    const store = storeWith({ a: [[0, 1]], b: [[0, 2]] });
    const decoded: string[] = [];
    for (const [item, kept] of store.payloads('database_load_detail')) {
      const decode = kept.decode.bind(kept);
      kept.decode = () => {
        decoded.push(item);
        return decode();
      };
    }

    daysOf(store, 'b');

    expect(decoded).toEqual(['{"database":"b"}']);
  });
});
