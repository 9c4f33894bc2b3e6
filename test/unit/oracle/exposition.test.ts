import { describe, expect, it } from 'vitest';
import { parsePage } from '../../oracle/exposition.ts';

const head = '# HELP a Help.\n# TYPE a gauge\n';

describe('the oracle', () => {
  it('reads a page', () => {
    const page = `${head}a{x="1",y="q\\"b\\\\n\\n"} 1.5\na 2e+3\n`;

    expect(parsePage(page, 'text')).toEqual([
      {
        name: 'a',
        help: 'Help.',
        type: 'gauge',
        samples: [
          { name: 'a', labels: { x: '1', y: 'q"b\\n\n' }, value: 1.5 },
          { name: 'a', labels: {}, value: 2000 },
        ],
      },
    ]);
  });

  it.each([
    ['no end of line', `${head}a 1`],
    ['a blank line', `${head}a 1\n\n`],
    ['a comment', `${head}a 1\n# comment\n`],
    ['no HELP', '# TYPE a gauge\na 1\n'],
    ['no TYPE', '# HELP a Help.\na 1\n'],
    ['no sample', head],
    ['a family twice', `${head}a 1\n${head}a{x="1"} 1\n`],
    ['a series twice', `${head}a{x="1",y="2"} 1\na{y="2",x="1"} 1\n`],
    ['a sample of another family', `${head}b 1\n`],
    ['a label that is not escaped', `${head}a{x="""} 1\n`],
    ['a label with a foreign escape', `${head}a{x="\\t"} 1\n`],
    ['a label twice', `${head}a{x="1",x="2"} 1\n`],
    ['a comma too many', `${head}a{x="1",} 1\n`],
    ['a figure that is none', `${head}a 1,5\n`],
    ['a timestamp', `${head}a 1 1700000000\n`],
    ['a counter below zero', '# HELP a Help.\n# TYPE a counter\na -1\n'],
    ['a carriage return', `${head}a 1\r\n`],
  ])('refuses a page with %s', (_what, page) => {
    expect(() => parsePage(page, 'text')).toThrow();
  });

  it.each([
    ['no EOF', `${head}a 1\n`],
    ['EOF twice', `${head}a 1\n# EOF\n# EOF\n`],
    ['a quote in HELP', '# HELP a A "b".\n# TYPE a gauge\na 1\n# EOF\n'],
    ['a counter without _total', '# HELP a Help.\n# TYPE a counter\na 1\n# EOF\n'],
    ['a counter family named _total', '# HELP a_total Help.\n# TYPE a_total counter\na_total 1\n# EOF\n'],
    ['the type untyped', '# HELP a Help.\n# TYPE a untyped\na 1\n# EOF\n'],
    [
      'a bucket that is no canonical float',
      '# HELP a Help.\n# TYPE a histogram\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n# EOF\n',
    ],
  ])('refuses a page of OpenMetrics with %s', (_what, page) => {
    expect(() => parsePage(page, 'openmetrics')).toThrow();
  });
});
