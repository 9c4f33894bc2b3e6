import { describe, expect, it } from 'vitest';
import { databases } from '../../src/collectors/databases.ts';
import { siteLoadDetail } from '../../src/collectors/site-load-detail.ts';
import { Figures } from '../../src/store/figures.ts';
import { readResult } from '../../src/store/read-result.ts';
import { type Figure, familiesOf } from '../fixtures/viewed-account.ts';

const hour = 3_600_000;
const target = { account: 'shop', settlingTime: 0, maxSeries: 100, expires: 0 };

const loads: readonly Figure[] = [
  ['hosting_site_load_average', 3, { site_id: '1', site: 'a' }],
  ['hosting_site_load_average', 5, { site_id: '2', site: 'b' }],
  ['hosting_site_load_average', 1, { site_id: '3', site: 'c' }],
];

function figuresOf(...figures: readonly Figure[]): Figures {
  return new Figures(familiesOf(figures));
}

describe('figures', () => {
  it('have values, sums and labels, by label', () => {
    const figures = figuresOf(...loads, ['hosting_databases', 4]);

    expect(figures.value('hosting_databases')).toBe(4);
    expect(figures.sum('site_id', 'hosting_site_load_average')).toBe(9);
    expect(Object.fromEntries(figures.by('site', 'hosting_site_load_average'))).toEqual({ a: 3, b: 5, c: 1 });
    const labels = { account: 'shop', site_id: '2', site: 'b' };
    expect(figures.labelsBy('site_id', 'hosting_site_load_average').get('2')).toEqual(labels);
  });

  it('are unknown without a result', () => {
    const figures = figuresOf();

    expect(figures.value('hosting_databases')).toBeUndefined();
    expect(figures.sum('site_id', 'hosting_site_load_average')).toBeUndefined();
    expect(figures.samples('hosting_site_load_average')).toEqual([]);
  });

  it('count each series of all results once, with the last value', () => {
    const results = [loads, [['hosting_site_load_average', 7, { site_id: '1', site: 'a' }]] as const];

    const figures = new Figures(results.flatMap((list) => familiesOf(list)));

    expect(figures.sum('site_id', 'hosting_site_load_average')).toBe(13);
  });
});

describe('a result', () => {
  it('is read at the time of the answer by the clock of the API, minus settling_time', () => {
    const providerTime = Date.parse('2026-06-03T12:30:00Z');
    const rows = [1.4, 0.6, 0.4].map((age, index) => {
      const end = providerTime - age * hour;
      return { period: { start: end - hour, end }, value: index };
    });
    const answer = { payload: { hours: rows, days: [] }, answered: 0, providerTime, complete: true };
    const item = { site_id: '1', site: 'a' };

    const { result } = readResult(siteLoadDetail, item, answer, { ...target, settlingTime: hour / 2 });

    const samples = new Figures(result.families).samples('hosting_site_load_hourly');
    expect(samples).toEqual([{ labels: { account: 'shop', ...item }, value: 1 }]);
  });

  it('of an incomplete list lacks its count, and contains the payload as it is saved', () => {
    const answer = { payload: [{ name: 'a', size: 5 }], answered: 1, providerTime: 2, complete: false };

    const { result } = readResult(databases, {}, answer, { ...target, expires: 3 });

    const { families, payload, ...rest } = result;
    expect(new Figures(families).value('hosting_databases')).toBeUndefined();
    expect(new Figures(families).value('hosting_database_size_bytes')).toBe(5);
    expect(JSON.parse(payload)).toEqual(answer.payload);
    expect(rest).toEqual({ answered: 1, providerTime: 2, complete: false, dropped: 0, expires: 3 });
  });
});
