import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSamples, parseValues } from '../../../src/exposition/parse-samples.ts';
import { renderSamples } from '../../../src/exposition/render.ts';

describe('samples', () => {
  it('survive rendering and parsing', () => {
    const value = fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number));
    const items = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.string(), value), {
      selector: ([site, id]) => JSON.stringify([site, id]),
    });
    fc.assert(
      fc.property(items, (list) => {
        const samples = list.map(([site, id, value]) => ({ labels: { site, id }, value }));

        const { text } = renderSamples({ name: 'hosting_x', labelNames: ['site', 'id'], samples });

        expect(parseSamples(text)).toEqual(samples);
        expect(parseValues(text)).toEqual(list.map(([, , value]) => value));
      }),
    );
  });

  it('may have no labels', () => {
    expect(parseSamples('hosting_x 1.5\n')).toEqual([{ labels: {}, value: 1.5 }]);
    expect(parseValues('')).toEqual([]);
  });
});
