import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLabel, parseSamples, parseValues } from '../../../src/exposition/parse-samples.ts';
import { renderSamples } from '../../../src/exposition/render.ts';

describe('samples', () => {
  it('survive rendering and parsing', () => {
    const value = fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number));
    const items = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.string(), value), {
      selector: ([site, id]) => JSON.stringify([site, id]),
    });
    fc.assert(
      fc.property(items, (list) => {
        const samples = list.map(([site, id, value]) => ({ labels: { account: 'shop, "site"', site, id }, value }));

        const { text } = renderSamples({ name: 'hosting_x', labelNames: ['account', 'site', 'id'], samples });

        expect(parseSamples(text)).toEqual(samples);
        for (const label of ['site', 'id'] as const) {
          expect(parseLabel(label, text)).toEqual(samples.map(({ labels, value }) => [labels[label], value]));
        }
        expect(parseValues(text)).toEqual(list.map(([, , value]) => value));
      }),
    );
  });

  it('may have no labels', () => {
    expect(parseSamples('hosting_x 1.5\n')).toEqual([{ labels: {}, value: 1.5 }]);
    expect(parseValues('')).toEqual([]);
  });
});
