import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databases } from '../../src/collectors/databases.ts';
import { domains } from '../../src/collectors/domains.ts';
import type { Family } from '../../src/collectors/family.ts';
import { publishable } from '../fixtures/publishable.ts';

function family(name: string, ...values: readonly number[]): Family {
  return { name, labelNames: [], samples: values.map((value) => ({ labels: {}, value })) };
}

describe('a value', () => {
  const isPlausible = (name: string, value: number) =>
    publishable({ metrics: [] }, [family(name, value)], 9).families[0]?.samples.length === 1;

  it.each([
    ['hosting_x_timestamp_seconds', [0, 253_402_300_799], [-1, 253_402_300_800]],
    ['hosting_x_seconds', [0, 1e9, 253_402_300_799], [-1, 253_402_300_800]],
    ['hosting_x_bytes', [0, 2 ** 53, 2 ** 62], [-1, 2 ** 63]],
    ['hosting_x', [-(2 ** 53), -1e9, 0, 2 ** 52], [-(2 ** 54), 2 ** 53]],
    ['hosting_bytes_x', [-1], [2 ** 53]],
  ])('of %s is possible from %j and impossible at %j', (name, possible, impossible) => {
    expect(possible.filter((value) => !isPlausible(name, value))).toEqual([]);
    const never = [...impossible, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308];
    expect(never.filter((value) => isPlausible(name, value))).toEqual([]);
  });

  it.each([
    ['hosting_x_timestamp_seconds', 'a time from 1970 to 9999'],
    ['hosting_x_seconds', 'a time in seconds'],
    ['hosting_x_bytes', 'a size in bytes'],
    ['hosting_x', 'an amount'],
  ])('that is impossible is reported with what %s should be: %s', (name, expected) => {
    const metrics = [{ name, help: '', field: 'x|y' } as never];

    const { issues } = publishable({ metrics }, [family(name, 1e300)], 9);

    expect(issues).toEqual([`${name} (x or y) is 1e+300, not ${expected}`]);
  });
});

it('a label that is no text is refused', () => {
  const samples = [{ labels: { database: 5 as never }, value: 1 }];

  const families = [{ name: 'x', labelNames: ['database'], samples }];

  expect(() => publishable({ metrics: [] }, families, 9)).toThrow('the label database is no text');
});

it('impossible values are removed one by one, each with a sentence that names its field', () => {
  const given = [family('hosting_database_size_bytes', 0, -5, 7, Number.NaN), family('hosting_databases', -3)];

  const { families, issues } = publishable(databases, given, 9);

  expect(families.map(({ samples }) => samples.map(({ value }) => value))).toEqual([[0, 7], [-3]]);
  expect(issues).toEqual([
    'hosting_database_size_bytes (size) is -5, not a size in bytes',
    'hosting_database_size_bytes (size) is NaN, not a size in bytes',
  ]);
});

/** A family with one value for each element of a list. */
function listFamily(name: string, values: readonly number[]): Family {
  const samples = values.map((value, index) => ({ labels: { account: 'a', item: String(index) }, value }));
  return { name, labelNames: ['account', 'item'], samples };
}

const limitSeries = (families: readonly Family[], maxSeries: number) =>
  publishable({ metrics: [] }, families, maxSeries);

const families = fc
  .array(fc.array(fc.nat(1000), { maxLength: 40 }), { maxLength: 6 })
  .map((lists) => lists.map((values, index) => listFamily(`hosting_${index}`, values)));

describe('the series limit', () => {
  it('is never exceeded, and counts dropped series', () => {
    fc.assert(
      fc.property(families, fc.nat(120), (given, most) => {
        const total = given.reduce((sum, { samples }) => sum + samples.length, 0);

        const { families: kept, dropped } = limitSeries(given, most);

        const left = kept.reduce((sum, { samples }) => sum + samples.length, 0);
        expect(left).toBeLessThanOrEqual(most);
        expect(left + dropped).toBe(total);
        if (total <= most) expect(kept).toEqual(given);
      }),
    );
  });

  it('keeps the largest values of each family, and complete small families', () => {
    fc.assert(
      fc.property(families, fc.nat(120), (given, most) => {
        const { families: kept } = limitSeries(given, most);

        for (const [index, { samples }] of kept.entries()) {
          const all = given[index]?.samples.map(({ value }) => value) ?? [];
          const biggest = [...all].sort((a, b) => b - a).slice(0, samples.length);
          expect(
            samples.map(({ value }) => value).sort((a, b) => b - a),
            `metric ${index}`,
          ).toEqual(biggest);
        }
        const cut = kept.filter(({ samples }, index) => samples.length < (given[index]?.samples.length ?? 0));
        const share = Math.max(0, ...cut.map(({ samples }) => samples.length));
        for (const [index, { samples }] of kept.entries()) {
          expect(samples.length, `metric ${index}`).toBeGreaterThanOrEqual(
            Math.min(share, given[index]?.samples.length ?? 0),
          );
        }
      }),
    );
  });

  it.each([
    // Each family gets the same share, and what small families leave is shared by the others.
    [[10, 10, 10], 30, [10, 10, 10], 0],
    [[10, 10, 10], 29, [9, 9, 9], 3],
    [[2, 10, 10], 20, [2, 9, 9], 2],
    [[10, 2, 10], 20, [9, 2, 9], 2],
    [[1, 3, 100], 10, [1, 3, 6], 94],
    [[5, 5], 1, [0, 0], 10],
    [[0, 5], 3, [0, 3], 2],
    [[7], 0, [0], 7],
  ])('of families with %j series is shared among them if %i are allowed', (sizes, most, kept, dropped) => {
    const given = sizes.map((size, index) =>
      listFamily(
        `hosting_${index}`,
        Array.from({ length: size }, (_, value) => value),
      ),
    );

    const limited = limitSeries(given, most);

    expect(limited.families.map(({ samples }) => samples.length)).toEqual(kept);
    expect(limited.dropped).toBe(dropped);
  });

  it('keeps the smallest values of a metric with smallestFirst, such as the expiry of domains', () => {
    const given: Family = { ...listFamily('hosting_expiry', [30, 10, 20]), smallestFirst: true };

    const { families: kept } = limitSeries([given], 2);

    expect(kept[0]?.samples.map(({ value }) => value)).toEqual([10, 20]);
    expect(domains.metrics.filter(({ name }) => name.includes('expiry'))).toMatchObject([{ smallestFirst: true }]);
  });

  it('keeps the first of equal values, in the order of the API', () => {
    const { families: kept } = limitSeries([listFamily('hosting_x', [5, 1, 9, 5, 5])], 3);

    expect(kept[0]?.samples.map(({ labels, value }) => [labels['item'], value])).toEqual([
      ['0', 5],
      ['2', 9],
      ['3', 5],
    ]);
  });

  it.each([
    [256, 256],
    [257, 256],
  ])('leaves labels of up to 256 characters as they are: %i', (length, shown) => {
    const item = 'x'.repeat(length);
    const given: Family = { ...listFamily('hosting_x', []), samples: [{ labels: { account: 'a', item }, value: 1 }] };

    const label = limitSeries([given], 10).families[0]?.samples[0]?.labels['item'];

    expect(label?.length).toBe(shown);
    expect(label === item).toBe(length <= 256);
  });

  it('does not cut a character of two code units in half', () => {
    const item = `${'x'.repeat(254)}😀${'x'.repeat(20)}`;
    const given: Family = { ...listFamily('hosting_x', []), samples: [{ labels: { account: 'a', item }, value: 1 }] };

    expect(limitSeries([given], 10).families[0]?.samples[0]?.labels['item']?.isWellFormed()).toBe(true);
  });
});
