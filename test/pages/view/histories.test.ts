import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/collectors/collector.ts';
import { readHistories, sumOf } from '../../../src/pages/view/histories.ts';
import type { HistoryRow } from '../../../src/payloads/load-history.ts';
import type { Account } from '../../../src/polling/account.ts';
import { changed, resultOf, viewedAccount } from '../../fixtures/viewed-account.ts';

const hour = 3_600_000;
const day = 24 * hour;
const midnight = Date.parse('2026-06-03T00:00:00Z');

function row(end: number, value: number | null, length: number): HistoryRow {
  return { period: { start: end - length, end }, value };
}

/** An account with these payloads by the items of the collector. The days that end up to `settled` are complete. */
function accountWith(
  collector: string,
  payloads: readonly (readonly [Item, unknown])[],
  settled = midnight + 1000,
): Account {
  const account = viewedAccount();
  for (const [item, payload] of payloads) {
    const parts = { payload: JSON.stringify(payload), providerTime: settled + hour };
    account.store.set(collector, JSON.stringify(item), resultOf(account.store, parts));
  }
  return changed(account, { settlingTime: hour });
}

/** An account with databases. The days of each database are given as `[days before midnight, value]`. */
function databasesWith(databases: Readonly<Record<string, readonly (readonly [number, number | null])[]>>) {
  const payloads = Object.entries(databases).map(([database, rows]) => {
    const days = rows.map(([age, value]) => row(midnight - age * day, value, day));
    return [{ database }, { hours: [], days, sizeDays: days }] as const;
  });
  return accountWith('database_load_detail', payloads);
}

function daysOf(account: Account, ...databases: readonly string[]) {
  const items = databases.map((database) => ({ database }));
  return readHistories(account, 'database_load_detail', items).map(({ days }) => days);
}

describe('histories', () => {
  it('have a gap for each period that the API does not mention, in any order of its rows', () => {
    const account = databasesWith({
      a: [
        [3, 30],
        [0, 10],
        [1, null],
      ],
    });

    const [days] = daysOf(account, 'a');
    const [{ sizes } = {}] = readHistories(account, 'database_load_detail', [{ database: 'a' }]);

    expect(days).toMatchObject({ from: midnight - 30 * day, to: midnight });
    expect(days?.values.slice(-5)).toEqual([undefined, 30, undefined, undefined, 10]);
    expect(days?.values).toHaveLength(30);
    expect(sizes).toEqual(days);
  });

  it('end with the same period, so that they can be compared', () => {
    const account = databasesWith({ a: [[0, 1]], b: [[2, 5]] });

    const [a, b] = daysOf(account, 'a', 'b');

    expect([a?.to, b?.to]).toEqual([midnight, midnight]);
    expect(b?.values.slice(-3)).toEqual([5, undefined, undefined]);
  });

  it('leave out an incomplete day, and days older than 30 days', () => {
    const [days] = daysOf(
      databasesWith({
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
    expect(daysOf(databasesWith({ a: [], b: [[0, null]] }), 'a', 'b', 'c')).toEqual([undefined, undefined, undefined]);
  });

  it('align days of 23 and 25 hours', () => {
    const days = [
      row(midnight, 3, day),
      row(midnight - day, 2, 23 * hour),
      row(midnight - day - 23 * hour, 1, 25 * hour),
    ];
    const account = accountWith('site_load_detail', [[{ site_id: '1' }, { hours: [], days }]], midnight);

    const [histories] = readHistories(account, 'site_load_detail', [{ site_id: '1' }]);

    expect(histories?.days?.values.slice(-3)).toEqual([1, 2, 3]);
    expect(histories?.sizes).toBeUndefined();
  });

  it('have a day of hours, and sizes apart from loads, each with its own end', () => {
    const hours = [row(midnight, 2, hour), row(midnight - 23 * hour, 1, hour), row(midnight - 24 * hour, 9, hour)];
    const payload = { hours, days: [row(midnight, 3, day)], sizeDays: [row(midnight - day, 4, day)] };
    const account = accountWith('database_load_detail', [[{ database: 'a' }, payload]], midnight);

    const [histories] = readHistories(account, 'database_load_detail', [{ database: 'a' }]);

    expect(histories?.hours).toEqual({
      from: midnight - day,
      to: midnight,
      values: [1, ...new Array(22).fill(undefined), 2],
    });
    expect(histories?.days?.values.slice(-2)).toEqual([undefined, 3]);
    expect(histories?.sizes?.to).toBe(midnight - day);
    expect(histories?.sizes?.values.slice(-2)).toEqual([undefined, 4]);
  });

  it('of several sites add up, and a day without any load stays a gap', () => {
    const two = [[row(midnight, 1, day)], [row(midnight, 2, day), row(midnight - 2 * day, 4, day)]];
    const items = two.map((days, index) => [{ site_id: `${index}` }, { hours: [], days }] as const);
    const account = accountWith(
      'site_load_detail',
      items.map(([item, payload]) => [item, payload]),
    );

    const sum = sumOf(
      readHistories(
        account,
        'site_load_detail',
        items.map(([item]) => item),
      ).map(({ days }) => days),
    );

    expect(sum?.values.slice(-3)).toEqual([4, undefined, 3]);
    expect(sumOf([undefined])).toBeUndefined();
  });

  it('are those of the collector', () => {
    const payload = { hours: [], days: [row(midnight, 1, day)] };
    const account = accountWith('site_load_detail', [[{ database: 'a' }, payload]]);

    expect(daysOf(account, 'a')).toEqual([undefined]);
  });

  it('are empty for a payload of a damaged state file', () => {
    const account = accountWith('database_load_detail', [[{ database: 'a' }, { hours: [], days: [{ value: 1 }] }]]);

    expect(daysOf(account, 'a')).toEqual([undefined]);
  });
});
