import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderSamples } from '../../../src/exposition/render.ts';
import { parsePage } from '../../oracle/exposition.ts';

const head = '# HELP hosting_x Help.\n# TYPE hosting_x gauge\n';

function family(samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]) {
  return { name: 'hosting_x', labelNames: ['a', 'b'], samples };
}

const nasty = [
  '"',
  '\\',
  '\n',
  '\\n',
  '\r',
  '\t',
  '\0',
  ' ',
  ',',
  '=',
  '{',
  '}',
  '#',
  'пекарня',
  '🏠',
  '\u2028',
  'a:b',
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => value.toWellFormed()),
  fc.array(fc.constantFrom(...nasty)).map((parts) => parts.join('')),
);

describe('rendered samples', () => {
  it('preserve any label value in both formats', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { text: lines } = renderSamples(family([{ labels: { a, b }, value: 1 }]));

        const expected = [{ name: 'hosting_x', labels: { a, b }, value: 1 }];
        expect(parsePage(head + lines, 'text')[0]?.samples).toEqual(expected);
        expect(parsePage(`${head}${lines}# EOF\n`, 'openmetrics')[0]?.samples).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('preserve any finite value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const { text: lines } = renderSamples(family([{ labels: { a: 'x' }, value }]));

        expect(parsePage(head + lines, 'text')[0]?.samples[0]?.value).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('contain the last of several samples with the same labels', () => {
    const { text: lines } = renderSamples(
      family([
        { labels: { a: 'x', b: 'y' }, value: 1 },
        { labels: { a: 'x', b: 'z' }, value: 2 },
        { labels: { a: 'x', b: 'y' }, value: 3 },
      ]),
    );

    expect(lines).toBe('hosting_x{a="x",b="y"} 3\nhosting_x{a="x",b="z"} 2\n');
  });

  it('distinguish series whose label values contain separators', () => {
    const { text: lines } = renderSamples(
      family([
        { labels: { a: 'x,b:y', b: 'z' }, value: 1 },
        { labels: { a: 'x', b: 'y,b:z' }, value: 2 },
      ]),
    );

    expect(parsePage(head + lines, 'text')[0]?.samples.map(({ value }) => value)).toEqual([1, 2]);
  });

  it('are empty without samples', () => {
    expect(renderSamples(family([]))).toEqual({ text: '', series: 0 });
  });

  it('pass promtool with unusual label values', () => {
    const samples = nasty.map((value, index) => ({ labels: { a: value, b: String(index) }, value: index }));

    const { text: lines } = renderSamples(family(samples));

    expect(() => execFileSync('promtool', ['check', 'metrics'], { input: head + lines })).not.toThrow();
  });
});
