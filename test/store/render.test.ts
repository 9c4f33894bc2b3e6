import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Family } from '../../src/collectors/family.ts';
import { renderFamilies, renderHead, renderProcessMetrics, renderSeries } from '../../src/store/render.ts';
import { anyText, propertyRuns } from '../fixtures/properties.ts';
import { parsePage } from '../oracle/exposition.ts';

const head = '# HELP hosting_x Help.\n# TYPE hosting_x gauge\n';

function family(samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]) {
  return { name: 'hosting_x', labelNames: ['a', 'b'], samples };
}

function renderSamples(one: Family): string {
  return Buffer.from(renderFamilies([one]).get('hosting_x') ?? []).toString();
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
  anyText().map((value) => value.toWellFormed()),
  fc.array(fc.constantFrom(...nasty)).map((parts) => parts.join('')),
);

describe('rendered samples', () => {
  it('preserve any label value in both formats', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = renderSamples(family([{ labels: { a, b }, value: 1 }]));

        const expected = [{ name: 'hosting_x', labels: { a, b }, value: 1 }];
        expect(parsePage(head + lines, 'text')[0]?.samples).toEqual(expected);
        expect(parsePage(`${head}${lines}# EOF\n`, 'openmetrics')[0]?.samples).toEqual(expected);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('preserve any finite value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const lines = renderSamples(family([{ labels: { a: 'x' }, value }]));

        expect(parsePage(head + lines, 'text')[0]?.samples[0]?.value).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('contain the last of several samples with the same labels', () => {
    const lines = renderSamples(
      family([
        { labels: { a: 'x', b: 'y' }, value: 1 },
        { labels: { a: 'x', b: 'z' }, value: 2 },
        { labels: { a: 'x', b: 'y' }, value: 3 },
      ]),
    );

    expect(lines).toBe('hosting_x{a="x",b="y"} 3\nhosting_x{a="x",b="z"} 2\n');
  });

  it('distinguish series whose label values contain separators', () => {
    const lines = renderSamples(
      family([
        { labels: { a: 'x,b:y', b: 'z' }, value: 1 },
        { labels: { a: 'x', b: 'y,b:z' }, value: 2 },
      ]),
    );

    expect(parsePage(head + lines, 'text')[0]?.samples.map(({ value }) => value)).toEqual([1, 2]);
  });

  it('are empty without samples', () => {
    expect(renderSamples(family([]))).toBe('');
  });

  it('pass promtool with unusual label values', () => {
    const samples = nasty.map((value, index) => ({ labels: { a: value, b: String(index) }, value: index }));

    const lines = renderSamples(family(samples));

    expect(() => execFileSync('promtool', ['check', 'metrics'], { input: head + lines })).not.toThrow();
  });
});

it('an infinite value is written as +Inf', () => {
  const infinite = family([{ labels: { a: 'x' }, value: Number.POSITIVE_INFINITY }]);

  expect(renderSamples(infinite)).toBe('hosting_x{a="x"} +Inf\n');
});

it('metrics of the process have a head, the names of their series, and +Inf for an infinite value', () => {
  const values = [
    { labels: { le: 0.5 }, value: 1, metricName: 'x_seconds_bucket' },
    { labels: {}, value: Number.POSITIVE_INFINITY, metricName: 'x_seconds_sum' },
  ];
  const metrics = [
    { name: 'x_seconds', help: 'Help.', type: 'histogram', values },
    { name: 'y', help: 'Help.', type: 'gauge', values: [] },
  ] as const;

  expect(renderProcessMetrics('openmetrics', metrics)).toBe(
    '# HELP x_seconds Help.\n# TYPE x_seconds histogram\n# UNIT x_seconds seconds\n' +
      'x_seconds_bucket{le="0.5"} 1\nx_seconds_sum +Inf\n',
  );
});

it('a series omits labels without a value', () => {
  expect(renderSeries('hosting_x', ['a', 'b', 'c'], { b: '1' })).toBe('hosting_x{b="1"}');
  expect(renderSeries('hosting_x', ['a'], {})).toBe('hosting_x');
});

describe('the head of a metric', () => {
  it.each([
    ['hosting_calls_total', 'counter', '# HELP hosting_calls Help.\n# TYPE hosting_calls counter\n'],
    ['hosting_total_calls', 'gauge', '# HELP hosting_total_calls Help.\n# TYPE hosting_total_calls gauge\n'],
    ['hosting_total_calls_total', 'counter', '# HELP hosting_total_calls Help.\n# TYPE hosting_total_calls counter\n'],
    ['hosting_sum_total', 'gauge', '# HELP hosting_sum_total Help.\n# TYPE hosting_sum_total gauge\n'],
    [
      'hosting_x_bytes',
      'gauge',
      '# HELP hosting_x_bytes Help.\n# TYPE hosting_x_bytes gauge\n# UNIT hosting_x_bytes bytes\n',
    ],
    [
      'hosting_cpu_seconds_total',
      'counter',
      '# HELP hosting_cpu_seconds Help.\n# TYPE hosting_cpu_seconds counter\n# UNIT hosting_cpu_seconds seconds\n',
    ],
    ['hosting_bytes_used', 'gauge', '# HELP hosting_bytes_used Help.\n# TYPE hosting_bytes_used gauge\n'],
  ] as const)('of %s, a %s, is in OpenMetrics %j', (name, type, expected) => {
    expect(renderHead('openmetrics', { name, help: 'Help.', type })).toBe(expected);
    expect(renderHead('text', { name, help: 'Help.', type })).toBe(`# HELP ${name} Help.\n# TYPE ${name} ${type}\n`);
  });
});
