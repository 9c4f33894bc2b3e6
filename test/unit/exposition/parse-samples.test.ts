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
    expect(parseSamples('')).toEqual([]);
  });

  it.each([
    ['+Inf', Number.POSITIVE_INFINITY],
    ['-Inf', Number.NEGATIVE_INFINITY],
    ['-0.5', -0.5],
    ['1e+300', 1e300],
  ])('may have the value %s', (text, value) => {
    const line = `hosting_x{account="shop",site="a b"} ${text}\n`;

    expect(parseValues(line)).toEqual([value]);
    expect(parseLabel('site', line)).toEqual([['a b', value]]);
    expect(parseSamples(line)).toEqual([{ labels: { account: 'shop', site: 'a b' }, value }]);
  });

  it('have a label that only some of them have, with escaped quotes and backslashes', () => {
    const lines = [
      'hosting_x{account="shop"} 1',
      String.raw`hosting_x{account="shop",site="a\\"} 2`,
      String.raw`hosting_x{account=",site=\"no\"",id="7"} 3`,
      String.raw`hosting_x{account="shop",site="\"b\\\"\n"} 4`,
    ].join('\n');

    expect(parseLabel('site', `${lines}\n`)).toEqual([
      ['a\\', 2],
      ['"b\\"\n', 4],
    ]);
  });
});
