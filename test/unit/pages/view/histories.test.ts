import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Item } from '../../../../src/collectors/collector.ts';
import { readHistories } from '../../../../src/pages/view/histories.ts';
import type { HistoryRow } from '../../../../src/payloads/load-history.ts';
import type { Result } from '../../../../src/results/figures.ts';
import { KeptPayload } from '../../../../src/results/kept-payload.ts';
import { TimeSlice } from '../../../../src/runtime/time-slice.ts';

const hour = 3_600_000;
const day = 24 * hour;
const midnight = Date.parse('2026-06-03T00:00:00Z');

function row(end: number, value: number | null, length: number): HistoryRow {
  return { period: { start: end - length, end }, value };
}

function result(collector: string, item: Item, payload: unknown, settled = midnight + 1000): Result {
  const kept = new KeptPayload(payload, { answered: settled + day, providerTime: settled + day, complete: true });
  return { collector, item: JSON.stringify(item), kept, families: [], settled };
}

/** Results for databases. The days of each database are given as `[days before midnight, value]`. */
function resultsOf(
  databases: Readonly<Record<string, readonly (readonly [number, number | null])[]>>,
): readonly Result[] {
  return Object.entries(databases).map(([database, rows]) => {
    const days = rows.map(([age, value]) => row(midnight - age * day, value, day));
    return result('database_load_detail', { database }, { hours: [], days, sizeDays: days });
  });
}

async function daysOf(results: readonly Result[], ...databases: readonly string[]) {
  const items = databases.map((database) => ({ database }));
  return (await readHistories(results, 'database_load_detail', items)).map(({ days }) => days);
}

describe('histories', () => {
  it('have a gap for each period that the API does not mention, in any order of its rows', async () => {
    const results = resultsOf({
      a: [
        [3, 30],
        [0, 10],
        [1, null],
      ],
    });

    const [days] = await daysOf(results, 'a');
    const [{ sizes } = {}] = await readHistories(results, 'database_load_detail', [{ database: 'a' }]);

    expect(days).toMatchObject({ from: midnight - 30 * day, to: midnight });
    expect(days?.values.slice(-5)).toEqual([undefined, 30, undefined, undefined, 10]);
    expect(days?.values).toHaveLength(30);
    expect(sizes).toEqual(days);
  });

  it('end with the same period, so that they can be compared', async () => {
    const results = resultsOf({ a: [[0, 1]], b: [[2, 5]] });

    const [a, b] = await daysOf(results, 'a', 'b');

    expect([a?.to, b?.to]).toEqual([midnight, midnight]);
    expect(b?.values.slice(-3)).toEqual([5, undefined, undefined]);
  });

  it('leave out an incomplete day, and days older than 30 days', async () => {
    const [days] = await daysOf(
      resultsOf({
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

  it('are unknown without a payload and without values', async () => {
    expect(await daysOf(resultsOf({ a: [], b: [[0, null]] }), 'a', 'b', 'c')).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('align days of 23 and 25 hours', async () => {
    const days = [
      row(midnight, 3, day),
      row(midnight - day, 2, 23 * hour),
      row(midnight - day - 23 * hour, 1, 25 * hour),
    ];
    const results = [result('site_load_detail', { site_id: '1' }, { hours: [], days }, midnight)];

    const [histories] = await readHistories(results, 'site_load_detail', [{ site_id: '1' }]);

    expect(histories?.days?.values.slice(-3)).toEqual([1, 2, 3]);
    expect(histories?.sizes).toBeUndefined();
  });

  it('have a day of hours, and sizes apart from loads, each with its own end', async () => {
    const hours = [row(midnight, 2, hour), row(midnight - 23 * hour, 1, hour), row(midnight - 24 * hour, 9, hour)];
    const payload = { hours, days: [row(midnight, 3, day)], sizeDays: [row(midnight - day, 4, day)] };
    const results = [result('database_load_detail', { database: 'a' }, payload, midnight)];

    const [histories] = await readHistories(results, 'database_load_detail', [{ database: 'a' }]);

    expect(histories?.hours).toEqual({
      from: midnight - day,
      to: midnight,
      values: [1, ...new Array(22).fill(undefined), 2],
    });
    expect(histories?.days?.values.slice(-2)).toEqual([undefined, 3]);
    expect(histories?.sizes?.to).toBe(midnight - day);
    expect(histories?.sizes?.values.slice(-2)).toEqual([undefined, 4]);
  });

  it('are those of the collector', async () => {
    const results = [result('site_load_detail', { database: 'a' }, { hours: [], days: [row(midnight, 1, day)] })];

    expect(await daysOf(results, 'a')).toEqual([undefined]);
  });

  it('let other work continue between two items', async () => {
    const results = resultsOf({ a: [[0, 1]], b: [[0, 2]], c: [[0, 3]] });
    const pause = vi.spyOn(TimeSlice.prototype, 'pause');
    onTestFinished(() => pause.mockRestore());

    await daysOf(results, 'a', 'b', 'c');

    expect(pause).toHaveBeenCalledTimes(3);
  });
});
