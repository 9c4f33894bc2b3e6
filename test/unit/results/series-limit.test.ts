import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domains } from '../../../src/collectors/domains.ts';
import type { Family } from '../../../src/collectors/family.ts';
import { publishable } from '../../fixtures/publishable.ts';

const limitSeries = (families: readonly Family[], maxSeries: number) =>
  publishable({ metrics: [] }, families, maxSeries);

function family(name: string, values: readonly number[]): Family {
  const samples = values.map((value, index) => ({ labels: { account: 'a', item: String(index) }, value }));
  return { name, labelNames: ['account', 'item'], samples };
}

const families = fc
  .array(fc.array(fc.nat(1000), { maxLength: 40 }), { maxLength: 6 })
  .map((lists) => lists.map((values, index) => family(`hosting_${index}`, values)));

describe('the series limit', () => {
  it('is never exceeded, and counts dropped series', async () => {
    await fc.assert(
      fc.asyncProperty(families, fc.nat(120), async (given, most) => {
        const total = given.reduce((sum, { samples }) => sum + samples.length, 0);

        const { families: kept, dropped } = await limitSeries(given, most);

        const left = kept.reduce((sum, { samples }) => sum + samples.length, 0);
        expect(left).toBeLessThanOrEqual(most);
        expect(left + dropped).toBe(total);
        if (total <= most) expect(kept).toEqual(given);
      }),
    );
  });

  it('keeps the largest values of each family, and complete small families', async () => {
    await fc.assert(
      fc.asyncProperty(families, fc.nat(120), async (given, most) => {
        const { families: kept } = await limitSeries(given, most);

        for (const [index, { samples }] of kept.entries()) {
          const all = given[index]?.samples.map(({ value }) => value) ?? [];
          const biggest = [...all].sort((a, b) => b - a).slice(0, samples.length);
          expect(samples.map(({ value }) => value).sort((a, b) => b - a)).toEqual(biggest);
        }
        const cut = kept.filter(({ samples }, index) => samples.length < (given[index]?.samples.length ?? 0));
        const share = Math.max(0, ...cut.map(({ samples }) => samples.length));
        for (const [index, { samples }] of kept.entries()) {
          expect(samples.length).toBeGreaterThanOrEqual(Math.min(share, given[index]?.samples.length ?? 0));
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
  ])('of families with %j series is shared among them if %i are allowed', async (sizes, most, kept, dropped) => {
    const given = sizes.map((size, index) =>
      family(
        `hosting_${index}`,
        Array.from({ length: size }, (_, value) => value),
      ),
    );

    const limited = await limitSeries(given, most);

    expect(limited.families.map(({ samples }) => samples.length)).toEqual(kept);
    expect(limited.dropped).toBe(dropped);
    for (const [index, { samples }] of limited.families.entries()) {
      const size = sizes[index] ?? 0;
      const largest = Array.from({ length: size }, (_, value) => value).slice(size - samples.length);
      expect(samples.map(({ value }) => value).toSorted((a, b) => a - b)).toEqual(largest);
    }
  });

  it('keeps the smallest values of a metric with smallestFirst, such as the expiry of domains', async () => {
    const given: Family = { ...family('hosting_expiry', [30, 10, 20]), smallestFirst: true };

    const { families: kept } = await limitSeries([given], 2);

    expect(kept[0]?.samples.map(({ value }) => value)).toEqual([10, 20]);
    expect(domains.metrics.filter(({ name }) => name.includes('expiry'))).toMatchObject([{ smallestFirst: true }]);
  });

  it('keeps the first of equal values, in the order of the API', async () => {
    const { families: kept } = await limitSeries([family('hosting_x', [5, 1, 9, 5, 5])], 3);

    expect(kept[0]?.samples.map(({ labels, value }) => [labels['item'], value])).toEqual([
      ['0', 5],
      ['2', 9],
      ['3', 5],
    ]);
  });

  it('shortens labels of more than 256 characters, and keeps them distinct', async () => {
    const long = (end: string) => ({ labels: { account: 'a', item: `${'я'.repeat(300)}${end}` }, value: 1 });
    const given: Family = { ...family('hosting_x', []), samples: [long('1'), long('2')] };

    const labels = (await limitSeries([given], 10)).families[0]?.samples.map(({ labels }) => labels['item']) ?? [];

    expect(labels.map((label) => label?.length)).toEqual([256, 256]);
    expect(new Set(labels).size).toBe(2);
    expect(labels[0]).toMatch(/^я{247}…[0-9a-f]{8}$/);
  });

  it.each([
    [256, 256],
    [257, 256],
  ])('leaves labels of up to 256 characters as they are: %i', async (length, shown) => {
    const item = 'x'.repeat(length);
    const given: Family = { ...family('hosting_x', []), samples: [{ labels: { account: 'a', item }, value: 1 }] };

    const label = (await limitSeries([given], 10)).families[0]?.samples[0]?.labels['item'];

    expect(label?.length).toBe(shown);
    expect(label === item).toBe(length <= 256);
  });

  it('shortens only the long labels of a family', async () => {
    const longest = 'y'.repeat(256);
    const samples = [
      { labels: { item: 'x'.repeat(257) }, value: 1 },
      { labels: { item: longest }, value: 2 },
      { labels: { item: 'short' }, value: 3 },
    ];

    const { families } = await limitSeries([{ ...family('hosting_x', []), samples }], 10);

    const items = families[0]?.samples.map(({ labels }) => labels['item']);
    expect(items).toEqual([expect.stringMatching(/^x{247}…[0-9a-f]{8}$/), longest, 'short']);
  });

  it('shortens labels of a family that has only long ones', async () => {
    const samples = [{ labels: { item: 'x'.repeat(257) }, value: 1 }];

    const { families } = await limitSeries([{ ...family('hosting_x', []), samples }], 10);

    expect(families[0]?.samples[0]?.labels['item']).toHaveLength(256);
  });

  it('does not cut a character of two code units in half', async () => {
    const item = `${'x'.repeat(246)}😀${'x'.repeat(20)}`;
    const given: Family = { ...family('hosting_x', []), samples: [{ labels: { account: 'a', item }, value: 1 }] };

    expect((await limitSeries([given], 10)).families[0]?.samples[0]?.labels['item']?.isWellFormed()).toBe(true);
  });
});
